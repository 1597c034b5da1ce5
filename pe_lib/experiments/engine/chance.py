"""Random numbers that a run draws."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch


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
