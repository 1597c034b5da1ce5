"""The still pictures: they show the numbers that they are given, and refuse what makes no sense."""

import subprocess
import sys

import numpy as np
import pytest
import torch
from matplotlib import pyplot
from matplotlib.figure import Figure

from pe_lib import plots, wavelengths


def shown(figure: Figure, axes: int = 0) -> np.ndarray:
    return np.asarray(figure.axes[axes].images[0].get_array())


@pytest.mark.parametrize(
    "figure",
    [
        plots.counter_beside_waves(),
        plots.heat_map(np.eye(2), xlabel="column", ylabel="position"),
        plots.similarity_map(np.eye(2)),
        plots.turning_directions(),
        plots.attention_maps({"one": np.eye(2)}, words=["a", "b"]),
        plots.directions_seen(8, trained=16, asked=64),
    ],
)
def test_figures_are_closed_and_small(figure: Figure) -> None:
    assert pyplot.get_fignums() == []
    width, height = figure.get_size_inches() * figure.dpi
    assert width <= 760 and height <= 420


def test_counter_counts_and_the_waves_agree_in_sign() -> None:
    figure = plots.counter_beside_waves(16)
    bits = (shown(figure, 0) + 1) / 2
    assert (bits @ [1, 2, 4, 8]).tolist() == list(range(16))
    assert np.array_equal(np.sign(shown(figure, 1)), np.sign(shown(figure, 0)))


def test_heat_map_shows_a_tensor_as_it_is() -> None:
    table = torch.linspace(-1, 1, 6).reshape(2, 3)
    figure = plots.heat_map(table, xlabel="column", ylabel="position")
    assert np.allclose(shown(figure), table.numpy())
    assert figure.axes[0].images[0].get_clim() == (-1, 1)
    assert (figure.axes[0].get_xlabel(), figure.axes[0].get_ylabel()) == ("column", "position")


def test_similarity_map_keeps_zero_in_the_middle_of_the_scale() -> None:
    image = plots.similarity_map([[4.0, 1.0], [1.0, 4.0]]).axes[0].images[0]
    assert image.get_clim() == (-4, 4)


def test_the_pairs_turn_in_opposite_directions() -> None:
    for axes, sense in zip(plots.turning_directions(3).axes, (-1, 1), strict=True):
        x, y = np.asarray(axes.collections[0].get_offsets()).T
        turns = x[:-1] * y[1:] - y[:-1] * x[1:]  # cross products: positive is counter-clockwise
        assert np.allclose(turns, sense * np.sin(1))


def test_attention_maps_share_one_scale() -> None:
    figure = plots.attention_maps(
        {"low": np.full((2, 2), 0.5), "high": np.eye(2)}, words=["a", "b"]
    )
    assert [axes.images[0].get_clim() for axes in figure.axes[:2]] == [(0, 1), (0, 1)]


def test_directions_seen_adds_up_to_the_circle() -> None:
    bars = plots.directions_seen(8, trained=16, asked=64).axes[0].containers
    seen, new, never = ([bar.get_height() for bar in bar_set] for bar_set in bars)
    assert np.allclose(seen, np.minimum(16 / wavelengths(8).numpy(), 1))
    assert np.allclose(np.add(seen, new), np.minimum(64 / wavelengths(8).numpy(), 1))
    assert np.allclose(np.add(np.add(seen, new), never), 1)


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: plots.counter_beside_waves(1), "length: expected at least 2 positions, got 1"),
        (lambda: plots.heat_map([1.0], xlabel="", ylabel=""), r"table: .* got shape \(1,\)"),
        (lambda: plots.similarity_map(np.zeros((2, 2, 2))), "scores: expected two axes"),
        (lambda: plots.turning_directions(7), "steps: expected 1 to 6, got 7"),
        (lambda: plots.attention_maps({}, words=[]), "maps: expected at least one map"),
        (lambda: plots.attention_maps({"a": np.eye(3)}, words=["b"]), "expected 1 x 1 weights"),
        (lambda: plots.directions_seen(8, trained=9, asked=8), r"trained: .*asked \(8\), got 9"),
    ],
)
def test_nonsense_is_refused_by_name(draw, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        draw()


def test_the_library_alone_loads_no_plotting() -> None:
    code = "import sys, pe_lib; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
