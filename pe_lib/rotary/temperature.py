"""Sharper queries far into a text, so that attention does not spread out over ever more keys."""

import torch
from jaxtyping import Float, Shaped
from torch import Tensor

from pe_lib.common._checks import check_count, check_finite, check_floating
from pe_lib.common.devices import result_device
from pe_lib.common.positions import real_positions


def query_temperature(
    positions: int | Shaped[Tensor, "*positions"],
    original_max_position: int,
    beta: float = 0.1,
    *,
    dtype: torch.dtype = torch.float32,
) -> Float[Tensor, "*positions"]:
    """What the query at every position is multiplied by: it grows with the logarithm of the place.

    ``1 + beta * ln(1 + floor(p / original_max_position))``. A softmax over more keys gives each of
    them less; larger scores make up for that. Only the queries are multiplied, not the keys. Within
    the first ``original_max_position`` positions it is 1: short texts do not change.

    Args:
        positions: an int n for 0 ... n-1, or a real tensor of any shape. Those below 0, as pads
            may have them, count as 0.
        original_max_position: length of the steps, at least 1; as a rule the longest text in the
            first training.
        beta: how fast it grows, at least 0.
        dtype: floating point dtype of the result.

    Returns:
        ``(*positions)`` of ``dtype``, on the positions' device; 1 or above.

    Raises:
        TypeError, ValueError: an argument has the wrong type, or a number is out of range.

    Source:
        The published code of two families of models. Ministral 3 (Mistral AI 2025): beta
        ``llama_4_scaling_beta`` = 0.1, steps of ``original_max_position_embeddings`` = 16384. Llama
        4 (Meta 2025): beta ``attn_scale`` = 0.1, steps of ``floor_scale`` = 8192, on its layers
        without rotation only, and of p + 1: ``query_temperature(positions + 1, 8192)``. The idea of
        scores that grow with the logarithm of the length: Nakanishi 2025, "Scalable-Softmax Is
        Superior for Attention", arXiv 2501.19399.

    Example:
        >>> query_temperature(torch.tensor([0, 16383, 16384, 100_000]), 16384)
        tensor([1.0000, 1.0000, 1.0693, 1.1946])
        >>> q = torch.ones(2, 4, 10, 64)  # (batch, heads, seq, head_dim)
        >>> (q * query_temperature(10, 16384)[:, None]).shape
        torch.Size([2, 4, 10, 64])
    """
    check_count(original_max_position, "original_max_position")
    check_finite(beta, "beta", "a finite number >= 0", lambda number: number >= 0)
    check_floating(dtype)
    steps = real_positions(positions).clamp(min=0).div(original_max_position, rounding_mode="floor")
    return (1 + float(beta) * steps.log1p()).to(dtype).to(result_device(positions))
