"""Exercise: the dot product of two turned arrows."""

import cmath
import math

from torch import Tensor

from pe_lib.exercises.checker import Exercise, Mistake
from pe_lib.exercises.inputs import fixed
from pe_lib.exercises.runs import Call, call
from pe_lib.exercises.warm_up._common import ANGLES, COMPLEX, SCORE


def _product(q: Tensor, k: Tensor, angle: float, conjugate: bool = True) -> complex:
    """q and k as complex numbers, and a turn by the angle, all multiplied."""
    first, second = complex(*q.tolist()), complex(*k.tolist())
    return (first.conjugate() if conjugate else first) * second * cmath.exp(1j * angle)


def _score(q: Tensor, k: Tensor, m: int, n: int, frequency: float) -> float:
    return _product(q, k, (n - m) * frequency).real


def _call(m: int, n: int, frequency: float) -> Call:
    q, k = fixed(2, 2, seed=m)
    return call(q, k, m, n, frequency)


EXERCISE = Exercise(
    name="turned_score",
    signature="my_turned_score(q, k, m, n, frequency)",
    reference=_score,
    calls=(_call(3, 1, 0.5), _call(1, 3, 0.5), _call(0, 7, 0.1), _call(5, 5, 2), _call(52, 2, 1)),
    mistakes=(
        Mistake(
            "turned the wrong way",
            lambda q, k, m, n, frequency: _score(q, k, n, m, frequency),
            "your difference has the wrong sign: m belongs to the query, n to the key. Which of "
            "the two turns is undone?",
            SCORE,
        ),
        Mistake(
            "angles added",
            lambda q, k, m, n, frequency: _score(q, k, -m, n, frequency),
            "you add the two angles. In a dot product the query's turn counts backwards.",
            SCORE,
        ),
        Mistake(
            "conjugate forgotten",
            lambda q, k, m, n, frequency: _product(q, k, (n - m) * frequency, False).real,
            "the angle is right, but the real part of a plain product is no dot product: one of "
            "the two needs a bar.",
            COMPLEX,
        ),
        Mistake(
            "imaginary part",
            lambda q, k, m, n, frequency: _product(q, k, (n - m) * frequency).imag,
            "you give the imaginary part of the product. The dot product is the other part.",
            COMPLEX,
        ),
        Mistake(
            "absolute value",
            lambda q, k, m, n, frequency: abs(_product(q, k, 0)),
            "you give the product's absolute value: it is the same for all angles.",
            COMPLEX,
        ),
        Mistake(
            "only the query turned",
            lambda q, k, m, n, frequency: _score(q, k, m, 0, frequency),
            "only the query has turned. The key turns as well, by its own angle.",
            SCORE,
        ),
        Mistake(
            "only the key turned",
            lambda q, k, m, n, frequency: _score(q, k, 0, n, frequency),
            "only the key has turned. The query turns as well, by its own angle.",
            SCORE,
        ),
        Mistake(
            "positions taken for angles",
            lambda q, k, m, n, frequency: _score(q, k, m, n, 1),
            "you take the positions themselves for angles: the frequency does nothing.",
            SCORE,
        ),
        Mistake(
            "not turned at all",
            lambda q, k, m, n, frequency: _score(q, k, 0, 0, frequency),
            "this is the dot product of the arrows as they came in: nothing has turned.",
            SCORE,
        ),
        Mistake(
            "dot product times a cosine",
            lambda q, k, m, n, frequency: _score(q, k, 0, 0, 0) * math.cos((n - m) * frequency),
            "you multiply the dot product by a cosine. That is right only for arrows that point "
            "the same way: others come nearer to each other, or move away, when one is turned.",
            SCORE,
        ),
        Mistake(
            "taken for degrees",
            lambda q, k, m, n, frequency: _score(q, k, m, n, math.radians(frequency)),
            "you take the angle for degrees, but it is in radians.",
            ANGLES,
        ),
    ),
)
