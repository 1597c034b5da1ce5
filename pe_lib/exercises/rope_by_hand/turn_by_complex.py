"""Exercise: the interleaved turn, with complex numbers."""

import torch
from torch import Tensor

from pe_lib.exercises.checker import Exercise, Mistake
from pe_lib.exercises.inputs import fixed
from pe_lib.exercises.rope_by_hand._common import (
    COMPLEX,
    LAYOUTS,
    Angles,
    angles_of,
    half_split,
    interleaved,
    right_angles,
    wrong_angles,
)
from pe_lib.exercises.runs import call
from pe_lib.rotary.layouts import half_to_interleaved, interleaved_to_half


def _turn(x: Tensor, position: float, angles: Angles = right_angles) -> Tensor:
    return interleaved(x, angles(position, len(x)))


def _half_split(x: Tensor, position: float) -> Tensor:
    return half_split(x, angles_of(x, position))


def _numbers(x: Tensor) -> Tensor:
    """Neighbours as complex numbers."""
    return torch.view_as_complex(x.unflatten(-1, (-1, 2)))


def _flat(numbers: Tensor) -> Tensor:
    return torch.view_as_real(numbers.resolve_conj()).flatten()


def _factors(x: Tensor, position: float) -> Tensor:
    angles = angles_of(x, position)
    return torch.polar(torch.ones_like(angles), angles)


EXERCISE = Exercise(
    name="turn_by_complex",
    signature="my_complex_turn(x, position)",
    reference=_turn,
    calls=(
        call(fixed(6, seed=5), 1),
        call(fixed(4, seed=6), 3),
        call(fixed(8, seed=7), 50),
        call(fixed(6, seed=8), 0),
        call(fixed(8, seed=9), -20),
    ),
    mistakes=(
        Mistake(
            "half-split layout",
            _half_split,
            "you turn features that are half a vector apart: that is the half-split layout. Here "
            "a complex number is made of neighbours.",
            LAYOUTS,
        ),
        Mistake(
            "real parts first",
            lambda x, position: interleaved_to_half(_turn(x, position)),
            "the turn is right, but all real parts come first and all imaginary parts after them. "
            "Each imaginary part belongs beside its real part, as in the vector that came in.",
            COMPLEX,
        ),
        Mistake(
            "read by halves",
            lambda x, position: half_to_interleaved(_half_split(x, position)),
            "you take the first half as real parts and the second as imaginary parts, and then "
            "lay the result out in pairs. Here neighbours are a pair, before and after.",
            LAYOUTS,
        ),
        Mistake(
            "left as pairs",
            lambda x, position: _turn(x, position).unflatten(-1, (-1, 2)),
            "the numbers are right, but they still lie in rows of two. A vector was asked for.",
            COMPLEX,
        ),
        Mistake(
            "imaginary part first",
            lambda x, position: _turn(x, position).unflatten(-1, (-1, 2)).flip(-1).flatten(),
            "the turn is right, but in every pair of the result the imaginary part stands first. "
            "The numbers go back to where they came from.",
            COMPLEX,
        ),
        Mistake(
            "real parts only",
            lambda x, position: _turn(x, position)[::2],
            "you give back the real parts. The imaginary parts are features too: every complex "
            "number becomes two of them.",
            COMPLEX,
        ),
        Mistake(
            "turned backwards",
            lambda x, position: _turn(x, -position),
            "your hands turn clockwise: that is what the factor with a bar does, or with a "
            "negative angle. Here a positive angle turns counter-clockwise.",
            COMPLEX,
        ),
        Mistake(
            "bar on the vector",
            lambda x, position: _flat(_numbers(x).conj() * _factors(x, position)),
            "you put a bar on the vector: its hands are mirrored before they turn. The bar has "
            "its place in the score, where two vectors meet.",
            COMPLEX,
        ),
        Mistake(
            "exponential without i",
            lambda x, position: _flat(_numbers(x) * angles_of(x, position).exp()),
            "your hands grow and do not turn: the exponential of a real number is a real number. "
            "What makes it a turn?",
            COMPLEX,
        ),
        Mistake(
            "length and angle swapped",
            lambda x, position: _flat(
                _numbers(x) * torch.polar(angles_of(x, position), torch.ones(len(x) // 2).double())
            ),
            "every hand turns by one radian and is stretched by its angle: length and angle have "
            "changed places. The length comes first, and a turn changes no length.",
            COMPLEX,
        ),
        Mistake(
            "multiplied by the angle",
            lambda x, position: _flat(_numbers(x) * angles_of(x, position)),
            "you multiply by the angle itself: that stretches a hand. To turn it, multiply by the "
            "complex number of length one that has this angle.",
            COMPLEX,
        ),
        Mistake(
            "turned to the angle",
            lambda x, position: _flat(torch.polar(_numbers(x).abs(), angles_of(x, position))),
            "your hands keep their lengths, but all point where the angle says, wherever they "
            "pointed before. They are to turn by the angle, not to it.",
            COMPLEX,
        ),
        Mistake(
            "added",
            lambda x, position: _flat(_numbers(x) + _factors(x, position)),
            "you add the factor. That moves the tip of a hand; multiplying turns it.",
            COMPLEX,
        ),
        Mistake(
            "not turned",
            lambda x, position: x.clone(),
            "your vector comes back as it went in.",
            COMPLEX,
        ),
        *wrong_angles(_turn),
    ),
)
