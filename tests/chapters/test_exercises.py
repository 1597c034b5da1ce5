"""Exercises as chapters ask them: each once, by its stub, with messages that fit the chapter."""

import re
from pathlib import Path

import pytest

from book.tools import notebooks
from pe_lib import exercises
from pe_lib.exercises import check

PAGES = {path.stem: notebooks.read(path) for path in notebooks.chapters()}
# Each exercise as a page asks for it: the page's name, the exercise's and the learner's function.
ASKED = [
    pytest.param(page, name, function, id=name)
    for page, notebook in PAGES.items()
    for cell in notebooks.code_cells(notebook)
    for name, function in re.findall(r"\bcheck\.(\w+)\((\w+)\)", cell.source)
]


def spine(page):
    """The chapter that a page with exercises belongs to."""
    return next(stem for stem in PAGES if stem[:3] == page[:3] and not stem.endswith("_deeper"))


def headings(page):
    cells = PAGES[page].cells
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    return set(re.findall(r"^#+ (?:\d+ · )?(.*?) *$", text, re.MULTILINE))


@pytest.mark.parametrize("name", dir(check))
def test_every_exercise_is_asked_once(name):
    assert [asked.id for asked in ASKED].count(name) == 1


def test_a_module_is_called_as_its_exercise_and_lies_in_the_room_of_the_chapter_that_asks():
    modules = sorted(Path(exercises.__path__[0]).glob("*/[!_]*.py"))
    chapter_of = {asked.id: spine(asked.values[0])[3:] for asked in ASKED}
    assert {path.stem: path.parent.name for path in modules} == chapter_of


@pytest.mark.parametrize(("page", "name", "function"), ASKED)
def test_the_stub_is_what_the_exercise_calls(page, name, function):
    exercise = getattr(check, name)
    sources = [cell.source for cell in notebooks.code_cells(PAGES[page])]
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


@pytest.mark.parametrize(("page", "name", "function"), ASKED)
def test_messages_point_to_sections_that_are_there(page, name, function):
    """On the page that asks, or on the spine, which was read before and is then linked."""
    sections = {mistake.where for mistake in getattr(check, name).mistakes}
    assert sections <= headings(page) | headings(spine(page))
    if sections - headings(page):
        cells = PAGES[page].cells
        [asking] = [cell for cell in cells if re.match(r"## \d+ · Exercises", cell.source)]
        assert f"({spine(page)}.ipynb)" in asking.source
