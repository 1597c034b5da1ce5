"""What BreakItsMemory says and shows, and how it is moved."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page

from book.tools.browser import ANSWERED
from pe_lib.figures import BreakItsMemory, Figure
from pe_lib.figures.longer_context.break_its_memory import RULES, STRETCHING
from tests.browser_support import drag_by_mouse, drag_by_touch
from tests.figures.card import card_height
from tests.figures.conftest import ADDRESS, answer
from tests.figures.longer_context.test_break_its_memory import KINDS, compute

pytestmark = pytest.mark.browser
Open = Callable[[Figure], Page]
each_drag = pytest.mark.parametrize(
    "drag", [drag_by_mouse, pytest.param(drag_by_touch, marks=pytest.mark.slow)]
)
TEXT = BreakItsMemory().text
GUTTER = 48  # pixels beside the ruler's bars


def settled(page: Page) -> Page:
    page.wait_for_selector(f".pe-root{ANSWERED}")
    return page


@pytest.fixture
def shown(opened: Open) -> Page:
    """The figure after its question is answered."""
    page = opened(BreakItsMemory())
    page.locator(".pe-show").click()
    return page


def choose(page: Page, name: str, value: str) -> None:
    page.locator(f"[data-input={name}][value='{value}']").check()
    settled(page)


def words(page: Page) -> str:
    return settled(page).locator(".pe-words").text_content()


def numbers(page: Page) -> list[str]:
    """The two averages: up to the trained length and beyond."""
    return settled(page).locator(".pe-stat b").all_text_contents()


def read(page: Page) -> int:
    """How many bytes are tinted."""
    return settled(page).locator(".pe-bytes b:not([hidden])").count()


def type_text(page: Page, text: str) -> None:
    page.locator(".pe-more").evaluate("more => { more.open = true; }")
    page.locator("[data-input=text]").fill(text)
    settled(page)


def averages(**inputs: object) -> list[str]:
    losses = compute(**inputs)["losses"]
    return [f"{losses[1:128].mean():.2f}", f"{losses[128:].mean():.2f}"]


@pytest.mark.slow
def test_each_rule_and_each_encoding_says_what_it_costs(shown: Page) -> None:
    for rule in RULES:
        choose(shown, "rule", rule)
        within, beyond = averages(rule=rule)
        assert numbers(shown) == [within, beyond]
        assert f" costs {within} nats per byte up to byte 128 and {beyond} beyond." in words(shown)
    choose(shown, "rule", "as is")
    for kind in KINDS:
        choose(shown, "encoding", kind)
        assert numbers(shown) == averages(encoding=kind)


def test_a_rule_for_what_does_not_turn_is_said_to_change_nothing(shown: Page) -> None:
    choose(shown, "rule", "YaRN")
    choose(shown, "encoding", "alibi")
    assert words(shown).startswith("Nothing turns here: as it is, ALiBi costs ")
    choose(shown, "rule", "only the end")
    assert words(shown).startswith("Shown only the end, ALiBi costs ")


def test_rules_for_what_does_not_turn_look_idle(shown: Page) -> None:
    def idle() -> set[str]:
        dimmed = shown.locator(".pe-idle input")
        return set(dimmed.evaluate_all("all => all.map((radio) => radio.value)"))

    assert idle() == set()
    choose(shown, "encoding", "alibi")
    assert idle() == set(STRETCHING)
    choose(shown, "encoding", "rope")
    assert idle() == set()


def middle(part: Locator) -> tuple[float, float]:
    box = part.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def grip(page: Page) -> tuple[float, float]:
    """The middle of the grip on the ruler."""
    return middle(page.locator(".pe-ruler text", has_text="reads"))


def on_ruler(page: Page, length: int) -> tuple[float, float]:
    """Where so many bytes end on the ruler."""
    box = page.locator(".pe-ruler").bounding_box()
    x = GUTTER + length / 512 * (box["width"] - GUTTER)
    return box["x"] + x, box["y"] + box["height"] / 2


@each_drag
def test_the_end_is_dragged_by_its_grip(drag: Callable, shown: Page) -> None:
    shown.locator(".pe-ruler").scroll_into_view_if_needed()
    for length in (300, 200, 128, 60, 256):
        drag(shown, grip(shown), on_ruler(shown, length))
        shown.mouse.up()
        assert read(shown) == pytest.approx(length, abs=1)
        assert shown.locator(".pe-ruler").get_attribute("aria-valuenow") == str(read(shown))
        assert f"reads {read(shown)}" in shown.locator(".pe-ruler").text_content()
    assert shown.evaluate("getSelection().toString()") == ""


def test_the_ruler_is_moved_by_keys(shown: Page) -> None:
    ruler = shown.locator(".pe-ruler")
    for key, length in (("ArrowDown", 448), ("ArrowLeft", 440), ("ArrowUp", 504), ("ArrowUp", 512)):
        ruler.press(key)
        assert read(shown) == length


def test_a_stretched_text_follows_the_drag(shown: Page) -> None:
    choose(shown, "rule", "YaRN")
    shown.locator(".pe-ruler").scroll_into_view_if_needed()
    drag_by_mouse(shown, grip(shown), on_ruler(shown, 300))
    shown.mouse.up()
    assert numbers(shown) == averages(rule="YaRN", length=read(shown))


def test_pointing_reads_a_byte_once_the_question_is_answered(opened: Open) -> None:
    page = opened(BreakItsMemory())
    chosen = page.locator(".pe-bytes .pe-chosen")
    page.locator("[data-at='40']").hover()
    assert chosen.get_attribute("data-at") == "364"
    assert page.locator(".pe-show").is_visible()
    assert not page.locator(".pe-likely").is_visible()  # it would answer the question
    page.locator(".pe-show").click()
    page.locator("[data-at='300']").hover()
    settled(page)
    assert chosen.get_attribute("data-at") == "300"
    expected = compute(byte=300)
    shares = page.locator(".pe-likely small").all_text_contents()
    assert shares[0] == f"{100 * expected['chances'][0]:.0f}\u00a0%"
    assert words(page).endswith(f"comes and costs {expected['losses'][301]:.2f} nats.")


def test_a_finger_slides_over_the_bytes_under_a_lens(shown: Page) -> None:
    shown.locator(".pe-reading").scroll_into_view_if_needed()
    lens = shown.locator(".pe-lens")
    assert lens.is_hidden()
    fingers = shown.context.new_cdp_session(shown)
    for kind, byte in (("touchStart", 195), ("touchMove", 205), ("touchMove", 300)):
        x, y = middle(shown.locator(f"[data-at='{byte}']"))
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    shown.wait_for_selector(".pe-chosen[data-at='300']")
    cost = compute()["losses"][300]
    assert lens.text_content() == f"{TEXT[297:304]}costs {cost:.2f} nats"
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    lens.wait_for(state="hidden")


def test_keys_move_the_byte_that_is_read(shown: Page) -> None:
    text = shown.locator(".pe-reading [tabindex='0']")
    chosen = shown.locator(".pe-bytes .pe-chosen")
    for key, byte in (
        ("ArrowRight", 365),
        ("ArrowDown", 429),
        ("ArrowLeft", 428),
        ("ArrowUp", 364),
    ):
        text.press(key)
        settled(shown)
        assert chosen.get_attribute("data-at") == str(byte)


def test_attention_is_drawn_on_the_text(shown: Page) -> None:
    looks = "all => all.map((b) => Number(b.style.getPropertyValue('--pe-look')))"
    drawn = shown.locator(".pe-bytes b").evaluate_all(looks)
    expected = compute()["attention"]
    expected /= expected.max()
    for n, share in enumerate(expected.tolist()):
        assert drawn[n] == pytest.approx(share if share >= 0.05 else 0, abs=0.011)


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390])
def test_the_card_keeps_its_height(width: int, shown: Page) -> None:
    height = card_height(shown, width)
    before = height()
    for rule in RULES:
        choose(shown, "rule", rule)
        assert height() == before
    for kind in KINDS:
        choose(shown, "encoding", kind)
        assert height() == before
    choose(shown, "rule", "interpolation")
    assert height() == before


def test_bytes_of_other_scripts_and_lines_are_shown(shown: Page) -> None:
    type_text(shown, "사é\n😀")
    cells = shown.locator(".pe-bytes span[data-at]")
    letters = cells.evaluate_all("all => all.map((cell) => cell.firstChild.textContent)")
    assert list(filter(None, letters)) == ["사", "·", "·", "é", "·", "↵", "😀", "·", "·", "·"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a", "Read as it is, RoPE costs nothing for a first byte, which nothing predicts."),
        ("ab", "Read as it is, RoPE costs "),
    ],
)
def test_short_texts(text: str, said: str, shown: Page) -> None:
    type_text(shown, text)
    assert words(shown).startswith(said)
    assert numbers(shown)[1] == "–"


def test_an_empty_text_is_refused_and_the_next_is_read(shown: Page) -> None:
    type_text(shown, "")
    alert = shown.locator(".pe-alert")
    assert alert.text_content() == "text: expected at least one byte, got none"
    type_text(shown, "A text.")
    assert alert.is_hidden()
    assert read(shown) == 7


def test_what_is_pasted_is_cut_and_said_to_be(shown: Page) -> None:
    type_text(shown, "x" * 100_000)
    assert len(shown.locator("[data-input=text]").input_value()) == 512
    said = shown.locator(".pe-passage small").text_content()
    assert said == "the first 512 of 100,000 characters"
    type_text(shown, "사" * 512)
    assert shown.locator(".pe-below .pe-note").text_content().startswith("Of 1,536 bytes")
    assert read(shown) == 512


def test_going_on_writes_after_what_was_read(shown: Page) -> None:
    shown.locator(".pe-more").evaluate("more => { more.open = true; }")
    shown.locator("[data-input=go_on]").check()
    written = bytes(compute(go_on=True)["written"].int().tolist()).decode()
    settled(shown)
    assert shown.locator(".pe-written").text_content() == f"…{TEXT[-40:]} ▸ {written}"


def test_no_worker_no_harm(opened: Open) -> None:
    page = opened(BreakItsMemory(text="word"))
    page.evaluate("delete window.Worker")
    page.evaluate("errors = []; addEventListener('error', (e) => errors.push(e.message))")
    page.evaluate("mount(document.querySelector('.pe-figure'))")
    page.wait_for_selector(f".pe-root{ANSWERED}")
    type_text(page, TEXT)
    assert numbers(page) == averages()
    assert page.evaluate("errors") == []


@pytest.fixture
def page(browser: Browser, figures_script: str) -> Iterator[Page]:
    """A page with the figure far below the window, and what it asks for."""
    page = browser.new_page()
    page.route(f"{ADDRESS}**", answer)
    page.goto(ADDRESS)
    below = "<div style='height: 3000px'></div>"
    page.set_content(f"<html data-content_root=./>{below}{BreakItsMemory().static_html()}")
    page.asked = []
    page.on("request", lambda request: page.asked.append(request.url))
    page.add_script_tag(content=figures_script)
    page.wait_for_selector(".pe-figure[data-ready]", state="attached")
    yield page
    page.close()


def weights(page: Page) -> list[str]:
    return [url.split("pe-weights-")[1] for url in page.asked if "pe-weights" in url]


def test_weights_come_when_they_are_needed(page: Page) -> None:
    page.wait_for_timeout(300)
    assert weights(page) == []
    page.locator(".pe-root").scroll_into_view_if_needed()
    settled(page)
    assert weights(page) == ["rope.js"]
    choose(page, "encoding", "none")
    choose(page, "encoding", "rope")
    assert weights(page) == ["rope.js", "none.js"]


def test_how_far_it_is_is_said(page: Page) -> None:
    page.evaluate(
        """() => {
          window.said = [];
          const origin = document.querySelector(".pe-origin");
          new MutationObserver(() => said.push(origin.textContent))
            .observe(origin, { childList: true });
        }"""
    )
    page.locator(".pe-root").scroll_into_view_if_needed()
    settled(page)
    said = page.evaluate("said")
    assert said[0] == "Loading the model"
    assert said[-1] == "Computed by this page"
    steps = [int(text.split()[1]) for text in said if text.startswith("Reading: ")]
    assert steps == sorted(steps)
    assert len(steps) > 4
    assert steps[-1] == 480  # the rest comes with the answer


def test_where_the_weights_cannot_be_had_it_says_so_and_tries_again(page: Page) -> None:
    page.route("**/pe-weights-rope.js", lambda route: route.abort())
    page.locator(".pe-root").scroll_into_view_if_needed()
    alert = page.locator(".pe-alert")
    alert.wait_for()
    assert alert.text_content().startswith("The trained model could not be loaded.")
    assert not page.locator(".pe-root[aria-busy]").count()
    page.unroute("**/pe-weights-rope.js")
    choose(page, "rule", "YaRN")
    assert alert.is_hidden()
    assert numbers(page) == averages(rule="YaRN")
