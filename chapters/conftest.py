"""What pytest compares in the notebooks beside what nbval compares: their pictures."""

from collections.abc import Iterator

import pytest
from nbval.plugin import IPyNbCell

from book.tools.budgets import FURTHER, budget_of
from book.tools.notebooks import ADVICE
from book.tools.pictures import changes


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Deeper pages and appendices are executed by `make test-all`. That their outputs are those of
    their code and of today's pe_lib is known without it: see tests/chapters/test_outputs.py."""
    for item in items:
        if isinstance(item, IPyNbCell) and budget_of(item.path.stem) is FURTHER:
            item.add_marker(pytest.mark.slow)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Once nbval has executed a cell and found all else as it is stored, look at its pictures."""
    yield
    if not isinstance(item, IPyNbCell) or not item.options["check"]:
        return
    if found := changes(item.cell.outputs, item.test_outputs):
        problem = f"it draws something else than is stored. {ADVICE}"
        item.raise_cell_error(problem, "\n".join(found))
