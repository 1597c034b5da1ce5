"""Attention weights of documents that are packed into one row, and what their masks get wrong."""

import math

import torch
from torch import Tensor

from pe_lib.common.frequencies import inverse_frequencies
from pe_lib.exercises.mistakes import Mistakes
from pe_lib.exercises.rope_in_code._common import PACKED, angles_of, turned

wrong_weights = Mistakes()  # of the right scores, given the documents


def placed(x: Tensor, places: Tensor | None = None, interleaved: bool = False) -> Tensor:
    """x at these places; by default at its slots."""
    places = torch.arange(len(x)) if places is None else places
    angles = angles_of(places, inverse_frequencies(x.shape[-1]), interleaved)
    return turned(x, angles, interleaved)


def same(documents: Tensor) -> Tensor:
    return documents[:, None] == documents


def earlier(documents: Tensor) -> Tensor:
    """What a text without documents lets a token see."""
    return torch.ones(len(documents), len(documents), dtype=torch.bool).tril()


def seen(documents: Tensor) -> Tensor:
    return earlier(documents) & same(documents)


def scores(q: Tensor, k: Tensor) -> Tensor:
    """Of queries and keys that are turned already."""
    return q @ k.mT / math.sqrt(q.shape[-1])


def masked(scores: Tensor, unmasked: Tensor) -> Tensor:
    return scores.masked_fill(~unmasked, -math.inf)


# --- what is seen -------------------------------------------------------------------------------


@wrong_weights.mistake(see=PACKED)
def no_document_mask(scores: Tensor, documents: Tensor) -> Tensor:
    """you treat the row as one long text: a token sees the documents before its own."""
    return masked(scores, earlier(documents)).softmax(-1)


@wrong_weights.mistake(see=PACKED)
def looks_ahead(scores: Tensor, documents: Tensor) -> Tensor:
    """no document sees another one, but inside a document a token sees those that come after it."""
    return masked(scores, same(documents)).softmax(-1)


@wrong_weights.mistake(see=PACKED)
def looks_ahead_only(scores: Tensor, documents: Tensor) -> Tensor:
    """your mask points in the wrong direction: a token sees itself and the tokens after it."""
    return masked(scores, seen(documents).mT).softmax(-1)


@wrong_weights.mistake(see=PACKED)
def later_tokens_only(scores: Tensor, documents: Tensor) -> Tensor:
    """a token sees only what comes after it in its document. So the last token of a document sees
    nothing at all, and its weights are nan."""
    return masked(scores, ~earlier(documents) & same(documents)).softmax(-1)


@wrong_weights.mistake(see=PACKED)
def one_reason_is_enough(scores: Tensor, documents: Tensor) -> Tensor:
    """your mask shows a token if it comes earlier or if it is in the same document. Both should be
    true."""
    return masked(scores, earlier(documents) | same(documents)).softmax(-1)


@wrong_weights.mistake(see=PACKED)
def only_other_documents(scores: Tensor, documents: Tensor) -> Tensor:
    """a token sees only the documents before its own. So the tokens of the first document see
    nothing at all, and their weights are nan."""
    return masked(scores, earlier(documents) & ~same(documents)).softmax(-1)


@wrong_weights.mistake(see=PACKED)
def own_token_hidden(scores: Tensor, documents: Tensor) -> Tensor:
    """a token does not see itself. So the first token of a document sees nothing at all, and its
    weights are nan."""
    return masked(scores, seen(documents).tril(-1)).softmax(-1)


@wrong_weights.mistake(see=PACKED)
def mask_the_wrong_way_round(scores: Tensor, documents: Tensor) -> Tensor:
    """your mask is the wrong way round: what a token should see is hidden, the rest is seen."""
    return masked(scores, ~seen(documents)).softmax(-1)


@wrong_weights.mistake(see=PACKED)
def no_mask_at_all(scores: Tensor, documents: Tensor) -> Tensor:
    """every token sees all tokens of the row: nothing is masked."""
    return scores.softmax(-1)


# --- how it is hidden ---------------------------------------------------------------------------


@wrong_weights.mistake(see=PACKED)
def mask_added_as_numbers(scores: Tensor, documents: Tensor) -> Tensor:
    """you add the mask to the scores as ones and zeros. That favours some tokens but hides none."""
    return (scores + seen(documents)).softmax(-1)


@wrong_weights.mistake(see=PACKED)
def documents_added_as_numbers(scores: Tensor, documents: Tensor) -> Tensor:
    """no token looks ahead. But you add ones and zeros for the documents: that favours a token's
    own document but does not hide the others."""
    return masked(scores + same(documents), earlier(documents)).softmax(-1)


@wrong_weights.mistake(see=PACKED)
def zero_instead_of_minus_infinity(scores: Tensor, documents: Tensor) -> Tensor:
    """hidden tokens have the score 0. A score of 0 still gets a share of the attention."""
    return (scores * seen(documents)).softmax(-1)


@wrong_weights.mistake(see=PACKED)
def masked_after_the_softmax(scores: Tensor, documents: Tensor) -> Tensor:
    """the mask comes after the softmax: the rows no longer sum to 1, because the hidden tokens took
    a share."""
    return scores.softmax(-1) * seen(documents)


@wrong_weights.mistake(see=PACKED)
def documents_masked_after_the_softmax(scores: Tensor, documents: Tensor) -> Tensor:
    """the other documents are hidden only after the softmax: the rows no longer sum to 1, because
    the hidden tokens took a share."""
    return masked(scores, earlier(documents)).softmax(-1) * same(documents)


@wrong_weights.mistake(see=PACKED)
def future_masked_after_the_softmax(scores: Tensor, documents: Tensor) -> Tensor:
    """later tokens are hidden only after the softmax: the rows no longer sum to 1, because the
    hidden tokens took a share."""
    return masked(scores, same(documents)).softmax(-1).tril()


@wrong_weights.mistake(see=PACKED)
def softmax_over_the_queries(scores: Tensor, documents: Tensor) -> Tensor:
    """your columns sum to 1. The rows should, because each query shares out its attention among the
    keys."""
    return masked(scores, seen(documents)).softmax(0)


@wrong_weights.mistake(see=PACKED)
def softmax_forgotten(scores: Tensor, documents: Tensor) -> Tensor:
    """these are the masked scores; the weights still have to be made from them."""
    return masked(scores, seen(documents))
