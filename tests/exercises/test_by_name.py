"""Exercises are found by the names of their modules."""

import sys
from copy import copy
from importlib import import_module
from inspect import isfunction
from pathlib import Path
from textwrap import dedent

import pytest

from pe_lib import exercises
from pe_lib.exercises import Check

HALF = """
    from pe_lib.exercises import Exercise, Mistakes, call

    exercise = Exercise(call(3.0), call(5.0, plus=1))
    wrong_parts = Mistakes()


    @exercise.answer
    def my_half(value: float, *, plus: int = 0) -> float:
        return _with(_half, value) + plus


    def _half(value: float) -> float:
        return value / 2


    def _with(part, value: float, *, plus: int = 0) -> float:
        return part(value) + plus


    @wrong_parts.mistake(see="Halves")
    def third(value: float) -> float:
        "that is a third."
        return value / 3


    @exercise.mistake(see="Adding")
    def not_added(value: float, *, plus: int = 0) -> float:
        "nothing is added."
        return my_half(value)


    exercise.take(wrong_parts, within=_with)
"""


@pytest.fixture
def check(tmp_path, monkeypatch):
    (tmp_path / "half.py").write_text(dedent(HALF))
    (tmp_path / "broken.py").write_text("raise ImportError('read too early')")
    monkeypatch.syspath_prepend(tmp_path)
    yield Check(["half", "broken"])
    for name in ("half", "broken"):
        sys.modules.pop(name, None)


def test_an_exercise_is_read_when_it_is_asked_for(check):
    assert dir(check) == ["broken", "half"]
    assert repr(check) == "check: broken, half"
    assert check.half is check.half
    with pytest.raises(ImportError, match="read too early"):
        check.broken  # noqa: B018


def test_a_name_that_is_none(check):
    with pytest.raises(AttributeError, match="no exercise 'hafl': there are broken, half"):
        check.hafl  # noqa: B018


def test_a_module_is_an_exercise(check):
    exercise = check.half
    assert exercise.name == "half"
    assert repr(exercise) == "check.half: checks your my_half(value, *, plus=0)"
    assert exercise(lambda value, plus=0: value / 2 + plus).passed
    assert [mistake.name for mistake in exercise.mistakes] == ["not added", "third"]
    assert exercise(lambda value, plus=0: value / 2).message == (
        "Not yet: nothing is added.\nRead again: “Adding”."
    )
    assert exercise(lambda value, plus=0: value / 3 + plus).mistake == "third"


@pytest.mark.parametrize(
    "path", sorted(Path(exercises.__path__[0]).glob("*/[!_]*.py")), ids=lambda path: path.stem
)
def test_no_mistake_is_left_out(path):
    """A function in public that is not the answer would be a mistake without its decorator."""
    module = import_module(f"pe_lib.exercises.{path.parent.name}.{path.stem}")
    functions = [
        name
        for name, value in vars(module).items()
        if isfunction(value) and value.__module__ == module.__name__ and not name.startswith("_")
    ]
    declared = {mistake.name.replace(" ", "_") for mistake in module.exercise.mistakes}
    assert {*functions} - declared == {module.exercise.reference.__name__}


def test_what_names_the_exercises_can_be_copied():
    assert dir(copy(check)) == dir(check)
