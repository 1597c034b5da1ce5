"""Pictures of sentences in two orders."""

import numpy as np
import pytest

from pe_lib import plots
from tests.helpers import assert_closed_and_small


def test_every_sentence_has_its_own_words_and_weights_in_its_cells() -> None:
    weights = [[0.125, 0.875], [0.5, 0.5]]
    maps = {"one": (["a", "b"], weights), "two": (["b", "a"], np.flip(weights))}
    figure = plots.maps_of_orders(maps, marked="a")
    one, two = figure.axes
    for axes, words in ((one, ["a", "b"]), (two, ["b", "a"])):
        assert [label.get_text() for label in axes.get_xticklabels()] == words
        assert [label.get_text() for label in axes.get_yticklabels()] == words
    assert [text.get_text() for text in one.texts] == ["0.12", "0.88", "0.50", "0.50"]
    assert [text.get_text() for text in two.texts] == ["0.50", "0.50", "0.88", "0.12"]
    # The frames are round the row and the column of the marked word, wherever it stands.
    frames = [{tuple(frame.get_bbox().bounds) for frame in axes.patches} for axes in (one, two)]
    assert frames == [
        {(-0.5, -0.5, 2, 1), (-0.5, -0.5, 1, 2)},
        {(-0.5, 0.5, 2, 1), (0.5, -0.5, 1, 2)},
    ]
    assert_closed_and_small(figure)


@pytest.mark.parametrize(
    ("maps", "message"),
    [
        ({}, "maps: expected at least one sentence, got none"),
        ({"x": (["a"], np.eye(2))}, r"maps: expected 1 x 1 weights .* shape \(2, 2\) for 'x'"),
    ],
)
def test_maps_of_orders_refuses(maps, message) -> None:
    with pytest.raises(ValueError, match=message):
        plots.maps_of_orders(maps)


def test_the_chain_waits_and_the_net_does_not() -> None:
    figure = plots.chain_beside_net(["a", "b", "c"])
    chain, net = figure.axes
    steps = [
        [t.get_text() for t in axes.texts if t.get_text()[:4] == "step"] for axes in (chain, net)
    ]
    assert steps == [["step 1", "step 2", "step 3"], ["step 1"] * 3]
    arrows = [sum(hasattr(text, "arrow_patch") for text in axes.texts) for axes in (chain, net)]
    assert arrows == [3 + 2, 3 * 3]
    assert_closed_and_small(figure)
    with pytest.raises(ValueError, match="words: expected two or more, got 1"):
        plots.chain_beside_net(["a"])
