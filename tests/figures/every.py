"""Every figure, for tests of what all of them do."""

import pytest

from pe_lib import figures

FIGURES = [getattr(figures, name) for name in figures.__all__ if name != "Figure"]
# A page reads its text in single precision: how near it comes is tested for it alone.
READS = {"BreakItsMemory"}
each_figure = pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.__name__)
each_that_computes = pytest.mark.parametrize(
    "figure",
    [figure for figure in FIGURES if figure.__name__ not in READS],
    ids=lambda figure: figure.__name__,
)
