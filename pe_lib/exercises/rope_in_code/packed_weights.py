"""Exercise: attention weights of documents that are packed into one row."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from pe_lib.exercises.calls import Call, call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.inputs import fixed
from pe_lib.exercises.rope_in_code._common import BLOCK, HALF_SPLIT, LAYOUT, PACKED, PRECISION
from pe_lib.exercises.rope_in_code._packing import (
    earlier,
    masked,
    placed,
    same,
    scores,
    seen,
    wrong_weights,
)
from pe_lib.rotary.apply import apply_rotary, rotary_cos_sin


def _call(head_dim: int, *documents: int, size: int = 2) -> Call:
    rows = size * fixed(2, len(documents), head_dim, seed=len(documents))
    return call(*rows, torch.tensor(documents))


exercise = Exercise(
    _call(8, 0, 0, 0, 1, 1),
    _call(4, 3, 3, 7, 7, 7, 7),
    _call(12, 0, 1, 1, 1, 1, 2, 2, 2),
    _call(6, 5, 5, 5, 5),
    _call(4, *[0] * 20, *[1] * 400, *[2] * 30, size=4),
)


@exercise.answer
def my_packed_weights(q: Tensor, k: Tensor, documents: Tensor) -> Tensor:
    return _weights(placed(q), placed(k), documents)


def _weights(q: Tensor, k: Tensor, documents: Tensor) -> Tensor:
    return masked(scores(q, k), seen(documents)).softmax(-1)


def _of_scores(
    weights: Callable[[Tensor, Tensor], Tensor], q: Tensor, k: Tensor, documents: Tensor
) -> Tensor:
    return weights(scores(placed(q), placed(k)), documents)


def _anew(documents: Tensor) -> Tensor:
    """Places that begin at 0 in every document."""
    slots = torch.arange(len(documents))
    return slots - torch.where(same(documents), slots, len(documents)).min(dim=1).values


exercise.take(wrong_weights, within=_of_scores)


# --- positions ----------------------------------------------------------------------------------


@exercise.mistake(see=PACKED)
def positions_anew_and_no_document_mask(q: Tensor, k: Tensor, documents: Tensor) -> Tensor:
    """your positions start again in every document, but a token still sees the documents before its
    own, and their tokens look like tokens of its own text."""
    q, k = placed(q, _anew(documents)), placed(k, _anew(documents))
    return masked(scores(q, k), earlier(documents)).softmax(-1)


@exercise.mistake(see=PACKED)
def positions_anew_and_no_mask_at_all(q: Tensor, k: Tensor, documents: Tensor) -> Tensor:
    """your positions start again in every document, but every token sees all tokens of the row:
    nothing is masked."""
    return scores(placed(q, _anew(documents)), placed(k, _anew(documents))).softmax(-1)


@exercise.mistake(see=PACKED)
def number_of_the_document_as_position(q: Tensor, k: Tensor, documents: Tensor) -> Tensor:
    """you turn every token by the number of its document. Positions are counted inside the text,
    and the documents still have to be kept apart."""
    q, k = placed(q, documents), placed(k, documents)
    return masked(scores(q, k), earlier(documents)).softmax(-1)


@exercise.mistake(see=PACKED)
def two_ways_of_counting(q: Tensor, k: Tensor, documents: Tensor) -> Tensor:
    """the positions of the queries start again in every document, but those of the keys do not. So
    the offset between a query and a key is wrong."""
    return _weights(placed(q, _anew(documents)), placed(k), documents)


@exercise.mistake(see=PRECISION)
def positions_in_bfloat16(q: Tensor, k: Tensor, documents: Tensor) -> Tensor:
    """right for short rows. Your positions are in bfloat16, which has no odd numbers above 256, so
    two neighbours get the same position."""
    places = torch.arange(len(q)).bfloat16().double()
    return _weights(placed(q, places), placed(k, places), documents)


# --- the turn -----------------------------------------------------------------------------------


@exercise.mistake(see=BLOCK)
def not_turned(q: Tensor, k: Tensor, documents: Tensor) -> Tensor:
    """the mask is right, but no score depends on how far apart two tokens are. Either you do not
    turn them, or you turn all of them by the same angle."""
    return _weights(q, k, documents)


@exercise.mistake(see=BLOCK)
def only_the_query_turned(q: Tensor, k: Tensor, documents: Tensor) -> Tensor:
    """you turn the queries, but not the keys: the score then depends on where the query is, not on
    the offset."""
    return _weights(placed(q), k, documents)


@exercise.mistake(see=BLOCK)
def only_the_key_turned(q: Tensor, k: Tensor, documents: Tensor) -> Tensor:
    """you turn the keys, but not the queries: the score then depends on where the key is, not on
    the offset."""
    return _weights(q, placed(k), documents)


@exercise.mistake(see=BLOCK)
def turned_in_opposite_ways(q: Tensor, k: Tensor, documents: Tensor) -> Tensor:
    """query and key turn in opposite directions, so the score depends on the sum of their positions
    and not on the offset."""
    return _weights(placed(q), placed(k, -torch.arange(len(k))), documents)


@exercise.mistake(see=LAYOUT)
def turned_clockwise(q: Tensor, k: Tensor, documents: Tensor) -> Tensor:
    """queries and keys both turn in the wrong direction. The scores depend only on their offset,
    but before and after have changed places."""
    places = -torch.arange(len(q))
    return _weights(placed(q, places), placed(k, places), documents)


@exercise.mistake(see=HALF_SPLIT)
def base_of_llama_3(q: Tensor, k: Tensor, documents: Tensor) -> Tensor:
    """your later pairs turn too slowly: this is the base of Llama 3. The exercise asks for a
    different base, and a model fits only its own."""
    tables = rotary_cos_sin(len(q), q.shape[-1], 5e5, dtype=q.dtype)
    return _weights(apply_rotary(q, *tables), apply_rotary(k, *tables), documents)


@exercise.mistake(see=LAYOUT)
def interleaved_pairs(q: Tensor, k: Tensor, documents: Tensor) -> Tensor:
    """mask and turn are right, but your pairs are interleaved; this head was made for half-split
    ones."""
    return _weights(placed(q, interleaved=True), placed(k, interleaved=True), documents)


@exercise.mistake(see=LAYOUT)
def two_layouts(q: Tensor, k: Tensor, documents: Tensor) -> Tensor:
    """the queries are turned in one layout and the keys in the other."""
    return _weights(placed(q), placed(k, interleaved=True), documents)


# --- the scores ---------------------------------------------------------------------------------


@exercise.mistake(see=PACKED)
def scale_forgotten(q: Tensor, k: Tensor, documents: Tensor) -> Tensor:
    """turn and mask are right, but the scores are not scaled before the softmax."""
    return my_packed_weights(q * math.sqrt(q.shape[-1]), k, documents)


@exercise.mistake(see=PACKED)
def scaled_by_head_dim(q: Tensor, k: Tensor, documents: Tensor) -> Tensor:
    """turn and mask are right, but the scores are scaled too much: by the width of the head
    itself."""
    return my_packed_weights(q / math.sqrt(q.shape[-1]), k, documents)


@exercise.mistake(see=PACKED)
def scaled_by_the_number_of_tokens(q: Tensor, k: Tensor, documents: Tensor) -> Tensor:
    """turn and mask are right, but your scale depends on the number of tokens. The width of the
    head counts."""
    return my_packed_weights(q * math.sqrt(q.shape[-1] / len(q)), k, documents)


@exercise.mistake(see=PACKED)
def queries_and_keys_swapped(q: Tensor, k: Tensor, documents: Tensor) -> Tensor:
    """queries and keys have changed places: a row of the weights belongs to a query."""
    return my_packed_weights(k, q, documents)
