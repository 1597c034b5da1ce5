"""Multi-head attention with the places at which positions can enter a layer."""

from types import NoneType
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from pe_lib._checks import check_bool, check_count, check_features, check_type
from pe_lib.model._checks import check_tensor
from pe_lib.model.attention import attention_weights
from pe_lib.model.positions import Position


class KVCache:
    """Keys and values of one layer, as they come from their projections.

    Keys are kept as they are before any rotation, and turned anew in every step. Kept rotated,
    they would be right only as long as the frequencies stay what they were.

    Example:
        >>> cache = KVCache()
        >>> keys, values = cache.append(torch.zeros(1, 2, 3, 8), torch.zeros(1, 2, 3, 8))
        >>> keys, values = cache.append(torch.ones(1, 2, 1, 8), torch.ones(1, 2, 1, 8))
        >>> keys.shape
        torch.Size([1, 2, 4, 8])
    """

    def __init__(self) -> None:
        self.kept: tuple[Tensor, ...] = ()

    def append(self, *new: Tensor) -> tuple[Tensor, ...]:
        """Add the keys and values of new tokens; returns those of all tokens seen so far."""
        pairs = zip(self.kept or (t[..., :0, :] for t in new), new, strict=True)
        self.kept = tuple(torch.cat(pair, dim=-2) for pair in pairs)
        return self.kept


class MultiHeadAttention(nn.Module):
    """Several heads, each ``dim / num_heads`` wide, look at the same sequence at once.

    Every head divides its scores by the root of its own width. The projections have no bias.

    Args:
        dim: number of features of the sequence, a multiple of ``num_heads``.
        num_heads: number of heads, at least 1.
        causal: True hides from every token those that come after it.
        position: how the layer is told positions, from ``pe_lib.model.positions``: ``Rope()``, say.
            None tells it nothing. What enters a model at the input (``Sinusoidal``, ``Learned``)
            is the model's to add, before its first layer.

    Raises:
        TypeError: ``dim`` or ``num_heads`` is not an int, ``causal`` not a bool, ``position``
            neither a Position nor None.
        ValueError: ``num_heads`` is below 1, ``dim`` not a multiple of it.

    Source:
        Vaswani et al. 2017, "Attention Is All You Need", arXiv 1706.03762, section 3.2.2.

    Example:
        >>> layer = MultiHeadAttention(dim=8, num_heads=2)
        >>> layer(torch.zeros(3, 5, 8)).shape
        torch.Size([3, 5, 8])
        >>> from pe_lib.model.positions import Rope
        >>> layer = MultiHeadAttention(dim=8, num_heads=2, causal=True, position=Rope())
    """

    def __init__(
        self, dim: int, num_heads: int, *, causal: bool = False, position: Position | None = None
    ) -> None:
        super().__init__()
        check_count(num_heads, "num_heads")
        check_count(dim, "dim")
        if dim % num_heads:
            raise ValueError(f"dim: expected a multiple of num_heads = {num_heads}, got {dim}")
        check_bool(causal, "causal")
        kinds = (Position, NoneType)
        check_type(position, "position", kinds, "a Position (of model.positions) or None")
        self.dim, self.num_heads, self.causal = dim, num_heads, causal
        self.queries = nn.Linear(dim, dim, bias=False)
        self.keys = nn.Linear(dim, dim, bias=False)
        self.values = nn.Linear(dim, dim, bias=False)
        self.output = nn.Linear(dim, dim, bias=False)
        self.position = position or Position()

    def forward(
        self, x: Float[Tensor, "... seq dim"], positions: Any = None, cache: KVCache | None = None
    ) -> Float[Tensor, "... seq dim"]:
        """Let every token of ``x`` look at the others, and at the cached ones before them.

        Args:
            x: (..., seq, dim).
            positions: where all tokens stand, cached ones too, as ``position`` reads it: for text
                ints (seen,) or (..., seen), of which -1 is padding, which no token sees. By
                default 0 ... seen - 1.
            cache: a ``KVCache`` of this file, with the keys and values of the tokens before; those
                of ``x`` are added to it.

        Returns:
            (..., seq, dim) of x's dtype.

        Raises:
            TypeError: ``x`` is not a floating point tensor, ``positions`` not a tensor of int64,
                ``cache`` not a KVCache.
            ValueError: ``x`` has fewer than 2 axes or not ``dim`` features, ``positions`` not one
                position for each token.
        """
        check_features(x, self.dim)
        check_type(cache, "cache", (KVCache, NoneType), "a KVCache or None")
        projections = self.queries, self.keys, self.values
        # each (..., heads, seq, head_dim)
        q, k, v = (p(x).unflatten(-1, (self.num_heads, -1)).transpose(-2, -3) for p in projections)
        if cache is not None:
            k, v = cache.append(k, v)
        if positions is None:
            positions = torch.arange(k.shape[-2], device=x.device)
        elif not isinstance(positions, tuple):  # the height and width of a picture
            rows = x.shape[:-2] if getattr(positions, "ndim", 1) > 1 else ()
            check_tensor(positions, "positions", torch.int64, *rows, k.shape[-2])

        q, k = self.position.at_q_and_k(q, k, positions)
        bias = self.position.at_the_score(q, k, positions)
        if isinstance(positions, Tensor):
            padding = (positions < 0)[..., None, None, :]
            bias = (q.new_zeros(()) if bias is None else bias).masked_fill(padding, -torch.inf)
        weights = attention_weights(q, k, bias=bias, causal=self.causal)
        seen = self.position.at_the_values(weights, v.to(weights.dtype))

        mixed: Tensor = self.output(seen.transpose(-2, -3).flatten(-2).to(x.dtype))
        return mixed
