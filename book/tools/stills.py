"""Draw the still pictures of the figures, and the README's picture.

    .venv/bin/python -m book.tools.stills

They are taken in a real browser from the built book, in light mode, and stored in book/stills. A
still picture stands in a figure's place where scripts do not run. Pictures that no page uses are
removed.
"""

import io
import json
import subprocess
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Locator, Page

from book.pe_book.figures import STILL_SCALE, STILLS, still_name
from book.tools.browser import ADVICE, ANSWERED, installed_chromium, launched, settle
from book.tools.build import HTML
from book.tools.notebooks import ROOT, name_of
from pe_lib import figures

SCREENSHOT = ROOT / "book" / "screenshot.png"

# A still picture has nothing to move; its text stays as large as in the page.
STILL_STYLE = (
    ".pe-controls, .pe-further, .pe-more > summary, .pe-panels button:not(.pe-door) "
    "{ display: none !important; }"
)
STILL_BYTES, SCREENSHOT_BYTES = 84_000, 150_000


def main() -> None:
    if installed_chromium() is None:
        sys.exit(ADVICE)
    build()
    with launched() as browser:
        used = {still for page in sorted(HTML.rglob("*.html")) for still in draw(browser, page)}
        draw_screenshot(browser)
    for path in STILLS.glob("*.webp"):
        if path.name not in used:
            path.unlink()
    build()


def build() -> None:
    subprocess.run([sys.executable, "-m", "book.tools.build"], cwd=ROOT, check=True)


def draw(browser: Browser, page: Path) -> list[str]:
    """Draw every figure of a built page; the names of its pictures."""
    if 'class="pe-figure"' not in page.read_text("utf-8"):
        return []
    window = open_page(browser, page)
    for figure in window.locator(".pe-figure").all():
        for button in figure.locator(".pe-show:visible").all():
            button.click()
        kind = getattr(figures, figure.get_attribute("data-module"))
        given = json.loads(figure.get_attribute("data-inputs"))
        for control, value in kind.still.items():
            if given[control] != kind().inputs[control]:
                continue  # the chapter chose what is to be seen
            box = figure.locator(f".pe-control:has([data-input={control}]) [type=number]")
            box.fill(str(value))
            box.press("Enter")
        for more in figure.locator(".pe-more > summary:visible").all():
            more.click()
    window.add_style_tag(content=STILL_STYLE)
    names = []
    for figure in window.locator(".pe-figure").all():
        figure.scroll_into_view_if_needed()
        figure.locator(f".pe-root{ANSWERED}").wait_for()
        name = still_name(*figure.evaluate("e => [e.dataset.module, e.dataset.inputs]"))
        save(STILLS / name, webp(picture(figure)), STILL_BYTES)
        names.append(name)
    window.context.close()
    return names


def draw_screenshot(browser: Browser) -> None:
    """Draw the README's picture: the cover's figure with its controls."""
    window = open_page(browser, HTML / "index.html")
    drawn = picture(window.locator(".pe-figure").first).quantize(256, dither=Image.Dither.NONE)
    save(SCREENSHOT, encoded(drawn, "PNG", optimize=True), SCREENSHOT_BYTES)
    window.context.close()


def open_page(browser: Browser, page: Path) -> Page:
    """A page with its living figures, in a window of its own."""
    context = browser.new_context(
        viewport={"width": 1280, "height": 1600},  # taller than any figure under the page's bar
        device_scale_factor=STILL_SCALE,
        color_scheme="light",
        reduced_motion="reduce",
    )
    window = context.new_page()
    window.goto(page.as_uri())
    settle(window)
    return window


def picture(figure: Locator) -> Image.Image:
    """What a figure shows now."""
    return Image.open(io.BytesIO(figure.locator(".pe-root").screenshot())).convert("RGB")


def webp(image: Image.Image) -> bytes:
    """The picture in the best quality that is small enough; where fine detail makes all of them
    too large, in fewer colours and without loss."""
    for quality in (90, 75, 60):  # below, letters have shadows
        data = encoded(image, "WEBP", quality=quality, method=6)
        if len(data) <= STILL_BYTES:
            return data
    covered = Image.Quantize.MAXCOVERAGE  # thin lines keep their colour too
    fewer = image.quantize(256, method=covered, dither=Image.Dither.NONE).convert("RGB")
    return encoded(fewer, "WEBP", lossless=True, quality=100, method=6)


def encoded(image: Image.Image, form: str, **options: object) -> bytes:
    data = io.BytesIO()
    image.save(data, form, **options)
    return data.getvalue()


def save(path: Path, data: bytes, most: int) -> None:
    """Write a picture; ValueError where it is too large."""
    if len(data) > most:
        raise ValueError(f"{name_of(path)}: {len(data)} bytes, expected at most {most}")
    path.write_bytes(data)
    print(f"{name_of(path)}: {len(data) / 1000:.0f} kB")


if __name__ == "__main__":
    main()
