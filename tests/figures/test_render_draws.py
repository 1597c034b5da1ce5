"""Where pe_lib computes, a figure only draws: its script computes no encoding of its own."""

import json
import re

import pytest
from playwright.sync_api import Browser, Page

from pe_lib.figures import Figure
from tests.browser_support import WIDE
from tests.figures.comparing import in_torch
from tests.figures.every import each_figure

pytestmark = pytest.mark.browser
KEYS = ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp")

# A widget's model that a kernel has answered, as far as a figure asks for it.
MOUNT = """async ([source, state, numbers]) => {
  const blob = new Blob([source], { type: "text/javascript" });
  const { default: figure } = await import(URL.createObjectURL(blob));
  const packed = ({ shape, data }) =>
    ({ shape, data: new DataView(Float64Array.from(data).buffer) });
  const values = Object.fromEntries(
    Object.entries(numbers).map(([name, value]) =>
      [name, value.shape.length ? packed(value) : value.data[0]]));
  state._result = { inputs: state._asked, values };
  const model = { get: (name) => state[name], set() {}, send() {}, on() {}, off() {} };
  figure.render({ model, el: document.body.appendChild(document.createElement("div")) });
}"""


@pytest.fixture
def page(browser: Browser) -> Page:
    page = browser.new_page(**WIDE)
    yield page
    page.close()


def without_encodings(source: str) -> str:
    """The joined script, in which every encoding and every attention map is refused."""
    refusing = (
        "new Proxy({}, { get: (_, name) => () => { throw new Error(`computed: ${name}`); } });\n"
    )
    for name in ("encodings", "attention"):
        source = re.sub(
            rf"(?ms)^const page_compute_{name} = .*?^\}}\)\(\);\n",
            lambda match: f"{match.group().partition('=')[0]}= {refusing}",
            source,
        )
    return source


@each_figure
def test_a_kernels_numbers_are_drawn(figure: type[Figure], page: Page) -> None:
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    shown = figure()
    asked = {**shown.inputs, "device": "cpu"}
    numbers = {
        name: {"shape": list(value.shape), "data": value.flatten().tolist()}
        for name, value in in_torch(figure, "cpu", shown.inputs).items()
    }
    state = asked | {"_asked": asked, "_controls": shown._controls, "_question": shown._question}
    source = without_encodings(figure._esm)
    page.evaluate(MOUNT, [source, json.loads(json.dumps(state)), numbers])
    root = page.locator(".pe-root")
    assert root.locator(".pe-origin").inner_text() == "Computed by pe_lib on cpu"
    for part in root.locator(".pe-panels [tabindex='0']").all():
        for key in KEYS:
            part.press(key)
    assert root.locator(".pe-words").inner_text()
    assert not root.locator(".pe-copy").count(), "a notebook has no address for a link"
    assert not problems
