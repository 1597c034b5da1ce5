"""Maps of tables and of similarities show their numbers, and name what is none of both."""

import numpy as np
import pytest
import torch

from pe_lib import plots
from tests.helpers import assert_closed_and_small


def test_heat_map_shows_a_tensor_as_it_is() -> None:
    table = torch.linspace(-1, 1, 6).reshape(2, 3)
    figure = plots.heat_map(table, xlabel="column", ylabel="position")
    image = figure.axes[0].images[0]
    assert np.allclose(image.get_array(), table.numpy())
    assert image.get_clim() == (-1, 1)
    assert (figure.axes[0].get_xlabel(), figure.axes[0].get_ylabel()) == ("column", "position")


def test_similarity_map_keeps_zero_in_the_middle_of_the_scale() -> None:
    image = plots.similarity_map([[4.0, 1.0], [1.0, 4.0]]).axes[0].images[0]
    assert image.get_clim() == (-4, 4)


def test_figures_are_closed_and_small() -> None:
    assert_closed_and_small(plots.heat_map(np.eye(2), xlabel="column", ylabel="position"))
    assert_closed_and_small(plots.similarity_map(np.eye(2)))


def test_other_shapes_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"table: .* got shape \(1,\)"):
        plots.heat_map([1.0], xlabel="", ylabel="")
    with pytest.raises(ValueError, match="scores: expected two axes"):
        plots.similarity_map(np.zeros((2, 2, 2)))
