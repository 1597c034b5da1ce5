"""Figures over the distance have one axis: laid over each other, their ticks meet."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from pe_lib.figures import AlibiBias, Figure, RelativeBuckets
from tests.figures.card import resize

pytestmark = pytest.mark.browser
# The axis's own words, and not those of what is dragged over it.
TICKS = """svg => [...svg.querySelectorAll("text[text-anchor=middle]")]
  .filter((text) => !text.matches("[transform], [font-weight]"))
  .map((tick) => [tick.textContent, Number(tick.getAttribute("x"))])
  .filter(([text]) => /^[\\d,]+$|^distance/.test(text))"""


def test_one_axis_in_both_figures(opened: Callable[[Figure], Page]) -> None:
    axes = []
    for figure in (AlibiBias(head=8), RelativeBuckets()):
        page = opened(figure)
        resize(page, 390)
        axes.append(page.locator(".pe-plot svg, .pe-below svg[width]").last.evaluate(TICKS))
    assert axes[0] == axes[1]
    names, places = zip(*axes[0], strict=True)
    assert names[:-1] == ("0", "1", "10", "100", "1,000", "10,000")
    assert names[-1] == "distance: tokens back from the query"
    assert sorted(places[:-1]) == list(places[:-1])
