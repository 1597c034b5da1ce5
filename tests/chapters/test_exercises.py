"""Exercises as chapters ask them: each once, by its stub, with messages that fit the chapter."""

import re
from pathlib import Path

import pytest

from book.tools import notebooks
from pe_lib import exercises
from pe_lib.exercises import check

CHAPTERS = [notebooks.read(path) for path in notebooks.chapters()]
# Each exercise as a chapter asks for it: the chapter, its name and the learner's function.
ASKED = [
    pytest.param(chapter, name, function, id=name)
    for chapter in CHAPTERS
    for cell in notebooks.code_cells(chapter)
    for name, function in re.findall(r"\bcheck\.(\w+)\((\w+)\)", cell.source)
]


def test_every_exercise_is_asked_once():
    assert sorted(asked.id for asked in ASKED) == dir(check)


def test_a_module_is_called_as_its_exercise_and_lies_in_the_room_of_the_chapter_that_asks():
    modules = sorted(Path(exercises.__path__[0]).glob("*/[!_]*.py"))
    chapter_of = {
        asked.id: path.stem[3:].removesuffix("_deeper")
        for path, chapter in zip(notebooks.chapters(), CHAPTERS, strict=True)
        for asked in ASKED
        if asked.values[0] is chapter
    }
    assert {path.stem: path.parent.name for path in modules} == chapter_of


@pytest.mark.parametrize(("chapter", "name", "function"), ASKED)
def test_the_stub_is_what_the_exercise_calls(chapter, name, function):
    exercise = getattr(check, name)
    sources = [cell.source for cell in notebooks.code_cells(chapter)]
    [stub] = [source for source in sources if f"def {function}(" in source]
    assert f"def {exercise.signature}:" in stub
    names = {}
    exec(stub, names)
    message = repr(exercise(names[function]))
    if name == "find_the_bug":  # its stub is written, and full of bugs
        assert message.startswith("Not yet: four bugs are left.")
        return
    assert message.startswith(f"Not yet: {function}(")
    assert " gave back None." in " ".join(message.split())
    assert " at 0x" not in message, "an argument is not shown as one would type it"


@pytest.mark.parametrize(("chapter", "name", "function"), ASKED)
def test_messages_point_to_sections_that_are_there(chapter, name, function):
    text = "\n".join(cell.source for cell in chapter.cells if cell.cell_type == "markdown")
    headings = re.findall(r"^#+ (?:\d+ · )?(.*?) *$", text, re.MULTILINE)
    assert {mistake.where for mistake in getattr(check, name).mistakes} <= set(headings)
