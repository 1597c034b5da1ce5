"""How tables of turns, a row for every position, are laid beside the tensor that they rotate."""

import torch
from torch import Tensor
from torch.compiler import is_compiling

from pe_lib.common._checks import broadcasts, check_axes, check_float_tensor, check_int, describe
from pe_lib.common.positions import in_float64
from pe_lib.rotary._memory import is_folded


def check_like(value: object, name: str, model: Tensor, model_name: str) -> None:
    """Raise unless ``value`` is a tensor of ``model``'s shape, dtype and device."""
    if not isinstance(value, Tensor) or value.dtype != model.dtype:
        raise TypeError(
            f"{name}: expected a tensor of {model_name}'s dtype {model.dtype}, "
            f"got {describe(value)}"
        )
    if value.shape != model.shape:
        raise ValueError(
            f"{name}: expected {model_name}'s shape {tuple(model.shape)}, got {tuple(value.shape)}"
        )
    _check_device(value, name, model, model_name)


def _check_device(value: Tensor, name: str, model: Tensor, model_name: str) -> None:
    if value.device != model.device:
        raise ValueError(
            f"{name}: expected a tensor on {model_name}'s device {model.device}, got {value.device}"
        )


def check_out(out: Tensor, x: Tensor) -> None:
    """Raise unless a result like ``x`` can be written to ``out``."""
    check_like(out, "out", x, "x")
    if not is_compiling() and is_folded(out):
        raise ValueError(
            "out: expected a tensor whose numbers each have a place of their own in memory, got "
            f"shape {tuple(out.shape)} with strides {out.stride()}, where some share one"
        )


def plainly_fit(x: object, table: object, other: object, seq_dim: object) -> bool:
    """True where a usual tensor and its two tables are right, which is all that decoding asks.

    What is false here may be right as well: then ``check_rotated``, ``check_table`` and
    ``check_like`` decide, and say what is wrong.
    """
    if not (isinstance(x, Tensor) and isinstance(table, Tensor) and isinstance(other, Tensor)):
        return False
    shape, rows = x.shape, table.shape
    return (
        type(seq_dim) is int
        and (seq_dim == -2 or seq_dim == -3)
        and len(shape) >= -seq_dim
        and (
            len(rows) == 2 or (len(rows) == 3 and broadcasts(rows[0], shape[0]) and len(shape) > 3)
        )
        and rows[-2] == shape[seq_dim]
        and 2 * rows[-1] <= shape[-1]
        and rows == other.shape
        and x.dtype in _USUAL
        and table.dtype in _USUAL
        and table.dtype is other.dtype
        and (
            (x.is_cpu and table.is_cpu and other.is_cpu) or x.device == table.device == other.device
        )
    )


_USUAL = (torch.float32, torch.bfloat16, torch.float16, torch.float64)


def check_seq_dim(seq_dim: int) -> None:
    """Raise unless this is an axis on which positions may lie."""
    check_int(seq_dim, "seq_dim", "-2 or -3")
    if seq_dim not in (-2, -3):
        raise ValueError(f"seq_dim: expected -2 or -3, got {seq_dim}")


def check_rotated(x: Tensor, seq_dim: int) -> None:
    """Raise unless ``x`` is a floating point tensor with positions on the axis ``seq_dim``."""
    check_seq_dim(seq_dim)
    axes = " (..., seq, dim)" if seq_dim == -2 else " (..., seq, heads, dim)"
    check_float_tensor(x, "x", axes)


def check_table(table: Tensor, name: str, x: Tensor, seq_dim: int) -> None:
    """Raise unless ``table`` (*batch, seq, width) fits ``x``: seq, dim, first axes, device."""
    check_axes(table, name, " (..., seq, dim/2)")
    shape = f"(shape {tuple(table.shape)})"
    *batch, seq, width = table.shape
    if seq != x.shape[seq_dim]:
        raise ValueError(
            f"{name}: expected seq = {x.shape[seq_dim]} rows, one for each of x's on axis "
            f"{seq_dim}, got {seq} {shape}"
        )
    if width > x.shape[-1] // 2:
        raise ValueError(
            f"{name}: expected at most dim/2 = {x.shape[-1] // 2} columns, one for each pair of "
            f"x's dim = {x.shape[-1]} features, got {width} {shape}"
        )
    first = x.shape[:seq_dim]
    pairs = zip(batch, first[: len(batch)], strict=True)
    fits = len(batch) <= len(first) and all(broadcasts(own, wanted) for own, wanted in pairs)
    if not fits:
        raise ValueError(
            f"{name}: expected the axes before seq to be the first of x's {tuple(first)}, "
            f"got {tuple(batch)} {shape}"
        )
    _check_device(table, name, x, "x")


def with_head_axes(table: Tensor, x: Tensor, seq_dim: int) -> Tensor:
    """``table`` (*batch, seq, width) with axes of length 1 where ``x`` has heads.

    Example:
        >>> with_head_axes(torch.zeros(2, 10, 32), torch.zeros(2, 4, 10, 64), seq_dim=-2).shape
        torch.Size([2, 1, 10, 32])
    """
    axes = table.ndim
    if seq_dim == -2 and (axes == 2 or (axes == 3 and table.shape[0] == 1)):
        return table  # such a table broadcasts by itself
    for _ in range(-seq_dim - 2):
        table = table.unsqueeze(-2)
    for _ in range(x.ndim - table.ndim):
        table = table.unsqueeze(seq_dim - 1)
    return table


def turn_between(
    cos: Tensor, sin: Tensor, new_cos: Tensor | float = 1.0, new_sin: Tensor | float = 0.0
) -> tuple[Tensor, Tensor]:
    """The tables that lead from a rotation by cos and sin to a new one, by default to none.

    A quotient of complex numbers: it divides by the factor that a scaling has left in the old
    tables. In float64, rounded to the dtype of cos, to float32 at least.

    Example:
        >>> turn_between(torch.tensor([0.0]), torch.tensor([2.0]))
        (tensor([0.]), tensor([-0.5000]))
    """
    c, s = in_float64(cos), in_float64(sin)
    new_c, new_s = (x if isinstance(x, float) else in_float64(x) for x in (new_cos, new_sin))
    squared = c * c + s * s
    between = (new_c * c + new_s * s) / squared, (new_s * c - new_c * s) / squared
    dtype = torch.promote_types(cos.dtype, torch.float32)
    to_cos, to_sin = (table.to(dtype).to(cos.device) for table in between)
    return to_cos, to_sin
