"""KERPLE: a bias that falls with the logarithm of the distance, as fast as each head learns."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from pe_lib.common._checks import check_count, check_int
from pe_lib.relative._score_mod import ScoreMod
from pe_lib.relative.indices import relative_positions


class KerpleBias(nn.Module):
    """A learned logarithmic penalty on distance, added to the scores.

    The paper's logarithmic kernel, ``bias = -r1 * log(1 + r2 * |j - i|)`` with r1, r2 > 0 for each
    head, added after the scaling by ``sqrt(d)``. It flattens out where ALiBi goes on falling; at
    distances far below ``1 / r2`` it is a straight line too, and falls by ``r1 * r2`` per token.

    Parameters ``log_r1`` and ``log_r2`` (num_heads,) hold logarithms, so that r1 and r2 stay
    positive whatever an optimizer does. At first r1 is drawn evenly from [0.01, 2] and r2 from
    [0.01, 1]: the ranges of the authors' code.

    Args:
        num_heads: number of heads.

    Raises:
        TypeError, ValueError: ``num_heads`` is not an int, or below 1.

    Source:
        Chi et al. 2022, "KERPLE", arXiv 2205.09921, section 4, "logarithmic variant".

    Example:
        >>> bias = KerpleBias(num_heads=8)
        >>> torch.equal(bias(1, 4), bias(4)[:, -1:])  # one new query, the other keys from a cache
        True
    """

    def __init__(self, num_heads: int) -> None:
        super().__init__()
        check_count(num_heads, "num_heads")
        self.log_r1 = nn.Parameter(torch.empty(num_heads))
        self.log_r2 = nn.Parameter(torch.empty(num_heads))
        self.reset_parameters()

    @torch.no_grad()
    def reset_parameters(self) -> None:
        """Draw r1 and r2 anew."""
        self.log_r1.uniform_(0.01, 2).log_()
        self.log_r2.uniform_(0.01, 1).log_()

    def forward(self, q_len: int, k_len: int | None = None) -> Float[Tensor, "heads q_len k_len"]:
        """The bias (num_heads, q_len, k_len), aligned at the end; by default k_len is q_len.

        Of the parameters' dtype, on their device; half precision is computed in float32.

        Raises:
            TypeError, ValueError: a length is not an int, or below 1.
        """
        dtype = self.log_r1.dtype
        exact = torch.promote_types(dtype, torch.float32)
        r1, r2 = (log.to(exact).exp()[:, None, None] for log in (self.log_r1, self.log_r2))
        distance = relative_positions(q_len, k_len, device=r1.device).abs()
        return (-r1 * (r2 * distance).log1p()).to(dtype)

    def score_mod(self, *, offset: int = 0) -> ScoreMod:
        """The same for ``torch.nn.attention.flex_attention``: no bias is ever stored.

        Args:
            offset: position of the first query, where that of the first key is 0. With cached keys
                it is ``k_len - q_len``.

        Returns:
            ``score_mod(score, batch, head, q_idx, kv_idx)``, on the parameters' device. It holds
            the parameters as they are now: make it anew after each step of an optimizer.

        Raises:
            TypeError: ``offset`` is not an int.

        Example:
            >>> bias = KerpleBias(num_heads=8)
            >>> zero, head, query, key = torch.tensor([0, 3, 4, 1])
            >>> score = bias.score_mod()(torch.zeros(()), zero, head, query, key)
            >>> torch.allclose(score, bias(5)[3, 4, 1])
            True
        """
        check_int(offset, "offset")
        exact = torch.promote_types(self.log_r1.dtype, torch.float32)
        r1, r2 = self.log_r1.to(exact).exp(), self.log_r2.to(exact).exp()

        def score_mod(
            score: Tensor, batch: Tensor, head: Tensor, q_idx: Tensor, kv_idx: Tensor
        ) -> Tensor:
            distance = (q_idx + offset - kv_idx).abs()
            return score - r1[head] * (r2[head] * distance).log1p()

        return score_mod
