"""How the repository is built: what may import what."""

import ast
import sys
from collections.abc import Iterable, Iterator

from tests.helpers import ROOT

# What somebody has who works on the library alone: what it needs, what tests it, and its peers.
FOR_THE_LIBRARY = sys.stdlib_module_names | {
    *("pe_lib", "torch", "jaxtyping", "numpy", "matplotlib"),
    *("tests", "pytest", "hypothesis", "mpmath", "beartype", "IPython"),
    *("transformers", "rotary_embedding_torch", "x_transformers"),
}


def imported(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The modules that these nodes name; of ``from a import b`` both a and a.b."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names))


def packages(names: Iterable[str]) -> set[str]:
    return {name.split(".")[0] for name in names}


def test_the_library_is_tested_without_the_book_and_without_a_browser() -> None:
    for room in ("library", "exercises", "experiments"):
        for path in (ROOT / "tests" / room).rglob("*.py"):
            names = imported(ast.walk(ast.parse(path.read_text("utf-8"))))
            assert packages(names) <= FOR_THE_LIBRARY, path
    # What all tests share is imported there too, but not what a function in it imports.
    for name in ("conftest.py", "helpers.py"):
        shared = ast.parse((ROOT / "tests" / name).read_text("utf-8"))
        assert packages(imported(shared.body)) <= FOR_THE_LIBRARY, name
