"""CoPE: positions are counted, and what counts is up to the query."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from pe_lib.common._checks import check_count, check_features, check_float_tensor
from pe_lib.relative.indices import relative_positions


class ContextualPosition(nn.Module):
    """Positions that count tokens by their content: a word, a sentence, or nothing at all.

    Every key has a gate between 0 and 1 for every query, ``g_ij = sigmoid(score_ij)``. The position
    of key j is the sum of the gates from j up to the query, ``p_ij = g_ij + … + g_ii``: a real
    number, at most ``max_positions - 1``. Its vector ``e(p_ij)`` lies between those of the whole
    numbers beside it, and the term is ``q_i e(p_ij)``. With all gates at 1 this is the distance
    plus 1.

    Calling the module with ``score = q k^T / sqrt(d)`` gives the term that is added to these
    scores, after the scaling, as in the authors' code; the paper's equations leave the scaling
    out everywhere. A key whose score is -inf does not count, nor does padding before a text, since
    the sums start behind it. Keys ahead of the query never count, and their position is 0: mask
    them in the softmax.

    ``weight`` is a Parameter (max_positions, head_dim), shared by the heads; zero at first, as
    in the paper, where the term starts as nothing.

    Args:
        head_dim: features per head.
        max_positions: number of positions that have a vector: 0 ... max_positions - 1.

    Raises:
        TypeError, ValueError: an argument is not an int, or below 1.

    Source:
        Golovneva et al. 2024, "Contextual Position Encoding", arXiv 2405.18719, equations 3 to 5
        and the code in its appendix.

    Example:
        >>> cope = ContextualPosition(head_dim=64, max_positions=16)
        >>> q, k = torch.randn(2, 8, 3, 64), torch.randn(2, 8, 10, 64)  # 7 keys from a cache
        >>> scores = q @ k.mT / 64**0.5
        >>> (scores + cope(q, scores)).shape
        torch.Size([2, 8, 3, 10])
    """

    def __init__(self, head_dim: int, max_positions: int) -> None:
        super().__init__()
        check_count(head_dim, "head_dim")
        check_count(max_positions, "max_positions")
        self.weight = nn.Parameter(torch.empty(max_positions, head_dim))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Set all vectors to 0."""
        nn.init.zeros_(self.weight)

    def forward(
        self,
        q: Float[Tensor, "*batch q_len head_dim"],
        scores: Float[Tensor, "*batch q_len k_len"],
    ) -> Float[Tensor, "*batch q_len k_len"]:
        """``q_i e(p_ij)``, aligned at the end: (..., q_len, k_len), of q's dtype.

        Gates are added up in float32 at least.

        Args:
            q: (..., q_len, head_dim), the queries.
            scores: (..., q_len, k_len), ``q k^T / sqrt(d)``; -inf for a key that does not count.

        Raises:
            TypeError, ValueError: an argument is not a floating point tensor, or of another shape.
        """
        check_features(q, self.weight.shape[1], "q", "head_dim")
        check_float_tensor(scores, "scores", " (..., q_len, k_len)")
        if scores.shape[:-1] != q.shape[:-1]:
            raise ValueError(
                f"scores: expected the shape {tuple(q.shape[:-1])} and k_len, "
                f"got shape {tuple(scores.shape)}"
            )
        gates = scores.to(torch.promote_types(scores.dtype, torch.float32)).sigmoid()
        ahead = relative_positions(*scores.shape[-2:], device=scores.device) > 0
        gates = gates.masked_fill(ahead, 0)
        position = gates.flip(-1).cumsum(-1).flip(-1).clamp(max=len(self.weight) - 1)
        below = position.floor()
        per_position = q @ self.weight.T.to(q.dtype)
        # A nan must not become a wrong index, which would end a program on a GPU.
        low, high = (
            per_position.gather(-1, p.nan_to_num().long()) for p in (below, position.ceil())
        )
        return (low + (position - below) * (high - low)).to(q.dtype)
