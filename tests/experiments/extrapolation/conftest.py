"""A setting so small that its runs take a moment, with all that a real one has."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
import torch

from pe_lib.experiments.extrapolation import experiment, measuring
from pe_lib.experiments.extrapolation.experiment import Extrapolation
from pe_lib.experiments.extrapolation.setting import Run, Setting
from pe_lib.experiments.text import unseen_text

EXPERIMENT = Extrapolation()
TINY = Setting("tiny", 16, 4, 2, length=16, longest=64, batch=2, steps=6, spacing=8192)


def shorten(patch: Callable[[object, str, object], None]) -> None:
    """Measure on a short text, so that measuring takes a moment too."""
    text = unseen_text()[:1000]
    for module in (measuring, experiment):
        patch(module, "unseen_text", lambda: text)
    patch(measuring, "unseen_topics", lambda: [text])
    patch(experiment, "validation_text", lambda: text)


def tiny_run(position: str = "rope", seed: int = 0, rate: float = 4e-3, **sizes: int | str) -> Run:
    std = 0.02 if position == "learned" else None
    return Run(replace(TINY, **sizes), position, std, rate, seed)


@pytest.fixture
def run_of() -> Callable[..., Run]:
    """Makes a tiny run."""
    return tiny_run


@pytest.fixture
def short_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """A short text to measure on."""
    shorten(monkeypatch.setattr)


@pytest.fixture
def tiny() -> Setting:
    """The tiny setting."""
    return TINY


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """As many threads as the commands use, whatever tests run before and after."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
