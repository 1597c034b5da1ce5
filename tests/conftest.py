"""What all tests share: the processors, which tests can run here, and a clean copy of all files."""

import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import jaxtyping
import pytest
import torch

from tests.helpers import ROOT, cannot_run

if TYPE_CHECKING:  # and imported where it is used, as the library's tests run without it
    from playwright.sync_api import Browser

# What takes long starts first, so that in the end no processor waits long for another. Two chapters
# need no book: while one processor builds it for the tests of its pages, another executes them.
LONG = (
    *("chapters/03_learned.ipynb", "tests/lab/", "chapters/06_longer_context.ipynb", "tests/book/"),
    *("tests/tools/", "tests/colab/", "chapters/"),
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of nbval that pyproject.toml names: without nbval they ask for nothing."""
    if find_spec("nbval") is None:
        for option in ("--nbval", "--nbval-current-env"):
            parser.addoption(option, action="store_true", help="nbval is not installed")


@pytest.hookimpl(optionalhook=True)  # also where pytest runs without xdist
def pytest_xdist_auto_num_workers() -> int:
    """As many workers as there are processors for us; more than four would ask for much memory."""
    here = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(here or 1, 4)


def pytest_configure() -> None:
    if "PYTEST_XDIST_WORKER" in os.environ:
        os.environ["OMP_NUM_THREADS"] = "1"  # in kernels and other programs that a test starts
        torch.set_num_threads(1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    def place(item: pytest.Item) -> int:
        found = (number for number, start in enumerate(LONG) if item.nodeid.startswith(start))
        return next(found, len(LONG))

    items.sort(key=place)


@pytest.fixture
def without_shape_checks() -> Iterator[None]:
    """pe_lib as its users have it: the tests' own type checker steps aside."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    """A running Chromium, for tests marked `browser`."""
    from book.tools.browser import launched

    with launched() as browser:
        yield browser


@pytest.fixture(scope="session")
def clean_copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository as a new clone would hold it, with the changes not yet committed."""
    folder = tmp_path_factory.mktemp("clean") / "course"
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, names.split("\0")):
        source = ROOT / name
        if source.is_file():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
    return folder


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("browser"):
        from book.tools.browser import ADVICE, installed_chromium

        if installed_chromium() is None:
            cannot_run(ADVICE)
    if item.get_closest_marker("gpu") and not torch.cuda.is_available():
        pytest.skip("there is no GPU")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say plainly which tests did not run, and why."""
    skipped = Counter(
        (report.nodeid.split("::")[0], str(report.longrepr[2]).removeprefix("Skipped: "))
        for report in terminalreporter.stats.get("skipped", [])
    )
    if skipped:
        terminalreporter.section("tests that did not run")
    for (file, reason), count in sorted(skipped.items()):
        terminalreporter.line(f"{file}: {count} not run, because {reason}")
