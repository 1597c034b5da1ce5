"""Numbers that take their time: a figure whose script gives a promise of them."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from pe_lib.figures.controls import slider
from pe_lib.figures.scripts import PACKAGE, joined
from tests.browser_support import WIDE

pytestmark = pytest.mark.browser

# A figure that shows its input once it is computed, which the test does: answers[n](number).
SCRIPT = """import { fail } from "PAGE/compute/refusal.js";
import { figure } from "PAGE/shell/figure.js";

window.answers = [];
window.drawn = [];

function waiting({ size }) {
  if (size === 7) fail("size: expected no 7, got 7");
  return { size: 0 };
}

function compute({ size }, view) {
  view.progress(`Computing ${size}`);
  return new Promise((resolve, reject) => {
    answers.push((error) => (error ? reject(error) : resolve({ size })));
  });
}

function broken() {
  try {
    fail("It cannot be had.");
  } catch (error) {
    return error;
  }
}

window.fail = (n) => answers[n](broken());

function render(view) {
  drawn.push(view.values.size);
  view.say(`size ${view.values.size}`);
}

export default figure({ compute, waiting, render });
"""
MOUNT = """async ([source, controls]) => {
  const _still = "<img alt='a still picture'>";
  const state = { size: 1, _controls: controls, _question: "How large?", _still };
  const listeners = [];
  window.set = (size) => {
    state.size = size;
    for (const listener of listeners) listener();
  };
  const model = {
    get: (name) => state[name],
    set: (name, value) => { state[name] = value; },
    save_changes: () => set(state.size),
    on: (event, listener) => event === "change:size" && listeners.push(listener),
    off() {},
  };
  const blob = new Blob([source], { type: "text/javascript" });
  const { default: figure } = await import(URL.createObjectURL(blob));
  figure.render({ model, el: document.body.appendChild(document.createElement("div")) });
}"""


class Shown:
    """A figure in a page, far below the window or within it."""

    def __init__(self, page: Page, source: str) -> None:
        self.page = page
        size = slider(1, 1, 9, label="size").metadata["control"] | {"name": "size"}
        page.evaluate(MOUNT, [source, [size]])
        self.root = page.locator(".pe-root")

    def set(self, *sizes: int) -> None:
        for size in sizes:
            self.page.evaluate("size => set(size)", size)

    def answer(self, number: int) -> None:
        self.page.evaluate("n => answers[n]()", number)

    def asked(self) -> int:
        return self.page.evaluate("answers.length")

    def drawn(self) -> list[int]:
        """What has been drawn since this was asked last."""
        return self.page.evaluate("() => drawn.splice(0)")

    def is_busy(self) -> bool:
        return self.root.get_attribute("aria-busy") == "true"

    def text(self, part: str) -> str:
        return self.root.locator(f".pe-{part}").inner_text()


@pytest.fixture
def source(tmp_path: Path) -> str:
    script = tmp_path / "slow.js"
    page = os.path.relpath(PACKAGE / "figures" / "page", tmp_path)
    script.write_text(SCRIPT.replace("PAGE", page))
    return joined(script)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(**WIDE)
    yield page
    page.close()


@pytest.fixture
def shown(page: Page, source: str) -> Shown:
    shown = Shown(page, source)
    page.wait_for_function("answers.length === 1")
    return shown


def test_until_the_first_answer_it_shows_what_needs_none(shown: Shown) -> None:
    assert set(shown.drawn()) == {0}
    assert shown.is_busy()
    assert shown.text("origin") == "Computing 1"
    shown.answer(0)
    assert set(shown.drawn()) == {1}
    assert not shown.is_busy()
    assert shown.text("origin") == "Computed by this page"


def test_far_from_the_window_nothing_is_computed(page: Page, source: str) -> None:
    page.set_content("<div style='height: 3000px'></div>")
    shown = Shown(page, source)
    page.wait_for_timeout(200)
    assert shown.asked() == 0
    assert set(shown.drawn()) == {0}
    page.evaluate("scrollTo(0, 1900)")  # less than 300 px below the window
    page.wait_for_function("answers.length === 1")
    assert not shown.root.evaluate("root => root.getBoundingClientRect().top < innerHeight")


def test_a_moved_control_does_not_wait_for_the_window(page: Page, source: str) -> None:
    page.set_content("<div style='height: 3000px'></div>")
    shown = Shown(page, source)
    shown.root.locator("[data-input]").evaluate(
        "i => { i.value = 2; i.dispatchEvent(new Event('input')); }"
    )
    assert shown.asked() == 1
    assert shown.text("origin") == "Computing 3"


def test_one_is_computed_at_a_time_and_next_the_newest(shown: Shown) -> None:
    shown.set(2, 3, 4)
    assert shown.asked() == 1
    shown.drawn()
    shown.answer(0)
    assert shown.drawn() == [1]  # on its way
    assert shown.is_busy()
    assert shown.asked() == 2
    shown.answer(1)
    assert shown.drawn() == [4]
    assert not shown.is_busy()


def test_an_answer_does_not_take_the_place_of_a_refusal(shown: Shown) -> None:
    shown.answer(0)
    shown.set(2, 7)
    shown.drawn()
    shown.answer(1)
    assert shown.drawn() == []
    assert shown.text("alert") == "size: expected no 7, got 7"
    assert not shown.is_busy()
    shown.set(3)
    shown.answer(2)
    assert shown.text("words") == "size 3"
    assert shown.root.locator(".pe-alert").is_hidden()


def test_what_fails_is_said_and_may_be_tried_again(shown: Shown) -> None:
    shown.page.evaluate("fail(0)")
    assert shown.text("alert") == "It cannot be had."
    assert not shown.is_busy()
    still = shown.page.get_by_alt_text("a still picture")
    assert still.is_visible()
    assert shown.root.locator(".pe-stage").is_hidden()
    shown.set(1)
    shown.answer(1)
    assert shown.text("words") == "size 1"
    assert shown.root.locator(".pe-alert").is_hidden()
    assert still.count() == 0
    shown.set(2)
    shown.page.evaluate("fail(2)")
    assert shown.text("alert") == "It cannot be had."
    assert still.count() == 0  # the last picture stays, dimmed
