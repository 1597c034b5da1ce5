"""What pytest compares in the notebooks beside what nbval compares: their pictures."""

from collections.abc import Iterator

import pytest
from nbval.plugin import IPyNbCell

from book.tools.notebooks import ADVICE
from book.tools.pictures import changes


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Once nbval has executed a cell and found all else as it is stored, look at its pictures."""
    yield
    if not isinstance(item, IPyNbCell) or not item.options["check"]:
        return
    if found := changes(item.cell.outputs, item.test_outputs):
        problem = f"it draws something else than is stored. {ADVICE}"
        item.raise_cell_error(problem, "\n".join(found))
