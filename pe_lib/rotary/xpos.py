"""xPos: lengths that grow and shrink with the position, so that far keys count less."""

import torch
from jaxtyping import Float, Shaped
from torch import Tensor

from pe_lib.common._checks import check_dim, check_finite, check_floating, check_positive
from pe_lib.common.devices import result_device
from pe_lib.common.positions import real_positions


def xpos_scale(
    positions: int | Shaped[Tensor, "*positions"],
    dim: int,
    scale_base: float = 512,
    *,
    center: float = 0,
    dtype: torch.dtype = torch.float32,
) -> Float[Tensor, "*positions pairs"]:
    """The scale of every pair at every position: multiply queries by it, divide keys by it.

    ``zeta ** ((position - center) / scale_base)`` with ``zeta = (2i + 0.4 dim) / (1.4 dim)`` for
    pair ``i``. What the pair adds to the score of a query at m and a key at n is multiplied by
    ``zeta ** ((m - n) / scale_base)``, which is ``xpos_scale(m - n, dim)``: the decay with the
    distance, below 1 for keys of the past, smallest for the pairs that turn fastest. ``center``
    drops out of the scores as long as queries and keys share it.

    A causal decay: for keys that lie ahead the scale is above 1. Far from the center it leaves
    the range of ``dtype`` (float16 after some 4,500 positions, float32 after 36,000, with
    scale_base 512): move the center along.

    Args:
        positions: an int n for 0 ... n-1, or a real tensor of any shape, negative numbers too.
        dim: number of features, even.
        scale_base: how many positions it takes to scale by zeta once.
        center: the position where the scale is 1.
        dtype: floating point dtype of the result.

    Returns:
        ``(*positions, dim/2)`` of ``dtype``, on the positions' device. Both features of a pair are
        scaled alike, so cosine and sine times it are a table for ``apply_rotary``.

    Raises:
        TypeError, ValueError: an argument has the wrong type, or a number is out of range.

    Source:
        Sun et al. 2022, "A Length-Extrapolatable Transformer", arXiv 2212.10554, algorithm 1.

    Example:
        >>> xpos_scale(torch.tensor([0, 512]), dim=6)
        tensor([[1.0000, 1.0000, 1.0000],
                [0.2857, 0.5238, 0.7619]])
    """
    check_floating(dtype)
    check_dim(dim)
    check_positive(scale_base, "scale_base")
    check_finite(center, "center")
    power = (real_positions(positions) - float(center)) / float(scale_base)
    even = torch.arange(0, dim, 2, dtype=torch.float64, device=power.device)
    zeta = (even + 0.4 * dim) / (1.4 * dim)
    return (zeta ** power[..., None]).to(dtype).to(result_device(positions))
