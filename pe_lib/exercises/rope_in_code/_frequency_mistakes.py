"""Mistakes in how fast the pairs turn: their frequencies, and the unit of their angles."""

import torch

from pe_lib.exercises.checker import Mistake
from pe_lib.exercises.rope_in_code import _turns as turns
from pe_lib.exercises.rope_in_code._common import BLOCK, HALF_SPLIT, turned

FREQUENCY_MISTAKES = (
    Mistake(
        "sign of the exponent",
        turns.with_exponents(lambda pair, head_dim: 2 * pair / head_dim),
        "the exponent has the wrong sign: your later pairs turn faster than the first one.",
        HALF_SPLIT,
    ),
    Mistake(
        "exponent without its 2",
        turns.with_exponents(lambda pair, head_dim: -pair / head_dim),
        "your frequencies fall only half as far as they should: the number of the pair has "
        "lost its factor in the exponent.",
        HALF_SPLIT,
    ),
    Mistake(
        "exponent with its 2 twice",
        turns.with_exponents(lambda pair, head_dim: -4 * pair / head_dim),
        "your frequencies fall twice as far as they should: a factor 2 in the exponent is "
        "there twice.",
        HALF_SPLIT,
    ),
    Mistake(
        "a frequency for each feature",
        turns.by_feature(1),
        "every feature has a frequency of its own, so that the two of a pair turn by two "
        "different angles. A pair has one frequency.",
        HALF_SPLIT,
    ),
    Mistake(
        "feature as pair index",
        turns.by_feature(2),
        "you take the number of the feature for the number of the pair: the second half turns "
        "by angles of its own, and hardly at all.",
        HALF_SPLIT,
    ),
    Mistake(
        "pairs counted from 1",
        turns.with_exponents(lambda pair, head_dim: -2 * (pair + 1) / head_dim),
        "all your pairs turn too slowly: the first one should turn by one radian a position. "
        "Which number has the first pair?",
        HALF_SPLIT,
    ),
    Mistake(
        "last pair at the base",
        turns.with_exponents(lambda pair, head_dim: -pair / (len(pair) - 1)),
        "your last pair is too slow: you spread the exponents up to the end. The last step to "
        "the base is never taken.",
        HALF_SPLIT,
    ),
    Mistake(
        "whole turns",
        lambda x, offset=0: turned(x, 2 * torch.pi * turns.angles_at(x, offset)),
        "you take position times frequency for a number of turns. It is in radians as it is.",
        HALF_SPLIT,
    ),
    Mistake(
        "one frequency for all",
        turns.with_exponents(lambda pair, head_dim: 0 * pair),
        "all your pairs turn at the speed of the first one.",
        HALF_SPLIT,
    ),
    Mistake(
        "degrees",
        lambda x, offset=0: turned(x, turns.angles_at(x, offset).deg2rad()),
        "you take the angles for degrees. Position times frequency is in radians.",
        HALF_SPLIT,
    ),
    Mistake(
        "width of the model",
        turns.model_wide,
        "your frequencies are those of a head as wide as all heads together. Every head "
        "is turned for itself.",
        BLOCK,
    ),
)
