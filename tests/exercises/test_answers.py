"""What holds for every exercise: right answers pass, and classic mistakes are named.

Answers are in ``answers/CHAPTER/EXERCISE.py``: RIGHT, functions that are to pass. Mistakes are
tried as they are declared; WRONG has those that rounding could give another name, as learners write
them, each with the name that it is to get.
"""

import re
from importlib import import_module
from pathlib import Path

import pytest

from pe_lib.exercises import check, checker

pytestmark = pytest.mark.usefixtures("without_shape_checks")
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
    for function, mistake in getattr(answers, "WRONG", ())
]
EXERCISES = {name: getattr(check, name) for name in dir(check)}
EVERY_EXERCISE = pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)


# --- right answers ------------------------------------------------------------------------------


@EVERY_EXERCISE
def test_every_exercise_has_three_right_answers(exercise):
    given = {asked.values[1] for asked in RIGHT if asked.values[0] == exercise.name}
    assert len(given) >= 3


@pytest.mark.parametrize(("name", "function"), RIGHT)
def test_right_answers_pass(name, function, monkeypatch):
    """With room to spare: where ten times less is forgiven."""
    monkeypatch.setattr(checker, "TOLERANCE", checker.TOLERANCE / 10)
    exercise = getattr(check, name)
    passes = f"passes all {len(exercise.calls)} hidden calls."
    assert repr(exercise(function)) == f"Right: {function.__name__} {passes}"


# --- mistakes -----------------------------------------------------------------------------------


@EVERY_EXERCISE
def test_every_exercise_knows_four_mistakes(exercise):
    names = [mistake.name for mistake in exercise.mistakes]
    assert len(names) >= 4
    assert len(set(names)) == len(names)


@EVERY_EXERCISE
def test_every_mistake_is_told_apart(exercise, monkeypatch):
    """From the right answer and from every other mistake, where five times more is forgiven. (The
    first that fits is named: were two alike, the second would go by the first's name.)"""
    monkeypatch.setattr(checker, "TOLERANCE", checker.TOLERANCE * 5)
    monkeypatch.setattr(checker, "MISTAKE_TOLERANCE", checker.MISTAKE_TOLERANCE * 5)
    for mistake in exercise.mistakes:
        verdict = exercise(mistake.wrong)
        assert not verdict.passed, mistake.name
        assert verdict.mistake == mistake.name
        assert " ".join(repr(verdict).split()) == (
            f"Not yet: {mistake.message} Read again: “{mistake.where}”."
        )


@pytest.mark.parametrize(("name", "function", "mistake"), WRONG)
def test_mistakes_are_told_apart_however_they_are_rounded(name, function, mistake):
    assert getattr(check, name)(function).mistake == mistake


@EVERY_EXERCISE
def test_messages_are_friendly_and_keep_the_answer(exercise):
    code_or_formula = r"\w\(|\[|torch\.|np\.|\*\*|\^|10000|1 /|\bpi\b|π|√"
    for message in (mistake.message for mistake in exercise.mistakes):
        assert not re.search(code_or_formula, message), "it holds code or a formula"
        assert message[0].islower(), f"it goes on after “Not yet: ”: {message}"
        assert message.rstrip(")").endswith((".", "?"))
        assert len(message) < 260
