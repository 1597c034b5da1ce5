"""What several exercises name: the chapter's sections, the turns, and mistakes in their angles."""

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Tensor

from pe_lib.exercises.checker import Mistake
from pe_lib.frequencies import inverse_frequencies
from pe_lib.rotary.layouts import half_to_interleaved, interleaved_to_half

# Titles of the sections of chapter 04 (a test finds each of them there).
FREQUENCIES = "Three frequencies, not six"
EXHIBIT_POWERS = "Exhibit 2: 1, 100, 10000"
TURN = "One pair turns"
FORTY_FIVE = "Forty-five degrees"
RADIANS = "Radians, and which way"
LAYOUTS = "Which features are a pair?"
EXHIBIT_MIXED = "Exhibit 4: half-split on paper, interleaved in code"
COMPLEX = "The same turn with complex numbers"
OFFSET = "The score: only the offset is left"
ONE_ALONE = "Turn one alone, and it is absolute"
LAW = "The right law"
WEIGHTS = "From embeddings to attention weights"
EXHIBIT_WIDTH = "Exhibit 5: the wrong width"
AFTER = "Why after the projection, and in every layer?"
VALUES = "Why not turn the values too?"

# A position and a width give the angle of every pair.
Angles = Callable[[Any, int], Tensor]
# A vector and the angles of its pairs give the vector turned.
Layout = Callable[[Tensor, Tensor], Tensor]


def right_angles(position: float | Tensor, dim: int) -> Tensor:
    """position * frequency, (dim/2,); positions (seq, 1) give (seq, dim/2)."""
    return position * inverse_frequencies(dim)


def angles_of(x: Tensor, position: float) -> Tensor:
    """The right angles for a vector of this width."""
    return right_angles(position, len(x))


def by_exponents(position: float | Tensor, exponents: Tensor) -> Tensor:
    """Angles whose frequencies are the base to the power of minus these exponents."""
    return position * 10000**-exponents


def pairs(dim: int) -> Tensor:
    """0, 1 ... dim/2 - 1."""
    return torch.arange(dim // 2, dtype=torch.float64)


def half_split(x: Tensor, angles: Tensor) -> Tensor:
    """Feature i turned together with feature i + dim/2."""
    a, b = x.chunk(2, -1)
    return torch.cat((a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()), -1)


def interleaved(x: Tensor, angles: Tensor) -> Tensor:
    """Features 2i and 2i + 1 turned together."""
    return half_to_interleaved(half_split(interleaved_to_half(x), angles))


# Mistakes in the angles, whatever they are used for: name, angles, message,
# section.
_WRONG_ANGLES: tuple[tuple[str, Angles, str, str], ...] = (
    (  # where these angles meet half a vector, torch says that the sizes do not match
        "six frequencies",
        lambda position, dim: by_exponents(position, torch.arange(dim) / dim),
        "you give every feature an angle of its own. A turn needs two features: there is one "
        "angle for each pair.",
        FREQUENCIES,
    ),
    (
        "exponent without its 2",
        lambda position, dim: by_exponents(position, pairs(dim) / dim),
        "your frequencies fall only half as far as they should: the pair's number has lost its "
        "factor in the exponent.",
        FREQUENCIES,
    ),
    (
        "exponent doubled",
        lambda position, dim: by_exponents(position, 4 * pairs(dim) / dim),
        "your frequencies fall twice as fast as they should: the exponent has a factor too many.",
        FREQUENCIES,
    ),
    (
        "last pair at the base",
        lambda position, dim: by_exponents(position, 2 * pairs(dim) / (dim - 2)),
        "your slowest pair needs as many positions for one radian as the base says: your exponents "
        "run from 0 to 1, both ends included. They stop one step before 1.",
        EXHIBIT_POWERS,
    ),
    (
        "exponent not divided",
        lambda position, dim: by_exponents(position, 2 * pairs(dim)) / dim,
        "you take the power first, and divide what it gives. It is the exponent that is divided "
        "by the width: it needs brackets.",
        FREQUENCIES,
    ),
    (
        "sign of the exponent",
        lambda position, dim: by_exponents(position, -2 * pairs(dim) / dim),
        "the exponent has the wrong sign: your later pairs turn faster than the first one.",
        FREQUENCIES,
    ),
    (
        "pairs counted from 1",
        lambda position, dim: by_exponents(position, 2 * (pairs(dim) + 1) / dim),
        "every pair has the frequency of the next one: the pairs are counted from 0, so that the "
        "first one turns by one radian a position.",
        FREQUENCIES,
    ),
    (
        "slowest pair first",
        lambda position, dim: right_angles(position, dim).flip(-1),
        "your angles run from the slowest pair to the fastest. Pair 0 is the fastest one.",
        FREQUENCIES,
    ),
    (
        "one angle for all pairs",
        lambda position, dim: position * torch.ones(dim // 2, dtype=torch.float64),
        "every pair turns by the angle of the fastest one. Each pair has its own frequency. (A "
        "division that drops what stands after the point makes them all alike.)",
        FREQUENCIES,
    ),
    (
        "another base",
        lambda position, dim: position * torch.exp(-2 * pairs(dim) / dim),
        "your frequencies hardly fall: it looks as if the base were e. The exponent is right, but "
        "the base is a much larger number.",
        FREQUENCIES,
    ),
    (
        "taken for degrees",
        lambda position, dim: torch.deg2rad(right_angles(position, dim)),
        "you take the angles for degrees. A position times a frequency is in radians already.",
        RADIANS,
    ),
    (
        "turned into degrees",
        lambda position, dim: torch.rad2deg(right_angles(position, dim)),
        "you turn the angles into degrees. Angles are in radians throughout.",
        RADIANS,
    ),
)
_WRONG_POSITIONS: tuple[tuple[str, Angles, str, str], ...] = (
    (
        "positions from 1",
        lambda position, dim: right_angles(position + 1, dim),
        "your angles are those of the next position. The token at position 0 does not turn at all.",
        FREQUENCIES,
    ),
    (
        "position forgotten",
        lambda position, dim: right_angles(1, dim),
        "your angles are the same for every position: so far they are the bare frequencies.",
        FREQUENCIES,
    ),
)


def wrong_angles(function: Callable[..., Any], *, positions: bool = True) -> tuple[Mistake, ...]:
    """The mistakes that ``function`` makes with other ``angles``; ``positions=False`` leaves out
    those in the position itself, where only offsets count."""
    catalogue = _WRONG_ANGLES + (_WRONG_POSITIONS if positions else ())
    return tuple(
        Mistake(name, partial(function, angles=angles), message, where)
        for name, angles, message, where in catalogue
    )
