"""Right and wrong ways to attention weights of documents that are packed into one row."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from pe_lib.exercises.rope_in_code._common import angles_of, turned
from pe_lib.frequencies import inverse_frequencies


def placed(x: Tensor, places: Tensor | None = None, interleaved: bool = False) -> Tensor:
    """x at these places; by default at its slots."""
    places = torch.arange(len(x)) if places is None else places
    angles = angles_of(places, inverse_frequencies(x.shape[-1]), interleaved)
    return turned(x, angles, interleaved)


def anew(documents: Tensor) -> Tensor:
    """Places that begin at 0 in every document."""
    slots = torch.arange(len(documents))
    return slots - torch.where(same(documents), slots, len(documents)).min(dim=1).values


def same(documents: Tensor) -> Tensor:
    return documents[:, None] == documents


def seen(documents: Tensor) -> Tensor:
    return earlier(documents) & same(documents)


def earlier(documents: Tensor) -> Tensor:
    """What a text without documents lets a token see."""
    return torch.ones(len(documents), len(documents), dtype=torch.bool).tril()


def scaled_scores(q: Tensor, k: Tensor, scale: float | None = None) -> Tensor:
    return q @ k.mT / (math.sqrt(q.shape[-1]) if scale is None else scale)


def softmax(scores: Tensor, unmasked: Tensor) -> Tensor:
    return scores.masked_fill(~unmasked, -math.inf).softmax(dim=-1)


def turned_scores(q: Tensor, k: Tensor, scale: float | None = None) -> Tensor:
    return scaled_scores(placed(q), placed(k), scale)


def with_scores(scores: Callable[[Tensor, Tensor], Tensor]) -> Callable[..., Tensor]:
    """The right mask, but scores of one's own."""
    return lambda q, k, documents: softmax(scores(q, k), seen(documents))


def with_mask(own: Callable[[Tensor], Tensor]) -> Callable[..., Tensor]:
    """The right scores, but a mask of one's own."""
    return lambda q, k, documents: softmax(turned_scores(q, k), own(documents))


def scores_anew(q: Tensor, k: Tensor, documents: Tensor) -> Tensor:
    return scaled_scores(placed(q, anew(documents)), placed(k, anew(documents)))


def weights(q: Tensor, k: Tensor, documents: Tensor) -> Tensor:
    return softmax(turned_scores(q, k), seen(documents))
