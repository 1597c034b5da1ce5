"""Queries and keys rotated by a module: one line in an attention layer."""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, no_type_check

import torch
from jaxtyping import Float, Shaped
from torch import Tensor, nn

from pe_lib.common._checks import (
    broadcasts,
    check_bool,
    check_float_tensor,
    check_int,
    check_type,
    describe,
)
from pe_lib.common.positions import check_offset, check_positions
from pe_lib.rotary._tables import check_like, check_out, check_seq_dim, with_head_axes
from pe_lib.rotary.apply import apply_rotary
from pe_lib.rotary.config.read import rotary_from_config
from pe_lib.rotary.scaling.base import Scaling
from pe_lib.rotary.settings import RotarySettings

_NEITHER_LAYOUT = (
    "expected a model whose pairs are interleaved or half-split, got one where they are neither; "
    "its settings' cos_sin gives the tables"
)


class RotaryTables:
    """What all layers that rotate alike share in one step: ``rotary.tables(positions)`` makes it.

    It is no tuple, so that what casts the inputs of a layer (FSDP2's mixed precision does) lets it
    pass: in bfloat16 its angles would be wrong.

    Args:
        cos: (..., seq, dim/2), as ``apply_rotary`` takes it.
        sin: like cos.
        temperature: (..., seq), what the queries are multiplied by; None where they are not.
        settings: what the tables were made for; a module with other ones then refuses them.

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
    settings: RotarySettings | None

    @no_type_check  # by the tests: torch.compile does not see through a constructor in a wrapper
    def __init__(
        self,
        cos: Float[Tensor, "*rows pairs"],
        sin: Float[Tensor, "*rows pairs"],
        temperature: Float[Tensor, "*rows"] | None = None,
        settings: RotarySettings | None = None,
    ) -> None:
        check_float_tensor(cos, "cos")
        check_like(sin, "sin", cos, "cos")
        if temperature is not None:
            check_float_tensor(temperature, "temperature")
            if temperature.shape != cos.shape[:-1]:
                rows = f"a number for each row of cos {tuple(cos.shape[:-1])}"
                came = f"shape {tuple(temperature.shape)}"
                raise ValueError(f"temperature: expected {rows}, got {came}")
        if settings is not None:
            check_type(settings, "settings", RotarySettings, "RotarySettings or None")
        self.cos, self.sin, self.temperature, self.settings = cos, sin, temperature, settings

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

    Attributes:
        settings: the ``RotarySettings``. Where their ``score_scale`` is not 1, as in DeepSeek-V3,
            multiply your scores by it too: no rotation can do that.

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
            names = ", ".join(field.name for field in fields(RotarySettings))
            raise TypeError(f"others: expected some of {names}, got {min(unknown)!r}")
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
        if settings.interleaved is None:
            raise ValueError(f"settings: {_NEITHER_LAYOUT}")
        return cls(**vars(settings))

    @classmethod
    def from_config(
        cls, config: Any, layer_type: str | int | None = None, *, strict: bool = False
    ) -> "RotaryPositionalEmbedding":
        """The rotation of a published model, read from its Hugging Face configuration.

        One thing is left to you: models with multi-head latent attention have a
        ``settings.score_scale``, by which the scores are multiplied.

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
        if settings.interleaved is None:
            raise ValueError(f"config: {_NEITHER_LAYOUT}")
        return cls.from_settings(settings)

    def tables(
        self,
        positions: int | Shaped[Tensor, "..."],
        *,
        seq_len: int | None = None,
        dtype: torch.dtype = torch.float32,
    ) -> RotaryTables:
        """What ``forward`` needs of the positions, to be made once a step for all layers.

        Args:
            positions: an int n for 0 ... n-1; (seq,), or (batch, seq) for each sequence's own, so
                (batch, 1) for the next token of each; with a vision encoder, what ``settings``
                describes.
            seq_len: length of the text, for scalings that depend on it; by default the largest
                position + 1. In a batch it is one number, so the longest row decides for all.
            dtype: floating point dtype of the tables; float32 is right for half precision too,
                but queries in float64 want float64.

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
        tables: RotaryTables = RotaryTables(cos, sin, temperature, self.settings)
        return tables

    def forward(
        self,
        q: Float[Tensor, "*batch q_rows q_columns q_dim"],
        k: Float[Tensor, "*batch k_rows k_columns k_dim"],
        positions: Shaped[Tensor, "..."] | None = None,
        *,
        offset: int = 0,
        seq_len: int | None = None,
        seq_dim: int = -2,
        tables: RotaryTables | None = None,
    ) -> tuple[
        Float[Tensor, "*batch q_rows q_columns q_dim"],
        Float[Tensor, "*batch k_rows k_columns k_dim"],
    ]:
        """Queries and keys, rotated.

        Args:
            q, k: (..., heads, seq, head_dim), or (..., seq, heads, head_dim) with ``seq_dim=-3``,
                floating point; they may differ in their number of heads and in head_dim. Features
                besides the ``dim`` that are rotated stay as they are. In multi-head latent
                attention q holds whole heads, and k the rotated part that all heads share:
                (batch, 1, seq, dim).
            positions: their positions: (seq,), or (batch, seq) for each sequence's own, as after
                left padding; with a vision encoder, what ``settings`` describes. By default
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
                ``positions``, ``offset`` and ``tables`` is given; the tables are those of other
                settings.
        """
        self._check(q, "q", seq_dim)
        self._check(k, "k", seq_dim)
        if k.shape[seq_dim] != q.shape[seq_dim]:
            raise ValueError(
                f"k: expected seq = {q.shape[seq_dim]}, as q has (keys from a cache are rotated "
                f"already), got {k.shape[seq_dim]} (shape {tuple(k.shape)})"
            )
        exact = torch.promote_types(q.dtype, k.dtype)
        tables = self._tables_for(q, "q", exact, positions, offset, seq_len, seq_dim, tables)
        q, k = (self._rotated(x, tables, seq_dim) for x in (q, k))
        if tables.temperature is not None:
            q = (q * with_head_axes(tables.temperature[..., None], q, seq_dim)).to(q.dtype)
        return q, k

    def rotate(
        self,
        x: Float[Tensor, "*shape head_dim"],
        positions: Shaped[Tensor, "..."] | None = None,
        *,
        offset: int = 0,
        seq_len: int | None = None,
        seq_dim: int = -2,
        tables: RotaryTables | None = None,
        inverse: bool = False,
        out: Float[Tensor, "*shape head_dim"] | None = None,
    ) -> Float[Tensor, "*shape head_dim"]:
        """One tensor rotated: keys alone, straight into a cache, or an output turned back.

        Args:
            x: as ``q`` of ``forward``, except that it is not multiplied by a temperature.
            positions, offset, seq_len, seq_dim, tables: as in ``forward``.
            inverse, out: as in ``apply_rotary``. A slice of a cache, ``cache[:, :, 7:8]``, is an
                ``out``. ``cache[rows, :, slots]`` is not, because indexing with tensors copies:
                assign to it. Where x is learned, so is what is written to ``out``.

        Returns:
            The rotated tensor, of x's shape, dtype and device (``out`` where it is given).

        Raises:
            TypeError, ValueError: as ``forward`` and ``apply_rotary``.

        Example:
            >>> rotary, cache = RotaryPositionalEmbedding(dim=8), torch.zeros(2, 4, 16, 8)
            >>> keys = torch.ones(2, 4, 1, 8)  # (batch, heads, seq, head_dim): a token each
            >>> tables = rotary.tables(torch.tensor([[5], [9]]))
            >>> _ = rotary.rotate(keys, tables=tables, out=cache[:, :, 7:8])  # a slot for both
            >>> cache[[0, 1], :, [5, 9]] = rotary.rotate(keys, tables=tables)[:, :, 0]  # its own
        """
        self._check(x, "x", seq_dim)
        tables = self._tables_for(x, "x", x.dtype, positions, offset, seq_len, seq_dim, tables)
        return self._rotated(x, tables, seq_dim, inverse=inverse, out=out)

    def _check(self, x: Tensor, name: str, seq_dim: int) -> None:
        check_seq_dim(seq_dim)
        axes = " (..., heads, seq, head_dim)" if seq_dim == -2 else " (..., seq, heads, head_dim)"
        check_float_tensor(x, name, axes)
        if x.shape[-1] < self.settings.dim:
            raise ValueError(
                f"{name}: expected at least dim = {self.settings.dim} features on the last "
                f"axis, got {x.shape[-1]} (shape {tuple(x.shape)})"
            )

    def _tables_for(
        self,
        x: Tensor,
        name: str,
        dtype: torch.dtype,
        positions: Tensor | None,
        offset: int,
        seq_len: int | None,
        seq_dim: int,
        tables: RotaryTables | None,
    ) -> RotaryTables:
        seq = x.shape[seq_dim]
        if tables is not None:
            self._check_tables(tables, name, seq)
            for argument, value in (("positions", positions), ("seq_len", seq_len)):
                if value is not None:
                    came = describe(value)
                    raise ValueError(f"{argument}: expected None beside tables, got {came}")
            if offset:
                raise ValueError(f"offset: expected 0 beside tables, got {offset}")
            return tables
        if isinstance(offset, Tensor):
            raise TypeError(
                "offset: expected an int (for one of each sequence's own, positions: "
                f"offset[:, None] + torch.arange({seq})), got {describe(offset)}"
            )
        if positions is None:
            check_offset(offset, seq)
            positions = torch.arange(seq, device=x.device) + offset
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
        made = self.tables(
            positions, seq_len=seq_len, dtype=torch.promote_types(dtype, torch.float32)
        )
        _check_rows(made.cos.shape[:-1], positions, x.shape[:-3], name, seq)
        return made

    def _check_tables(self, tables: RotaryTables, name: str, seq: int) -> None:
        check_type(tables, "tables", RotaryTables, "RotaryTables or None")
        own, theirs = self.settings, tables.settings
        if theirs is not None and theirs is not own and not own.same_tables(theirs):
            raise ValueError(f"tables: expected those of {own}, got those of {theirs}")
        if tables.cos.shape[-2:-1] != (seq,):
            raise ValueError(
                f"tables: expected those of seq = {seq} positions, as {name} has (the next token "
                f"of each sequence: positions (batch, 1)), got cos of shape "
                f"{tuple(tables.cos.shape)}"
            )

    def _rotated(
        self,
        x: Tensor,
        tables: RotaryTables,
        seq_dim: int,
        *,
        inverse: bool = False,
        out: Tensor | None = None,
    ) -> Tensor:
        kept = x.shape[-1] - self.settings.dim if self.settings.rotates_last else 0
        if kept and out is not None:
            check_out(out, x)
        rotated = apply_rotary(
            x[..., kept:] if kept else x,
            tables.cos,
            tables.sin,
            interleaved=bool(self.settings.interleaved),
            seq_dim=seq_dim,
            inverse=inverse,
            out=None if kept else out,
        )
        if not kept:
            return rotated
        whole = torch.cat((x[..., :kept], rotated), dim=-1)
        return whole if out is None else out.copy_(whole)

    def extra_repr(self) -> str:
        return repr(self.settings).partition("(")[2][:-1]


def _check_rows(
    rows: Sequence[int], positions: Tensor, sequences: Sequence[int], name: str, wanted: int
) -> None:
    """Raise unless the ``positions``' tables have ``rows`` (*batch, seq) that fit a tensor."""
    *batch, seq = rows or (0,)
    pairs = zip(batch, sequences, strict=False)
    if seq != wanted or len(batch) > len(sequences) or not all(broadcasts(b, s) for b, s in pairs):
        raise ValueError(
            f"positions: expected one for each of {name}'s seq = {wanted} rows, for all sequences "
            f"or for each of the batch {tuple(sequences)}, got shape {tuple(positions.shape)}"
        )
