"""Random numbers that a run draws."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import nn


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Within it torch draws the numbers of a seed; whoever is outside keeps their own.

    Example:
        >>> with seeded(0):
        ...     first = torch.rand(())
        >>> with seeded(0):
        ...     print(bool(torch.rand(()) == first))
        True
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        yield


def draw_table(position: nn.Module | None, std: float | None) -> None:
    """Draw a learned table anew, with this standard deviation; without one nothing is drawn.

    Example:
        >>> from pe_lib import LearnedPositionalEmbedding
        >>> learned = LearnedPositionalEmbedding(1000, 64)
        >>> draw_table(learned, 0.02)
        >>> round(learned.weight.detach().std().item(), 2)
        0.02
    """
    if position is not None and std is not None:
        [table] = position.parameters()
        nn.init.normal_(table, std=std)
