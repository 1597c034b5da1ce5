"""Queries and keys rotated by a module: one line in an attention layer."""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, no_type_check

import torch
from jaxtyping import Float, Shaped
from torch import Tensor, nn

from pe_lib._checks import (
    broadcasts,
    check_bool,
    check_float_tensor,
    check_int,
    check_type,
    describe,
)
from pe_lib.positions import check_offset, check_positions
from pe_lib.rotary._tables import beside, check_like, check_seq_dim
from pe_lib.rotary.apply import apply_rotary
from pe_lib.rotary.config.read import rotary_from_config
from pe_lib.rotary.scaling.base import Scaling
from pe_lib.rotary.settings import RotarySettings


class RotaryTables:
    """What all layers that rotate alike share in one step: ``rotary.tables(positions)`` makes it.

    It is no tuple, so that what casts the inputs of a layer (FSDP2's mixed precision does) lets it
    pass: in bfloat16 its angles would be wrong.

    Args:
        cos: (*batch, seq, dim/2), as ``apply_rotary`` takes it.
        sin: like cos.
        temperature: (*batch, seq), what the queries are multiplied by; None where they are not.

    Raises:
        TypeError, ValueError: an argument has the wrong type or shape.

    Source:
        Su et al. 2021, "RoFormer", arXiv 2104.09864, equation 34.

    Example:
        >>> tables = RotaryPositionalEmbedding(dim=8).tables(torch.tensor([[5], [9]]))
        >>> tables.cos.shape
        torch.Size([2, 1, 4])
    """

    cos: Float[Tensor, "*rows pairs"]
    sin: Float[Tensor, "*rows pairs"]
    temperature: Float[Tensor, "*rows"] | None

    @no_type_check  # by the tests: torch.compile does not see through a constructor in a wrapper
    def __init__(
        self,
        cos: Float[Tensor, "*rows pairs"],
        sin: Float[Tensor, "*rows pairs"],
        temperature: Float[Tensor, "*rows"] | None = None,
    ) -> None:
        check_float_tensor(cos, "cos")
        check_like(sin, "sin", cos, "cos")
        if temperature is not None:
            check_float_tensor(temperature, "temperature")
            if temperature.shape != cos.shape[:-1]:
                rows = f"a number for each row of cos {tuple(cos.shape[:-1])}"
                came = f"shape {tuple(temperature.shape)}"
                raise ValueError(f"temperature: expected {rows}, got {came}")
        self.cos, self.sin, self.temperature = cos, sin, temperature

    def __repr__(self) -> str:
        return f"RotaryTables(cos and sin of shape {tuple(self.cos.shape)}, {self.cos.dtype})"


class RotaryPositionalEmbedding(nn.Module):
    """For attention of your own, or of a published model: rotates queries and keys by positions.

    (``RotaryEmbedding`` is for those who come from rotary-embedding-torch, with its interleaved
    pairs.) It holds no tensor: nothing is saved with a model, and casts and moves of
    the module change nothing. Angles are float64, on the device of the queries.

    Args:
        dim: number of features to rotate, even: the first of each head, or all of them.
        theta: base of the wavelengths.
        scaling: context extension, one of the ``...Scaling`` classes, or None.
        interleaved: True pairs the features (0,1), (2,3), ...; False, half-split, (i, i + dim/2).
        others: any other setting of ``RotarySettings``, by its name: ``rotates_last=True``, say.

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
        **others: Any,
    ) -> None:
        super().__init__()
        check_bool(interleaved, "interleaved")
        if unknown := others.keys() - {field.name for field in fields(RotarySettings)}:
            raise TypeError(f"others: expected settings of RotarySettings, got {min(unknown)!r}")
        self.settings = RotarySettings(dim, theta, scaling, interleaved=interleaved, **others)

    @classmethod
    def from_settings(cls, settings: RotarySettings) -> "RotaryPositionalEmbedding":
        """The rotation that ``settings`` describe.

        Raises:
            TypeError: they are not ``RotarySettings``.
            ValueError: their pairs lie in neither of the two layouts.

        Example:
            >>> RotaryPositionalEmbedding.from_settings(RotarySettings(32, rotates_last=True))
            RotaryPositionalEmbedding(dim=32, rotates_last=True)
        """
        check_type(settings, "settings", RotarySettings, "RotarySettings")
        return cls._of(settings, "settings")

    @classmethod
    def _of(cls, settings: RotarySettings, name: str) -> "RotaryPositionalEmbedding":
        if settings.interleaved is None:
            raise ValueError(
                f"{name}: expected a model whose pairs are interleaved or half-split, got one "
                "where they are neither; its settings' cos_sin gives the tables"
            )
        return cls(**{field.name: getattr(settings, field.name) for field in fields(settings)})

    @classmethod
    def from_config(
        cls, config: Any, layer_type: str | int | None = None, *, strict: bool = False
    ) -> "RotaryPositionalEmbedding":
        """The rotation of a published model, read from its Hugging Face configuration.

        Args:
            config, layer_type, strict: as in ``rotary_from_config``.

        Raises:
            TypeError, ValueError: as ``rotary_from_config``; or the layer does not rotate, or in
                neither of the two layouts.

        Example:
            >>> llama = {"model_type": "llama", "head_dim": 64, "rope_theta": 500000.0}
            >>> RotaryPositionalEmbedding.from_config(llama)
            RotaryPositionalEmbedding(dim=64, theta=500000.0)
        """
        settings = rotary_from_config(config, layer_type, strict=strict)
        if settings is None:
            raise ValueError("config: expected a layer that rotates, got one that does not")
        return cls._of(settings, "config")

    def tables(
        self,
        positions: int | Shaped[Tensor, "..."],
        *,
        seq_len: int | None = None,
        dtype: torch.dtype = torch.float32,
    ) -> RotaryTables:
        """What ``forward`` needs of the positions, to be made once a step for all layers.

        Args:
            positions: an int n for 0 ... n-1; (seq,), or (batch, seq) for each sequence's own; for
                models that see, what ``settings`` describes.
            seq_len: length of the text, for scalings that depend on it; by default the largest
                position + 1. In a batch it is one number, so the longest row decides for all.
            dtype: floating point dtype of the tables; float32 is right for half precision too.

        Raises:
            TypeError, ValueError: an argument has the wrong type, or is out of range.

        Example:
            >>> layers = [RotaryPositionalEmbedding(dim=8) for _ in range(2)]
            >>> tables = layers[0].tables(torch.tensor([[5], [9]]))  # two sequences, a token each
            >>> x = torch.ones(2, 4, 1, 8)  # (batch, heads, seq, head_dim)
            >>> for rotary in layers:
            ...     q, k = rotary(x, x, tables=tables)
        """
        cos, sin = self.settings.cos_sin(positions, seq_len=seq_len, dtype=dtype)
        temperature = None
        if self.settings.temperature_beta:
            temperature = self.settings.query_temperature(positions, dtype=dtype)
        tables: RotaryTables = RotaryTables(cos, sin, temperature)
        return tables

    def forward(
        self,
        q: Float[Tensor, "*batch q_rows q_columns head_dim"],
        k: Float[Tensor, "*batch k_rows k_columns head_dim"],
        positions: Shaped[Tensor, "..."] | None = None,
        *,
        offset: int = 0,
        seq_len: int | None = None,
        seq_dim: int = -2,
        tables: RotaryTables | None = None,
    ) -> tuple[
        Float[Tensor, "*batch q_rows q_columns head_dim"],
        Float[Tensor, "*batch k_rows k_columns head_dim"],
    ]:
        """Queries and keys, rotated.

        Args:
            q, k: (..., heads, seq, head_dim), or (..., seq, heads, head_dim) with ``seq_dim=-3``,
                floating point; they may differ in their number of heads. Features besides the
                ``dim`` that are rotated stay as they are.
            positions: their positions: (seq,), or (batch, seq) for each sequence's own, as after
                left padding; for models that see, what ``settings`` describes. By default
                0 ... seq-1, from ``offset`` on.
            offset: position of the first of them, the number of cached tokens in decoding.
            seq_len: length of the text, for scalings that depend on it; by default the largest
                position + 1. In a batch it is one number, so the longest row decides for all.
            seq_dim: the axis of q and k that holds the positions, -2 or -3.
            tables: what ``tables(positions)`` gave, in place of all that is said of positions.

        Returns:
            Both rotated, of their shapes, dtypes and device. The queries are also multiplied by
            their temperature, where the settings have one (Ministral 3).

        Raises:
            TypeError, ValueError: an argument has the wrong type or shape; more than one of
                ``positions``, ``offset`` and ``tables`` is given.
        """
        self._check(q, k, seq_dim)
        if tables is None:
            tables = self._tables_of(q, k, positions, offset, seq_len, seq_dim)
        else:
            check_type(tables, "tables", RotaryTables, "RotaryTables or None")
            for name, value in (("positions", positions), ("seq_len", seq_len)):
                if value is not None:
                    raise ValueError(f"{name}: expected None beside tables, got {describe(value)}")
            if offset:
                raise ValueError(f"offset: expected 0 beside tables, got {offset}")
        q, k = (self._rotated(x, tables, seq_dim) for x in (q, k))
        if tables.temperature is not None:
            q = (q * beside(tables.temperature[..., None], q, seq_dim)).to(q.dtype)
        return q, k

    def _check(self, q: Tensor, k: Tensor, seq_dim: int) -> None:
        check_seq_dim(seq_dim)
        axes = " (..., heads, seq, head_dim)" if seq_dim == -2 else " (..., seq, heads, head_dim)"
        for name, x in (("q", q), ("k", k)):
            check_float_tensor(x, name, axes)
            if x.shape[-1] < self.settings.dim:
                raise ValueError(
                    f"{name}: expected at least dim = {self.settings.dim} features on the last "
                    f"axis, got {x.shape[-1]} (shape {tuple(x.shape)})"
                )
        if k.shape[seq_dim] != q.shape[seq_dim]:
            raise ValueError(
                f"k: expected seq = {q.shape[seq_dim]}, as q has (keys from a cache are rotated "
                f"already), got {k.shape[seq_dim]} (shape {tuple(k.shape)})"
            )

    def _tables_of(
        self,
        q: Tensor,
        k: Tensor,
        positions: Tensor | None,
        offset: int,
        seq_len: int | None,
        seq_dim: int,
    ) -> RotaryTables:
        if positions is None:
            check_offset(offset, q.shape[seq_dim])
            positions = torch.arange(q.shape[seq_dim], device=q.device) + offset
        else:
            if isinstance(positions, int):  # the third argument was the offset once
                raise TypeError(
                    "positions: expected None or a real tensor (an offset is passed by its name), "
                    f"got {describe(positions)}"
                )
            check_positions(positions, "positions", "None or a real tensor")
            check_int(offset, "offset")
            if offset:
                raise ValueError(f"offset: expected 0 beside positions, got {offset}")
        exact = torch.promote_types(torch.promote_types(q.dtype, k.dtype), torch.float32)
        tables = self.tables(positions, seq_len=seq_len, dtype=exact)
        _check_rows(tables.cos.shape[:-1], positions, q.shape[:-3], q.shape[seq_dim])
        return tables

    def _rotated(self, x: Tensor, tables: RotaryTables, seq_dim: int) -> Tensor:
        kept = x.shape[-1] - self.settings.dim if self.settings.rotates_last else 0
        turned = apply_rotary(
            x[..., kept:] if kept else x,
            tables.cos,
            tables.sin,
            interleaved=bool(self.settings.interleaved),
            seq_dim=seq_dim,
        )
        return torch.cat((x[..., :kept], turned), dim=-1) if kept else turned

    def extra_repr(self) -> str:
        return repr(self.settings).partition("(")[2][:-1]


def _check_rows(
    rows: Sequence[int], positions: Tensor, sequences: Sequence[int], wanted: int
) -> None:
    """Raise unless the ``positions``' tables have ``rows`` (*batch, seq) that fit the queries."""
    *batch, seq = rows or (0,)
    pairs = zip(batch, sequences, strict=False)
    if seq != wanted or len(batch) > len(sequences) or not all(broadcasts(b, s) for b, s in pairs):
        raise ValueError(
            f"positions: expected one for each of q's seq = {wanted} rows, for all sequences or "
            f"for each of the batch {tuple(sequences)}, got shape {tuple(positions.shape)}"
        )
