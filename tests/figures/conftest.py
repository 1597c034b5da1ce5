"""The script that brings the figures of a page to life."""

import sys

import pytest

from book.tools.notebooks import ROOT

sys.path.insert(0, str(ROOT / "book"))
from pe_book.figures import script


@pytest.fixture(scope="session")
def figures_script() -> str:
    return script()
