"""Draw the still pictures of the figures, the README's picture, and the one of a shared link.

    .venv/bin/python -m book.tools.stills

They are taken in a real browser from the built book. A still picture stands in a figure's place
where scripts do not run; it is taken in light mode, and stored in book/stills. The cover shows a
smaller one of each chapter's first figure, in light or in dark mode, which are folders there.
Pictures that no page uses are removed.
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
SHARED = ROOT / "book" / "static" / "shared.png"

# A still picture has nothing to move; its text stays as large as in the page.
STILL_STYLE = (
    ".pe-controls, .pe-further, .pe-more > summary, .pe-panels button:not(.pe-door) "
    "{ display: none !important; }"
)
# A chapter's still on the cover is of a figure as a phone shows it, where letters are large.
MODES = ("light", "dark")
SMALL_WINDOW = 400  # px
SMALL = (640, 480)  # px, at most: what is lower for its width is cut off

# What is left of the cover where a link is shared
SHARED_SIZE = {"width": 1200, "height": 630}  # px, as other sites expect
SHARED_STYLE = """
.bd-sidebar-primary, .bd-header-article, .pe-question, .pe-body > :not(.pe-stage), .pe-buttons,
[data-pe-main] > :not(:first-child), .pe-start, .prev-next-area, footer,
.bd-article > section > :not(h1, .pe-lead, .pe-open, .pe-hook) { display: none !important; }
.bd-main .bd-content .bd-article-container { max-width: none !important; }
.bd-main .bd-content .bd-article-container .bd-article { padding: 2.2rem 4.5rem !important; }
.bd-article h1 { margin: 0 0 0.5rem !important; font-size: 4.6rem !important; }
.bd-article .pe-lead p { font-size: 1.35rem !important; }
.pe-root { margin: 1rem 0 !important; padding: 0 !important; border: 0 !important; zoom: 1.5; }
.pe-root .pe-body { display: block !important; }
.pe-stage p { height: 0; visibility: hidden; }
.pe-hook p { font-size: 0 !important; }
.pe-hook strong { font-size: 1.75rem; }
"""

STILL_BYTES, SMALL_BYTES, SCREENSHOT_BYTES, SHARED_BYTES = 84_000, 56_000, 150_000, 60_000


def main() -> None:
    if installed_chromium() is None:
        sys.exit(ADVICE)
    build()
    with launched() as browser:
        used: set[Path] = set()
        for chapter in with_figures():
            used |= draw(browser, chapter) | draw_small(browser, chapter)
        draw_screenshot(browser)
        draw_shared(browser)
    for path in STILLS.rglob("*.webp"):
        if path not in used:
            path.unlink()
    build()


def build() -> None:
    subprocess.run([sys.executable, "-m", "book.tools.build"], cwd=ROOT, check=True)


def with_figures() -> list[Path]:
    """The built chapters that show a figure: the cover has none but theirs."""
    pages = sorted((HTML / "chapters").glob("*.html"))
    return [page for page in pages if 'class="pe-figure"' in page.read_text("utf-8")]


def draw(browser: Browser, page: Path) -> set[Path]:
    """Draw every figure of a built page; the files of its pictures."""
    window = open_page(browser, page)
    figures = window.locator(".pe-figure").all()
    for figure in figures:
        show_all(figure)
    window.add_style_tag(content=STILL_STYLE)
    used = [STILLS / still_of(figure) for figure in figures]
    for path, figure in zip(used, figures, strict=True):
        save(path, webp(picture(figure), STILL_BYTES), STILL_BYTES)
    window.context.close()
    return set(used)


def show_all(figure: Locator) -> None:
    """Have a figure show what it holds back, and what there is to see with its `still` inputs."""
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
    figure.scroll_into_view_if_needed()  # what takes long is computed when its figure comes near
    figure.locator(f".pe-root{ANSWERED}").wait_for()


def still_of(figure: Locator) -> str:
    return still_name(*figure.evaluate("e => [e.dataset.module, e.dataset.inputs]"))


def draw_small(browser: Browser, page: Path) -> set[Path]:
    """Draw the main panel of a page's first figure as small as a card, in both modes."""
    used = set()
    for mode in MODES:
        window = open_page(browser, page, mode, width=SMALL_WINDOW)
        figure = window.locator(".pe-figure").first
        show_all(figure)
        window.add_style_tag(content=STILL_STYLE)
        whole = screenshot(figure.locator("[data-pe-main]"))
        lowest = min(whole.height, whole.width * SMALL[1] // SMALL[0])
        image = whole.crop((0, 0, whole.width, lowest))
        image.thumbnail(SMALL, Image.Resampling.LANCZOS)
        path = STILLS / mode / still_of(figure)
        save(path, webp(image, SMALL_BYTES), SMALL_BYTES)
        used.add(path)
        window.context.close()
    return used


def draw_screenshot(browser: Browser) -> None:
    """Draw the README's picture: the cover's figure with its controls."""
    window = open_page(browser, HTML / "index.html")
    drawn = picture(window.locator(".pe-figure").first).quantize(256, dither=Image.Dither.NONE)
    save(SCREENSHOT, encoded(drawn, "PNG", optimize=True), SCREENSHOT_BYTES)
    window.context.close()


def draw_shared(browser: Browser) -> None:
    """Draw what other sites show where somebody shares a link: the cover's title and figure."""
    window = open_page(browser, HTML / "index.html", scale=1, **SHARED_SIZE)
    window.add_style_tag(content=SHARED_STYLE)
    drawn = Image.open(io.BytesIO(window.screenshot())).convert("RGB")
    few = drawn.quantize(128, dither=Image.Dither.NONE)
    save(SHARED, encoded(few, "PNG", optimize=True), SHARED_BYTES)
    window.context.close()


def open_page(
    browser: Browser,
    page: Path,
    mode: str = "light",
    *,
    width: int = 1280,
    height: int = 1600,  # more than any figure under the page's bar
    scale: int = STILL_SCALE,
) -> Page:
    """A page with its living figures, in a window of its own."""
    context = browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=scale,
        color_scheme=mode,
        reduced_motion="reduce",
    )
    window = context.new_page()
    window.goto(page.as_uri())
    settle(window)
    return window


def picture(figure: Locator) -> Image.Image:
    """What a figure shows now."""
    return screenshot(figure.locator(".pe-root"))


def screenshot(element: Locator) -> Image.Image:
    return Image.open(io.BytesIO(element.screenshot())).convert("RGB")


def webp(image: Image.Image, most: int) -> bytes:
    """The picture in the best quality that is small enough; where fine detail makes all of them
    too large, in fewer colours and without loss."""
    for quality in (90, 75, 60):  # below, letters have shadows
        data = encoded(image, "WEBP", quality=quality, method=6)
        if len(data) <= most:
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
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    print(f"{name_of(path)}: {len(data) / 1000:.0f} kB")


if __name__ == "__main__":
    main()
