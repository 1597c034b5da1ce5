"""What PatchGrid says, and how its query is moved."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from pe_lib.figures import Figure, PatchGrid
from tests.figures import moving

pytestmark = pytest.mark.browser
Open = Callable[[Figure], Page]

SAID = {
    "Row 3, column 7: the first of the next row scores 0.94, the patch below 0.43. Framed: "
    "3 of 64 patches.": {},
    "the first of the next row scores 0.69, the patch below 0.97.": {"way": "axial"},
    "scores 0.58, the patch below 0.97.": {"way": "mixed"},
    "Row 7, column 7: its left neighbour scores 0.94, the patch above 0.43.": {"row": 7},
    "Row 7, column 0: its right neighbour scores 0.97, the patch above 0.97.": {
        "way": "axial",
        "row": 7,
        "column": 0,
    },
    "Framed: 16 of 256 patches, 16 of 64 patches on 8 × 8.": {"way": "axial", "patches": "16"},
}
MORE = {
    "The frame holds what scores 0.80 or more. One old patch to the left scores 0.88, one below "
    "0.88; on 8 × 8 they scored 0.97 and 0.97.": {"way": "axial", "patches": "16"},
    "One old patch to the left scores 0.97, one below 0.97; on 8 × 8 they scored 0.97 and 0.97.": {
        "way": "axial",
        "patches": "stretched",
    },
    "One old patch to the right scores 0.98, one above 0.43; on 8 × 8 they scored 0.94 and 0.43. "
    "No one factor fits a line": {"patches": "stretched", "row": 7, "column": 0},
}


@pytest.mark.parametrize("words", SAID)
def test_the_words_say_what_is_computed(words: str, opened: Open) -> None:
    assert words in opened(PatchGrid(**SAID[words])).locator(".pe-words").text_content()


@pytest.mark.parametrize("words", MORE)
def test_the_rest_is_said_under_more(words: str, opened: Open) -> None:
    assert words in opened(PatchGrid(**MORE[words])).locator(".pe-note").text_content()


def test_the_query_is_dragged_by_finger(opened: Open) -> None:
    page = opened(PatchGrid())
    fingers = page.context.new_cdp_session(page)
    box = page.locator(".pe-picture").bounding_box()
    unit = box["width"] / 8
    for kind, (row, column) in (
        ("touchStart", (3, 7)),
        ("touchMove", (4, 7)),
        ("touchMove", (5, 6)),
        ("touchMove", (6, 6)),
    ):
        at = {"x": box["x"] + (column + 0.5) * unit, "y": box["y"] + (row + 0.5) * unit}
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [at]})
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert query(page) == (6, 6)


def test_colours_change_by_another_rule(opened: Open) -> None:
    page = opened(PatchGrid())
    moving.count(page)
    page.click("input[value='16']")
    assert moving.started(page) == 256
    moving.arrived(page)
    page.emulate_media(reduced_motion="reduce")
    page.click("input[value=axial]")
    assert moving.started(page) == 0


def query(page: Page) -> tuple[int, ...]:
    """Its row and column, as the controls have them."""
    boxes = page.locator(".pe-slider:has([data-input=row], [data-input=column]) [type=number]")
    return tuple(int(value) for value in boxes.evaluate_all("all => all.map((one) => one.value)"))


def cells(page: Page) -> list[str]:
    return page.locator(".pe-patches span").all_text_contents()


def seen(page: Page) -> list[int]:
    """The patches whose number, or q, can be seen."""
    return page.locator(".pe-patches span").evaluate_all(
        "all => all.flatMap((one, n) => getComputedStyle(one).visibility === 'visible' ? [n] : [])"
    )


@pytest.mark.parametrize("patches", ["8", "16"])
def test_the_query_is_pointed_at_and_dragged(patches: str, opened: Open) -> None:
    page = opened(PatchGrid(patches=patches))
    box = page.locator(".pe-picture").bounding_box()

    def at(row: int, column: int) -> tuple[float, float]:
        unit = box["width"] / 8
        return box["x"] + (column + 0.3) * unit, box["y"] + (row + 0.7) * unit

    page.mouse.move(*at(2, 5))
    assert query(page) == (3, 7)  # not pressed: nothing moves
    page.mouse.down()
    assert query(page) == (2, 5)
    page.mouse.move(*at(6, 1))
    page.mouse.up()
    assert query(page) == (6, 1)
    page.mouse.move(*at(0, 0))
    assert query(page) == (6, 1)


def test_arrow_keys_move_it_as_far_as_the_picture_reaches(opened: Open) -> None:
    page = opened(PatchGrid())
    picture = page.locator(".pe-picture")
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft"):
        picture.press(key)
    assert query(page) == (4, 6)
    for _ in range(9):
        picture.press("ArrowUp")
    assert query(page) == (0, 6)


@pytest.mark.parametrize(
    ("patches", "place"), [("8", 3 * 8 + 7), ("16", 7 * 16 - 1), ("stretched", 7 * 16 - 1)]
)
def test_the_query_s_patch_is_marked_and_others_have_their_score(
    patches: str, place: int, opened: Open
) -> None:
    page = opened(PatchGrid(patches=patches))
    texts = cells(page)
    assert len(texts) == (64 if patches == "8" else 256)
    assert [n for n, text in enumerate(texts) if text == "q"] == [place]
    if patches == "8":
        assert texts[3 * 8 + 6] == texts[4 * 8] == "0.94"


def test_numbers_are_seen_one_step_along_the_line_and_one_row_away_and_where_it_is_pointed_at(
    opened: Open,
) -> None:
    page = opened(PatchGrid())
    page.locator(".pe-show").click()
    assert seen(page) == [23, 30, 31, 32, 39]
    page.locator(".pe-patches div").nth(12).hover()
    assert seen(page) == [12, 23, 30, 31, 32, 39]
    page.click("input[value='16']")
    page.locator(".pe-patches div").nth(40).hover()
    assert seen(page) == [40, 7 * 16 - 1]


def test_the_line_is_drawn_where_it_is_what_counts(opened: Open) -> None:
    page = opened(PatchGrid())
    line = page.locator(".pe-picture path[d^='M0.5,0.5L1.5,0.5M']")
    assert line.get_attribute("opacity") == "0.55"
    page.click("input[value=axial]")
    assert line.get_attribute("opacity") == "0"


def test_the_line_is_cut_where_it_goes_back_to_the_next_row(opened: Open) -> None:
    page = opened(PatchGrid())
    back = page.locator(".pe-picture path[d^='M7.5,0.5']")
    assert back.get_attribute("d").startswith("M7.5,0.5L4,1M4,1L0.5,1.5")
    page.click("input[value=axial]")
    assert back.get_attribute("d").startswith("M7.5,0.5L7.5,0.5M0.5,1.5L0.5,1.5")


def test_the_line_ends_before_a_number_and_is_no_minus_of_it(opened: Open) -> None:
    page = opened(PatchGrid())
    pieces = page.locator(".pe-picture path[d^='M0.5,0.5L1.5,0.5M']").get_attribute("d")
    assert "L6.88,2.5M" in pieces  # the number above the query is in the middle of 7 to 8


def test_the_frame_is_around_what_is_written_as_80_or_more(opened: Open) -> None:
    page = opened(PatchGrid(way="axial", row=3, column=3))
    lit = {divmod(n, 8) for n, text in enumerate(cells(page)) if text == "q" or text >= "0.80"}
    assert (3, 0) in lit  # 0.7995
    sides = sum(
        (row + down, column + right) not in lit
        for row, column in lit
        for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0))
    )
    frame = page.locator(".pe-picture path[data-pe-answer]").last.get_attribute("d")
    assert frame.count("M") == sides
