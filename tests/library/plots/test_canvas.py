"""Pictures are shown twice as sharp, at their own size, and in the course's letters."""

import base64
import struct

import IPython.display
import pytest
from IPython.core.formatters import DisplayFormatter
from matplotlib import pyplot
from matplotlib.figure import Figure

from pe_lib.plots._canvas import LETTER, in_style, legend_above, new_figure


def test_a_notebook_shows_a_picture_with_two_pixels_for_each_of_the_page(monkeypatch) -> None:
    shown = []
    monkeypatch.setattr(IPython.display, "display", lambda data, **how: shown.append((data, how)))
    figure, _ = new_figure(2.5)
    formatter = DisplayFormatter()
    # Notebooks have a way of their own to show any figure; the picture's goes first.
    formatter.formatters["image/png"].for_type(Figure, lambda figure: "another")
    assert formatter.format(figure) == ({}, {})
    [(data, how)] = shown
    assert how == {"metadata": {"image/png": {"width": 499, "height": 240}}, "raw": True}
    assert data["text/plain"] == "<Picture size 499.2x240 with 1 Axes>"
    png = base64.b64decode(data["image/png"])
    assert struct.unpack(">II", png[16:24]) == (998, 480), "the size in the head of the file"


def test_letters_written_in_style_have_its_size_and_no_others() -> None:
    def draw() -> Figure:
        figure, (axes,) = new_figure(2.5)
        axes.text(0, 0, "a")
        return figure

    assert pyplot.rcParams["font.size"] != LETTER
    assert in_style(draw)().axes[0].texts[0].get_size() == LETTER
    assert draw().axes[0].texts[0].get_size() == pyplot.rcParams["font.size"]


@pytest.mark.parametrize(
    ("names", "columns"),
    [(["a"], 1), (["pair 0", "pair 1", "score"], 3), (["a learned table of positions"] * 3, 1)],
)
def test_a_legend_is_no_wider_than_the_picture(names, columns) -> None:
    figure, (axes,) = new_figure(3)
    lines = [axes.plot([0, 1])[0] for _ in names]
    in_style(lambda: legend_above(figure, lines, names) or figure)()
    figure.canvas.draw()
    assert figure.legends[0]._ncols == columns
    assert figure.legends[0].get_window_extent().width <= figure.bbox.width
