"""What the page for teachers says of the chapters is true of them."""

import re

import pytest

from book.tools import notebooks
from pe_lib.exercises import check
from tests.chapters.test_exercises import ASKED, headings, spine

TEXT = (notebooks.ROOT / "chapters/for_teachers.md").read_text("utf-8")
STEMS = [path.stem for path in notebooks.chapters()]
CHAPTERS = [stem for stem in STEMS if stem[0].isdigit() and not stem.endswith("_deeper")]
# The part of the page that is about a chapter, by the chapter's number.
OUTCOMES = {
    part[:2]: part for part in re.split(r"^#{2,3} ", TEXT, flags=re.MULTILINE) if part[:2].isdigit()
}
MET = re.compile(r"\[\d\d · (\d+)\]\((\w+)\.ipynb\) \*(.+)\* \|$", re.MULTILINE)


def test_every_chapter_has_outcomes_in_order() -> None:
    assert [*OUTCOMES] == [chapter[:2] for chapter in CHAPTERS]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_outcomes_are_shown_by_the_chapters_own_exercises(chapter: str) -> None:
    part = OUTCOMES[chapter[:2]]
    assert f"({chapter}.ipynb)" in part
    outcomes = re.findall(r"^- (.*?)[;.]$", part, re.MULTILINE | re.DOTALL)
    assert outcomes
    assert [one for one in outcomes if not re.search(r"`\w+`|aloud", one)] == []
    pages = {one.values[1]: one.values[0] for one in ASKED}
    asked = {
        name: page.endswith("_deeper") for name, page in pages.items() if spine(page) == chapter
    }
    named = {
        name: bool(where)
        for outcome in outcomes
        for where, names in re.findall(r"(deeper\s+)?((?:`\w+`(?:, )?\s*)+)", outcome)
        for name in re.findall(r"`(\w+)`", names)
    }
    assert named == asked


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_questions_to_be_answered_aloud_are_there(chapter: str) -> None:
    cells = notebooks.read(notebooks.ROOT / f"chapters/{chapter}.ipynb").cells
    [questions] = [cell.source for cell in cells if "Say it aloud" in cell.source[:30]]
    there = set(re.findall(r"^\*\*(\d+)\.\*\*", questions, re.MULTILINE))
    named = re.findall(r"aloud\s+(\d+)(?:\s+and\s+(\d+))?", OUTCOMES[chapter[:2]])
    assert {number for numbers in named for number in numbers if number} == there


@pytest.mark.parametrize(("section", "page", "heading"), MET.findall(TEXT))
def test_a_misconception_is_met_where_it_says(section: str, page: str, heading: str) -> None:
    assert heading in headings(page)
    cells = notebooks.read(notebooks.ROOT / f"chapters/{page}.ipynb").cells
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    found = re.search(rf"^## {section} · (.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found is not None
    assert heading in found[0]


def test_misconceptions_stand_in_the_order_of_the_chapters() -> None:
    numbers = [page[:2] for _, page, _ in MET.findall(TEXT)]
    assert numbers == sorted(numbers)
    assert {*numbers} == {chapter[:2] for chapter in CHAPTERS}


def test_a_session_has_four_exercises_of_the_chapters_that_it_reads() -> None:
    room = {one.values[1]: one.values[0][:2] for one in ASKED}
    rows = re.findall(r"^\| \d \| (.*)\|$", TEXT, re.MULTILINE)
    assert len(rows) == 2 + 4 + 8
    for row in rows:
        read, minutes, _, exercises = row.split(" | ")
        chapters = re.findall(r"\[(\d\d)\]", read)
        assert re.findall(r"\d\d", minutes) == chapters
        named = re.findall(r"`(\w+)`", exercises)
        assert len({*named}) == 4
        assert {room[name] for name in named} == {*chapters}


def test_the_minutes_of_a_syllabus_are_those_of_its_sessions() -> None:
    for part in re.split(r"^### ", TEXT, flags=re.MULTILINE):
        for together in re.findall(r"^\| \| together \| \{minutes\}`(.*?)`", part, re.MULTILINE):
            rows = re.findall(r"^\| \d \|.*?\{minutes\}`(.*?)`", part, re.MULTILINE)
            everything = " ".join(chapter[:2] for chapter in CHAPTERS)
            assert " ".join(rows) == together.replace("all", everything)
            assert f"{len(rows)} × 90 = {90 * len(rows)} minutes" in part


def test_the_minutes_of_a_session_add_up() -> None:
    parts = re.findall(r"^\| (\d+) \| [^|]+\|$", TEXT, re.MULTILINE)
    assert sum(map(int, parts)) == 90


def test_every_exercise_is_named() -> None:
    assert {*dir(check)} <= {*re.findall(r"`(\w+)`", TEXT)}
