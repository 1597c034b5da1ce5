"""Exercise: the shift matrix."""

import torch
from torch import Tensor

from pe_lib.exercises.checker import Exercise, Mistake
from pe_lib.exercises.runs import call
from pe_lib.exercises.sinusoidal._common import FORMULA, SHIFT, even
from pe_lib.frequencies import inverse_frequencies
from pe_lib.sinusoidal import shift_matrix


def _blocks(angles: Tensor) -> Tensor:
    """A shift matrix from the angle of every pair."""
    cos, sin = angles.cos(), angles.sin()
    blocks = torch.stack((cos, sin, -sin, cos), dim=-1).unflatten(-1, (2, 2))
    matrix: Tensor = torch.block_diag(*blocks)
    return matrix


def _half_split(k: int, dim: int) -> Tensor:
    order = torch.cat((torch.arange(0, dim, 2), torch.arange(1, dim, 2)))
    return shift_matrix(k, dim)[order][:, order]


def _symmetric(k: int, dim: int) -> Tensor:
    """The upper half mirrored: both sines of a block with the same sign."""
    upper = shift_matrix(k, dim).triu()
    return upper + upper.triu(1).T


EXERCISE = Exercise(
    name="shift_matrix",
    signature="my_shift_matrix(k, dim)",
    reference=shift_matrix,
    calls=(call(3, 4), call(1, 6), call(0, 8), call(-2, 8), call(4, 12)),
    mistakes=(
        Mistake(
            "turned backwards",
            lambda k, dim: shift_matrix(-k, dim),
            "your matrix goes k positions back: every block turns the wrong way. Which comes "
            "first in a pair, the sine or the cosine?",
            SHIFT,
        ),
        Mistake(
            "one block too many",
            lambda k, dim: _blocks(k * 10000 ** (-torch.arange(0, dim + 2, 2) / dim)),
            "your matrix is two rows and two columns too large: there is one block for each "
            "pair, and the pairs are counted from 0.",
            SHIFT,
        ),
        Mistake(
            "pairs counted from 1",
            lambda k, dim: _blocks(k * 10000 ** (-(even(dim) + 2) / dim)),
            "every block has the frequency of the next pair: the pairs are counted from 0.",
            SHIFT,
        ),
        Mistake(
            "half-split layout",
            _half_split,
            "your matrix turns column i together with column i + dim/2. In this table the two "
            "columns of a pair are neighbours.",
            SHIFT,
        ),
        Mistake(
            "only the diagonal",
            lambda k, dim: torch.diag(torch.diag(shift_matrix(k, dim))),
            "only the diagonal is filled. A cosine alone cannot tell forwards from backwards: "
            "each new value mixes both values of its pair.",
            SHIFT,
        ),
        Mistake(
            "minus sign missing",
            _symmetric,
            "your blocks are symmetric, so they do not turn: a minus sign is missing.",
            SHIFT,
        ),
        Mistake(
            "without k",
            lambda k, dim: shift_matrix(1, dim),
            "your matrix is the same for every k: it always goes one position on.",
            SHIFT,
        ),
        Mistake(
            "one angle for all pairs",
            lambda k, dim: _blocks(torch.full((dim // 2,), float(k))),
            "every block turns by the angle of the fastest pair. Each pair has its own frequency.",
            SHIFT,
        ),
        Mistake(
            "sign of the exponent",
            lambda k, dim: _blocks(k * 10000 ** (even(dim) / dim)),
            "the exponent has the wrong sign: your later pairs turn faster than the first one.",
            FORMULA,
        ),
        Mistake(
            "exponent without its 2",
            lambda k, dim: _blocks(k * 10000 ** (-even(dim) / 2 / dim)),
            "your frequencies fall only half as far as they should: the pair index has lost "
            "its factor in the exponent.",
            FORMULA,
        ),
        Mistake(
            "degrees",
            lambda k, dim: _blocks(torch.deg2rad(k * inverse_frequencies(dim))),
            "you take the angles for degrees; they are radians.",
            FORMULA,
        ),
    ),
)
