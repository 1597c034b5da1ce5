"""Turning the features of a tensor by given angles, interleaved: pairs (0, 1), (2, 3), ..."""

import torch
from jaxtyping import Float, Float64, Shaped
from torch import Tensor

from pe_lib.common._checks import (
    broadcasts,
    check_count,
    check_finite,
    check_float_tensor,
    check_int,
    check_type,
)
from pe_lib.common.positions import cos_sin
from pe_lib.rotary._tables import with_head_axes
from pe_lib.rotary._turn import rotate_pairs
from pe_lib.rotary.apply import rotate_half


def slice_at_dim(
    t: Shaped[Tensor, "*shape"], dim_slice: slice, *, dim: int
) -> Shaped[Tensor, "*sliced"]:
    """Slice one axis of a tensor and keep the others whole: ``t[:, :, dim_slice, :]`` for axis 2.

    Args:
        t: tensor with at least one axis.
        dim_slice: what to keep of the axis, which the result is a view of.
        dim: the axis, counted from the front, or from the back where it is negative.

    Raises:
        TypeError, ValueError: an argument has the wrong type; ``t`` has no axis ``dim``.

    Source:
        rotary-embedding-torch, an implementation of Su et al. 2021, "RoFormer", arXiv 2104.09864.

    Example:
        >>> slice_at_dim(torch.zeros(2, 8, 4), slice(-3, None), dim=1).shape
        torch.Size([2, 3, 4])
    """
    check_type(t, "t", Tensor, "a tensor")
    check_type(dim_slice, "dim_slice", slice, "a slice")
    check_int(dim, "dim")
    if not -t.ndim <= dim < t.ndim:
        raise ValueError(f"dim: expected an axis of t, which has {t.ndim}, got {dim}")
    return t[(slice(None),) * (dim % t.ndim) + (dim_slice,)]


def apply_rotary_emb(
    freqs: Float[Tensor, "*rows width"],
    t: Float[Tensor, "*shape dim"],
    start_index: int = 0,
    scale: float | Float[Tensor, "..."] = 1.0,
    seq_dim: int = -2,
    freqs_seq_dim: int | None = None,
) -> Float[Tensor, "*shape dim"]:
    """Turn ``width`` features of ``t`` by the angles ``freqs`` and multiply them by ``scale``.

    ``t * cos(freqs) + rotate_half(t) * sin(freqs)``: ``freqs`` holds angles, each in both columns
    of its pair, as ``RotaryEmbedding.forward`` and ``get_axial_freqs`` give them.

    Args:
        freqs: (rows, width), a row for every position, the last one for the last position of
            ``t``: of more rows than positions the last ones count, as in decoding with a cache.
            With more axes it is taken as it is and has to broadcast against ``t``.
        t: (..., seq, dim), any floating point dtype.
        start_index: the first feature to turn. Those before it, and those from
            ``start_index + width`` on, are left alone.
        scale: a number, or a tensor that broadcasts against ``freqs``; two axes are laid beside
            ``t`` as those of ``freqs`` are.
        seq_dim: the axis of ``t`` that holds the positions.
        freqs_seq_dim: the axis of ``freqs`` that holds the positions. By default axis 0 where
            ``freqs`` has two axes; otherwise nothing is sliced.

    Returns:
        A new tensor of t's shape, dtype and device. Half precision is turned in float32 and
        rounded once.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: ``freqs`` or ``scale`` does not fit ``t``; there is no such axis or feature.

    Source:
        Su et al. 2021, arXiv 2104.09864, equation 34; ``scale``: Sun et al. 2022, arXiv 2212.10554.

    Example:
        >>> angles = torch.tensor([[0.0, 0.0], [torch.pi / 2, torch.pi / 2]])
        >>> apply_rotary_emb(angles, torch.tensor([[2.0, 1.0, 5.0], [2.0, 1.0, 5.0]]))
        tensor([[ 2.0000,  1.0000,  5.0000],
                [-1.0000,  2.0000,  5.0000]])
    """
    seq_dim = sequence_axis(t, "t", seq_dim)
    angles = _last_rows(freqs, t.shape[seq_dim], freqs_seq_dim)
    check_count(start_index, "start_index", least=0)
    stop = start_index + angles.shape[-1]
    if stop > t.shape[-1]:
        raise ValueError(
            f"freqs: expected start_index + width <= dim = {t.shape[-1]}, "
            f"got {start_index} + {angles.shape[-1]}"
        )
    angles = _broadcastable(angles, "freqs", t, seq_dim)
    if isinstance(scale, Tensor) and scale.dtype.is_floating_point:
        scale = _broadcastable(scale.to(angles.device), "scale", t, seq_dim)
        if scale.ndim and not broadcasts(scale.shape[-1], angles.shape[-1]):
            raise ValueError(
                f"scale: expected freqs' width = {angles.shape[-1]}, got shape {tuple(scale.shape)}"
            )
    else:
        check_finite(scale, "scale", "a finite number or a floating point tensor")
    # Half precision would lose the small angles: compute in float32 at least.
    exact = torch.promote_types(t.dtype, torch.float32)
    angles = angles.to(torch.promote_types(angles.dtype, torch.float32))
    cos = (angles.cos() * scale).to(exact).to(t.device)
    sin = (angles.sin() * scale).to(exact).to(t.device)
    middle = t[..., start_index:stop].to(exact)
    rotated = middle * cos + rotate_half(middle, interleaved=True) * sin
    return torch.cat((t[..., :start_index], rotated.to(t.dtype), t[..., stop:]), dim=-1)


def turn_pairs(
    angles: Float64[Tensor, "seq pairs"],
    t: Float[Tensor, "*shape dim"],
    scale: float | Float64[Tensor, "seq pairs"],
    seq_dim: int,
) -> Float[Tensor, "*shape dim"]:
    """``apply_rotary_emb`` for the first features, of an angle and a scale for each pair: faster.

    Example:
        >>> quarter = torch.full((1, 1), torch.pi / 2, dtype=torch.float64)
        >>> turn_pairs(quarter, torch.tensor([[2.0, 1.0, 5.0]]), scale=3.0, seq_dim=-2)
        tensor([[-3.,  6.,  5.]])
    """
    exact = torch.promote_types(t.dtype, torch.float32)
    tables = cos_sin(angles, exact, t.device, factor=scale)
    cos, sin = (with_head_axes(table, t, seq_dim) for table in tables)
    return rotate_pairs(t, cos, sin, interleaved=True)


def sequence_axis(t: Tensor, name: str, seq_dim: int, features: int = 0) -> int:
    """The axis of positions of ``t``, counted from the back; raises unless ``t`` can be rotated."""
    check_float_tensor(t, name, " (..., seq, dim)")
    if t.shape[-1] < features:
        raise ValueError(
            f"{name}: expected at least {features} features on the last axis, "
            f"got {t.shape[-1]} (shape {tuple(t.shape)})"
        )
    check_int(seq_dim, "seq_dim")
    return _before_last(t, seq_dim, "seq_dim")


def _before_last(tensor: Tensor, axis: int, name: str) -> int:
    """An axis before the last one, counted from the back."""
    if not -tensor.ndim <= axis < tensor.ndim or axis in (-1, tensor.ndim - 1):
        raise ValueError(
            f"{name}: expected an axis before the last of {tensor.ndim}, got {axis} "
            f"(shape {tuple(tensor.shape)})"
        )
    return axis if axis < 0 else axis - tensor.ndim


def _last_rows(freqs: Tensor, seq: int, freqs_seq_dim: int | None) -> Tensor:
    """The angles of the last ``seq`` positions."""
    check_float_tensor(freqs, "freqs")
    if freqs.ndim < 1 or freqs.shape[-1] % 2:
        raise ValueError(f"freqs: expected an even width, got shape {tuple(freqs.shape)}")
    if freqs_seq_dim is None:
        if freqs.ndim != 2:
            return freqs
        freqs_seq_dim = 0
    check_int(freqs_seq_dim, "freqs_seq_dim", "an int or None")
    axis = _before_last(freqs, freqs_seq_dim, "freqs_seq_dim")
    rows = freqs.shape[axis]
    if rows < seq:
        raise ValueError(
            f"freqs: expected at least seq = {seq} rows, got {rows} (shape {tuple(freqs.shape)})"
        )
    return slice_at_dim(freqs, slice(rows - seq, None), dim=axis)


def _broadcastable(table: Tensor, name: str, t: Tensor, seq_dim: int) -> Tensor:
    """``table`` with an axis of length 1 for every axis of ``t`` between positions and features."""
    if table.ndim == 2:
        for _ in range(-seq_dim - 2):
            table = table.unsqueeze(-2)
    # From the back, every axis of the table is 1 or t's; the last one is the caller's to check.
    axes = zip(reversed(table.shape[:-1]), reversed(t.shape[:-1]), strict=False)
    if table.ndim > t.ndim or not all(broadcasts(*sizes) for sizes in axes):
        raise ValueError(
            f"{name}: expected a shape that broadcasts against t's {tuple(t.shape)}, "
            f"got {tuple(table.shape)}"
        )
    return table
