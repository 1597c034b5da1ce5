"""What bytes cost a language model."""

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional as F


def losses_of(model: torch.nn.Module, windows: Int[Tensor, "batch n"]) -> Float[Tensor, "batch m"]:
    """What every byte but the first costs, given those before it, in nats."""
    return F.cross_entropy(model(windows[:, :-1]).mT, windows[:, 1:], reduction="none")
