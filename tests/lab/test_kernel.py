"""Chapters in JupyterLab with a real kernel: the figures' numbers come from Python."""

import re
from collections.abc import Iterator

import pytest
import torch
from playwright.sync_api import Browser, Locator

from book.tools.notebooks import ROOT
from pe_lib import figures as live
from pe_lib import sinusoidal_encoding
from tests.browser_support import FIGURES, WITH_FIGURES, FigureProbe
from tests.lab_support import Notebook, opened

BY_PYTHON = "Computed by pe_lib on cpu"
BY_PAGE = "Computed by this page: the kernel does not answer"
CHAPTERS = [page for page in WITH_FIGURES if page.startswith("chapters/")]
READING = re.compile(r"Position ([\d,]+), column (\d+): .* value (\S+)\. ")
# `make test` opens one chapter: 02 has two figures with sliders and a switch, some under More, and
# the table that is read cell by cell. `make test-all` opens every chapter.
OPENED = [
    pytest.param(chapter, marks=[] if chapter.endswith("02_sinusoidal") else [pytest.mark.slow])
    for chapter in CHAPTERS
]
pytestmark = pytest.mark.browser
KEYS = {"range": "ArrowRight", "checkbox": "Space", "radio": "Space", "text": "9", "textarea": "9"}

# The next answer of this origin, or the next refusal, that the figure gets once something has been
# done. On a busy machine the page may answer first, and the kernel has the last word. After half a
# minute the last answer has to do.
LISTEN = """(root, origin) => { root.answered = new Promise((resolve) => {
  let last = {};
  const heard = ({ detail }) => {
    last = detail;
    if (detail.origin === origin || detail.error) done();
  };
  const done = () => {
    root.removeEventListener("pe-answer", heard);
    resolve(last);
  };
  root.addEventListener("pe-answer", heard);
  setTimeout(done, 30000);
}); }"""


@pytest.fixture(scope="module", params=OPENED)
def chapter(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def notebook(chapter: str, browser: Browser) -> Iterator[Notebook]:
    """The chapter after "Run All Cells", without an error."""
    with opened(browser, ROOT / f"{chapter}.ipynb") as notebook:
        assert notebook.run_all() == []
        last = sum(place.page == chapter for place in FIGURES) - 1
        words = notebook.page.locator(".pe-root .pe-words:not(:empty)")
        words.nth(last).wait_for(state="attached")  # a figure that asks holds them back
        yield notebook


def figures(notebook: Notebook) -> Iterator[FigureProbe]:
    for number in range(notebook.page.locator(".pe-root").count()):
        root = notebook.page.locator(".pe-root").nth(number)
        root.scroll_into_view_if_needed()
        figure = FigureProbe(root)
        figure.show()
        figure.open()
        yield figure


def origin(figure: FigureProbe) -> str:
    return figure.root.locator(".pe-origin").inner_text()


def changes(figure: FigureProbe) -> Iterator[tuple[Locator, str]]:
    """The figure's controls, each with a key that changes it."""
    for control in figure.controls():
        kind = control.evaluate("one => one.type")
        if kind == "radio" and control.is_checked():
            continue
        key = KEYS[kind]
        if kind == "textarea":  # it may be full: the key replaces a character
            control.evaluate("box => box.setSelectionRange(0, 1)")
        if kind == "range" and control.input_value() == control.get_attribute("max"):
            key = "ArrowLeft"
        yield control, key


def answer_to_key(figure: FigureProbe, control: Locator, key: str, origin: str = BY_PYTHON) -> dict:
    """What the figure is told, by Python if by nobody else, after a key on a control."""
    figure.root.evaluate(LISTEN, origin)
    control.press(key)
    return figure.root.evaluate("root => root.answered")


def the_page_answers(figure: FigureProbe, module: str) -> None:
    """To a key, where the kernel can't: with a picture, or by saying what needs the kernel."""
    control, key = next(changes(figure))
    before = figure.picture()
    answer = answer_to_key(figure, control, key, BY_PAGE)
    assert answer["origin"] == BY_PAGE
    if module == "BreakItsMemory":  # the weights are in the book, and not in the notebook
        assert answer["error"] == figure.root.locator(".pe-alert").inner_text()
        assert "they need a kernel" in answer["error"]
    else:
        assert figure.picture() != before


def modules(chapter: str) -> list[str]:
    return [place.module for place in FIGURES if place.page == chapter]


def inputs_in_python(notebook: Notebook) -> str:
    """The inputs of every figure in the kernel."""
    return notebook.python(
        "import gc; from pe_lib.figures import Figure\n"
        "print([one for one in gc.get_objects() if issubclass(type(one), Figure)])"
    )


def test_every_figure_is_computed_by_python(notebook: Notebook) -> None:
    assert {origin(figure) for figure in figures(notebook)} == {BY_PYTHON}


def test_a_dragged_slider_reaches_python(notebook: Notebook) -> None:
    for figure in figures(notebook):
        if not (sliders := figure.root.locator("input[type=range]:visible").all()):
            continue
        slider = sliders[0]
        name = slider.get_attribute("data-input")
        before = figure.picture()
        slider.scroll_into_view_if_needed()  # a figure may be taller than the window
        box = slider.bounding_box()
        middle = box["y"] + box["height"] / 2
        page = notebook.page
        page.mouse.move(box["x"] + 0.5 * box["width"], middle)
        page.mouse.down()
        page.mouse.move(box["x"] + 0.2 * box["width"], middle, steps=8)
        figure.root.evaluate(LISTEN, BY_PYTHON)
        page.mouse.move(box["x"] + 0.8 * box["width"], middle)
        answer = figure.root.evaluate("root => root.answered")
        page.mouse.up()
        assert answer["origin"] == BY_PYTHON
        assert figure.picture() != before
        value = figure.root.locator(f".pe-control:has([data-input={name}]) [type=number]")
        assert f"{name}={value.input_value()}" in inputs_in_python(notebook)


def test_every_control_reaches_python_by_keyboard(notebook: Notebook) -> None:
    active = "panel.content.activeCellIndex"
    for figure in figures(notebook):
        figure.controls()[0].focus()
        cell = notebook.page.evaluate(active)
        for control, key in changes(figure):
            before = figure.picture()
            answer = answer_to_key(figure, control, key)
            name = control.get_attribute("data-input")
            assert answer["origin"] == BY_PYTHON, name
            assert answer.get("error") is None, name
            assert figure.picture() != before, name
        assert notebook.page.evaluate(active) == cell  # the notebook left the keys to the figure


def test_what_is_read_is_what_pe_lib_gives(notebook: Notebook) -> None:
    tables = [figure for figure in figures(notebook) if READING.match(figure.words())]
    if not tables:
        pytest.skip("this chapter shows no table that is read cell by cell")
    for figure in tables:
        answer_to_key(figure, figure.root.locator("[type=range][data-input=theta]"), "ArrowLeft")
        waves = figure.root.locator("[type=range][data-input=counter]")
        inputs = answer_to_key(figure, waves, "Home")["inputs"]
        position, column, value = (number(n) for n in READING.match(figure.words()).groups())
        row = sinusoidal_encoding(torch.tensor(position), inputs["dim"], inputs["theta"])
        assert value == pytest.approx(row[int(column)].item(), abs=1e-4)


def number(text: str) -> float:
    return float(text.replace(",", "").replace("\N{MINUS SIGN}", "-"))


def test_the_page_computes_while_the_kernel_is_busy(chapter: str, notebook: Notebook) -> None:
    figure = next(figures(notebook))
    with notebook.frozen_kernel():
        the_page_answers(figure, modules(chapter)[0])
        figure.root.evaluate(LISTEN, BY_PYTHON)
    # When the kernel is free again, it has the last word.
    assert figure.root.evaluate("root => root.answered")["origin"] == BY_PYTHON


def test_an_impossible_setting_is_named(chapter: str, notebook: Notebook) -> None:
    for module, figure in zip(modules(chapter), figures(notebook), strict=True):
        if not (sliders := figure.root.locator("input[type=range][data-input]:visible").all()):
            continue
        name = sliders[0].get_attribute("data-input")
        box = figure.box(name)
        alert = figure.root.locator(".pe-alert")
        possible, most = box.input_value(), box.get_attribute("max")
        whole = getattr(live, module).controls()[name]["whole"]
        for wrong in (f"{most}0", *(["2.5"] if whole else [])):
            box.fill(wrong)
            assert answer_to_key(figure, box, "Enter")["error"] == alert.inner_text()
            assert wrong in alert.inner_text()
        box.fill(possible)
        assert answer_to_key(figure, box, "Enter")["origin"] == BY_PYTHON
        assert alert.is_hidden()


def test_figures_live_on_without_the_kernel(chapter: str, notebook: Notebook) -> None:
    notebook.stop_kernel()
    for module, figure in zip(modules(chapter), figures(notebook), strict=True):
        the_page_answers(figure, module)
