"""Queries and keys rotated by a module: one line in an attention layer."""

from collections.abc import Sequence
from typing import Any

import torch
from jaxtyping import Float, Shaped
from torch import Tensor, nn

from pe_lib._checks import (
    broadcasts,
    check_bool,
    check_float_tensor,
    check_int,
    check_real_tensor,
)
from pe_lib.rotary._tables import beside
from pe_lib.rotary.apply import apply_rotary
from pe_lib.rotary.config.read import rotary_from_config
from pe_lib.rotary.config.settings import RotarySettings
from pe_lib.rotary.scaling.base import Scaling


class RotaryPositionalEmbedding(nn.Module):
    """Rotates queries and keys by their positions.

    It holds no tensor: nothing is saved with a model, and casts and moves of the module change
    nothing. The tables are computed in float64 at every call, on the device of the queries; where
    many layers share them, compute them once with ``settings.cos_sin`` and call ``apply_rotary``.

    Args:
        dim: number of features to rotate, even: the first of each head, or all of them.
        theta: base of the wavelengths.
        scaling: context extension, one of the ``...Scaling`` classes, or None.
        interleaved: True pairs the features (0,1), (2,3), ...; False, half-split, (i, i + dim/2).

    Raises:
        TypeError, ValueError: an argument has the wrong type, or is out of range.

    Source:
        Su et al. 2021, "RoFormer", arXiv 2104.09864, equation 34.

    Example:
        >>> rotary = RotaryPositionalEmbedding(dim=64)
        >>> q = torch.ones(2, 8, 10, 64)  # (batch, heads, seq, head_dim)
        >>> k = torch.ones(2, 2, 10, 64)  # fewer heads: grouped queries
        >>> q, k = rotary(q, k)
        >>> q.shape, k.shape
        (torch.Size([2, 8, 10, 64]), torch.Size([2, 2, 10, 64]))
    """

    def __init__(
        self,
        dim: int,
        theta: float = 10000.0,
        *,
        scaling: Scaling | None = None,
        interleaved: bool = False,
    ) -> None:
        super().__init__()
        check_bool(interleaved, "interleaved")
        self.settings = RotarySettings(dim, theta, scaling, interleaved=interleaved)

    @classmethod
    def from_config(
        cls, config: Any, layer_type: str | int | None = None
    ) -> "RotaryPositionalEmbedding":
        """The rotation of a published model, read from its Hugging Face configuration.

        Args:
            config, layer_type: as in ``rotary_from_config``.

        Raises:
            TypeError, ValueError: as ``rotary_from_config``; or the layer does not rotate, or in
                neither of the two layouts.

        Example:
            >>> llama = {"hidden_size": 64, "num_attention_heads": 2, "rope_theta": 500000.0}
            >>> RotaryPositionalEmbedding.from_config(llama)
            RotaryPositionalEmbedding(dim=32, theta=500000.0)
        """
        settings = rotary_from_config(config, layer_type)
        if settings is None:
            raise ValueError("config: expected a layer that rotates, got one that does not")
        if settings.interleaved is None:
            raise ValueError(
                "config: expected a model whose pairs are interleaved or half-split, got one where "
                "they are neither; rotary_from_config gives its tables"
            )
        rotary = cls(settings.dim)
        rotary.settings = settings
        return rotary

    def forward(
        self,
        q: Float[Tensor, "*batch q_heads seq head_dim"],
        k: Float[Tensor, "*batch k_heads seq head_dim"],
        offset: int = 0,
        *,
        positions: Shaped[Tensor, "..."] | None = None,
        seq_len: int | None = None,
    ) -> tuple[
        Float[Tensor, "*batch q_heads seq head_dim"], Float[Tensor, "*batch k_heads seq head_dim"]
    ]:
        """Queries and keys, rotated.

        Args:
            q, k: (..., heads, seq, head_dim), floating point; they may differ in their number of
                heads. Features after the first ``dim`` stay as they are.
            offset: position of the first of them, the number of cached tokens in decoding.
            positions: their positions in place of ``offset``: (seq,), or (batch, seq) for each
                sequence's own, as after left padding; for models that see, what ``settings``
                describes.
            seq_len: length of the text, for scalings that depend on it; by default the largest
                position + 1.

        Returns:
            Both rotated, of their shapes, dtypes and device. The queries are also multiplied by
            their temperature, where a configuration asks for one (Ministral 3).

        Raises:
            TypeError, ValueError: an argument has the wrong type or shape; both ``offset`` and
                ``positions`` are given.
        """
        for name, x in (("q", q), ("k", k)):
            check_float_tensor(x, name, " (..., heads, seq, head_dim)")
            if x.shape[-1] < self.settings.dim:
                raise ValueError(
                    f"{name}: expected at least dim = {self.settings.dim} features on the last "
                    f"axis, got {x.shape[-1]} (shape {tuple(x.shape)})"
                )
        if k.shape[-2] != q.shape[-2]:
            raise ValueError(
                f"k: expected seq = {q.shape[-2]}, as q has (keys from a cache are rotated "
                f"already), got {k.shape[-2]} (shape {tuple(k.shape)})"
            )
        check_int(offset, "offset")
        if positions is None:
            positions = torch.arange(q.shape[-2], device=q.device) + offset
        elif offset:
            raise ValueError(f"offset: expected 0 beside positions, got {offset}")
        check_real_tensor(positions, "positions", "None or a real tensor")
        exact = torch.promote_types(torch.promote_types(q.dtype, k.dtype), torch.float32)
        cos, sin = self.settings.cos_sin(positions, seq_len=seq_len, dtype=exact)
        _check_rows(cos.shape[:-1], positions, q)
        interleaved = bool(self.settings.interleaved)
        q, k = (apply_rotary(x, cos, sin, interleaved=interleaved) for x in (q, k))
        if self.settings.temperature_beta:
            temperature = self.settings.query_temperature(positions, dtype=exact)[..., None]
            q = (q * beside(temperature, q, seq_dim=-2)).to(q.dtype)
        return q, k

    def extra_repr(self) -> str:
        return repr(self.settings).partition("(")[2][:-1]


def _check_rows(rows: Sequence[int], positions: Tensor, q: Tensor) -> None:
    """Raise unless the ``positions``' tables have ``rows`` (*batch, seq) that fit ``q``."""
    *batch, seq = rows or (0,)
    *sequences, _, wanted, _ = q.shape
    pairs = zip(batch, sequences, strict=False)
    if seq != wanted or len(batch) > len(sequences) or not all(broadcasts(b, s) for b, s in pairs):
        raise ValueError(
            f"positions: expected one for each of q's seq = {wanted} rows, for all sequences or "
            f"for each of the batch {tuple(sequences)}, got shape {tuple(positions.shape)}"
        )
