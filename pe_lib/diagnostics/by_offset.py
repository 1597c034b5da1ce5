"""What all pairs of positions at the same offset have in common."""

from typing import NamedTuple

import torch
from jaxtyping import Float, Float64, Int64
from torch import Tensor

from pe_lib.diagnostics._rows import float64
from pe_lib.diagnostics.similarity import similarity_matrix
from pe_lib.relative.indices import relative_positions


class ByOffset(NamedTuple):
    """Mean and standard deviation over all pairs of the same offset."""

    offset: Int64[Tensor, " offsets"]
    mean: Float64[Tensor, "*heads offsets"]
    std: Float64[Tensor, "*heads offsets"]


def score_by_offset(scores: Float[Tensor, "*heads q_len k_len"]) -> ByOffset:
    """Mean and standard deviation of the scores of all pairs with the same offset.

    Scores that depend on the offset alone have a deviation of 0: those of RoPE where the same
    query and the same key stand at every position, a bias of ALiBi, a sinusoidal table's dot
    products.

    Args:
        scores: (..., q_len, k_len), of any number of heads. Queries and keys are aligned at the
            end: the last query is at the last key's position.

    Returns:
        ``(offset, mean, std)``: the key's position minus the query's, from 1 - k_len to
        q_len - 1, int64; the mean and the standard deviation of its scores (of them all: divided
        by their number), each a float64 tensor (..., q_len + k_len - 1). Scores of -inf have the
        mean -inf and the deviation nan.

    Raises:
        TypeError, ValueError: ``scores`` is not such a tensor, or empty.

    Example:
        >>> offset, mean, std = score_by_offset(torch.tensor([[5.0, 1.0], [2.0, 7.0]]))
        >>> offset.tolist(), mean.tolist(), std.tolist()
        ([-1, 0, 1], [2.0, 6.0, 1.0], [0.0, 1.0, 0.0])
    """
    values = float64(scores, "scores", "(..., q_len, k_len)")
    if not values.numel():
        raise ValueError(
            f"scores: expected at least 2 axes (..., q_len, k_len), none of them empty, "
            f"got shape {tuple(values.shape)}"
        )
    q_len, k_len = values.shape[-2:]
    offset = torch.arange(1 - k_len, q_len, device="cpu")
    group = relative_positions(q_len, k_len).flatten().cpu() - offset[0]
    values = values.flatten(-2)

    pairs = group.bincount()  # at each offset
    mean = _sums(values, group, q_len + k_len - 1) / pairs
    variance = _sums((values - mean[..., group]) ** 2, group, q_len + k_len - 1) / pairs
    return ByOffset(offset, mean, variance.sqrt())


def _sums(values: Tensor, group: Tensor, groups: int) -> Tensor:
    return values.new_zeros(*values.shape[:-1], groups).index_add_(-1, group, values)


def similarity_by_offset(table: Float[Tensor, "length dim"]) -> ByOffset:
    """Mean and standard deviation of the dot products ``p[i] @ p[i + k]``, for every offset k.

    In a sinusoidal table they depend on the offset alone: the mean is the sum of the cosines of
    ``k * frequency``, and the deviation is 0 but for rounding. In a learned table it is not.

    Args:
        table: (length, dim), one row a position.

    Returns:
        ``(offset, mean, std)``, each (length,), for the offsets 0 ... length - 1.

    Raises:
        TypeError, ValueError: ``table`` is not such a tensor, or empty.

    Source:
        Yan et al. 2019, "TENER", arXiv 1911.04474, property 1: what a sinusoidal table's dot
        products depend on.

    Example:
        >>> offset, mean, std = similarity_by_offset(torch.tensor([[1.0], [2.0], [4.0]]))
        >>> offset.tolist(), mean.tolist(), std.tolist()
        ([0, 1, 2], [7.0, 5.0, 4.0], [6.48074069840786, 3.0, 0.0])
    """
    offset, mean, std = score_by_offset(similarity_matrix(table))
    ahead = slice(table.shape[0] - 1, None)  # from 0 on; the others are the same: a.b is b.a
    return ByOffset(offset[ahead], mean[ahead], std[ahead])
