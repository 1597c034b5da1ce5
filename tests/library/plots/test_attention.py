"""Maps of attention weights."""

import numpy as np
import pytest

from pe_lib import plots
from tests.helpers import assert_closed_and_small


def test_attention_maps_share_one_scale() -> None:
    figure = plots.attention_maps(
        {"low": np.full((2, 2), 0.5), "high": np.eye(2)}, words=["a", "b"]
    )
    assert [axes.images[0].get_clim() for axes in figure.axes[:2]] == [(0, 1), (0, 1)]


def test_figure_is_closed_and_small() -> None:
    assert_closed_and_small(plots.attention_maps({"one": np.eye(2)}, words=["a", "b"]))


def test_maps_that_do_not_fit_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match="maps: expected at least one map"):
        plots.attention_maps({}, words=[])
    with pytest.raises(ValueError, match="expected 1 x 1 weights"):
        plots.attention_maps({"a": np.eye(3)}, words=["b"])
