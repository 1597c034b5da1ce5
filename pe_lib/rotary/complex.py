"""Rotary position embedding with complex numbers: a pair of features is one, a turn a product."""

import torch
from jaxtyping import Complex, Float, Shaped
from torch import Tensor

from pe_lib.common._checks import describe
from pe_lib.rotary._tables import check_rotated, check_table, with_head_axes
from pe_lib.rotary._turn import rotate_pairs
from pe_lib.rotary.apply import rotary_cos_sin
from pe_lib.rotary.scaling.base import Scaling

_PARTS = {torch.complex64: torch.float32, torch.complex128: torch.float64}


def rotary_freqs_cis(
    positions: int | Shaped[Tensor, "*positions"],
    dim: int,
    theta: float = 10000.0,
    *,
    scaling: Scaling | None = None,
    seq_len: int | None = None,
    frequencies: Float[Tensor, " pairs"] | None = None,
    dtype: torch.dtype = torch.complex64,
) -> Complex[Tensor, "*positions pairs"]:
    """The turn of every pair at every position as a number on the unit circle, ``exp(i angle)``.

    ``cis`` is short for cos + i sin. Real and imaginary part are those of ``rotary_cos_sin``:
    computed in float64 and rounded once. (With a scaling the circle's radius is its attention
    factor.)

    Args:
        positions: an int n for 0 ... n-1, or a real tensor of any shape, negative numbers too.
        dim: number of features to rotate, even.
        theta: base of the wavelengths.
        scaling, seq_len, frequencies: as in ``rotary_cos_sin``.
        dtype: torch.complex64 or torch.complex128.

    Returns:
        ``(*positions, dim/2)`` of ``dtype``, on the positions' device.

    Raises:
        TypeError, ValueError: an argument has the wrong type, or a number is out of range.

    Source:
        Su et al. 2021, "RoFormer", arXiv 2104.09864, equation 12.

    Example:
        >>> rotary_freqs_cis(2, dim=4)
        tensor([[1.0000+0.0000j, 1.0000+0.0000j],
                [0.5403+0.8415j, 0.9999+0.0100j]])
    """
    if not isinstance(dtype, torch.dtype) or dtype not in _PARTS:
        raise TypeError(
            f"dtype: expected torch.complex64 or torch.complex128, got {describe(dtype)}"
        )
    cos, sin = rotary_cos_sin(
        positions,
        dim,
        theta,
        scaling=scaling,
        seq_len=seq_len,
        frequencies=frequencies,
        dtype=_PARTS[dtype],
    )
    return torch.complex(cos, sin)


def apply_rotary_complex(
    x: Float[Tensor, "*shape dim"],
    freqs_cis: Complex[Tensor, "*rows width"],
    *,
    seq_dim: int = -2,
) -> Float[Tensor, "*shape dim"]:
    """Rotate features 2i and 2i + 1 of ``x``, as one complex number, by one multiplication.

    The same rotation as ``apply_rotary`` with ``interleaved=True``, by the same rules and in the
    same time: on a CPU that one multiplies complex numbers too.

    Args:
        x: (..., seq, dim), or (..., seq, heads, dim) with ``seq_dim=-3``; any floating point dtype.
        freqs_cis: (seq, dim/2), or (batch, seq, dim/2) for positions of each sequence's own. Of
            width w < dim/2 it rotates the first 2w features and leaves the others.
        seq_dim: the axis of x that holds the positions, -2 or -3.

    Returns:
        The rotated tensor, of x's shape, dtype and device. Half precision is rotated in float32
        and rounded once.

    Raises:
        TypeError: ``x`` is not a floating point tensor, ``freqs_cis`` not a complex one.
        ValueError: ``freqs_cis`` does not fit x; ``seq_dim`` is neither -2 nor -3.

    Source:
        Su et al. 2021, "RoFormer", arXiv 2104.09864, equation 12.

    Example:
        >>> apply_rotary_complex(torch.tensor([[1.0, 0.0], [1.0, 0.0]]), rotary_freqs_cis(2, dim=2))
        tensor([[1.0000, 0.0000],
                [0.5403, 0.8415]])
    """
    check_rotated(x, seq_dim)
    if not isinstance(freqs_cis, Tensor) or not freqs_cis.dtype.is_complex:
        raise TypeError(f"freqs_cis: expected a complex tensor, got {describe(freqs_cis)}")
    check_table(freqs_cis, "freqs_cis", x, seq_dim)
    cos, sin = (with_head_axes(part, x, seq_dim) for part in (freqs_cis.real, freqs_cis.imag))
    return rotate_pairs(x, cos, sin, interleaved=True)
