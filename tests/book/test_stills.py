"""Every figure has its still picture, for readers without scripts, and none is left over."""

import pytest
from PIL import Image

from book.tools import stills
from tests.browser_support import CHAPTERS, FIGURES

FIRST = {page: place for place in reversed(FIGURES) if (page := place.page) in CHAPTERS}


def test_every_figure_has_its_still_picture() -> None:
    used = {stills.still_name(place.module, place.inputs) for place in FIGURES}
    found = {path.name for path in stills.STILLS.glob("*.webp")}
    assert found == used, "`make stills` draws them"


@pytest.mark.parametrize("mode", stills.MODES)
def test_the_first_figure_of_every_chapter_has_one_for_its_card(mode: str) -> None:
    used = {stills.still_name(place.module, place.inputs) for place in FIRST.values()}
    found = {path.name for path in (stills.STILLS / mode).iterdir()}
    assert found == used, "`make stills` draws them"


def test_still_pictures_are_light() -> None:
    sizes = {
        path: path.stat().st_size
        for path in [*stills.STILLS.rglob("*.webp"), stills.SCREENSHOT, stills.SHARED]
    }
    limits = {
        stills.STILLS: stills.STILL_BYTES,
        **{stills.STILLS / mode: stills.SMALL_BYTES for mode in stills.MODES},
        stills.SCREENSHOT.parent: stills.SCREENSHOT_BYTES,
        stills.SHARED.parent: stills.SHARED_BYTES,
    }
    assert {path.name: size for path, size in sizes.items() if size > limits[path.parent]} == {}


def test_the_picture_of_a_shared_link_has_the_size_that_pages_say() -> None:
    with Image.open(stills.SHARED) as drawn:
        assert drawn.size == (1200, 630)
