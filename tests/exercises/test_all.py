"""What holds for every exercise: right answers pass, classic mistakes are named, and every message
fits the chapter that asks.

Answers are in ``answers/CHAPTER/EXERCISE.py``: RIGHT, functions that are to pass, and WRONG, each
function with the mistake that it is to be taken for.
"""

import re
from importlib import import_module
from pathlib import Path

import pytest

from book.tools import notebooks
from pe_lib import exercises
from pe_lib.exercises import check, checker

CHAPTERS = [notebooks.read(path) for path in notebooks.chapters()]
ANSWERS = {
    path.stem: import_module(f"tests.exercises.answers.{path.parent.name}.{path.stem}")
    for path in sorted((Path(__file__).parent / "answers").glob("*/[!_]*.py"))
}
RIGHT = [
    pytest.param(name, function, id=f"{name}-{function.__name__}")
    for name, answers in ANSWERS.items()
    for function in answers.RIGHT
]
WRONG = [
    pytest.param(name, function, mistake, id=f"{name}-{function.__name__}-{mistake}")
    for name, answers in ANSWERS.items()
    for function, mistake in answers.WRONG
]
# Each exercise as a chapter asks for it: the chapter, its name and the learner's function.
ASKED = [
    pytest.param(chapter, name, function, id=name)
    for chapter in CHAPTERS
    for cell in notebooks.code_cells(chapter)
    for name, function in re.findall(r"\bcheck\.(\w+)\((\w+)\)", cell.source)
]
EVERY_EXERCISE = pytest.mark.parametrize("exercise", vars(check).values(), ids=vars(check))
EVERY_MISTAKE = pytest.mark.parametrize(
    ("exercise", "mistake"),
    [
        pytest.param(exercise, mistake, id=f"{exercise.name}-{mistake.name}")
        for exercise in vars(check).values()
        for mistake in exercise.mistakes
    ],
)


# --- the chapters -------------------------------------------------------------------------------


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


# --- right answers ------------------------------------------------------------------------------


@EVERY_EXERCISE
def test_every_exercise_has_three_right_answers(exercise):
    given = {asked.values[1] for asked in RIGHT if asked.values[0] == exercise.name}
    assert len(given) >= 3


@pytest.mark.parametrize(("name", "function"), RIGHT)
@pytest.mark.parametrize("closer", [1, 10])
def test_right_answers_pass(name, function, closer, monkeypatch):
    """With room to spare: also where ten times less is forgiven."""
    monkeypatch.setattr(checker, "TOLERANCE", checker.TOLERANCE / closer)
    exercise = getattr(check, name)
    passes = f"passes all {len(exercise.calls)} hidden calls."
    assert repr(exercise(function)) == f"Right: {function.__name__} {passes}"


# --- mistakes -----------------------------------------------------------------------------------


@EVERY_EXERCISE
def test_every_exercise_knows_four_mistakes(exercise):
    names = [mistake.name for mistake in exercise.mistakes]
    assert len(names) >= 4
    assert len(set(names)) == len(names)


@EVERY_MISTAKE
@pytest.mark.parametrize("wider", [1, 5])
def test_every_mistake_is_told_apart(exercise, mistake, wider, monkeypatch):
    """From the right answer and from every other mistake, also where five times more is
    forgiven. (The first that fits is named: were two alike, the second would go by the first's
    name.)"""
    monkeypatch.setattr(checker, "TOLERANCE", checker.TOLERANCE * wider)
    monkeypatch.setattr(checker, "MISTAKE_TOLERANCE", checker.MISTAKE_TOLERANCE * wider)
    verdict = exercise(mistake.wrong)
    assert not verdict.passed
    assert verdict.mistake == mistake.name
    assert " ".join(repr(verdict).split()) == (
        f"Not yet: {mistake.message} Read again: “{mistake.where}”."
    )


@pytest.mark.parametrize(("name", "function", "mistake"), WRONG)
def test_mistakes_as_learners_write_them(name, function, mistake):
    assert getattr(check, name)(function).mistake == mistake


@EVERY_MISTAKE
def test_messages_are_friendly_and_keep_the_answer(exercise, mistake):
    code_or_formula = r"\w\(|\[|torch\.|np\.|\*\*|\^|10000|1 /|\bpi\b|π|√"
    assert not re.search(code_or_formula, mistake.message)
    assert mistake.message[0].islower(), "it goes on after “Not yet: ”"
    assert mistake.message.rstrip(")").endswith((".", "?"))
    assert len(mistake.message) < 260
