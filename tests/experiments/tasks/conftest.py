"""Settings so small that their runs take a moment, with all that real ones have."""

from collections.abc import Callable, Iterator

import pytest
import torch

from pe_lib.experiments.tasks import experiment, measuring
from pe_lib.experiments.tasks.experiment import Tasks
from pe_lib.experiments.tasks.setting import LEARNING_RATE, TABLE_STD, Run, Setting

EXPERIMENT = Tasks()
TINY = {
    task: Setting(task, 8, 3, 2, batch=10, steps=6, task=task, shortest=shortest, longest=18)
    for task, shortest in (("copying", 4), ("retrieval", 16))
}


def tiny_run(position: str = "rope", task: str = "copying", seed: int = 0) -> Run:
    std = TABLE_STD if position == "learned" else None
    return Run(TINY[task], position, std, LEARNING_RATE, seed)


@pytest.fixture
def run_of() -> Callable[..., Run]:
    """Makes a tiny run."""
    return tiny_run


@pytest.fixture
def tiny() -> tuple[Setting, ...]:
    """The tiny settings."""
    return tuple(TINY.values())


@pytest.fixture
def few_strings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few strings to measure on, so that measuring takes a moment too."""
    for module in (measuring, experiment):
        monkeypatch.setattr(module, "COUNT", 10)


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """As many threads as the commands use, whatever tests run before and after."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
