"""Exercises with a checker that names the mistake: ``check.NAME(your_function)``.

>>> from pe_lib.exercises import check
>>> dir(check)
['add_positions', 'score_by_offset', 'shift_matrix', 'sinusoidal_table', 'wavelength']
>>> check.wavelength(lambda column, dim: None)
Not yet: my_wavelength(0, 8) gave back None.
If your code is already there: does it end with a `return`?
"""

from pe_lib.exercises import sinusoidal
from pe_lib.exercises.checker import Check, Exercise, Mistake, Verdict
from pe_lib.exercises.runs import call

check = Check(sinusoidal.EXERCISES)

__all__ = ["Check", "Exercise", "Mistake", "Verdict", "call", "check"]
