"""Fixed frequencies stay in float64, whatever the model around them is cast to."""

from collections.abc import Callable

import torch
from torch import Tensor


def keep_dtype(tensor: Tensor, fn: Callable[[Tensor], Tensor]) -> Tensor:
    """``tensor`` where ``fn``, a cast or a move of a module, puts it, but of the dtype it has.

    ``model.half()`` would round the frequencies, and at position 100,000 an angle would be wrong by
    many turns. On MPS, which has no float64, they stay where they are.

    Example:
        >>> keep_dtype(torch.ones(2, dtype=torch.float64), torch.Tensor.half).dtype
        torch.float64
    """
    device = fn(tensor.new_empty(0, dtype=torch.float32)).device
    if device.type == "mps":
        return tensor
    result = fn(tensor)
    return result if result.dtype == tensor.dtype else tensor.to(result.device)
