"""How a figure asks a kernel: one thing at a time, with the picture always on its way."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from pe_lib.figures import SinusoidalTable
from tests.browser_support import WIDE

pytestmark = pytest.mark.browser

# A widget's model, as far as a figure uses it. It keeps what is asked, and answers when told to.
MOUNT = """async ([source, state, result]) => {
  const listeners = {};
  window.asked = [];
  window.model = {
    get: (name) => state[name],
    set(name, value) {
      if (state[name] === value) return;
      state[name] = value;
      for (const listener of listeners[`change:${name}`] ?? []) listener();
    },
    send: (question) => asked.push(question),
    on: (event, listener) => (listeners[event] ??= []).push(listener),
    off() {},
  };
  window.answer = ({ inputs, values, error }) => {
    const unpacked = Object.entries(values ?? {}).map(([name, value]) => [
      name,
      value.shape
        ? { ...value, data: new DataView(Uint8Array.from(value.data).buffer) }
        : value,
    ]);
    model.set("_result", { inputs, error, values: Object.fromEntries(unpacked) });
  };
  answer(result);
  const blob = new Blob([source], { type: "text/javascript" });
  const { default: figure } = await import(URL.createObjectURL(blob));
  window.show = () =>
    figure.render({ model, el: document.body.appendChild(document.createElement("div")) });
  show();
}"""
MOVE = """([name, value]) => {
  const box = document.querySelector(`.pe-control:has([data-input=${name}]) [type=number]`);
  box.value = value;
  box.dispatchEvent(new Event("change"));
}"""


def as_list(value: dict | float) -> dict | float:
    return value if isinstance(value, float) else value | {"data": list(value["data"])}


class Shown:
    """A figure in a page, and the same figure in a kernel that answers when it is told to."""

    def __init__(self, page: Page) -> None:
        self.page, self.figure = page, SinusoidalTable(length=16, dim=8)
        state = {**self.figure.inputs, "device": "cpu"}
        state |= {"_controls": self.figure._controls, "_question": self.figure._question}
        page.evaluate(MOUNT, [self.figure._esm, state, self.result()])

    def result(self) -> dict:
        """The kernel's last answer, with lists of numbers for bytes."""
        result = self.figure._result
        values = {name: as_list(value) for name, value in result.get("values", {}).items()}
        return result | {"values": values}

    def move(self, **inputs: float) -> None:
        for each in inputs.items():
            self.page.evaluate(MOVE, each)

    def asked(self, name: str) -> list[object]:
        """The values of an input in all questions so far."""
        return self.page.evaluate("name => asked.map(({ inputs }) => inputs[name])", name)

    def answer(self, number: int) -> None:
        """The kernel takes a question, and answers."""
        question = self.page.evaluate("number => asked[number]", number)
        self.figure._handle_custom_msg(question, [])
        self.page.evaluate("result => answer(result)", self.result())

    def text(self, part: str) -> str:
        return self.page.locator(f".pe-{part}").inner_text()


@pytest.fixture
def shown(browser: Browser) -> Iterator[Shown]:
    page = browser.new_page(**WIDE)
    yield Shown(page)
    page.close()


def test_a_question_waits_for_the_answer_to_the_one_before(shown: Shown) -> None:
    for length in (20, 24, 28):
        shown.move(length=length)
    assert shown.asked("length") == [20]
    shown.answer(0)
    assert shown.asked("length") == [20, 28]
    shown.answer(1)
    assert shown.asked("length") == [20, 28]
    assert shown.figure.length == 28
    assert shown.text("origin") == "Computed by pe_lib on cpu"


def test_the_picture_follows_while_the_inputs_move_on(shown: Shown) -> None:
    before = shown.text("words")
    shown.move(theta=20)
    shown.move(theta=40)
    shown.answer(0)
    between = shown.text("words")
    shown.answer(1)
    assert len({before, between, shown.text("words")}) == 3
    assert shown.page.evaluate("model.get('theta')") == 40


def test_back_where_it_was_is_asked_too(shown: Shown) -> None:
    shown.move(length=20)
    shown.move(length=16)
    shown.answer(0)
    shown.answer(1)
    assert shown.asked("length") == [20, 16]
    assert shown.figure.length == 16
    shown.move(length=16)
    assert shown.asked("length") == [20, 16]  # this is known


def test_several_inputs_are_one_question(shown: Shown) -> None:
    shown.move(length=20, dim=16)
    shown.answer(0)
    shown.answer(1)
    shown.page.locator(".pe-reset").click()
    assert shown.asked("length")[2:] == [16]
    assert shown.asked("dim")[2:] == [8]


def test_what_the_page_refuses_is_not_asked(shown: Shown) -> None:
    shown.move(length=8.5)
    assert "8.5" in shown.text("alert")
    assert shown.asked("length") == []


def test_what_the_kernel_refuses_is_said(shown: Shown) -> None:
    shown.move(dim=9)
    shown.answer(0)
    assert shown.text("alert").startswith("dim: expected an even int")


def test_what_is_shown_twice_moves_as_one(shown: Shown) -> None:
    shown.page.evaluate("show()")
    shown.move(length=20)
    shown.move(length=24)
    shown.answer(0)
    assert shown.page.evaluate("model.get('length')") == 24
    shown.answer(1)
    assert shown.asked("length") == [20, 24]
    first, second = shown.page.locator(".pe-words").all_inner_texts()
    assert first == second


def test_what_others_move_moves_here(shown: Shown) -> None:
    shown.figure.length = 40
    shown.page.evaluate("result => answer(result)", shown.result())
    assert shown.page.evaluate("model.get('length')") == 40
    assert shown.asked("length") == []
    assert shown.text("origin") == "Computed by pe_lib on cpu"


def test_a_lost_answer_does_not_stop_the_questions(shown: Shown) -> None:
    shown.move(length=20)
    by_page = "Computed by this page: the kernel does not answer"
    shown.page.get_by_text(by_page).wait_for()
    shown.move(length=24)
    assert shown.asked("length") == [20, 24]
    shown.answer(1)
    assert shown.text("origin") == "Computed by pe_lib on cpu"
