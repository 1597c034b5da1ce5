"""A Transformer block: tokens look at each other, then each is worked on by itself."""

from jaxtyping import Float
from torch import Tensor, nn

from pe_lib.common._checks import check_features
from pe_lib.model.multi_head import KVCache, MultiHeadAttention, ToldPositions
from pe_lib.model.positions.base import Position


class TransformerBlock(nn.Module):
    """Attention and a small net (MLP), each behind a normalisation and added to its input.

    ``x + attention(norm(x))``, then ``x + mlp(norm(x))``: the pre-norm form. The MLP has
    one hidden layer of ``4 * dim`` GELUs.

    Args:
        dim, num_heads, causal, position, window: those of ``MultiHeadAttention``.

    Raises:
        TypeError, ValueError: as in ``MultiHeadAttention``.

    Source:
        Vaswani et al. 2017, "Attention Is All You Need", arXiv 1706.03762, section 3.1; with the
        normalisation in front as in Xiong et al. 2020, "On Layer Normalization in the Transformer
        Architecture", arXiv 2002.04745.

    Example:
        >>> import torch
        >>> block = TransformerBlock(dim=8, num_heads=2, causal=True)
        >>> block(torch.zeros(3, 5, 8)).shape
        torch.Size([3, 5, 8])
    """

    def __init__(
        self,
        dim: int,
        num_heads: int,
        *,
        causal: bool = False,
        position: Position | None = None,
        window: int | None = None,
    ) -> None:
        super().__init__()
        self.attention = MultiHeadAttention(
            dim, num_heads, causal=causal, position=position, window=window
        )
        self.attention_norm = nn.LayerNorm(dim)
        self.mlp = nn.Sequential(nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim))
        self.mlp_norm = nn.LayerNorm(dim)

    def forward(
        self,
        x: Float[Tensor, "... seq dim"],
        positions: ToldPositions = None,
        cache: KVCache | None = None,
    ) -> Float[Tensor, "... seq dim"]:
        """Arguments, result and errors are those of ``MultiHeadAttention``."""
        check_features(x, self.attention.dim)
        x = x + self.attention(self.attention_norm(x), positions, cache)  # (..., seq, dim)
        x = x + self.mlp(self.mlp_norm(x))  # (..., seq, dim)
        return x
