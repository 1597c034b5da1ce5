"""Figures in Firefox and in WebKit, opened from disk: controls move them, and links set them."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from book.tools.browser import ANSWERED, MOUNTED, TYPESET
from tests.browser_support import FIGURES, PICTURE, WITH_FIGURES
from tests.engines_support import Engine, firefox, webkit

pytestmark = pytest.mark.slow

# The first script of a page: what goes wrong from then on, in words.
NOTING = """<script>
  window.problems = [];
  const note = ({ message, reason, target }) => problems.push(`${message ?? reason ?? target.src}`);
  addEventListener("error", note, true);
  addEventListener("unhandledrejection", note);
  console.error = console.warn = (...words) => problems.push(words.join(" "));
</script>"""


def until(condition: str) -> str:
    """A promise of the page that waits for a condition, ten seconds at most."""
    return f"""new Promise((resolve) => {{
      const end = performance.now() + 10_000;
      const look = () => {condition} || performance.now() > end ? resolve() : setTimeout(look, 50);
      look();
    }})"""


SETTLED = until(MOUNTED)
# The last key has to change the picture. Those before may do no more than show an answer that the
# figure held back; they are two, as a control may stand at its end.
STROKES = {"range": ("End", "Home", "End"), "radio": ("ArrowDown", "ArrowUp", "ArrowDown")}
CLOCKS = next(place for place in FIGURES if place.module == "ShiftClocks")


@pytest.fixture(scope="module")
def noting(html: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the book in which every page with figures notes what goes wrong."""
    copy = Path(shutil.copytree(html, tmp_path_factory.mktemp("noting") / "html"))
    for page in WITH_FIGURES:
        path = copy / f"{page}.html"
        path.write_text(path.read_text("utf-8").replace("<head>", f"<head>{NOTING}", 1), "utf-8")
    return copy


@pytest.fixture(scope="module", params=[firefox, webkit], ids=["firefox", "webkit"])
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    with request.param() as engine:
        yield engine


def picture(engine: Engine, root: str) -> object:
    """What a figure shows once its numbers are there: some figures compute in a worker."""
    engine.value(until(f'{root}.matches("{ANSWERED}")'))
    return engine.value(f"({PICTURE})({root})")


@pytest.mark.parametrize("page", WITH_FIGURES)
def test_every_figure_mounts_and_its_sliders_move_it(
    page: str, engine: Engine, noting: Path
) -> None:
    engine.open(f"{noting.as_uri()}/{page}.html")
    engine.value(SETTLED)
    assert engine.value("problems") == []
    shown = [place.module for place in FIGURES if place.page == page]
    mounted = "document.querySelectorAll('.pe-figure[data-ready]')"
    assert engine.value(f"[...{mounted}].map((figure) => figure.dataset.module)") == shown
    dead = []
    for number, module in enumerate(shown):
        root = f"{mounted}[{number}].querySelector('.pe-root')"
        engine.value(f"{root}.querySelectorAll('details').forEach((more) => (more.open = true))")
        controls = f"[...{root}.querySelectorAll('[type=range], [type=radio]:checked')]"
        kinds = engine.value(f"{controls}.map((one) => [one.type, one.dataset.input])")
        for at, (kind, name) in enumerate(kinds):
            engine.value(f"{controls}[{at}].focus()")
            *first, last = STROKES[kind]
            for key in first:
                engine.press(key)
            before = picture(engine, root)
            engine.press(last)
            if picture(engine, root) == before:
                dead.append((module, name))
    assert dead == []
    assert engine.value("problems") == []


def test_a_link_sets_a_figure_and_one_is_copied(engine: Engine, noting: Path) -> None:
    link = f"{noting.as_uri()}/{CLOCKS.page}.html"
    link += "?figure=ShiftClocks&dim=6&theta=500&position=7&shift=-3&cosine=false"
    engine.open(link)
    engine.value(SETTLED)
    engine.value(f"{TYPESET}.then(() => true)")  # the page moves once more to the figure
    root = f"document.querySelectorAll('.pe-root')[{CLOCKS.number}]"
    for name, value in {"dim": "6", "theta": "500", "position": "7", "shift": "-3"}.items():
        row = f".pe-control:has([data-input={name}])"
        assert engine.value(f"{root}.querySelector('{row} [type=number]').value") == value
    assert engine.value(f"{root}.querySelector('[type=checkbox]').checked") is False
    button = f"{root}.querySelector('.pe-copy')"
    engine.value(f"{button}.scrollIntoView({{ behavior: 'instant', block: 'center' }})")
    left, top, width, height = engine.value(
        f"(({{ x, y, width, height }}) => [x, y, width, height])({button}.getBoundingClientRect())"
    )
    engine.click(left + width / 2, top + height / 2)
    soon = f"new Promise((resolve) => setTimeout(() => resolve({button}.textContent), 500))"
    assert engine.value(soon) == "Copied"
    assert engine.value("problems") == []
