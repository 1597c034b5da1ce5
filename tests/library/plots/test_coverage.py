"""How much of each circle a training has seen."""

import numpy as np
import pytest

from pe_lib import plots, wavelengths
from tests.helpers import assert_closed_and_small


def test_directions_seen_adds_up_to_the_circle() -> None:
    bars = plots.directions_seen(8, trained=16, asked=64).axes[0].containers
    seen, new, never = ([bar.get_height() for bar in bar_set] for bar_set in bars)
    assert np.allclose(seen, np.minimum(16 / wavelengths(8).numpy(), 1))
    assert np.allclose(np.add(seen, new), np.minimum(64 / wavelengths(8).numpy(), 1))
    assert np.allclose(np.add(np.add(seen, new), never), 1)


def test_figure_is_closed_and_small() -> None:
    assert_closed_and_small(plots.directions_seen(8, trained=16, asked=64))


def test_more_trained_than_asked_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"trained: .*asked \(8\), got 9"):
        plots.directions_seen(8, trained=9, asked=8)
