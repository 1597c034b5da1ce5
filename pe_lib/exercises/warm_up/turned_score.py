"""Exercise: the dot product of two turned arrows."""

import cmath
import math

from torch import Tensor

from pe_lib.exercises.calls import Call, call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.inputs import fixed
from pe_lib.exercises.warm_up._common import COMPLEX, ROTATION, SCORE


def _call(m: int, n: int, frequency: float) -> Call:
    q, k = fixed(2, 2, seed=abs(m))
    return call(q, k, m, n, frequency)


exercise = Exercise(
    _call(3, 1, 0.5),
    _call(1, 3, 0.5),
    _call(0, 7, 0.1),
    _call(5, 5, 2),
    _call(52, 2, 1),
    _call(6000, 6003, 0.5),
    _call(-4, 9, -0.25),
)


def _product(q: Tensor, k: Tensor, angle: float, conjugate: bool = True) -> complex:
    """q and k as complex numbers, and a turn by the angle, all multiplied."""
    first, second = complex(*q.tolist()), complex(*k.tolist())
    return (first.conjugate() if conjugate else first) * second * cmath.exp(1j * angle)


@exercise.answer
def my_turned_score(q: Tensor, k: Tensor, m: int, n: int, frequency: float) -> float:
    return _product(q, k, (n - m) * frequency).real


@exercise.mistake(see=SCORE)
def turned_the_wrong_way(q: Tensor, k: Tensor, m: int, n: int, frequency: float) -> float:
    """your difference has the wrong sign: m belongs to the query, n to the key. Which of the two
    turns is undone?"""
    return my_turned_score(q, k, n, m, frequency)


@exercise.mistake(see=SCORE)
def angles_added(q: Tensor, k: Tensor, m: int, n: int, frequency: float) -> float:
    """you add the two angles. In a dot product the query's turn counts backwards."""
    return my_turned_score(q, k, -m, n, frequency)


@exercise.mistake(see=COMPLEX)
def conjugate_forgotten(q: Tensor, k: Tensor, m: int, n: int, frequency: float) -> float:
    """the angle is right, but the real part of a plain product is not a dot product: one of the two
    numbers has to be replaced by its conjugate."""
    return _product(q, k, (n - m) * frequency, False).real


@exercise.mistake(see=COMPLEX)
def imaginary_part(q: Tensor, k: Tensor, m: int, n: int, frequency: float) -> float:
    """you give the imaginary part of the product. The dot product is the other part."""
    return _product(q, k, (n - m) * frequency).imag


@exercise.mistake(see=COMPLEX)
def absolute_value(q: Tensor, k: Tensor, m: int, n: int, frequency: float) -> float:
    """you give the product's absolute value: it is the same for all angles."""
    return abs(_product(q, k, 0))


@exercise.mistake(see=SCORE)
def only_the_query_turned(q: Tensor, k: Tensor, m: int, n: int, frequency: float) -> float:
    """you turn only the query. The key has to turn as well, by its own angle."""
    return my_turned_score(q, k, m, 0, frequency)


@exercise.mistake(see=SCORE)
def only_the_key_turned(q: Tensor, k: Tensor, m: int, n: int, frequency: float) -> float:
    """you turn only the key. The query has to turn as well, by its own angle."""
    return my_turned_score(q, k, 0, n, frequency)


@exercise.mistake(see=SCORE)
def positions_taken_for_angles(q: Tensor, k: Tensor, m: int, n: int, frequency: float) -> float:
    """you use the positions themselves as angles, so the frequency has no effect."""
    return my_turned_score(q, k, m, n, 1)


@exercise.mistake(see=SCORE)
def not_turned_at_all(q: Tensor, k: Tensor, m: int, n: int, frequency: float) -> float:
    """this is the dot product of the arrows as they came in: nothing has turned."""
    return my_turned_score(q, k, 0, 0, frequency)


@exercise.mistake(see=SCORE)
def dot_product_times_a_cosine(q: Tensor, k: Tensor, m: int, n: int, frequency: float) -> float:
    """you multiply the dot product by a cosine. That is right only for arrows on one line. If there
    is another angle between them, a turn makes this angle larger or smaller."""
    return my_turned_score(q, k, 0, 0, 0) * math.cos((n - m) * frequency)


@exercise.mistake(see=ROTATION)
def taken_for_degrees(q: Tensor, k: Tensor, m: int, n: int, frequency: float) -> float:
    """you treat the angle as degrees, but it is in radians."""
    return my_turned_score(q, k, m, n, math.radians(frequency))
