"""What a wrong argument is told: which one it is, what was expected, what came.

The files in wrong_arguments/ hold wrong values for every argument of every public function. The
test walks the public names and their signatures, so an argument that is new and has no wrong
values fails. A file has two tables:

- ``BAD``: the argument, or ``function.argument`` where a function has rows of its own;
- ``GOOD``: values with which a call succeeds, under the same keys.

A module's call goes by ``Name()``, its other methods by ``Name.method``.
"""

import inspect
from importlib import import_module
from pathlib import Path
from types import FunctionType

import pytest
import torch
from torch import nn

import pe_lib

BAD, GOOD = {}, {}
for file in sorted((Path(__file__).parent / "wrong_arguments").glob("*.py")):
    tables = import_module(f"tests.library.wrong_arguments.{file.stem}")
    for everything, own in ((BAD, tables.BAD), (GOOD, tables.GOOD)):
        assert not everything.keys() & own.keys(), f"{file.name}: these are in another file too"
        everything |= own


def public_calls():
    """Every public function, constructor and method of a module, by name."""
    for name in pe_lib.__all__:
        public = getattr(pe_lib, name)
        yield name, public
        if isinstance(public, type) and issubclass(public, nn.Module):
            module = public(**needed(name, public))
            yield f"{name}()", module.forward
            for method in sorted(own_methods(public) - {"forward"}):
                yield f"{name}.{method}", getattr(module, method)


def own_methods(public):
    """Names of the public methods that pe_lib itself gives the class."""
    classes = [c for c in public.__mro__ if c.__module__.startswith("pe_lib.")]
    methods = (FunctionType, classmethod)
    found = {name for c in classes for name, v in vars(c).items() if isinstance(v, methods)}
    return {name for name in found if not name.startswith("_")}


def arguments(function):
    return list(inspect.signature(function).parameters)


def rows(name, argument):
    return BAD.get(f"{name}.{argument}") or BAD.get(argument, [])


def needed(name, function):
    """Arguments with which the call succeeds."""
    found = {p: GOOD.get(f"{name}.{p}", GOOD.get(p)) for p in arguments(function)}
    return {p: value for p, value in found.items() if value is not None}


def call(function, values):
    """Call with arguments by name, ``*dims`` too."""
    bound = inspect.BoundArguments(inspect.signature(function), values)
    return function(*bound.args, **bound.kwargs)


ARGUMENTS = [
    pytest.param(name, function, argument, id=f"{name}-{argument}")
    for name, function in public_calls()
    for argument in arguments(function)
]


def test_every_argument_has_its_wrong_values():
    named = [(name, argument) for name, _, argument in (each.values for each in ARGUMENTS)]
    assert [each for each in named if not rows(*each)] == []


@pytest.mark.usefixtures("without_shape_checks")
@pytest.mark.parametrize(("name", "function", "argument"), ARGUMENTS)
def test_a_wrong_argument_is_named(name, function, argument):
    good = needed(name, function)
    for value, error, expected, got in rows(name, argument):
        call(function, good)  # nothing else is wrong
        with pytest.raises(error) as caught:
            call(function, good | {argument: value})
        assert type(caught.value) is error
        assert str(caught.value) == f"{argument}: expected {expected}, got {got}"


def test_shapes_are_checked_while_the_tests_run():
    from jaxtyping import TypeCheckError

    from pe_lib.common.positions import position_angles

    with pytest.raises(TypeCheckError):
        position_angles(3, torch.zeros(2, 2, dtype=torch.float64))
    with pytest.raises(TypeCheckError):
        position_angles(3, torch.zeros(2, dtype=torch.float32))
