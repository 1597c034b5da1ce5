"""Every figure, for tests of what all of them do."""

import pytest

from pe_lib import figures

FIGURES = [getattr(figures, name) for name in figures.__all__ if name != "Figure"]
each_figure = pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.__name__)
