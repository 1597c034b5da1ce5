"""How WhereItEnters is dragged from one way in to another, and what it says then."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from pe_lib.figures import Figure, WhereItEnters
from tests.browser_support import drag_by_touch
from tests.figures import moving
from tests.figures.card import card_height

pytestmark = pytest.mark.browser
Open = Callable[[Figure], Page]


def chosen(page: Page) -> str:
    return page.locator("[data-input=encoding]:checked").input_value()


def words(page: Page) -> str:
    return page.locator(".pe-words").text_content()


def middle(page: Page, target: str) -> tuple[float, float]:
    box = page.locator(target).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def way(name: str) -> str:
    """The text above a way in; its slot is 15 pixels below."""
    return f".pe-block text:has-text('{name}')"


def below(page: Page, name: str) -> tuple[float, float]:
    x, y = middle(page, way(name))
    return x, y + 19


def test_it_opens_with_an_encoding_in_place(opened: Open) -> None:
    page = opened(WhereItEnters())
    assert chosen(page) == "sinusoidal"
    assert page.locator(".pe-pill").text_content() == "sinusoidal"


def test_the_encoding_is_dragged_from_way_to_way(opened: Open) -> None:
    page = opened(WhereItEnters())
    page.mouse.move(*middle(page, ".pe-pill"))
    page.mouse.down()
    for name, encoding in [("at q and k", "rope"), ("nowhere", "none"), ("at the score", "alibi")]:
        page.mouse.move(*below(page, name), steps=4)
        assert chosen(page) == encoding
        assert not page.locator(".pe-asking").count()
    page.mouse.up()
    assert page.locator(".pe-pill").text_content() == "ALiBi"
    assert "half the distance" in words(page)
    page.mouse.move(*below(page, "at q and k"))
    assert chosen(page) == "alibi"  # not pressed: nothing moves


def test_the_encoding_is_dragged_by_touch(opened: Open) -> None:
    page = opened(WhereItEnters())
    drag_by_touch(page, middle(page, ".pe-pill"), below(page, "at the score"))
    assert chosen(page) == "alibi"
    drag_by_touch(page, middle(page, ".pe-pill"), below(page, "nowhere"))
    assert chosen(page) == "none"


def test_a_click_enters_there_and_one_more_changes_the_encoding(opened: Open) -> None:
    page = opened(WhereItEnters())
    for encoding in ("rope", "xpos", "rope"):
        page.mouse.click(*below(page, "at q and k"))
        assert chosen(page) == encoding


def test_arrow_keys_move_it(opened: Open) -> None:
    page = opened(WhereItEnters())
    for key, encoding in [
        ("Up", "sinusoidal"),
        ("Right", "learned"),
        ("Down", "rope"),
        ("Left", "xpos"),
        ("Down", "alibi"),
        ("Down", "none"),
        ("Down", "none"),
    ]:
        page.locator(".pe-block").press(f"Arrow{key}")
        assert chosen(page) == encoding


def test_without_positions_the_twin_is_left_to_guess_until_it_is_shown(opened: Open) -> None:
    page = opened(WhereItEnters(encoding="none"))
    assert words(page).endswith("the words alone. “sat” gives “cat” 0.48.")
    page.locator("[data-input=twin]").click()
    assert words(page).endswith("“sat” gives “cat” 0.48, just as in the sentence.")


@pytest.mark.parametrize("twin", [False, True])
def test_the_words_compare(twin: bool, opened: Open) -> None:
    said = words(opened(WhereItEnters(twin=twin)))
    if twin:
        assert said.endswith("“cat” 0.72: 0.17 in the sentence, 0.48 without positions.")
    else:
        assert said.endswith("“cat” 0.17: 0.72 in the twin, 0.48 without positions.")


def test_switching_to_the_twin_moves_words_and_at_once_where_motion_is_reduced(
    opened: Open,
) -> None:
    page = opened(WhereItEnters(encoding="none"))
    # Counted in the same step as the click: a moment later they may have arrived.
    travelling = "box => { box.click(); return document.getAnimations().length; }"
    twin = page.locator("[data-input=twin]")
    page.emulate_media(reduced_motion="reduce")
    assert twin.evaluate(travelling) == 0
    page.emulate_media(reduced_motion="no-preference")
    assert twin.evaluate(travelling) > 20
    moving.arrived(page)


@pytest.mark.parametrize("width", [359, 692])
def test_the_card_keeps_its_height(width: int, opened: Open) -> None:
    page = opened(WhereItEnters())
    height = card_height(page, width)
    start = height()
    for control in ("causal", "twin"):
        for _ in range(5):
            page.locator(".pe-block").press("ArrowDown")
            page.locator(".pe-block").press("ArrowRight")
            assert height() == start
        for _ in range(4):
            page.locator(".pe-block").press("ArrowUp")
        page.locator(f"[data-input={control}]").click()
        assert height() == start


def test_a_bracket_compares_the_two_rows_of_the(opened: Open) -> None:
    page = opened(WhereItEnters())
    sign = page.locator(".pe-joined b")
    assert page.locator(".pe-joined").inner_text() == "“the” rows equal?"
    assert not sign.is_visible()
    page.locator(".pe-show").click()
    assert sign.is_visible()
    assert sign.text_content() == "no"
    page.locator("[data-input=encoding][value=none]").evaluate("one => one.click()")
    assert sign.text_content() == "yes"


def test_it_says_that_it_is_dragged_until_it_is(opened: Open) -> None:
    page = opened(WhereItEnters())
    assert page.locator(".pe-block").get_by_text("drag me").count() == 1
    page.locator(".pe-block").press("ArrowDown")
    assert page.locator(".pe-block").get_by_text("drag me").count() == 0


def test_positions_run_down_from_the_door_and_out_again(opened: Open) -> None:
    page = opened(WhereItEnters())
    moving.count(page)
    running = page.locator(".pe-block g[data-pe-answer]")

    def shapes() -> list[int]:
        """That carry positions as before, that carry them now, and that do no longer."""
        return running.evaluate_all("all => all.map((one) => one.children.length)")

    page.locator(".pe-show").click()
    carried = shapes()[1]
    assert shapes() == [0, carried, 0]
    assert moving.started(page) == 1
    page.locator(".pe-block").press("ArrowDown")
    stayed, came, gone = shapes()
    assert came == 0
    assert stayed + gone == carried


def test_the_map_has_the_number_that_is_read_alone(opened: Open) -> None:
    page = opened(WhereItEnters())
    cells = page.locator(".pe-map td")
    assert [text for text in cells.all_text_contents() if text] == ["0.17"]
    cells.nth(5).hover()
    assert [n for n, text in enumerate(cells.all_text_contents()) if text] == [5]


def test_weights_change_their_colours_by_another_way_in(opened: Open) -> None:
    page = opened(WhereItEnters())
    moving.count(page)
    page.locator(".pe-plot").press("ArrowRight")
    assert moving.started(page) == 0
    page.locator("[data-input=causal]").click()
    assert moving.started(page) > 20
    moving.arrived(page)
    page.emulate_media(reduced_motion="reduce")
    page.locator("[data-input=causal]").click()
    assert moving.started(page) == 0
