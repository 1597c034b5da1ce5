"""What the comparisons share: the rotation written anew, and how close two tables have to be."""

import math

import torch
from torch import Tensor

from tests.helpers import F64


def turned(x: Tensor, angles: Tensor, *, interleaved: bool, factor: float = 1.0) -> Tensor:
    """``x`` (..., seq, dim) with every pair, as a complex number, times ``factor * e^(i angle)``.

    ``angles`` (..., seq, pairs) may be for the first features only; the others stay as they are.
    """
    width = 2 * angles.shape[-1]
    first, rest = x[..., :width], x[..., width:]
    a, b = (first[..., ::2], first[..., 1::2]) if interleaved else first.chunk(2, dim=-1)
    pairs = torch.complex(a, b) * torch.polar(torch.full_like(angles, factor), angles)
    turn = torch.stack((pairs.real, pairs.imag), dim=-1 if interleaved else -2).flatten(-2)
    return torch.cat((turn, rest), dim=-1)


def steps(dim: int, dtype: torch.dtype = F64) -> Tensor:
    """The exponents 2i/dim of the frequencies, (dim/2,)."""
    return torch.arange(0, dim, 2, dtype=dtype) / dim


def frequencies(dim: int, base: float = 10_000.0) -> Tensor:
    return 1 / base ** steps(dim)


def yarn_frequencies(
    dim: int,
    base: float,
    factor: float,
    trained: int,
    *,
    fast: float = 32,
    slow: float = 1,
    truncate: bool = True,
) -> Tensor:
    """YaRN as its authors' code has it (github.com/jquesnelle/yarn), and most others after it."""

    def pair(turns: float) -> float:
        return dim * math.log(trained / (turns * 2 * math.pi)) / (2 * math.log(base))

    low, high = pair(fast), pair(slow)
    if truncate:
        low, high = math.floor(low), math.ceil(high)
    low, high = max(low, 0), min(high, dim - 1)
    kept = 1 - ((torch.arange(dim // 2, dtype=F64) - low) / (high - low)).clamp(0, 1)
    return frequencies(dim, base) * ((1 - kept) / factor + kept)


def close(result: Tensor, expected: Tensor) -> None:
    """Equal, but for what float64 rounds: a few units in the last place of angles below 10,000."""
    torch.testing.assert_close(result, expected, rtol=0, atol=1e-11)


def same_table(table: tuple[Tensor, Tensor], angles: Tensor, factor: float = 1.0) -> None:
    """A (cos, sin) of float64 is that of these angles, times ``factor``."""
    for result, function in zip(table, (torch.cos, torch.sin), strict=True):
        close(result, factor * function(angles))


def same_table_in_float32(
    table: tuple[Tensor, Tensor], angles: Tensor, factor: float = 1.0
) -> None:
    """A (cos, sin) of float64 is that of these float32 angles, as far as float32 can tell.

    Exponent, power, reciprocal and product are rounded one after the other, and what the exponent
    loses is multiplied by ln(theta): at most 16 units of 2^-24 of the angle, and one of the result.
    """
    bound = 2.0**-20 * angles.abs().double() + 2.0**-23
    for result, function in zip(table, (torch.cos, torch.sin), strict=True):
        assert ((result - factor * function(angles).double()).abs() <= factor * bound).all()
