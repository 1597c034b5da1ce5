"""What a notebook uses of pe_lib: where that has changed, its stored outputs are stale.

Nothing is imported. Names are followed from the notebook's code to the modules that define them,
and from there on through their imports. `from pe_lib import X` uses what defines X, not all of
pe_lib, so a new exercise touches only the chapter that asks it.
"""

import ast
import hashlib
import re
from functools import cached_property
from pathlib import Path

DATA = {".csv", ".json", ".safetensors", ".txt", ".xz"}  # a notebook stores no figure's script


class Library:
    """A package beside notebooks, and the versions that are pinned beside it.

    Args:
        root: the folder that holds ``pe_lib`` and ``requirements.txt``.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.paths = {dotted(path, root): path for path in sorted((root / "pe_lib").rglob("*.py"))}
        self._surfaces: dict[str, Surface] = {}
        self._hashes: dict[Path, str] = {}

    @cached_property
    def pins(self) -> dict[str, str]:
        """The line of requirements.txt for each package, by the name under which it is imported."""
        lines = (self.root / "requirements.txt").read_text("utf-8").splitlines()
        return {re.split(r"[=<>\s]", line)[0].replace("-", "_"): line for line in lines}

    def fingerprint(self, code: str) -> str:
        """A hash of what a notebook's code uses of the package, and of the versions beside it."""
        modules, packages = self.used_by(code)
        parts = [self.hash_of(path) for path in self.files(modules)]
        parts += [self.pins[name] for name in sorted(packages & self.pins.keys())]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]

    def used_by(self, code: str) -> tuple[set[str], set[str]]:
        """The modules of pe_lib that code uses, and the other packages that it or they import."""
        modules: set[str] = set()
        packages: set[str] = set()
        todo = Surface(code).names
        while todo:
            name = todo.pop()
            if not is_ours(name):
                packages.add(name.partition(".")[0])
            for module in self.modules_of(name) - modules:
                modules.add(module)
                todo |= self.surface(module).names
        return modules, packages

    def files(self, modules: set[str]) -> list[Path]:
        """The files of modules, with the data beside them and in folders that hold no modules."""
        sources = {self.paths[module] for module in modules}
        folders = {source.parent for source in sources}
        folders |= {
            inner
            for folder in folders
            for inner in folder.iterdir()
            if inner.is_dir() and not (inner / "__init__.py").exists()
        }
        beside = (path for folder in folders for path in folder.iterdir() if path.is_file())
        return sorted(sources | {path for path in beside if path.suffix in DATA})

    def modules_of(self, name: str) -> set[str]:
        """The modules that a dotted name stands for: of a whole package, all that lie in it."""
        package, rest = "", name.split(".") if is_ours(name) else []
        if not rest:
            return set()
        while rest:
            package, rest = ".".join(filter(None, [package, rest[0]])), rest[1:]
            if not self.is_package(package):
                return {package}
            if not rest or f"{package}.{rest[0]}" in self.paths:
                continue
            surface = self.surface(package)
            if origin := surface.imported.get(rest[0]):
                return self.modules_of(".".join([origin, *rest[1:]]))
            if found := self.defined_inside(package, rest[0]):
                return {found}
            if rest[0] not in surface.defined:
                break
            if len(rest) > 1:  # something of the package's own, such as exercises' `check`
                return {package} | self.modules_of(".".join([package, *rest[1:]]))
            return {package}
        return {module for module in self.paths if f"{module}.".startswith(f"{package}.")}

    def defined_inside(self, package: str, name: str) -> str | None:
        """The module below a package that is called so, or that defines a class of this name."""
        for module in self.paths:
            if not module.startswith(f"{package}.") or self.is_package(module):
                continue
            if name == module.rpartition(".")[2] or name in self.surface(module).defined:
                return module
        return None

    def is_package(self, module: str) -> bool:
        return self.paths[module].name == "__init__.py"

    def surface(self, module: str) -> "Surface":
        if module not in self._surfaces:
            self._surfaces[module] = Surface(self.paths[module].read_text("utf-8"))
        return self._surfaces[module]

    def hash_of(self, path: Path) -> str:
        if path not in self._hashes:
            name = path.relative_to(self.root).as_posix().encode()
            self._hashes[path] = hashlib.sha256(name + b"\0" + path.read_bytes()).hexdigest()
        return self._hashes[path]


def dotted(path: Path, root: Path) -> str:
    """A file's name as it is imported."""
    return ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")


class Surface:
    """The names in a piece of code.

    Attributes:
        imported: for each name that is imported, what it stands for.
        defined: the functions, classes and variables that the code defines.
        names: the full names of what it imports from elsewhere, and of what it uses of pe_lib.

    >>> code = "import numpy as np; from pe_lib import plots as p; p.heat_map(1).savefig('map.png')"
    >>> sorted(Surface(code).names)
    ['numpy', 'pe_lib.plots.heat_map']
    """

    def __init__(self, code: str) -> None:
        syntax = ast.parse(code)
        nodes = list(ast.walk(syntax))
        self.imported: dict[str, str] = {}
        for node in nodes:
            if isinstance(node, ast.Import):
                for alias in node.names:
                    top = alias.name.partition(".")[0]
                    self.imported[alias.asname or top] = alias.name if alias.asname else top
            elif isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    self.imported[alias.asname or alias.name] = f"{node.module}.{alias.name}"
        self.defined: set[str] = set()
        for node in syntax.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                self.defined.add(node.name)
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                self.defined |= {target.id for target in targets if isinstance(target, ast.Name)}
        ours = {name: full for name, full in self.imported.items() if is_ours(full)}
        self.names = {full for full in self.imported.values() if not is_ours(full)}
        inner = {id(node.value) for node in nodes if isinstance(node, ast.Attribute)}
        for node in nodes:
            if id(node) not in inner and (name := written_name(node)):
                first, _, rest = name.partition(".")
                if first in ours:
                    self.names.add(f"{ours[first]}.{rest}".rstrip("."))


def is_ours(name: str) -> bool:
    return name.partition(".")[0] == "pe_lib"


def written_name(node: ast.AST) -> str | None:
    """A name with its attributes, as in the code: "plots.heat_map"."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (owner := written_name(node.value)):
        return f"{owner}.{node.attr}"
    return None
