"""FIRE: a small network reads how far back a key is, as a share of all there is to look back on."""

import math
from typing import Any

import torch
from jaxtyping import Float, Integer
from torch import Tensor, nn

from pe_lib.common._checks import check_count, check_int, check_int_tensor
from pe_lib.relative._score_mod import ScoreMod
from pe_lib.relative.indices import relative_positions


class FireBias(nn.Module):
    """A learned function of the normalised distance, added to the scores.

    ``bias = f(psi(|j - i|) / psi(max(i, L)))`` with ``psi(x) = log(1 + c x)``: the query's own
    position ``i`` (0 for the first token) divides the distance, so that however long a text is,
    the share of a key of the past stays between 0 and 1. Queries before the threshold ``L`` share
    one divisor, so texts that are shorter than ``L`` show only part of this range, and a training
    needs longer texts or a smaller ``L``. ``f`` is a network with one hidden layer of ``width``
    ReLUs and one output per head. Added after the scaling by ``sqrt(d)``.

    The paper has no keys ahead; here they count by their distance too. Since the query's own
    position matters, say how many tokens of ``padding`` stand before a text.

    Parameters ``log_c`` and ``log_threshold`` (1,) hold the logarithms of c and L, so that both
    stay positive: c = 0.1 and L = 512 at first, and a width of 32, as in the authors' code.

    Args:
        num_heads: number of heads.
        width: number of hidden units.

    Raises:
        TypeError, ValueError: an argument is not an int, or below 1.

    Source:
        Li et al. 2023, "Functional Interpolation for Relative Positions Improves Long Context
        Transformers", arXiv 2310.04418, section 3.

    Example:
        >>> bias = FireBias(num_heads=8)
        >>> bias(4, padding=torch.tensor([0, 2])).shape
        torch.Size([2, 8, 4, 4])
    """

    def __init__(self, num_heads: int, width: int = 32) -> None:
        super().__init__()
        check_count(num_heads, "num_heads")
        check_count(width, "width")
        self.log_c = nn.Parameter(torch.empty(1))  # FSDP takes no scalars
        self.log_threshold = nn.Parameter(torch.empty(1))
        self.reset_parameters()
        self.hidden = nn.Linear(1, width)
        self.output = nn.Linear(width, num_heads)

    @torch.no_grad()
    def reset_parameters(self) -> None:
        """Set c and the threshold to their first values; the two layers reset their own."""
        self.log_c.fill_(math.log(0.1))
        self.log_threshold.fill_(math.log(512))

    def _load_from_state_dict(
        self, state_dict: dict[str, Any], prefix: str, *others: Any, **options: Any
    ) -> None:
        # Older checkpoints hold them as scalars.
        for name in (f"{prefix}log_c", f"{prefix}log_threshold"):
            if isinstance(state_dict.get(name), Tensor) and not state_dict[name].ndim:
                state_dict[name] = state_dict[name].detach().reshape(1)
        super()._load_from_state_dict(state_dict, prefix, *others, **options)

    def forward(
        self,
        q_len: int,
        k_len: int | None = None,
        *,
        padding: Integer[Tensor, "*batch"] | None = None,
    ) -> Float[Tensor, "*batch heads q_len k_len"]:
        """The bias (num_heads, q_len, k_len), aligned at the end; (batch, ...) with ``padding``.

        Of the parameters' dtype, on their device. Shares are computed in float32 at least.

        Args:
            q_len, k_len: number of queries and of keys, at least 1; as many keys by default.
            padding: integer tensor (batch,) or of any shape: tokens of padding before each text.

        Raises:
            TypeError, ValueError: an argument has the wrong type, or a length is below 1.
        """
        dtype = self.log_c.dtype
        exact = torch.promote_types(dtype, torch.float32)
        c, threshold = self.log_c.to(exact).exp(), self.log_threshold.to(exact).exp()
        relative = relative_positions(q_len, k_len, device=c.device)
        query = -relative[:, :1]  # key 0 is that far back
        if padding is not None:
            check_int_tensor(padding, "padding")
            query = query - padding[..., None, None]
        share = (c * relative.abs()).log1p() / (c * torch.maximum(query, threshold)).log1p()
        hidden = share[..., None] * self.hidden.weight[:, 0] + self.hidden.bias
        bias = hidden.relu() @ self.output.weight.T.to(exact) + self.output.bias
        return bias.movedim(-1, -3).to(dtype)

    def score_mod(
        self, *, offset: int = 0, padding: Integer[Tensor, " batch"] | None = None
    ) -> ScoreMod:
        """The same for ``torch.nn.attention.flex_attention``: no bias is ever stored.

        Args:
            offset: position of the first query, where that of the first key is 0. With cached keys
                it is ``k_len - q_len``.
            padding: integer tensor (batch,): tokens of padding before each text.

        Returns:
            ``score_mod(score, batch, head, q_idx, kv_idx)``, on the parameters' device. It holds
            the parameters as they are now: make it anew after each step of an optimizer.

        Raises:
            TypeError: ``offset`` is not an int, ``padding`` no integer tensor.

        Example:
            >>> bias = FireBias(num_heads=8)
            >>> zero, head, query, key = torch.tensor([0, 3, 4, 1])
            >>> score = bias.score_mod()(torch.zeros(()), zero, head, query, key)
            >>> torch.allclose(score, bias(5)[3, 4, 1])
            True
        """
        check_int(offset, "offset")
        if padding is not None:
            check_int_tensor(padding, "padding")
        exact = torch.promote_types(self.log_c.dtype, torch.float32)
        c, threshold = self.log_c[0].to(exact).exp(), self.log_threshold[0].to(exact).exp()
        slopes, shifts = self.hidden.weight[:, 0].to(exact), self.hidden.bias.to(exact)
        outputs, last = self.output.weight.to(exact), self.output.bias.to(exact)

        def score_mod(
            score: Tensor, batch: Tensor, head: Tensor, q_idx: Tensor, kv_idx: Tensor
        ) -> Tensor:
            query = q_idx + offset
            own = query if padding is None else query - padding[batch]
            share = (c * (query - kv_idx).abs()).log1p()
            share = share / (c * torch.maximum(own.to(exact), threshold)).log1p()
            for unit in range(len(slopes)):  # one by one: FlexAttention takes no sum over an axis
                hidden = (share * slopes[unit] + shifts[unit]).relu()
                score = score + hidden * outputs[head, unit]
            return score + last[head]

        return score_mod
