"""Random numbers that are the same in every figure, in torch and in a page's script."""

from jaxtyping import Float64, Int
from torch import Tensor


def fixed_uniform(counters: Int[Tensor, "*shape"]) -> Float64[Tensor, "*shape"]:
    """Numbers evenly distributed between -1 and 1, one for each 32-bit counter.

    Example:
        >>> import torch
        >>> [round(x, 3) for x in fixed_uniform(torch.tensor([1, 2])).tolist()]
        [-0.616, -0.198]
    """
    return (hash32(counters).double() + 0.5) / 2**31 - 1


def hash32(x: Int[Tensor, "*shape"]) -> Int[Tensor, "*shape"]:
    """Mix 32-bit counters until they look random, in int64 without overflow.

    Example:
        >>> import torch
        >>> hash32(torch.tensor([1, 2])).tolist()
        [824515495, 1722258072]
    """
    for _ in range(2):
        x = ((x ^ x >> 16) * 0x45D9F3B) & 0xFFFFFFFF
    return x ^ x >> 16
