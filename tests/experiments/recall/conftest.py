"""Runs so small that they take a moment, with all that real ones have."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
import torch

from pe_lib.experiments.recall.setting import LONG, SHORT, Run

TINY = {
    128: replace(SHORT, dim=16, batch=2, steps=6, longest=256, windows=3),
    1024: replace(LONG, dim=16, batch=1, steps=6, longest=256, windows=3),
}


@pytest.fixture
def run_of() -> Callable[..., Run]:
    """Makes a tiny run."""

    def made(position: str = "rope", length: int = 128, seed: int = 0) -> Run:
        return Run(TINY[length], position, None, 6e-3, seed)

    return made


@pytest.fixture
def few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two steps where a model trains further, so that measuring takes a moment too."""
    monkeypatch.setattr("pe_lib.experiments.recall.stretched.FURTHER_STEPS", 2)


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """As many threads as the commands use, whatever tests run before and after."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
