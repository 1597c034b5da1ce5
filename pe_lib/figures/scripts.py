"""The scripts of a figure as one: a widget's script cannot import, so imports are resolved here.

Every file is a real module: ``import { a, b } from "./other.js"`` at its beginning, ``export``
before what it gives. Joined, each imported file is a function of its own that returns its exports,
so that all other names in it stay its own; the figure's script comes last.

What Python and a script both have to know is written once, as a constant of a Python module, and
imported from there: ``import { WORDS } from "../../course/running_sentence.py"``.

A worker is made of a text: ``import { source } from "./worker.js?source"`` is that script, joined.
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

from torch import Tensor

PACKAGE = Path(__file__).parents[1]
IMPORT = re.compile(r'^import \{([^}]+)\} from "(\.[^"]+)";$', re.MULTILINE)
SOURCE = "?source"  # behind the name of a script that is wanted as text
EXPORT = re.compile(r"^export (?:function|class|const) (\w+)", re.MULTILINE)


def joined(script: Path) -> str:
    """A figure's script, with all that it imports before it."""
    return "".join([*(as_constant(path) for path in imported(script)), resolved(script)])


def imported(script: Path) -> list[Path]:
    """The scripts that one imports, directly or not, each after those that it imports itself.

    Raises:
        ValueError: scripts import each other in a circle.
    """
    found: list[Path] = []

    def follow(path: Path, importers: tuple[Path, ...]) -> None:
        if path in importers:
            circle = " > ".join(step.name for step in (*importers, path))
            raise ValueError(f"scripts import each other in a circle: {circle}")
        for other in imports(path):
            if other.suffix == ".js":
                follow(other, (*importers, path))
        if importers and path not in found:
            found.append(path)

    follow(script.resolve(), ())
    return found


def imports(path: Path) -> Iterator[Path]:
    """The files, scripts or Python modules, that a script itself imports names from."""
    found = (other for _, other in IMPORT.findall(read(path)))
    return (target(path, other) for other in found if not other.endswith(SOURCE))


@cache  # most figures import the same scripts
def as_constant(path: Path) -> str:
    """An imported script as a constant that holds its exports."""
    exports = ", ".join(EXPORT.findall(read(path)))
    return f"const {name_of(path)} = (() => {{\n{resolved(path)}return {{ {exports} }};\n}})();\n"


def resolved(path: Path) -> str:
    """A script's source, with constants in place of its imports, and its exports unmarked."""

    def constant(match: re.Match[str]) -> str:
        names, other = match.groups()
        source = target(path, other.removesuffix(SOURCE))
        if other.endswith(SOURCE):
            return f"const {{{names}}} = {json.dumps({'source': joined(source)})};"
        value = name_of(source) if source.suffix == ".js" else constants(source, names)
        return f"const {{{names}}} = {value};"

    return re.sub(r"^export (?!default)", "", IMPORT.sub(constant, read(path)), flags=re.MULTILINE)


def constants(module: Path, names: str) -> str:
    """Constants of a Python module, by their names, as JSON."""
    values = import_module(".".join(module.relative_to(PACKAGE.parent).with_suffix("").parts))
    found = {name: getattr(values, name) for name in re.findall(r"\w+", names)}
    return json.dumps(found, default=Tensor.tolist, separators=(",", ":"))


def target(path: Path, other: str) -> Path:
    """The file that a script names in an import."""
    return (path.parent / other).resolve()


def name_of(path: Path) -> str:
    """The constant that holds a script's exports: page_draw_chart for page/draw/chart.js."""
    return "_".join(path.relative_to(PACKAGE / "figures").with_suffix("").parts)


@cache
def read(path: Path) -> str:
    return path.read_text("utf-8")
