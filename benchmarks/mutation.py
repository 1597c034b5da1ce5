"""Do the tests notice? Small changes to the rotary family's code, each met by its own tests.

    .venv/bin/python -m benchmarks.mutation [number of mutants] [words in the file's path ...]

The mutants are drawn with a fixed seed from all that are possible: another operator, comparison or
constant, a statement left out. Each one runs against its module's tests in a process of its own;
the survivors are listed. Nothing here passes or fails.
"""

import ast
import copy
import multiprocessing
import os
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue
from typing import Any

import torch

ROOT = Path(__file__).resolve().parents[1]
WORKERS, SECONDS = 2, 120
# Imported once, before the processes are made: most of the time would go into it.
HEAVY = (
    "torch._dynamo",
    "mpmath",
    "hypothesis",
    "transformers.models.llama.modeling_llama",
    "transformers.models.qwen2_vl.modeling_qwen2_vl",
    "rotary_embedding_torch",
    "x_transformers",
)
COPIED = ("pe_lib", "tests", "book", "benchmarks", "pyproject.toml")
# A failure is enough here: no time is spent on making it small.
QUICK = """
from hypothesis import Phase
phases = [Phase.explicit, Phase.generate]
settings.register_profile("quick", settings.get_profile("repository"), phases=phases)
settings.load_profile("quick")
"""

OPERATORS = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult,
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip
EVERYWHERE = ["tests/library/test_errors.py"]
TESTS = {
    "frequencies": ["test_exact", "test_properties"],
    "positions": ["test_exact", "test_properties"],
    "sinusoidal": ["test_exact", "test_properties", "test_module"],
    "rotary": ["test_rotary", "test_rotary_peers", "test_rotary_use"],
    "_rotary_shapes": ["test_rotary", "test_rotary_use"],
    "_grid": ["test_axial", "test_mixed"],
    "_float64": ["test_mixed"],
}


def modules() -> list[Path]:
    """The files that are mutated: encodings and what is under them, no exercises, no pictures."""
    left_out = {"__init__", "devices", "palette"}
    folders = (ROOT / "pe_lib" / name for name in ("", "scaling", "rotary_embedding"))
    files = (path for folder in folders for path in folder.glob("*.py"))
    return sorted(path for path in files if path.stem not in left_out)


def tests(module: Path) -> list[str]:
    """Its own tests: by its name, or by its folder's."""
    name = module.stem if module.parent.name == "pe_lib" else module.parent.name
    files = [ROOT / "tests/library" / f"{stem}.py" for stem in TESTS.get(name, [])]
    files = files or sorted((ROOT / "tests/library").glob(f"test_{name}*.py"))
    return [str(p.relative_to(ROOT)) for p in [*files, module]] + EVERYWHERE


def mutants(tree: ast.Module) -> Iterator[tuple[str, ast.Module]]:
    """Every change that is made to a file: what and where, and the changed file."""
    nodes = list(ast.walk(tree))
    checks = {id(k.value) for k in nodes if isinstance(k, ast.keyword) and k.arg == "strict"}
    for index, node in enumerate(nodes):
        if id(node) in checks:  # zip's strict=True is itself a check
            continue
        for number in range(len(changes(node))):
            changed = copy.deepcopy(tree)
            target = list(ast.walk(changed))[index]
            what, change = changes(target)[number]
            change()
            yield f"{getattr(node, 'lineno', 0)}: {what}", changed


def changes(node: ast.AST) -> list[tuple[str, Callable[[], None]]]:
    """What can be changed about one node, in words and as a function that does it."""
    found = []
    for field, value in ast.iter_fields(node):
        if isinstance(value, ast.AST) and type(value) in OPERATORS:
            new = OPERATORS[type(value)]()
            found.append((f"{words(value)} -> {words(new)}", setter(node, field, new)))
        elif field == "ops":
            for position, operator in enumerate(value):
                new = OPERATORS[type(operator)]()
                found.append((f"{words(operator)} -> {words(new)}", setter(value, position, new)))
        elif field in ("body", "orelse") and isinstance(value, list):
            for position, statement in enumerate(value):
                if removable(statement):
                    what = f"without `{ast.unparse(statement).splitlines()[0]}`"
                    found.append((what, setter(value, position, ast.Pass())))
    if isinstance(node, ast.Constant) and isinstance(node.value, bool | int | float):
        new = not node.value if isinstance(node.value, bool) else node.value + 1
        found.append((f"{node.value} -> {new}", setter(node, "value", new)))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        found.append(("- left out", setter(node, "op", ast.UAdd())))
    return found


def setter(holder: Any, place: Any, value: object) -> Callable[[], None]:
    if isinstance(holder, list):
        return lambda: holder.__setitem__(place, value)
    return lambda: setattr(holder, place, value)


def removable(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Expr):  # a docstring or `...` does nothing
        return not isinstance(statement.value, ast.Constant)
    return isinstance(statement, ast.Raise | ast.If | ast.AugAssign)


def words(operator: ast.AST) -> str:
    return type(operator).__name__


def attempt(folder: Path, name: str, source: str, files: list[str]) -> str:
    """Run the tests with ``source`` in the place of a module: killed, survived or slow."""
    process = multiprocessing.get_context("fork").Process(
        target=run_tests, args=(folder, name, source, files)
    )
    process.start()
    process.join(SECONDS)
    if process.is_alive():
        process.kill()
        process.join()
        return "slow"
    return "killed" if process.exitcode else "survived"


def run_tests(folder: Path, name: str, source: str, files: list[str]) -> None:
    import pytest

    os.chdir(folder)
    sys.path[:] = [str(folder), *(p for p in sys.path if Path(p or ".").resolve() != ROOT)]
    for loaded in [m for m in sys.modules if m.split(".")[0] in ("benchmarks", "pe_lib", "tests")]:
        del sys.modules[loaded]
    (folder / name).write_text(source)
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    known = "ignore::pytest.PytestAssertRewriteWarning"  # of what is imported already
    # Inductor's own processes do not outlive a fork.
    options = ["-x", "-q", "-p", "no:cacheprovider", "-k", "not inductor", "-W", known]
    os._exit(int(pytest.main([*options, *files])))


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    wanted = sys.argv[2:]
    originals = {str(p.relative_to(ROOT)): p.read_text() for p in modules()}
    originals = {name: text for name, text in originals.items() if all(w in name for w in wanted)}
    every = [
        (name, what, ast.unparse(ast.fix_missing_locations(tree)))
        for name, text in originals.items()
        for what, tree in mutants(ast.parse(text))
    ]
    drawn = random.Random(0).sample(every, min(count, len(every)))
    for package in HEAVY:
        __import__(package)
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as temporary, ThreadPoolExecutor(WORKERS) as pool:
        folders: Queue[Path] = Queue()
        for worker in range(WORKERS):
            folders.put(copied(Path(temporary) / str(worker)))

        def fate(mutant: tuple[str, str, str]) -> str:
            name, what, source = mutant
            folder = folders.get()
            result = attempt(folder, name, source, tests(ROOT / name))
            (folder / name).write_text(originals[name])
            folders.put(folder)
            if result == "survived" and source != originals[name]:
                print(f"  survived {name}:{what}", flush=True)
            return result

        untouched = [(name, "as it is", originals[name]) for name in {m[0] for m in drawn}]
        passing = {
            m[0]
            for m, f in zip(untouched, pool.map(fate, untouched), strict=True)
            if f == "survived"
        }
        left_out = sorted({m[0] for m in drawn} - passing)
        if left_out:
            print(f"  not tried, for their tests fail without a change: {left_out}")
        tried = [m for m in drawn if m[0] in passing]
        fates = Counter(pool.map(fate, tried))
    print(f"  {len(tried)} of {len(every)} mutants: {dict(fates)}")


def copied(folder: Path) -> Path:
    for name in COPIED:
        source, target = ROOT / name, folder / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "_build"))
        else:
            shutil.copy2(source, target)
    with (folder / "tests/library/conftest.py").open("a") as conftest:
        conftest.write(QUICK)
    return folder


if __name__ == "__main__":
    main()
