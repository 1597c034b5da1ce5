"""A setting so small that its runs take a moment, with all that a real one has."""

from collections.abc import Callable, Iterator
from functools import partial

import pytest
import torch

from pe_lib.experiments import digits, letters
from pe_lib.experiments.pictures import Pictures
from pe_lib.experiments.resolutions.experiment import Digits, Letters
from pe_lib.experiments.resolutions.setting import Run, Setting

EXPERIMENT = Digits()
BOTH = (EXPERIMENT, Letters())
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


def first_five(pictures: Callable[..., Pictures], *size: int) -> Pictures:
    """What a source gives, cut short."""
    images, labels = pictures(*size)
    return images[:5], labels[:5]


@pytest.fixture
def few_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few pictures to measure on, so that measuring takes a moment too."""
    for source in (digits, letters):
        for name in ("unseen_pictures", "validation_pictures"):
            monkeypatch.setattr(source, name, partial(first_five, getattr(source, name)))


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """As many threads as the commands use, whatever tests run before and after."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
