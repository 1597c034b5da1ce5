"""A setting so small that its runs take a moment, with all that a real one has."""

from collections.abc import Callable, Iterator

import pytest
import torch

from pe_lib.experiments.digits import experiment, measuring
from pe_lib.experiments.digits.experiment import Digits
from pe_lib.experiments.digits.setting import Run, Setting
from pe_lib.experiments.pictures import unseen_pictures

EXPERIMENT = Digits()
TINY = Setting("tiny", 8, 1, 2, batch=2, steps=6)


def tiny_run(position: str = "rope2d", seed: int = 0, rate: float = 4e-3) -> Run:
    return Run(TINY, position, 0.02 if position == "learned" else None, rate, seed)


@pytest.fixture
def run_of() -> Callable[..., Run]:
    """Makes a tiny run."""
    return tiny_run


@pytest.fixture
def tiny() -> Setting:
    """The tiny setting."""
    return TINY


@pytest.fixture
def few_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few pictures to measure on, so that measuring takes a moment too."""
    images, labels = unseen_pictures()
    for module, name in (
        (measuring, "unseen_pictures"),
        (experiment, "unseen_pictures"),
        (experiment, "validation_pictures"),
    ):
        monkeypatch.setattr(module, name, lambda: (images[:5], labels[:5]))


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """As many threads as the commands use, whatever tests run before and after."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
