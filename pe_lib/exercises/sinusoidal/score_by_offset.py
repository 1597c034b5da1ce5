"""Exercise: the score of an offset."""

import math

import torch
from torch import Tensor

from pe_lib.exercises.checker import Exercise, Mistake
from pe_lib.exercises.runs import call
from pe_lib.exercises.sinusoidal._common import DOT_PRODUCT, FORMULA, even, row
from pe_lib.frequencies import inverse_frequencies


def _score(k: int, dim: int) -> Tensor:
    return (k * inverse_frequencies(dim)).cos().sum()


EXERCISE = Exercise(
    name="score_by_offset",
    signature="my_score(k, dim)",
    reference=_score,
    calls=(call(1, 8), call(0, 6), call(4, 12), call(-3, 8), call(50, 4)),
    mistakes=(
        Mistake(
            "mean instead of sum",
            lambda k, dim: _score(k, dim) / (dim / 2),
            "your score never exceeds 1: you average over the pairs. A dot product is a sum.",
            DOT_PRODUCT,
        ),
        Mistake(
            "every pair counted twice",
            lambda k, dim: 2 * _score(k, dim),
            "your score is twice too large. The two columns of a pair together give one term.",
            DOT_PRODUCT,
        ),
        Mistake(
            "sines",
            lambda k, dim: (k * inverse_frequencies(dim)).sin().sum(),
            "your score is 0 at offset 0 and changes its sign with the offset. A vector is most "
            "similar to itself, and forwards and backwards score the same.",
            DOT_PRODUCT,
        ),
        Mistake(
            "first pair only",
            lambda k, dim: math.cos(k),
            "only the first pair is counted: every pair adds its own term.",
            DOT_PRODUCT,
        ),
        Mistake(
            "offset forgotten",
            lambda k, dim: dim / 2,
            "your score is the same for every offset: it is what a vector gives with itself.",
            DOT_PRODUCT,
        ),
        Mistake(
            "one angle for all pairs",
            lambda k, dim: dim / 2 * math.cos(k),
            "every pair turns by the angle of the fastest one. Each has its own frequency.",
            DOT_PRODUCT,
        ),
        Mistake(
            "angles added first",
            lambda k, dim: (k * inverse_frequencies(dim)).sum().cos(),
            "you add the angles of all pairs and take one cosine. Each pair gives a term of its "
            "own, and the terms are added.",
            DOT_PRODUCT,
        ),
        Mistake(
            "column as pair index",
            lambda k, dim: (k * 10000 ** (-row(dim) / dim)).cos().sum(),
            "you give every column a frequency and a term of its own: the two columns of a pair "
            "share one.",
            DOT_PRODUCT,
        ),
        Mistake(
            "exponent without its 2",
            lambda k, dim: (k * 10000 ** (-even(dim) / 2 / dim)).cos().sum(),
            "your frequencies fall only half as far as they should: the pair index has lost "
            "its factor in the exponent.",
            FORMULA,
        ),
        Mistake(
            "sign of the exponent",
            lambda k, dim: (k * 10000 ** (even(dim) / dim)).cos().sum(),
            "the exponent has the wrong sign: your later pairs turn faster than the first one.",
            FORMULA,
        ),
        Mistake(
            "degrees",
            lambda k, dim: torch.deg2rad(k * inverse_frequencies(dim)).cos().sum(),
            "you take the angles for degrees; they are radians.",
            FORMULA,
        ),
        Mistake(
            "distance instead of score",
            lambda k, dim: (dim - 2 * _score(k, dim)).clamp_min(0).sqrt(),
            "this is the distance between the two vectors, 0 when they are the same. The score "
            "is their dot product, largest when they are the same.",
            DOT_PRODUCT,
        ),
        Mistake(
            "divided by sqrt(dim)",
            lambda k, dim: _score(k, dim) / math.sqrt(dim),
            "the score is divided by the root of dim. Attention does that; the dot product "
            "alone does not.",
            DOT_PRODUCT,
        ),
    ),
)
