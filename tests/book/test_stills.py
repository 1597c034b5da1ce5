"""Every figure has its still picture, for readers without scripts, and none is left over."""

from book.tools.stills import SCREENSHOT, SCREENSHOT_BYTES, STILL_BYTES, STILLS, still_name
from tests.browser_support import FIGURES


def test_every_figure_has_its_still_picture() -> None:
    used = {still_name(place.module, place.inputs) for place in FIGURES}
    assert {path.name for path in STILLS.glob("*.webp")} == used, "`make stills` draws them"


def test_still_pictures_are_light() -> None:
    sizes = {path.name: path.stat().st_size for path in STILLS.glob("*.webp")}
    assert {name: size for name, size in sizes.items() if size > STILL_BYTES} == {}
    assert SCREENSHOT.stat().st_size <= SCREENSHOT_BYTES
