"""Exercise: adding positions to embeddings."""

import math

import torch
from torch import Tensor

from pe_lib.exercises.checker import Exercise, Mistake
from pe_lib.exercises.inputs import fixed
from pe_lib.exercises.runs import call
from pe_lib.exercises.sinusoidal._common import ADDING, row
from pe_lib.sinusoidal import sinusoidal_encoding


def _add(embeddings: Tensor, offset: int = 0) -> Tensor:
    return _scaled(embeddings) + _encoding(embeddings, offset)


def _scaled(embeddings: Tensor) -> Tensor:
    return embeddings * math.sqrt(embeddings.shape[-1])


def _encoding(embeddings: Tensor, offset: int = 0) -> Tensor:
    """The rows of the sequence's positions, (seq, dim)."""
    _, seq, dim = embeddings.shape
    return sinusoidal_encoding(row(seq, offset), dim)


def _embeddings(batch: int, seq: int, dim: int) -> Tensor:
    return fixed(batch, seq, dim, seed=dim, dtype=torch.float32)


def _batch_encoding(embeddings: Tensor, offset: int) -> Tensor:
    """The rows of positions counted along the batch, (batch, dim)."""
    batch, _, dim = embeddings.shape
    return sinusoidal_encoding(row(batch, offset), dim)


def _running_on(embeddings: Tensor, offset: int = 0) -> Tensor:
    """Positions that do not start anew with the next sequence of the batch."""
    batch, seq, dim = embeddings.shape
    positions = row(batch * seq, offset).view(batch, seq)
    return _scaled(embeddings) + sinusoidal_encoding(positions, dim)


EXERCISE = Exercise(
    name="add_positions",
    signature="my_add(embeddings, offset=0)",
    reference=_add,
    calls=(
        call(_embeddings(2, 5, 8)),
        call(_embeddings(1, 4, 16)),
        call(_embeddings(3, 2, 6), offset=7),
        call(_embeddings(2, 1, 4), offset=20),
    ),
    mistakes=(
        Mistake(
            "embeddings not scaled",
            lambda x, offset=0: x + _encoding(x, offset),
            "the positions are right, but the embeddings come in at their own size: the paper "
            "multiplies them first, so that words are not drowned out.",
            ADDING,
        ),
        Mistake(
            "embeddings divided",
            lambda x, offset=0: x / math.sqrt(x.shape[-1]) + _encoding(x, offset),
            "you make the embeddings smaller; the paper makes them larger before it adds. "
            "(Dividing is what attention does to its scores.)",
            ADDING,
        ),
        Mistake(
            "scaled by dim",
            lambda x, offset=0: x * x.shape[-1] + _encoding(x, offset),
            "the embeddings are scaled too much: by dim itself, not by what the paper takes.",
            ADDING,
        ),
        Mistake(
            "positions scaled too",
            lambda x, offset=0: _scaled(x + _encoding(x, offset)),
            "you scale the sum. Only the embeddings are scaled, before the positions are added.",
            ADDING,
        ),
        Mistake(
            "positions along the batch",
            lambda x, offset=0: _scaled(x) + _batch_encoding(x, offset)[:, None],
            "all words of one sequence get the same position, the number of their sequence in "
            "the batch: positions run along the sequence axis.",
            ADDING,
        ),
        Mistake(
            "as many rows as sequences",
            lambda x, offset=0: _scaled(x) + _batch_encoding(x, offset),
            "your table has as many rows as the batch has sequences. It needs one row for each "
            "word: positions run along the sequence axis.",
            ADDING,
        ),
        Mistake(
            "positions run on through the batch",
            _running_on,
            "the second sequence of the batch goes on counting where the first one ended. "
            "Every sequence starts at the same position.",
            ADDING,
        ),
        Mistake(
            "offset ignored",
            lambda x, offset=0: _add(x),
            "right without an offset, but offset changes nothing: the first word of the call "
            "stands at that position, not at 0.",
            ADDING,
        ),
        Mistake(
            "offset added to the numbers",
            lambda x, offset=0: _add(x) + offset,
            "the offset is added to the encoding's numbers. It belongs to the positions, before "
            "any sine is taken.",
            ADDING,
        ),
        Mistake(
            "positions from 1",
            lambda x, offset=0: _add(x, offset + 1),
            "every word gets the code of the next position: the first one stands at position 0.",
            ADDING,
        ),
        Mistake(
            "positions only",
            lambda x, offset=0: _encoding(x, offset).expand(x.shape),
            "the words are gone: your result is the encoding alone.",
            ADDING,
        ),
        Mistake(
            "words only",
            lambda x, offset=0: _scaled(x),
            "the words are scaled as they should be, but no position is added.",
            ADDING,
        ),
    ),
)
