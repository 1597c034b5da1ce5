"""How the repository is built: what may import what, and where a module's tests are."""

import ast
import sys
from collections.abc import Iterable, Iterator
from graphlib import TopologicalSorter
from pathlib import Path

from book.tools.uses import Library
from tests.helpers import ROOT

# What somebody has who works on the library alone: what it needs, what tests it, and its peers.
FOR_THE_LIBRARY = sys.stdlib_module_names | {
    *("pe_lib", "torch", "safetensors", "jaxtyping", "numpy", "matplotlib"),
    *("tests", "pytest", "hypothesis", "mpmath", "beartype", "IPython"),
    *("transformers", "rotary_embedding_torch", "x_transformers"),
}
# The rooms of pe_lib from the bottom up: each imports from its own storey and from those below.
CORE = (
    {"common"},
    {"absolute", "rotary", "relative"},
    {"model", "diagnostics"},
)
STOREYS = (
    *CORE,
    {"course", "experiments"},
    {"exercises", "figures", "plots"},
)
STOREY = {room: number for number, rooms in enumerate(STOREYS) for room in rooms}
TESTED_ELSEWHERE = {"exercises", "experiments", "figures"}  # in tests/exercises and so on


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def imported(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """What these nodes import; ``from a import b`` is b where that is a module of pe_lib."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (name if name in PATHS else str(node.module) for name in names)


PATHS = Library(ROOT).paths
IMPORTS = {name: set(imported(ast.walk(parsed(path)))) for name, path in PATHS.items()}
ARROWS = {name: {other for other in names if other in PATHS} for name, names in IMPORTS.items()}
SURFACE = "pe_lib"


def room(module: str) -> str:
    return module.split(".")[1]


def packages(names: Iterable[str]) -> set[str]:
    return {name.split(".")[0] for name in names}


INSIDE = [module for module in PATHS if module != SURFACE]
TESTED_HERE = [
    module
    for module in INSIDE
    if room(module) not in TESTED_ELSEWHERE
    and PATHS[module].name != "__init__.py"
    and not module.split(".")[-1].startswith("_")
]


def test_no_arrow_leads_upwards() -> None:
    for module in INSIDE:
        others, own = ARROWS[module] - {SURFACE}, STOREY[room(module)]
        upwards = {other for other in others if STOREY[room(other)] > own}
        assert not upwards, module
        # Only a program may stand above the library's surface.
        assert SURFACE not in ARROWS[module] or module.endswith(".__main__"), module


def test_no_arrows_form_a_circle() -> None:
    TopologicalSorter(ARROWS).prepare()
    rooms: dict[str, set[str]] = {name: set() for name in STOREY}
    for module in INSIDE:
        rooms[room(module)] |= {room(other) for other in ARROWS[module] - {SURFACE}}
    TopologicalSorter({name: others - {name} for name, others in rooms.items()}).prepare()


def test_the_core_knows_nothing_but_torch() -> None:
    for module in (module for module in INSIDE if STOREY[room(module)] < len(CORE)):
        known = {"pe_lib", "torch", "jaxtyping"} | sys.stdlib_module_names
        assert packages(IMPORTS[module]) <= known, module


def test_a_module_s_tests_are_found_by_its_name() -> None:
    for module in TESTED_HERE:
        _, *rooms, name = module.split(".")
        assert list(Path(ROOT, "tests/library", *rooms).glob(f"test_{name}*.py"))


def test_the_library_is_tested_without_the_book_and_without_a_browser() -> None:
    for folder in ("library", "conformance", "exercises", "experiments"):
        for path in (ROOT / "tests" / folder).rglob("*.py"):
            assert packages(imported(ast.walk(parsed(path)))) <= FOR_THE_LIBRARY, path
    # What all tests share is imported there too, but not what a function in it imports.
    for name in ("conftest.py", "helpers.py"):
        assert packages(imported(parsed(ROOT / "tests" / name).body)) <= FOR_THE_LIBRARY, name
