"""The script that brings the figures of a page to life."""

import pytest

from book.pe_book.figures import script


@pytest.fixture(scope="session")
def figures_script() -> str:
    return script()
