"""What bytes cost a language model, and whether a training has come to grief."""

import math

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional as F


class Diverged(Exception):
    """A loss is not a finite number, and no further step makes it one again."""


def losses_of(model: torch.nn.Module, windows: Int[Tensor, "batch n"]) -> Float[Tensor, "batch m"]:
    """What every byte but the first costs, given those before it, in nats."""
    return F.cross_entropy(model(windows[:, :-1]).mT, windows[:, 1:], reduction="none")


def finite(loss: Float[Tensor, ""], step: int) -> float:
    """The loss of a training step, counted from 0, as a number.

    Raises:
        Diverged: it is NaN or infinite.

    Example:
        >>> finite(torch.tensor(1.5), step=0)
        1.5
    """
    value = loss.item()
    if not math.isfinite(value):
        raise Diverged(f"the loss is {value} in step {step + 1}")
    return value
