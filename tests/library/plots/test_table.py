"""A table of numbers reads the same as HTML and as text, and says what its rows and columns are."""

import re
from html.parser import HTMLParser

import numpy as np
import pytest
import torch

from pe_lib import plots

ROWS = {"rope": [1.404, -3.954], "none": [torch.tensor(0.5), np.float64(1234.5)]}
COLUMNS = ["encoding", "128 bytes", "longer & longer"]


class Cells(HTMLParser):
    """The texts of a table's cells by row, each with its tag and its scope."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.rows, self.caption, self._open = [], "", None
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        if tag == "tr":
            self.rows.append([])
        if tag in ("th", "td", "caption"):
            self._open = tag, dict(attributes).get("scope")

    def handle_endtag(self, tag):
        self._open = None

    def handle_data(self, text):
        if self._open and self._open[0] == "caption":
            self.caption += text
        elif self._open:
            self.rows[-1].append((*self._open, text))


def test_html_has_a_caption_and_headings_that_say_what_they_are_of() -> None:
    found = Cells(plots.table(ROWS, COLUMNS, caption="Loss < 2")._repr_html_())
    assert found.caption == "Loss < 2"
    assert found.rows == [
        [("th", "col", column) for column in COLUMNS],
        [("th", "row", "RoPE"), ("td", None, "1.40"), ("td", None, "−3.95")],
        [("th", "row", "no positions"), ("td", None, "0.50"), ("td", None, "1234.50")],
    ]


def test_text_is_aligned_names_at_the_left_and_numbers_at_the_right() -> None:
    lines = repr(plots.table(ROWS, COLUMNS, caption="Losses")).splitlines()
    assert lines == [
        "Losses",
        "encoding      128 bytes  longer & longer",
        "RoPE               1.40            −3.95",
        "no positions       0.50          1234.50",
    ]


def test_each_column_may_have_a_format_and_cells_may_be_text_or_missing() -> None:
    rows = {"a": [12345, 0.125, "yes"], "b": [7, None, "no"]}
    made = plots.table(rows, ["", "n", "share", "?"], caption="c", format=[",", ".1%", ""])
    assert made.rows == [["a", "12,345", "12.5%", "yes"], ["b", "7", "–", "no"]]


@pytest.mark.parametrize(
    ("rows", "format", "message"),
    [
        ({}, ".2f", "rows: expected at least one, got none"),
        ({"a": [1.0]}, ".2f", "rows['a']: expected 2 cells, got 1"),
        ({"a": [1.0, 2.0, 3.0]}, ".2f", "rows['a']: expected 2 cells, got 3"),
        ({"a": [1.0, 2.0]}, [".2f"], "format: expected one, or 2, got 1"),
    ],
)
def test_what_is_no_table_is_refused(rows, format, message) -> None:
    with pytest.raises(ValueError, match=re.escape(message) + "$"):
        plots.table(rows, COLUMNS, caption="c", format=format)


@pytest.mark.parametrize("seeds", [[0.5, -2.0, 1.0], np.array([0.5, -2.0, 1.0])], ids=type)
def test_a_band_goes_from_the_lowest_seed_to_the_highest(seeds):
    assert plots.mean_and_band(seeds, ".1f") == "−0.2 (−2.0 to 1.0)"
    assert plots.mean_and_band(torch.tensor([1.404])) == "1.40 (1.40 to 1.40)"


@pytest.mark.parametrize(("seeds", "shape"), [([], "(0,)"), ([[1.0]], "(1, 1)"), (1.0, "()")])
def test_a_band_is_of_seeds(seeds, shape):
    expected = f"seeds: expected (seeds,), at least one, got {shape}"
    with pytest.raises(ValueError, match=re.escape(expected)):
        plots.mean_and_band(seeds)
