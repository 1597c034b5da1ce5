"""Transformer-XL: the distance as a sinusoid, seen through a learned map and two learned biases."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from pe_lib.absolute.sinusoidal import sinusoidal_encoding
from pe_lib.common._checks import check_count, check_dim, check_features
from pe_lib.relative.indices import relative_positions


class TransformerXLRelativePosition(nn.Module):
    """The relative terms of Transformer-XL's score.

    The score of query i and key j has four terms, divided together by ``sqrt(head_dim)``::

        q_i k_j  +  q_i W R(i - j)  +  u k_j  +  v W R(i - j)

    content to content, content to distance, and two biases that are the same for all queries.
    Calling the module gives the last three, which are added to ``q k^T`` before that division.

    ``R`` is the sinusoidal encoding of the distance (positive for keys of the past), with sines and
    cosines in alternate columns, where the authors' code has two halves. ``projection`` is W, an
    ``nn.Linear`` without bias; ``u`` and ``v`` are Parameters (num_heads, head_dim), drawn at first
    from a normal distribution of standard deviation 0.02.

    Args:
        dim: features of the model, even, a multiple of ``num_heads``: head_dim is dim / num_heads.
        num_heads: number of heads.

    Raises:
        TypeError, ValueError: an argument is not an int, or out of range.

    Source:
        Dai et al. 2019, "Transformer-XL", arXiv 1901.02860, section 3.3; appendix B for the shift.

    Example:
        >>> xl = TransformerXLRelativePosition(dim=512, num_heads=8)
        >>> q, k = torch.randn(2, 8, 3, 64), torch.randn(2, 8, 10, 64)  # 7 keys from a cache
        >>> ((q @ k.mT + xl(q, k)) / 64**0.5).shape
        torch.Size([2, 8, 3, 10])
    """

    def __init__(self, dim: int, num_heads: int) -> None:
        super().__init__()
        check_dim(dim)
        check_count(num_heads, "num_heads")
        if dim % num_heads:
            raise ValueError(f"dim: expected a multiple of num_heads = {num_heads}, got {dim}")
        self.dim, self.num_heads, self.head_dim = dim, num_heads, dim // num_heads
        self.u = nn.Parameter(torch.empty(num_heads, self.head_dim))
        self.v = nn.Parameter(torch.empty(num_heads, self.head_dim))
        self.reset_parameters()
        self.projection = nn.Linear(dim, dim, bias=False)

    @torch.no_grad()
    def reset_parameters(self) -> None:
        """Draw u and v anew; the projection resets its own."""
        for vectors in (self.u, self.v):
            vectors.normal_().mul_(0.02)

    def forward(
        self,
        q: Float[Tensor, "*batch heads q_len head_dim"],
        k: Float[Tensor, "*batch heads k_len head_dim"],
    ) -> Float[Tensor, "*batch heads q_len k_len"]:
        """The three terms beside ``q k^T``: (..., num_heads, q_len, k_len), aligned at the end.

        Args:
            q: (..., num_heads, q_len, head_dim), queries, not yet divided by ``sqrt(head_dim)``.
            k: (..., num_heads, k_len, head_dim), keys. The result has q's dtype; autocast rounds
                its products as any others.

        Raises:
            TypeError, ValueError: an argument is not a floating point tensor, or of another shape.
        """
        self._check_heads(q, "q")
        self._check_heads(k, "k")
        q_len, k_len = q.shape[-2], k.shape[-2]
        index = q_len - 1 - relative_positions(q_len, k_len, device=q.device)
        u, v, weight = (p.to(q.dtype) for p in (self.u, self.v, self.projection.weight))
        # One row for each distance that occurs, from the farthest key ahead to the farthest back.
        distances = torch.arange(1 - q_len, k_len, device=q.device)
        rows = sinusoidal_encoding(distances, self.dim, dtype=q.dtype) @ weight.T
        rows = rows.unflatten(-1, (self.num_heads, self.head_dim)).movedim(-3, -1)
        by_distance = (q + v[:, None]) @ rows  # (..., heads, q_len, distances)
        distance_terms: Tensor = by_distance.gather(-1, index.expand(*q.shape[:-1], -1))
        return (distance_terms + u[:, None] @ k.to(q.dtype).mT).to(q.dtype)

    def _check_heads(self, x: Tensor, name: str) -> None:
        check_features(x, self.head_dim, name, "head_dim")
        if x.shape[-3:-2] != (self.num_heads,):
            expected = f"num_heads = {self.num_heads} on the third last axis"
            raise ValueError(f"{name}: expected {expected}, got shape {tuple(x.shape)}")
