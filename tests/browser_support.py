"""What the browser tests share: the pages, the figures, and windows that note what goes wrong."""

import hashlib
import html
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import yaml
from playwright.sync_api import Browser, ElementHandle, Locator, Page, TimeoutError

from book.pe_book import live
from book.tools.browser import ANSWERED, settle
from book.tools.notebooks import ROOT, code_cells, read

# With reduced motion nothing moves by itself, so that what changes is what a test changed.
WIDE = {"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce"}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
README = (ROOT / "README.md").read_text("utf-8")
PLACE = re.compile(r'class="pe-figure" data-module="(\w+)" data-inputs="([^"]*)"')
LIVE = re.compile(r"^```\{live\} (\w+)$", re.MULTILINE)


def listed_pages() -> list[str]:
    """Every page of the table of contents, and the two that Sphinx adds."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))

    def files(entry: object) -> Iterator[str]:
        if isinstance(entry, dict):
            yield from (entry[key] for key in ("root", "file") if key in entry)
            entry = list(entry.values())
        if isinstance(entry, list):
            for part in entry:
                yield from files(part)

    return [*files(toc), "genindex", "search"]


@dataclass(frozen=True)
class Place:
    """The place of a figure: the nth of its page, with the inputs it starts from as JSON text."""

    page: str
    number: int
    module: str
    inputs: str

    def __str__(self) -> str:
        return f"{Path(self.page).name}-{self.number}-{self.module}"


def listed_figures() -> list[Place]:
    """Every figure of every listed page, in the page's order."""
    return [
        Place(page, number, match[1], html.unescape(match[2]))
        for page in listed_pages()
        for number, match in enumerate(PLACE.finditer(html_within(ROOT / page)))
    ]


def html_within(page: Path) -> str:
    """The HTML of a text page's figures, or in the stored outputs of a notebook."""
    if (text := page.with_name(f"{page.name}.md")).exists():
        return "".join(live.place(name) for name in LIVE.findall(text.read_text("utf-8")))
    if (notebook := page.with_name(f"{page.name}.ipynb")).exists():
        outputs = (output for cell in code_cells(read(notebook)) for output in cell.outputs)
        return "".join(output.get("data", {}).get("text/html", "") for output in outputs)
    return ""


def readme_policy() -> str:
    """The content security policy of README, in one line, as a server sends it."""
    [policy] = re.findall(r"^```\n(default-src .*?)```", README, re.DOTALL | re.MULTILINE)
    return " ".join(policy.split())


PAGES = listed_pages()
CHAPTERS = [page for page in PAGES if page.startswith("chapters/")]
FIGURES = listed_figures()
WITH_FIGURES = sorted({place.page for place in FIGURES})
POLICY = readme_policy()
ONE_OF_EACH = {
    "index",
    "chapters/04_rope_by_hand",
    "chapters/02_sinusoidal_deeper",
    "chapters/break_its_memory",
    "chapters/api",
    "search",
}
assert set(PAGES) >= ONE_OF_EACH, "a page that stands for its kind has another name"


def one_of_each(pages: Iterable[str]) -> list[object]:
    """The pages as parameters of a test: one of each kind, and the others for `make test-all`."""
    return [
        pytest.param(page, marks=[] if page in ONE_OF_EACH else [pytest.mark.slow])
        for page in pages
    ]


@dataclass
class Visit:
    """An open page, the addresses it asked for, and everything that went wrong in it."""

    page: Page
    weights: dict[str, int] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def watch(self, host: str) -> None:
        """Note every request to another host, every failure and every error."""

        def asked(request) -> None:
            address = urlsplit(request.url)
            if address.scheme not in ("data", "blob", "file") and address.netloc != host:
                self.problems.append(f"asked another host: {request.url}")

        def answered(response) -> None:
            if response.status >= 400:
                self.problems.append(f"{response.status}: {response.url}")

        def finished(request) -> None:
            if request.url.startswith("http"):
                self.weights[urlsplit(request.url).path] = request.sizes()["responseBodySize"]

        def failed(request) -> None:
            if request.failure != "net::ERR_ABORTED":  # which the next page asked for does
                self.problems.append(f"failed: {request.url}")

        def said(message) -> None:
            if message.type in ("error", "warning"):
                self.problems.append(f"console {message.type}: {message.text}")

        self.page.on("request", asked)
        self.page.on("response", answered)
        self.page.on("requestfinished", finished)
        self.page.on("requestfailed", failed)
        self.page.on("console", said)
        self.page.on("pageerror", lambda error: self.problems.append(f"page error: {error}"))


@contextmanager
def visit(browser: Browser, address: str, **options: object) -> Iterator[Visit]:
    """Open an address in a window of its own, and wait until math and figures stand."""
    context = browser.new_context(**(WIDE | options))
    context.set_default_timeout(10_000)
    visited = Visit(context.new_page())
    visited.watch(urlsplit(address).netloc)
    visited.page.goto(address)
    if options.get("java_script_enabled", True):
        try:
            settle(visited.page)
        except TimeoutError:
            raise AssertionError(
                f"{address}: a figure does not come up: {visited.problems}"
            ) from None
    yield visited
    context.close()


def drag_by_mouse(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end)


def drag_by_touch(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    fingers = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        at = [{"x": x, "y": y} for x, y in points]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    touch("touchStart", start)
    for part in (0.5, 1):
        x, y = (a + part * (b - a) for a, b in zip(start, end, strict=True))
        touch("touchMove", (x, y))
    touch("touchEnd")


PICTURE = """root => [
  ...[...root.querySelectorAll(".pe-panels canvas")].map((canvas) => canvas.toDataURL()),
  ...[...root.querySelectorAll(".pe-panels")].map((panels) => panels.innerHTML),
  root.querySelector(".pe-words").textContent,
].join("\\n")"""


@dataclass
class FigureProbe:
    """A mounted figure, as a reader sees and uses it."""

    root: Locator

    @cached_property
    def element(self) -> ElementHandle:
        """The figure found once: what finds it anew waits for the window's next frame."""
        return self.root.element_handle()

    @classmethod
    def at(cls, page: Page, number: int) -> "FigureProbe":
        """The figure, once the reader has made a guess if it asks for one, and has opened More."""
        probe = cls(page.locator(".pe-figure").nth(number).locator(".pe-root"))
        probe.root.scroll_into_view_if_needed()
        probe.wait()
        probe.show()
        probe.open()
        return probe

    def wait(self) -> None:
        """Until its numbers are there: some figures compute in a worker."""
        if not self.element.evaluate(f"root => root.matches('{ANSWERED}')"):
            self.root.and_(self.root.page.locator(ANSWERED)).wait_for()

    def more(self) -> list[Locator]:
        """What opens the parts of the picture that only add to it, where there are any."""
        return self.root.locator(".pe-more > summary:visible").all()

    def open(self) -> None:
        for summary in self.more():
            if not summary.evaluate("summary => summary.parentElement.open"):
                summary.click()

    def show(self) -> None:
        """Have shown what a figure that asks holds back."""
        if (button := self.root.locator(".pe-show")).is_visible():
            button.click()

    def picture(self) -> str:
        """All that the picture shows, pixels, shapes and words, as a short hash."""
        self.wait()
        return hashlib.sha256(self.element.evaluate(PICTURE).encode()).hexdigest()[:8]

    def changed(self, before: str) -> bool:
        """Whether the picture is another one now, or soon: a click comes a little after a tap."""
        for _ in range(20):
            if self.picture() != before:
                return True
            self.root.page.wait_for_timeout(50)
        return False

    def words(self) -> str:
        self.wait()
        return self.element.eval_on_selector(".pe-words", "words => words.innerText")

    def controls(self) -> list[Locator]:
        return self.root.locator("[data-input]").all()

    def box(self, name: str) -> Locator:
        """The box for exact values of a slider."""
        row = self.root.locator(".pe-control", has=self.root.page.locator(f"[data-input={name}]"))
        return row.locator("input[type=number]")

    def pictures(self) -> list[Locator]:
        """The parts of the picture that are read by pointer and arrow keys."""
        return self.root.locator(".pe-panels [tabindex='0']").all()

    def buttons(self) -> list[Locator]:
        """The picture's own buttons."""
        return self.root.locator(".pe-panels button").all()

    def values(self) -> list[object]:
        """What every control says, number boxes too."""
        return self.element.eval_on_selector_all(
            "input",
            "inputs => inputs.map((i) => (/checkbox|radio/.test(i.type) ? i.checked : i.value))",
        )

    def reset(self) -> None:
        self.root.locator(".pe-reset").click()
        self.wait()
