"""Exercise: adding positions to embeddings."""

import math

import torch
from torch import Tensor

from pe_lib.absolute.sinusoidal import sinusoidal_encoding
from pe_lib.exercises.calls import call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.inputs import fixed
from pe_lib.exercises.sinusoidal._common import ADDING, SCALE, row


def _embeddings(batch: int, seq: int, dim: int) -> Tensor:
    return fixed(batch, seq, dim, seed=dim, dtype=torch.float32)


exercise = Exercise(
    call(_embeddings(2, 5, 8)),
    call(_embeddings(1, 4, 16)),
    call(_embeddings(3, 2, 6), offset=7),
    call(_embeddings(2, 1, 4), offset=20),
)


@exercise.answer
def my_add(embeddings: Tensor, offset: int = 0) -> Tensor:
    return _scaled(embeddings) + _encoding(embeddings, offset)


def _scaled(embeddings: Tensor) -> Tensor:
    return embeddings * math.sqrt(embeddings.shape[-1])


def _encoding(embeddings: Tensor, offset: int) -> Tensor:
    """The rows of the sequence's positions, (seq, dim)."""
    _, seq, dim = embeddings.shape
    return sinusoidal_encoding(row(seq, offset), dim)


def _batch_encoding(embeddings: Tensor, offset: int) -> Tensor:
    """The rows of positions counted along the batch, (batch, dim)."""
    batch, _, dim = embeddings.shape
    return sinusoidal_encoding(row(batch, offset), dim)


# --- scale --------------------------------------------------------------------------------------


@exercise.mistake(see=SCALE)
def embeddings_not_scaled(embeddings: Tensor, offset: int = 0) -> Tensor:
    """the positions are right, but you add the embeddings at their own size. The exercise asks you
    to multiply them first, as the paper does."""
    return embeddings + _encoding(embeddings, offset)


@exercise.mistake(see=SCALE)
def embeddings_divided(embeddings: Tensor, offset: int = 0) -> Tensor:
    """you make the embeddings smaller; the paper makes them larger before it adds. (Dividing is
    what attention does to its scores.)"""
    return embeddings / math.sqrt(embeddings.shape[-1]) + _encoding(embeddings, offset)


@exercise.mistake(see=SCALE)
def scaled_by_dim(embeddings: Tensor, offset: int = 0) -> Tensor:
    """you scale the embeddings too much: you multiply by dim itself, but the paper uses a smaller
    factor."""
    return embeddings * embeddings.shape[-1] + _encoding(embeddings, offset)


@exercise.mistake(see=SCALE)
def root_of_the_length(embeddings: Tensor, offset: int = 0) -> Tensor:
    """you scale by the root of the number of words. What counts is the number of features of an
    embedding, which is a different axis."""
    return embeddings * math.sqrt(embeddings.shape[1]) + _encoding(embeddings, offset)


@exercise.mistake(see=SCALE)
def positions_scaled_too(embeddings: Tensor, offset: int = 0) -> Tensor:
    """you scale the sum. Only the embeddings should be scaled, before the positions are added."""
    return _scaled(embeddings + _encoding(embeddings, offset))


# --- positions ----------------------------------------------------------------------------------


@exercise.mistake(see=ADDING)
def positions_along_the_batch(embeddings: Tensor, offset: int = 0) -> Tensor:
    """all words of a sequence get the same position, the number of their sequence in the batch.
    Positions should run along the sequence axis."""
    return _scaled(embeddings) + _batch_encoding(embeddings, offset)[:, None]


@exercise.mistake(see=ADDING)
def as_many_rows_as_sequences(embeddings: Tensor, offset: int = 0) -> Tensor:
    """your table has as many rows as the batch has sequences. It needs one row for each word:
    positions run along the sequence axis."""
    return _scaled(embeddings) + _batch_encoding(embeddings, offset)


@exercise.mistake(see=ADDING)
def positions_from_1(embeddings: Tensor, offset: int = 0) -> Tensor:
    """every word gets the encoding of the next position. Without an offset, the first word is at
    position 0."""
    return my_add(embeddings, offset + 1)


@exercise.mistake(see=ADDING)
def offset_ignored(embeddings: Tensor, offset: int = 0) -> Tensor:
    """this is right without an offset, but a given offset has no effect: the first word of the call
    is at that position, not at 0."""
    return my_add(embeddings)


@exercise.mistake(see=ADDING)
def offset_added_to_the_numbers(embeddings: Tensor, offset: int = 0) -> Tensor:
    """the offset is added to the encoding's numbers. It belongs to the positions, before any sine
    is taken."""
    return my_add(embeddings) + offset
