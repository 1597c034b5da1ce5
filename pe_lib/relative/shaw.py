"""Shaw et al.: every clipped distance has a learned vector, beside the keys and the values."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from pe_lib.common._checks import check_count, check_features, check_float_tensor
from pe_lib.relative.indices import relative_position_index


class ShawRelativePosition(nn.Module):
    """Learned vectors for the clipped relative position, added to the keys and to the values.

    ``score = q_i (k_j + a_ij) / sqrt(d)`` and ``output_i = sum_j weight_ij (v_j + b_ij)``, where
    ``a_ij`` and ``b_ij`` are rows ``clip(j - i, -max_distance, max_distance) + max_distance`` of
    two tables. Calling the module gives ``q_i a_ij``, which is added to ``q k^T`` before the
    division by ``sqrt(d)``; ``value_term`` gives ``sum_j weight_ij b_ij``, which is added to the
    output. Neither builds a tensor of (q_len, k_len, head_dim).

    ``key_table`` and ``value_table`` are Parameters (2 * max_distance + 1, head_dim), shared by the
    heads, drawn at first from a normal distribution of standard deviation 0.02.

    Args:
        head_dim: features per head.
        max_distance: the largest distance that is told apart from larger ones, at least 0.

    Raises:
        TypeError, ValueError: an argument is not an int, or too small.

    Source:
        Shaw et al. 2018, "Self-Attention with Relative Position Representations",
        arXiv 1803.02155, equations 3 and 4; section 3.3 for the order of the computation.

    Example:
        >>> shaw = ShawRelativePosition(head_dim=64, max_distance=16)
        >>> q, k, v = torch.randn(3, 2, 8, 10, 64)  # each (batch, heads, seq, head_dim)
        >>> weights = ((q @ k.mT + shaw(q)) / 64**0.5).softmax(-1)
        >>> (weights @ v + shaw.value_term(weights)).shape
        torch.Size([2, 8, 10, 64])
    """

    def __init__(self, head_dim: int, max_distance: int) -> None:
        super().__init__()
        check_count(head_dim, "head_dim")
        check_count(max_distance, "max_distance", least=0)
        self.max_distance = max_distance
        self.key_table = nn.Parameter(torch.empty(2 * max_distance + 1, head_dim))
        self.value_table = nn.Parameter(torch.empty(2 * max_distance + 1, head_dim))
        self.reset_parameters()

    @torch.no_grad()
    def reset_parameters(self) -> None:
        """Draw both tables anew."""
        for table in (self.key_table, self.value_table):
            table.normal_().mul_(0.02)

    def forward(
        self, q: Float[Tensor, "*batch q_len head_dim"], k_len: int | None = None
    ) -> Float[Tensor, "*batch q_len k_len"]:
        """What the key vectors of the distances add to ``q k^T``: ``q_i a_ij``, of q's dtype.

        Args:
            q: (..., q_len, head_dim), the queries, not yet divided by ``sqrt(d)``.
            k_len: number of keys, at least 1; as many as queries by default.

        Returns:
            (..., q_len, k_len), aligned at the end. Autocast rounds the product as any other.

        Raises:
            TypeError, ValueError: ``q`` is not such a tensor, ``k_len`` not an int, or below 1.
        """
        check_features(q, self.key_table.shape[1], "q", "head_dim")
        by_distance = q @ self.key_table.T.to(q.dtype)
        index = relative_position_index(
            q.shape[-2], k_len, max_distance=self.max_distance, device=q.device
        )
        return by_distance.gather(-1, index.expand(*q.shape[:-1], -1)).to(q.dtype)

    def value_term(
        self, weights: Float[Tensor, "*batch q_len k_len"]
    ) -> Float[Tensor, "*batch q_len head_dim"]:
        """What the value vectors of the distances add to the output: ``sum_j weight_ij b_ij``.

        Args:
            weights: (..., q_len, k_len), attention weights.

        Returns:
            (..., q_len, head_dim), of the weights' dtype. Half precision is added up in float32
            and rounded once.

        Raises:
            TypeError, ValueError: ``weights`` is not such a tensor.
        """
        check_float_tensor(weights, "weights", " (..., q_len, k_len)")
        exact = torch.promote_types(weights.dtype, torch.float32)
        index = relative_position_index(
            *weights.shape[-2:], max_distance=self.max_distance, device=weights.device
        )
        by_distance = weights.new_zeros(*weights.shape[:-1], len(self.value_table), dtype=exact)
        by_distance = by_distance.scatter_add(-1, index.expand_as(weights), weights.to(exact))
        return (by_distance @ self.value_table.to(exact)).to(weights.dtype)
