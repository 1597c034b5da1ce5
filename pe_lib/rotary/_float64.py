"""Learned frequencies in float64, whatever the model around them is cast to."""

from collections.abc import Callable

import torch
from torch import Tensor, nn


class Float64Parameters(nn.Module):
    """A module whose parameters and buffers move with the model but keep their dtype.

    ``model.half()`` would round the frequencies, and at position 100,000 an angle would be wrong by
    many turns. On MPS, which has no float64, they stay on the CPU.

    Example:
        >>> module = Float64Parameters()
        >>> module.frequency = nn.Parameter(torch.ones(2, dtype=torch.float64))
        >>> module.half().frequency.dtype
        torch.float64
    """

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> "Float64Parameters":
        def moved(tensor: Tensor) -> Tensor:
            device = fn(tensor.new_empty(0, dtype=torch.float32)).device
            if device.type == "mps":
                return tensor
            result = fn(tensor)
            return result if result.dtype == tensor.dtype else tensor.to(result.device)

        super()._apply(moved, recurse)  # type: ignore[no-untyped-call]
        return self
