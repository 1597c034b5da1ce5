"""How a table of turns, a row for every position, is laid beside the tensor that it rotates."""

from torch import Tensor

from pe_lib._checks import check_float_tensor, check_int, describe


def check_like(value: object, name: str, model: Tensor, model_name: str) -> None:
    """Raise unless ``value`` is a tensor of ``model``'s shape and dtype."""
    if not isinstance(value, Tensor) or value.dtype != model.dtype:
        raise TypeError(
            f"{name}: expected a tensor of {model_name}'s dtype {model.dtype}, "
            f"got {describe(value)}"
        )
    if value.shape != model.shape:
        raise ValueError(
            f"{name}: expected {model_name}'s shape {tuple(model.shape)}, got {tuple(value.shape)}"
        )


def check_rotated(x: Tensor, seq_dim: int) -> None:
    """Raise unless ``x`` is a floating point tensor with positions on the axis ``seq_dim``."""
    check_int(seq_dim, "seq_dim", "-2 or -3")
    if seq_dim not in (-2, -3):
        raise ValueError(f"seq_dim: expected -2 or -3, got {seq_dim}")
    axes = " (..., seq, dim)" if seq_dim == -2 else " (..., seq, heads, dim)"
    check_float_tensor(x, "x", axes)
    if x.ndim < -seq_dim:
        raise ValueError(f"x: expected at least {-seq_dim} axes{axes}, got shape {tuple(x.shape)}")


def check_table(table: Tensor, name: str, x: Tensor, seq_dim: int) -> None:
    """Raise unless ``table`` (*batch, seq, width) fits ``x``: its seq, its dim, its first axes."""
    shape = f"(shape {tuple(table.shape)})"
    if table.ndim < 2:
        raise ValueError(f"{name}: expected at least 2 axes (..., seq, dim/2), got {shape[1:-1]}")
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
    fits = len(batch) <= len(first) and all(b in (1, n) for b, n in zip(batch, first, strict=False))
    if not fits:
        raise ValueError(
            f"{name}: expected the axes before seq to be the first of x's {tuple(first)}, "
            f"got {tuple(batch)} {shape}"
        )


def beside(table: Tensor, x: Tensor, seq_dim: int) -> Tensor:
    """``table`` (*batch, seq, width) with axes of length 1 where ``x`` has heads.

    Example:
        >>> import torch
        >>> x = torch.zeros(2, 4, 10, 64)
        >>> beside(torch.zeros(2, 10, 32), x, -2).shape
        torch.Size([2, 1, 10, 32])
        >>> beside(torch.zeros(2, 10, 32), x.transpose(1, 2), -3).shape
        torch.Size([2, 10, 1, 32])
    """
    if seq_dim == -3:
        table = table.unsqueeze(-2)
    for _ in range(x.ndim - table.ndim):
        table = table.unsqueeze(seq_dim - 1)
    return table
