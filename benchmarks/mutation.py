"""Do the tests notice? Small changes to the library's code, each met by its own tests.

    .venv/bin/python -m benchmarks.mutation [number of mutants] [words in the file's path ...]

The mutants are drawn with a fixed seed from all that are possible in the files named by any of the
words: another operator, comparison or constant, a statement left out. Each one runs in a copy of
the repository, against its module's tests and in a process of its own; the survivors are listed.
Nothing here passes or fails.
"""

import ast
import gc
import multiprocessing
import os
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
from collections import Counter
from pathlib import Path

import torch

from benchmarks.mutants import mutants

ROOT = Path(__file__).resolve().parents[1]
NO_TESTS = 5  # how pytest ends where it finds none
SECONDS = 120  # of the processor, so that a busy machine is no reason to give up
# Imported once, before the processes are made: most of the time would go into it.
HEAVY = (
    "torch._dynamo",
    "mpmath",
    "hypothesis",
    "nbval.plugin",
    "beartype",
    "transformers.models.llama.modeling_llama",
    "transformers.models.qwen2_vl.modeling_qwen2_vl",
    "rotary_embedding_torch",
    "x_transformers",
)
OUTPUT = "output.txt"  # what pytest says
COPIED = ("pe_lib", "tests", "pyproject.toml")
QUICK_TESTS = "not compil and not graphs and not inductor"
# A failure is enough here: no time is spent on making it small.
QUICK = """
from hypothesis import Phase
phases = [Phase.explicit, Phase.generate]
settings.register_profile("quick", settings.get_profile("repository"), phases=phases)
settings.load_profile("quick")
"""

# The rooms whose code shows something or asks something, and computes nothing new.
LEFT_OUT = {"course", "exercises", "experiments", "figures", "plots"}


def modules() -> list[Path]:
    """The files that are mutated: encodings, what is under them, and what they are used in."""
    return sorted(
        path
        for path in (ROOT / "pe_lib").rglob("*.py")
        if path.name != "__init__.py" and not LEFT_OUT & set(path.parts)
    )


def tests(module: Path) -> list[list[str]]:
    """What pytest is told, run for run: the module's own tests, then its wrong arguments.

    Its own tests go by its name. A module without any is one that only its room knows.
    """
    name = module.relative_to(ROOT / "pe_lib")
    room = ROOT / "tests/library" / name.parent
    found = sorted(room.glob(f"test_{name.stem}*.py")) or sorted(room.glob("test_*.py"))
    own = [str(path.relative_to(ROOT)) for path in (*found, module)]
    rows = " or ".join(public_names(module))
    return [["-k", QUICK_TESTS, *own], ["-k", rows, "tests/library/test_errors.py"]]


def public_names(module: Path) -> list[str]:
    """What users call of a module, and of all that import it."""
    defined = re.findall(r"^(?:def|class) ([A-Za-z]\w+)", module.read_text(), re.MULTILINE)
    known = (ROOT / "pe_lib/__init__.py").read_text()
    own = {name for name in defined if f'"{name}"' in known}
    dotted = ".".join(module.relative_to(ROOT).with_suffix("").parts)
    importers = [other for other in modules() if f"from {dotted} import" in other.read_text()]
    return sorted(own.union(*(public_names(importer) for importer in importers)))


def attempt(folder: Path, name: str, source: str, runs: list[list[str]]) -> str:
    """Run the tests with ``source`` in the place of a module: killed, slow or survived."""
    (folder / name).write_text(source)
    for arguments in runs:
        process = multiprocessing.get_context("fork").Process(
            target=run_tests, args=(folder, arguments)
        )
        process.start()
        process.join()
        if process.exitcode not in (0, NO_TESTS):
            return "slow" if process.exitcode == -signal.SIGXCPU else "killed"
    return "survived"


def run_tests(folder: Path, arguments: list[str]) -> None:
    import pytest

    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
    os.chdir(folder)
    sys.path[:] = [str(folder), *(p for p in sys.path if Path(p or ".").resolve() != ROOT)]
    for loaded in [m for m in sys.modules if m.split(".")[0] in ("benchmarks", "pe_lib", "tests")]:
        del sys.modules[loaded]
    output = os.open(folder / OUTPUT, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(output, 1)
    os.dup2(output, 2)
    known = "ignore::pytest.PytestAssertRewriteWarning"  # of what is imported already
    status = pytest.main(["-x", "-q", "-p", "no:cacheprovider", "-W", known, *arguments])
    sys.stdout.flush()
    os._exit(int(status))


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    wanted = sys.argv[2:] or [""]
    originals = {str(p.relative_to(ROOT)): p.read_text() for p in modules()}
    originals = {name: text for name, text in originals.items() if any(w in name for w in wanted)}
    every = [
        (name, what, ast.unparse(ast.fix_missing_locations(tree)))
        for name, text in originals.items()
        for what, tree in mutants(ast.parse(text))
    ]
    drawn: dict[str, list[tuple[str, str]]] = {}
    for name, what, source in sorted(random.Random(0).sample(every, min(count, len(every)))):
        drawn.setdefault(name, []).append((what, source))
    for package in HEAVY:
        __import__(package)
    torch.set_num_threads(1)
    gc.freeze()
    total = Counter[str]()
    runs = {name: tests(ROOT / name) for name in drawn}
    with tempfile.TemporaryDirectory() as temporary:
        folder = copied(Path(temporary) / "copy")
        for name, changed in drawn.items():
            if attempt(folder, name, originals[name], runs[name]) != "survived":
                end = (folder / OUTPUT).read_text().splitlines()[-5:]
                print(
                    f"  {name}: not tried, for its tests fail without a change:", *end, sep="\n  "
                )
                continue
            fates = Counter[str]()
            for what, source in changed:
                fate = attempt(folder, name, source, runs[name])
                fates[fate] += 1
                if fate == "survived":
                    print(f"  survived {name}:{what}", flush=True)
            (folder / name).write_text(originals[name])
            print(f"  {name}: {dict(fates)}", flush=True)
            total += fates
    print(f"  {total.total()} of {len(every)} mutants: {dict(total)}")


def copied(folder: Path) -> Path:
    for name in COPIED:
        source, target = ROOT / name, folder / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, target)
    with (folder / "tests/library/conftest.py").open("a") as conftest:
        conftest.write(QUICK)
    return folder


if __name__ == "__main__":
    main()
