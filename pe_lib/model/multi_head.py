"""Multi-head attention with the places at which positions can enter a layer."""

from types import NoneType

import torch
from jaxtyping import Float, Int64
from torch import Tensor, nn

from pe_lib.common._checks import check_bool, check_count, check_features, check_type
from pe_lib.model._checks import check_tensor, check_window
from pe_lib.model.attention import attention_weights, fused_attention
from pe_lib.model.positions.base import Position
from pe_lib.model.positions.coordinates import (
    PicturePositions,
    Positions,
    TextPositions,
    text_positions,
)
from pe_lib.relative.indices import relative_positions

ToldPositions = Positions | Int64[Tensor, "*batch seen"] | None


class KVCache:
    """Keys and values of one layer, as they come from their projections.

    Keys are turned anew in every step: kept rotated, they would be right only as long as the
    frequencies stay what they were.

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
        self.kept = tuple(torch.cat(pair, dim=-2) for pair in pairs)  # (..., heads, seen, head_dim)
        return self.kept


class MultiHeadAttention(nn.Module):
    """Several heads, each ``dim / num_heads`` wide, look at the same sequence at once.

    Every head divides its scores by the root of its own width. The projections have no bias.

    Args:
        dim: number of features of the sequence, a multiple of ``num_heads``.
        num_heads: number of heads, at least 1.
        causal: True hides from every token those that come after it.
        position: how the layer is told positions, from ``pe_lib.model.positions``: ``Rope()``, say.
            What enters a model at the input (``Sinusoidal``, ``Learned``) is the model's to add.
        window: a token sees itself and the ``window - 1`` tokens before it, and as many after it
            where ``causal`` is False. None: all of them.

    Raises:
        TypeError: an argument is of another type.
        ValueError: ``num_heads`` or ``window`` is below 1, ``dim`` not a multiple of ``num_heads``.

    Source:
        Vaswani et al. 2017, "Attention Is All You Need", arXiv 1706.03762, section 3.2.2. The
        window: Beltagy et al. 2020, "Longformer", arXiv 2004.05150, counted as in Jiang et al.
        2023, "Mistral 7B", arXiv 2310.06825, figure 1.

    Example:
        >>> layer = MultiHeadAttention(dim=8, num_heads=2)
        >>> layer(torch.zeros(3, 5, 8)).shape
        torch.Size([3, 5, 8])
        >>> from pe_lib.model.positions import Rope
        >>> layer = MultiHeadAttention(dim=8, num_heads=2, causal=True, position=Rope())
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
        check_count(num_heads, "num_heads")
        check_count(dim, "dim")
        if dim % num_heads:
            raise ValueError(f"dim: expected a multiple of num_heads = {num_heads}, got {dim}")
        check_bool(causal, "causal")
        kinds = (Position, NoneType)
        check_type(position, "position", kinds, "a Position (of model.positions) or None")
        check_window(window)
        self.dim, self.num_heads, self.causal, self.window = dim, num_heads, causal, window
        self.queries = nn.Linear(dim, dim, bias=False)
        self.keys = nn.Linear(dim, dim, bias=False)
        self.values = nn.Linear(dim, dim, bias=False)
        self.output = nn.Linear(dim, dim, bias=False)
        self.position = position or Position()

    def forward(
        self,
        x: Float[Tensor, "... seq dim"],
        positions: ToldPositions = None,
        cache: KVCache | None = None,
    ) -> Float[Tensor, "... seq dim"]:
        """Let every token of ``x`` look at the others, and at the cached ones before them.

        Args:
            x: (..., seq, dim).
            positions: where all tokens stand, cached ones too: ints (seen,) or (..., seen), of
                which -1 is padding that no token sees; by default 0 ... seen - 1. Or, for the
                patches of a picture, ``PicturePositions(height, width)``, where there is no window.
            cache: the keys and values of the tokens before; those of ``x`` are added to it.

        Returns:
            (..., seq, dim) of x's dtype.

        Raises:
            TypeError: an argument is of another type or dtype.
            ValueError: ``x`` is not (..., seq, dim), or ``positions`` not one for each token, or a
                picture's where there is a window.
        """
        check_features(x, self.dim)
        check_type(cache, "cache", (KVCache, NoneType), "a KVCache or None")
        if self.window is not None and isinstance(positions, PicturePositions):
            expected = "those of a text where there is a window"
            raise ValueError(f"positions: expected {expected}, got {positions}")
        q = self._split(self.queries(x))  # (..., heads, seq, head_dim)
        k = self._split(self.keys(x))  # (..., heads, seq, head_dim)
        v = self._split(self.values(x))  # (..., heads, seq, head_dim)
        if cache is not None:
            k, v = cache.append(k, v)  # (..., heads, seen, head_dim), with seen >= seq
        positions = _as_positions(positions, x, seen=k.shape[-2])

        q, k = self.position.at_q_and_k(q, k, positions)  # shapes as before
        bias = self.position.at_the_score(q, k, positions)  # broadcasts to (..., heads, seq, seen)
        hidden = []
        if isinstance(positions, TextPositions) and positions.padding is not None:
            hidden.append(positions.padding[..., None, None, :])  # (..., 1, 1, seen)
        if self.window is not None:
            distances = relative_positions(q.shape[-2], k.shape[-2], device=q.device).abs()
            hidden.append(distances >= self.window)  # (seq, seen)
        for keys in hidden:
            bias = (q.new_zeros(()) if bias is None else bias).masked_fill(keys, -torch.inf)
        heads = self._taken(q, k, v, bias)  # (..., heads, seq, head_dim)

        joined = heads.to(x.dtype).transpose(-2, -3).flatten(-2)  # (..., seq, dim)
        mixed: Tensor = self.output(joined)  # (..., seq, dim)
        return mixed

    def _taken(self, q: Tensor, k: Tensor, v: Tensor, bias: Tensor | None) -> Tensor:
        """What every query (..., heads, seq, head_dim) takes from the values."""
        adds_values = type(self.position).at_the_values is not Position.at_the_values
        if not adds_values and q.dtype in (torch.float32, torch.float64):
            return fused_attention(q, k, v, bias=bias, causal=self.causal)
        weights = attention_weights(q, k, bias=bias, causal=self.causal)  # (..., heads, seq, seen)
        return self.position.at_the_values(weights, v.to(weights.dtype))

    def _split(self, x: Tensor) -> Tensor:
        """Every head's own features of (..., seq, dim)."""
        heads: Tensor = x.unflatten(-1, (self.num_heads, -1))  # (..., seq, heads, head_dim)
        return heads.transpose(-2, -3)  # (..., heads, seq, head_dim)


def _as_positions(positions: ToldPositions, x: Tensor, seen: int) -> Positions:
    """The positions as their type, whatever the layer was told."""
    if positions is None:
        return TextPositions(torch.arange(seen, device=x.device))
    if isinstance(positions, PicturePositions):
        return positions
    ids = positions.ids if isinstance(positions, TextPositions) else positions
    rows = x.shape[:-2] if getattr(ids, "ndim", 1) > 1 else ()
    check_tensor(ids, "positions", torch.int64, *rows, seen)
    return text_positions(positions)
