"""Every control of every figure moves its picture: by mouse, by touch and by keyboard."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, Locator

from pe_lib import figures
from tests.browser_support import (
    FIGURES,
    PHONE,
    FigureProbe,
    Place,
    Visit,
    drag_by_mouse,
    drag_by_touch,
    visit,
)

pytestmark = pytest.mark.browser
# The same figure once more, from other inputs, is for `make test-all`.
FIRST = {place.module: place for place in reversed(FIGURES)}
# All controls are the page's own, of five kinds, and these figures have each kind. The others are
# for `make test-all`, and what each of them does when it is moved is tried in tests/figures.
BY_HAND = {"AlibiBias", "RotaryByHand", "SinusoidalTable", "TokenShuffle"}
FEW = [
    pytest.param(
        place,
        marks=[]
        if place == FIRST[place.module] and place.module in BY_HAND
        else [pytest.mark.slow],
    )
    for place in FIGURES
]
each_kind_of_control = pytest.mark.parametrize("place", FEW, ids=str)
Open = Callable[..., Visit]


@pytest.fixture(scope="module")
def opened(browser: Browser, site: str) -> Iterator[Open]:
    """Opens a page once for all its figures; each test finds and leaves its figure as it starts."""
    with ExitStack() as stack:
        known: dict[tuple[str, bool], Visit] = {}

        def open_page(page: str, phone: bool = False) -> Visit:
            if (page, phone) not in known:
                options = PHONE if phone else {}
                visited = visit(browser, f"{site}/{page}.html", **options)
                known[page, phone] = stack.enter_context(visited)
            return known[page, phone]

        yield open_page


def drag(control: Locator, by: Callable) -> None:
    """Pull a slider's thumb to the far side."""
    control.scroll_into_view_if_needed()
    box = control.bounding_box()
    now = control.evaluate("i => (i.value - i.min) / (i.max - i.min)")
    thumb = 16  # px: its middle moves along the slider's width less its own
    x, y = box["x"] + thumb / 2 + now * (box["width"] - thumb), box["y"] + box["height"] / 2
    far = box["x"] + box["width"] * (0.25 if now > 0.5 else 0.75)
    by(control.page, (x, y), (far, y))


@each_kind_of_control
def test_every_control_by_mouse(place: Place, opened: Open) -> None:
    every_control_by_pointer(place, opened, phone=False)


@each_kind_of_control
def test_every_control_by_touch(place: Place, opened: Open) -> None:
    every_control_by_pointer(place, opened, phone=True)


def every_control_by_pointer(place: Place, opened: Open, phone: bool) -> None:
    visited = opened(place.page, phone)
    figure = FigureProbe.at(visited.page, place.number)
    start, values = figure.picture(), figure.values()
    dead = []
    for control in figure.controls():
        kind, before = control.get_attribute("type"), figure.picture()
        if kind == "range":
            drag(control, drag_by_touch if phone else drag_by_mouse)
        elif kind == "text":
            control.fill("3 1 2")
        elif kind is None:  # a box for longer texts
            control.fill("3 1 2 " * 40)
        elif kind == "checkbox" or not control.is_checked():
            (control.tap if phone else control.click)()
        else:
            continue  # this radio button is chosen already
        if not figure.changed(before):
            dead.append(control.evaluate("i => `${i.dataset.input} ${i.value}`"))
        visited.page.mouse.up()

    def changes(button: Locator) -> bool:
        before = figure.picture()
        (button.tap if phone else button.click)()
        return figure.changed(before)

    for button in figure.buttons():
        if not changes(button):
            figure.reset()  # what it sets was set already
            if not changes(button):
                dead.append(button.inner_text())
    assert dead == []
    figure.reset()
    assert (figure.picture(), figure.values()) == (start, values)
    assert visited.problems == []


@each_kind_of_control
def test_every_control_by_keyboard(place: Place, opened: Open) -> None:
    visited = opened(place.page)
    page, figure = visited.page, FigureProbe.at(visited.page, place.number)
    start, values = figure.picture(), figure.values()
    figure.root.evaluate("root => { root.tabIndex = -1; root.focus(); }")
    dead, reached = [], 0
    while True:
        page.keyboard.press("Tab")
        focus = figure.element.query_selector(":focus")
        if not focus:
            break
        reached += 1
        before = figure.picture()
        kind = focus.evaluate("e => e.type ?? (e.matches('summary') ? 'summary' : 'picture')")
        if kind == "checkbox":
            page.keyboard.press("Space")
        elif kind == "number":
            value, low, high = (
                float(focus.evaluate(f"i => i.{a}")) for a in ("value", "min", "max")
            )
            page.keyboard.type(f"{low if value == high else high:.15g}")
            page.keyboard.press("Enter")
        elif kind in ("text", "textarea"):
            if kind == "textarea":
                page.keyboard.press("Control+Home")  # what is typed behind all else may not be read
            page.keyboard.type("3 1 2")
        elif kind in ("range", "radio", "picture"):
            for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowLeft", "ArrowLeft"):
                page.keyboard.press(key)
                if figure.picture() != before:
                    break
        elif focus.get_attribute("class") == "pe-copy":
            continue  # it moves nothing: see test_copied_links.py
        elif focus.get_attribute("class") == "pe-reset":
            continue  # it is pressed last: more controls may come after it
        elif kind == "summary":
            continue  # it opens what is open
        elif focus.get_attribute("aria-current") == "true":
            continue  # what it sets is set already
        else:
            page.keyboard.press("Enter")
        if not figure.changed(before):
            dead.append(focus.evaluate("e => e.getAttribute('aria-label') ?? e.outerHTML"))
    assert dead == []
    figure.root.locator(".pe-reset").press("Enter")
    assert (figure.picture(), figure.values()) == (start, values)
    # Of a group of radio buttons, Tab reaches one; of check boxes, each.
    name = "i => i.type === 'checkbox' ? `${i.dataset.input} ${i.value}` : i.dataset.input"
    inputs = {*figure.element.eval_on_selector_all("[data-input]", f"all => all.map({name})")}
    boxes = figure.root.locator("input[type=number]").all()
    drawn = [*figure.pictures(), *figure.buttons(), *figure.more()]
    assert reached == len([*inputs, *boxes, *drawn, "Copy", "Reset"])
    assert visited.problems == []


@each_kind_of_control
@pytest.mark.parametrize("phone", [False, True], ids=["mouse", "touch"])
def test_picture_is_read_by_pointer(phone: bool, place: Place, opened: Open) -> None:
    page = opened(place.page, phone).page
    figure = FigureProbe.at(page, place.number)
    words = figure.root.locator(".pe-words")
    for picture in figure.pictures():
        picture.scroll_into_view_if_needed()
        box = picture.bounding_box()
        said = {words.text_content()}
        for x, y in ((0.3, 0.4), (0.7, 0.6)):  # what is read already may lie at one of the two
            point = (box["x"] + x * box["width"], box["y"] + y * box["height"])
            (page.touchscreen.tap if phone else page.mouse.click)(*point)
            page.wait_for_timeout(300)  # a click comes a little after a tap
            said.add(words.text_content())
        assert len(said) > 1
    figure.reset()


def test_a_table_is_read_cell_by_cell(opened: Open) -> None:
    """Arrow keys on the heat map: one position down, one column to the right."""
    place = next(place for place in FIGURES if place.module == "SinusoidalTable")
    figure = FigureProbe.at(opened(place.page).page, place.number)

    def cell() -> tuple[int, int]:
        position, column = re.match(r"Position ([\d,]+), column (\d+)", figure.words()).groups()
        return int(position.replace(",", "")), int(column)

    position, column = cell()
    picture = figure.root.locator("[data-pe-main] .pe-table-map[tabindex='0']")
    picture.press("ArrowDown")
    assert cell() == (position + 1, column)
    picture.press("ArrowRight")
    assert cell() == (position + 1, column + 1)
    figure.reset()


@each_kind_of_control
def test_an_impossible_setting_is_named(place: Place, opened: Open) -> None:
    visited = opened(place.page)
    figure = FigureProbe.at(visited.page, place.number)
    start = figure.picture()
    alert = figure.root.locator(".pe-alert")
    controls = getattr(figures, place.module).controls()
    sliders = {name: c for name, c in controls.items() if c["kind"] == "slider"}
    for name, control in sliders.items():
        row = figure.root.locator(".pe-control", has=visited.page.locator(f"[data-input={name}]"))
        box = row.locator("input[type=number]")
        if not box.is_visible():
            continue  # it belongs to another choice
        before = box.input_value()
        wrong = {str(control["high"] + 1): "this figure draws", str(control["low"] - 1): "to"}
        if control["whole"]:
            wrong["8.5"] = "8.5"
        if name == "dim":
            odd = str(control["low"] + 1)
            wrong[odd] = f"expected an even int >= 2 (features come in pairs), got {odd}"
        for value, message in wrong.items():
            box.fill(value)
            box.press("Enter")
            assert alert.is_visible(), f"{name} = {value} is taken without a word"
            said = alert.inner_text()
            assert said.startswith(f"{name}: ")
            assert message in said
            assert figure.picture() == start
        box.fill(before)
        box.press("Enter")
        alert.wait_for(state="hidden")  # when the answer is there: some compute in a worker
        assert figure.picture() == start
    assert visited.problems == []


def test_every_figure_is_in_a_chapter() -> None:
    shown = {place.module for place in FIGURES if place.page.startswith("chapters/")}
    assert shown == {name for name in figures.__all__ if name != "Figure"}


def test_what_moves_by_itself_can_be_stopped(browser: Browser, site: str) -> None:
    place = next(place for place in FIGURES if place.module == "ShiftClocks")
    address = f"{site}/{place.page}.html"
    with visit(browser, address, reduced_motion="no-preference") as visited:
        figure = FigureProbe.at(visited.page, place.number)
        start = figure.picture()
        figure.root.get_by_role("button", name="Play").click()
        position = figure.root.locator("[data-input=position]")
        before = position.input_value()
        visited.page.wait_for_timeout(1000)
        assert position.input_value() != before
        figure.root.get_by_role("button", name="Pause").click()
        stopped = figure.picture()
        visited.page.wait_for_timeout(1000)
        assert figure.picture() == stopped != start
        figure.reset()
        assert figure.picture() == start
    assert visited.problems == []
