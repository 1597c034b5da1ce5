"""Exercises with a checker that names the mistake: ``check.NAME(your_function)``.

>>> from pe_lib.exercises import check
>>> "wavelength" in dir(check)
True
>>> check.wavelength(lambda column, dim: None)
Not yet: my_wavelength(0, 8) gave back None.
If your code is already there: does it end with a `return`?
"""

from pe_lib.exercises import learned, order, rotary_by_hand, rotary_in_code, sinusoidal, warm_up
from pe_lib.exercises.checker import Check, Exercise, Mistake, Verdict
from pe_lib.exercises.runs import call

check = Check(
    (
        *warm_up.EXERCISES,
        *order.EXERCISES,
        *sinusoidal.EXERCISES,
        *learned.EXERCISES,
        *rotary_by_hand.EXERCISES,
        *rotary_in_code.EXERCISES,
    )
)

__all__ = ["Check", "Exercise", "Mistake", "Verdict", "call", "check"]
