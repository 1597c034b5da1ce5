"""Sinusoidal positional encoding: every pair of features is a clock hand (Vaswani et al. 2017)."""

import torch
from jaxtyping import Complex, Float, Float64, Shaped
from torch import Tensor, nn

from pe_lib.common._checks import check_features, check_finite, check_floating
from pe_lib.common.devices import result_device
from pe_lib.common.frequencies import inverse_frequencies
from pe_lib.common.positions import check_offset, position_angles, real_positions

BLOCK = 64  # positions that share a beginning: about the square root of a usual length
SCRATCH = 2**16  # complex numbers that each thread makes at a time, 1 MB, before they are rounded


def sinusoidal_encoding(
    positions: int | Shaped[Tensor, "*positions"],
    dim: int,
    theta: float = 10000.0,
    *,
    dtype: torch.dtype = torch.float32,
) -> Float[Tensor, "*positions dim"]:
    """The sinusoidal encoding: sine in the even columns, cosine in the odd ones.

    ``PE(p, 2i) = sin(p * theta ** (-2i/dim))`` and ``PE(p, 2i+1) = cos(p * theta ** (-2i/dim))``.
    Angles are float64, so the result is right to the last bit but one of ``dtype`` also for
    position 16,000,001.

    Args:
        positions: an int n for 0 ... n-1, or a real tensor of any shape, negative numbers too.
        dim: number of features, even.
        theta: base of the wavelengths.
        dtype: floating point dtype of the result.

    Returns:
        ``(*positions, dim)`` of ``dtype``, on the positions' device.

    Raises:
        TypeError, ValueError: an argument has the wrong type, or a number is out of range.

    Source:
        Vaswani et al. 2017, "Attention Is All You Need", arXiv 1706.03762, section 3.5.

    Example:
        >>> sinusoidal_encoding(2, dim=4)
        tensor([[0.0000, 1.0000, 0.0000, 1.0000],
                [0.8415, 0.5403, 0.0100, 0.9999]])
    """
    check_floating(dtype)
    frequencies = inverse_frequencies(dim, theta)
    if isinstance(positions, Tensor):
        return _encoding(positions, frequencies, dtype).to(positions.device)
    length = real_positions(positions).shape[0]  # refuses what is no length
    return _consecutive(0, length, frequencies, dtype).to(result_device(positions))


def _encoding(
    positions: Shaped[Tensor, "*positions"],
    frequencies: Float64[Tensor, " pairs"],
    dtype: torch.dtype,
) -> Float[Tensor, "*positions dim"]:
    """The encoding, a sine or cosine for each number; on the CPU instead of MPS (no float64)."""
    angles = position_angles(positions, frequencies)
    table = angles.new_empty(*angles.shape[:-1], 2 * angles.shape[-1], dtype=dtype)
    table[..., 0::2] = angles.sin()
    table[..., 1::2] = angles.cos()
    return table


def _consecutive(
    first: int, length: int, frequencies: Float64[Tensor, " pairs"], dtype: torch.dtype
) -> Float[Tensor, "length dim"]:
    """The encoding of positions first ... first + length - 1, without a sine for each number.

    Position ``first + p`` is a block's beginning and a step within it, and angles add up: with
    those two as complex numbers, ``(sin a + i cos a) (cos b - i sin b)`` is sine and cosine of
    ``a + b``, side by side as the table has them. In float64 the product is off by less than
    2^-51, far below what rounding to ``dtype`` loses.
    """
    if torch.compiler.is_compiling() or length < 4 * BLOCK or dtype == torch.float64:
        return _encoding(torch.arange(length, device="cpu") + first, frequencies, dtype)
    starts = position_angles(torch.arange(0, length, BLOCK, device="cpu") + first, frequencies)
    steps = position_angles(BLOCK, frequencies)
    begin, turn = (
        torch.complex(starts.sin(), starts.cos()),
        torch.complex(steps.cos(), -steps.sin()),
    )
    table = torch.empty(length, 2 * turn.shape[1], dtype=dtype, device="cpu")
    blocks = max(SCRATCH * torch.get_num_threads() // turn.numel(), 1)  # at a time
    scratch = torch.empty(min(blocks, len(begin)), *turn.shape, dtype=turn.dtype, device="cpu")
    for rows, some in zip(table.split(blocks * BLOCK), begin.split(blocks), strict=True):
        products = torch.mul(some[:, None], turn, out=scratch[: len(some)])
        rows.copy_(_numbers(products)[: len(rows)])
    return table


def _numbers(products: Complex[Tensor, "blocks block pairs"]) -> Float64[Tensor, "length dim"]:
    """Real and imaginary part side by side, a row for every position."""
    return torch.view_as_real(products).flatten(-2).flatten(0, 1)


def shift_matrix(k: float, dim: int, theta: float = 10000.0) -> Float64[Tensor, "dim dim"]:
    """The matrix T(k) that moves every position by k: ``T(k) @ PE(p) = PE(p + k)`` for all p.

    Block diagonal with dim/2 blocks; block i is ``[[cos, sin], [-sin, cos]]`` of the angle
    ``k * theta ** (-2i/dim)``. It depends on k alone, never on p. Because the columns stand in the
    order (sine, cosine), the block turns clockwise.

    Args:
        k: the shift in positions: any finite number, negative and fractional too.
        dim: number of features, even.
        theta: base of the wavelengths.

    Returns:
        float64 tensor (dim, dim) on the CPU.

    Raises:
        TypeError, ValueError: an argument has the wrong type, or is out of range.

    Source:
        Vaswani et al. 2017, "Attention Is All You Need", arXiv 1706.03762, section 3.5.

    Example:
        >>> here, there = sinusoidal_encoding(torch.tensor([3, 8]), dim=6, dtype=torch.float64)
        >>> torch.allclose(shift_matrix(5, dim=6) @ here, there)
        True
    """
    check_finite(k, "k")
    angles = float(k) * inverse_frequencies(dim, theta)
    cos, sin = angles.cos(), angles.sin()
    blocks = torch.stack((cos, sin, -sin, cos), dim=-1).unflatten(-1, (2, 2))  # (dim/2, 2, 2)
    matrix: Tensor = torch.block_diag(*blocks)
    return matrix


class SinusoidalPositionalEncoding(nn.Module):
    """Adds the sinusoidal encoding to a sequence of vectors, of any length.

    Nothing is learned and nothing is stored: the state dict is empty, and a cast or a move of the
    module changes no result. The paper scales its word vectors by ``sqrt(dim)`` first; that is
    the caller's to do.

    Args:
        dim: number of features, even.
        theta: base of the wavelengths.

    Raises:
        TypeError, ValueError: an argument has the wrong type, or is out of range.

    Source:
        Vaswani et al. 2017, "Attention Is All You Need", arXiv 1706.03762, section 3.5.

    Example:
        >>> SinusoidalPositionalEncoding(dim=4)(torch.zeros(1, 2, 4), offset=1)
        tensor([[[ 0.8415,  0.5403,  0.0100,  0.9999],
                 [ 0.9093, -0.4161,  0.0200,  0.9998]]])
    """

    def __init__(self, dim: int, theta: float = 10000.0) -> None:
        super().__init__()
        inverse_frequencies(dim, theta)  # refuses a wrong dim or theta here, not at the first call
        self.dim = dim
        self.theta = theta

    def forward(
        self, x: Float[Tensor, "*batch seq dim"], offset: int = 0
    ) -> Float[Tensor, "*batch seq dim"]:
        """Add the encoding of positions offset ... offset + seq - 1.

        The result has x's dtype and device; half precision is added in float32 and rounded once.

        Args:
            x: (..., seq, dim), any floating point dtype.
            offset: position of the first vector (the number of cached tokens in decoding).

        Raises:
            TypeError, ValueError: ``x`` is not such a tensor, ``offset`` not an int within 2^53.
        """
        check_features(x, self.dim)
        check_offset(offset, x.shape[-2])
        exact = torch.promote_types(x.dtype, torch.float32)
        frequencies = inverse_frequencies(self.dim, self.theta)
        if x.device.type == "cpu":
            encoding = _consecutive(offset, x.shape[-2], frequencies, exact)
        else:
            positions = torch.arange(x.shape[-2], device=x.device) + offset
            encoding = _encoding(positions, frequencies, exact).to(x.device)
        return (x.to(exact) + encoding).to(x.dtype)

    def extra_repr(self) -> str:
        return f"dim={self.dim}, theta={self.theta}"
