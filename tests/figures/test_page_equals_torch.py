"""Every figure computes the same in a page as in torch, and refuses the same in the same words."""

import itertools
import math
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from pe_lib.common.devices import available_devices
from pe_lib.figures import Figure
from pe_lib.figures.controls import Input
from tests.figures.comparing import Numbers, assert_same_numbers, in_torch, unpacked
from tests.figures.every import FIGURES, each_figure, each_that_computes

DEVICES = ["cpu", pytest.param("gpu", marks=pytest.mark.gpu)]
TEXTS = {
    "sentence": [
        "the cat sat on the mat",
        "I love you, you love I!",
        "the dog saw the cat; The DOG saw the other cat",
        "사과 “naïve” Ωmega 😀 👩‍🚀 ß İ 42",
        "word",
        "a b c d e f g h i j k l",
    ],
    "order": ["0 5 2 3 4 1", "", "3 1", "11 10 9 8 7 6 5 4 3 2 1 0", " 4  007 "],
}
IMPOSSIBLE_TEXTS = {
    "text": [""],
    "sentence": ["", " .,! ", "word " * 40],
    "order": ["first second", "1 2 1", "01 1", "-1", "0.5", "٣"],
}


@pytest.fixture(scope="module")
def page(browser: Browser, figures_script: str) -> Iterator[Page]:
    """An empty page with the figures and their modules."""
    page = browser.new_page()
    page.add_script_tag(content=figures_script)
    page.add_script_tag(path=Path(__file__).with_name("page_compute.js"))
    for figure in FIGURES:
        page.evaluate("a => loadForTest(...a)", [figure.__name__, figure._esm])
    yield page
    page.close()


def draw(control: dict, chance: random.Random) -> Input:
    """A random value that a control can take."""
    if control["kind"] == "toggle":
        return chance.random() < 0.5
    if control["kind"] == "choice":
        return chance.choice(list(control["options"]))
    if control["kind"] == "several":
        return " ".join(chance.sample(list(control["options"]), chance.randint(1, control["most"])))
    if control["kind"] == "text":
        return chance.choice(TEXTS[control["name"]])
    low, high, step = control["low"], control["high"], control["step"]
    if control["whole"]:
        return low + step * chance.randint(0, round((high - low) / step))
    if control["log"]:
        return math.exp(chance.uniform(math.log(low), math.log(high)))
    return chance.uniform(low, high)


def ends(control: dict) -> list[Input]:
    """The first and the last value that a control can take."""
    if control["kind"] == "toggle":
        return [False, True]
    if control["kind"] == "text":
        return TEXTS[control["name"]][-2:]
    if control["kind"] == "several":
        options = list(control["options"])
        return [options[0], " ".join(options[: control["most"]])]
    return list(control.get("options", [control.get("low"), control.get("high")]))


def settings(figure: type[Figure], count: int = 40) -> list[dict[str, Input]]:
    """Random settings of a figure, and corners of the box that its controls span."""
    chance = random.Random(f"{figure.__name__} 2")
    controls = figure.controls()
    drawn = [{name: draw(c, chance) for name, c in controls.items()} for _ in range(count)]
    corners = list(itertools.product(*(ends(control) for control in controls.values())))
    chosen = chance.sample(corners, min(len(corners), 24))
    return drawn + [dict(zip(controls, corner, strict=True)) for corner in chosen]


def in_page(figure: type[Figure], page: Page, inputs: dict) -> Numbers:
    return unpacked(page.evaluate("a => computeInPage(...a)", [figure.__name__, inputs]))


@each_that_computes
def test_node_equals_torch(
    figure: type[Figure], in_node: Callable[[type[Figure], list[dict]], list[Numbers]]
) -> None:
    asked = settings(figure)
    for inputs, got in zip(asked, in_node(figure, asked), strict=True):
        assert_same_numbers(got, in_torch(figure, "cpu", inputs), inputs)


@pytest.mark.browser
@each_that_computes
@pytest.mark.parametrize("device", DEVICES)
def test_page_equals_torch(device: str, figure: type[Figure], page: Page) -> None:
    where = "cpu" if device == "cpu" else available_devices()[-1]
    for inputs in settings(figure):
        assert_same_numbers(in_page(figure, page, inputs), in_torch(figure, where, inputs), inputs)


@pytest.mark.browser
@each_figure
def test_same_words_for_impossible_settings(figure: type[Figure], page: Page) -> None:
    start = figure().inputs
    for name, control in figure.controls().items():
        impossible = []
        if control["kind"] == "slider":
            impossible = [control["low"] - 1, control["high"] + 1, 10**7 * (control["high"] + 1)]
        if control["kind"] == "choice":
            impossible = ["", "nothing"]
        if control["kind"] == "several":
            first, *others = control["options"]
            too_many = " ".join([first, *others[: control["most"]]])
            impossible = ["", "nothing", f"{first} nothing", f"{first} {first}", too_many]
        if control["kind"] == "text":
            impossible = IMPOSSIBLE_TEXTS[name]
        if name == "dim" and control["kind"] == "slider":
            impossible += [control["low"] + 1, control["high"] - 1]
        for value in impossible:
            inputs = start | {name: value}
            error = figure(**inputs)._result["error"]
            assert error.startswith(f"{name}: ")
            assert page.evaluate("a => errorInPage(...a)", [figure.__name__, inputs]) == error
    assert page.evaluate("a => errorInPage(...a)", [figure.__name__, start]) is None


@pytest.mark.browser
@each_figure
def test_an_input_that_counts_takes_no_fraction(figure: type[Figure], page: Page) -> None:
    for name, control in figure.controls().items():
        if control.get("whole"):
            inputs = figure().inputs | {name: control["low"] + 0.5}
            error = page.evaluate("a => errorInPage(...a)", [figure.__name__, inputs])
            assert error == f"{name}: expected a whole number, got {control['low'] + 0.5}"
