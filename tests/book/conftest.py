"""The built book, and its address."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from filelock import FileLock

from book.tools.browser import served
from book.tools.build import HTML
from book.tools.notebooks import ROOT
from tests.browser_support import PAGES, POLICY


@pytest.fixture(scope="session")
def html(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the book's HTML, built as `make book` builds it, once for all processors."""
    folder = tmp_path_factory.getbasetemp()
    built = (folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "built"
    with FileLock(f"{built}.lock"):
        if not built.exists():
            subprocess.run([sys.executable, "-m", "book.tools.build"], cwd=ROOT, check=True)
            built.touch()
    return HTML


@pytest.fixture(scope="session")
def site(html: Path) -> Iterator[str]:
    """The address at which the book is served, with the policy that README gives for it."""
    with served(html, {"Content-Security-Policy": POLICY}) as address:
        yield address


@pytest.fixture(scope="module", params=PAGES)
def page(request: pytest.FixtureRequest) -> str:
    """Each page of the book in turn, without its .html."""
    return request.param
