"""What several exercises share: the titles of the chapter's sections, and correct turns."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from pe_lib.common.frequencies import inverse_frequencies
from pe_lib.rotary.layouts import half_to_interleaved, interleaved_to_half

# Titles of the sections of chapter 04 (a test finds each of them there) …
TURN = "One pair turns"
FREQUENCIES = "Three frequencies, not six"
LAYOUTS = "Which features are a pair?"
NUMBERS = "The score, number by number"
LAW = "The law of the score"
WEIGHTS = "Back to the sentence"
BUGS = "Five bugs, and a test that misses four"
# … and of its deeper page.
COMPLEX = "The same turn with complex numbers"

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


def half_split(x: Tensor, angles: Tensor) -> Tensor:
    """Feature i turned together with feature i + dim/2."""
    a, b = x.chunk(2, -1)
    return torch.cat((a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()), -1)


def interleaved(x: Tensor, angles: Tensor) -> Tensor:
    """Features 2i and 2i + 1 turned together."""
    return half_to_interleaved(half_split(interleaved_to_half(x), angles))
