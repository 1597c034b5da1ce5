"""Mistakes in a score that is computed with complex numbers."""

import torch
from torch import Tensor

from pe_lib.exercises.mistakes import Mistakes
from pe_lib.exercises.rope_by_hand._common import LAW, right_angles

wrong_scores = Mistakes()


def barred(x: Tensor) -> Tensor:
    """The complex conjugates: the second half with a minus."""
    a, b = x.chunk(2)
    return torch.cat((a, -b))


def _product(q: Tensor, k: Tensor, offset: float) -> Tensor:
    """The sum over the pairs of q times k, turned by the offset's angles."""
    numbers = torch.complex(*q.chunk(2)) * torch.complex(*k.chunk(2))
    return (numbers * torch.exp(1j * right_angles(offset, len(q)))).sum()


@wrong_scores.mistake(see=LAW)
def no_bar_and_positions_added(q: Tensor, k: Tensor, m: float, n: float) -> Tensor:
    """you multiply the two turned vectors as plain complex numbers: their angles add up. One of the
    two needs a bar before they are multiplied."""
    return _product(q, k, m + n).real


@wrong_scores.mistake(see=LAW)
def no_bar_and_the_key_turned_back(q: Tensor, k: Tensor, m: float, n: float) -> Tensor:
    """you take the real part of a plain product, which is not a dot product: one of the two vectors
    needs a bar. Your choice decides whose position counts backwards."""
    return _product(q, k, m - n).real


@wrong_scores.mistake(see=LAW)
def no_bar_and_the_query_turned_back(q: Tensor, k: Tensor, m: float, n: float) -> Tensor:
    """you take the real part of a plain product, which is not a dot product: one of the two vectors
    needs a bar. Your choice decides whose position counts backwards."""
    return _product(q, k, n - m).real


@wrong_scores.mistake(see=LAW)
def imaginary_part_with_a_bar_on_the_query(q: Tensor, k: Tensor, m: float, n: float) -> Tensor:
    """you give the imaginary part of the product. The dot product is the other part."""
    return _product(barred(q), k, n - m).imag


@wrong_scores.mistake(see=LAW)
def imaginary_part_with_a_bar_on_the_key(q: Tensor, k: Tensor, m: float, n: float) -> Tensor:
    """you give the imaginary part of the product. The dot product is the other part."""
    return _product(q, barred(k), m - n).imag


@wrong_scores.mistake(see=LAW)
def absolute_value(q: Tensor, k: Tensor, m: float, n: float) -> Tensor:
    """you give the absolute value of the product. The dot product is its real part, and may be
    negative."""
    return _product(barred(q), k, n - m).abs()
