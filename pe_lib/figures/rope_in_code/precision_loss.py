"""What low precision leaves of a position: the exact hand of a pair beside the rounded one."""

import math
from functools import lru_cache
from itertools import pairwise

import torch
from jaxtyping import Float64
from torch import Tensor

from pe_lib.common.frequencies import inverse_frequencies, wavelengths
from pe_lib.common.positions import real_positions
from pe_lib.figures.base import Figure
from pe_lib.figures.controls import choice, slider

WIDEST = 256  # features
FIRST, LAST = 32, 2**17  # positions that the slider reaches
SCANNED = LAST + 1024  # in bfloat16 so many more may share the last one's hand
OCTAVES, BINS = 12, 8  # from FIRST to LAST, and how many errors are kept of each
MOST = 2048  # positions of a bin that are looked at
STRIP = 16  # positions in view around the present one

DTYPES = ("bfloat16", "float16", "float32")
# Bits after the first, exponent of the smallest normal number, largest number.
FORMATS = {
    name: {
        "bits": -int(math.log2(torch.finfo(getattr(torch, name)).eps)),
        "lowest": int(math.log2(torch.finfo(getattr(torch, name)).smallest_normal)),
        "largest": torch.finfo(getattr(torch, name)).max,
    }
    for name in DTYPES
}
WHERE = {
    "positions": "positions",
    "frequencies": "frequencies",
    "angles": "angles",
    "tables": "cos and sin",
}


class PrecisionLoss(Figure):
    """The hand of one pair of a rotary head, exact and with one step of its making rounded.

    One step is rounded to a low precision, all others are float64: the position; or the frequency;
    or their product, the angle; or only its cosine and sine.

    Args:
        position: the position p.
        pair: number of the pair; 0 turns fastest, by one radian a position. A number that the head
            does not have is taken as its last pair's.
        dtype: ``"bfloat16"``, ``"float16"`` or ``"float32"``.
        where: what is rounded: ``"positions"``, ``"frequencies"``, ``"angles"`` or ``"tables"``.
        dim: number of features of the head.
        theta: base of the wavelengths.

    Example:
        >>> PrecisionLoss(position=257).dtype
        'bfloat16'
    """

    question = "Does the rounded hand still move at every position?"
    summary = (
        "The hand of one pair, exact and in low precision; which positions in a row share one "
        "hand; and the largest error at every position up to 131,072. In bfloat16 every "
        "position has its own hand up to 256; from there the hand stands still and then jumps. "
        "Only where cosine and sine are rounded last does the error not grow."
    )

    asks = True

    position = slider(257, FIRST, LAST, label="position", log=True)
    pair = slider(0, 0, WIDEST // 2 - 1, label="pair", more=True)
    dtype = choice("bfloat16", {name: name for name in DTYPES}, label="precision")
    where = choice("positions", WHERE, label="rounded")
    dim = slider(128, 2, WIDEST, step=2, label="dim", unit="features", more=True)
    theta = slider(10000.0, 10.0, 1e6, log=True, label="theta", more=True)

    @staticmethod
    def compute(
        device: str, *, position: int, pair: int, dtype: str, where: str, dim: int, theta: float
    ) -> dict[str, Tensor | float]:
        """The hands ``exact`` and ``low`` (cos, sin); the number that is rounded, before and after
        its ``rounding``; the low angles of a ``strip`` of positions; the first and last position
        among those by which the hand is ``shared``; how many ``different`` angles positions
        0 ... p-1 have; and ``errors`` (4, bins), the largest distance between the hands' tips.
        """
        low = getattr(torch, dtype)
        positions = real_positions(torch.arange(SCANNED, device=device))
        frequencies = inverse_frequencies(dim, theta)
        pair = min(pair, dim // 2 - 1)
        frequency = frequencies[pair].to(positions)
        angles = low_angles(positions, frequency, where, low)
        exact, made = hands(torch.stack((positions[position] * frequency, angles[position])))
        if where == "tables":
            made = rounded(made, low)
        numbers = {
            "positions": positions[position],
            "frequencies": frequency,
            "angles": positions[position] * frequency,
            "tables": exact[0],
        }
        start = strip_start(position)
        sharing = (angles == angles[position]).nonzero().flatten()
        before = angles[:position]
        return {
            "exact": exact,
            "low": made,
            "rounding": torch.stack((numbers[where], rounded(numbers[where], low))),
            "strip": angles[start : start + STRIP],
            "shared": sharing[[0, -1]],
            "different": 1 + (before[1:] != before[:-1]).sum(),
            "errors": worst_errors(device, frequency.item(), low),
            "wavelength": wavelengths(dim, theta)[pair],
        }


def rounded(x: Float64[Tensor, "*shape"], dtype: torch.dtype) -> Float64[Tensor, "*shape"]:
    """The nearest numbers that ``dtype`` has.

    Example:
        >>> rounded(torch.tensor([257.0, 258.0, 259.0]).double(), torch.bfloat16).tolist()
        [256.0, 258.0, 260.0]
    """
    return x.to(dtype).to(x.dtype)


def low_angles(
    positions: Float64[Tensor, " seq"],
    frequency: Float64[Tensor, ""],
    where: str,
    dtype: torch.dtype,
) -> Float64[Tensor, " seq"]:
    """The angle of every position; cosine and sine come after it, so for them it is exact."""
    if where == "positions":
        return rounded(positions, dtype) * frequency
    if where == "frequencies":
        return positions * rounded(frequency, dtype)
    angles = positions * frequency
    return rounded(angles, dtype) if where == "angles" else angles


def hands(angles: Float64[Tensor, " seq"]) -> Float64[Tensor, "seq 2"]:
    """Where the hand's tip is at every angle."""
    return torch.stack((angles.cos(), angles.sin()), dim=-1)


@lru_cache(maxsize=16)  # a position that moves does not change it
def worst_errors(device: str, frequency: float, dtype: torch.dtype) -> Float64[Tensor, "4 bins"]:
    """The largest distance between the two hands' tips, by where: in every bin, at all of its
    positions or at about MOST of them."""
    edges = [math.ceil(FIRST * 2 ** (n / BINS)) for n in range(OCTAVES * BINS + 1)]
    # An odd step comes by every remainder of the powers of two, which the rounding goes by.
    bins = [torch.arange(a, b, math.ceil((b - a) / MOST) | 1) for a, b in pairwise(edges)]
    positions = real_positions(torch.cat(bins).to(device))
    angles = positions * frequency
    exact = hands(angles)
    speed = positions.new_tensor(frequency)
    missed = [low_angles(positions, speed, where, dtype) - angles for where in WHERE]
    errors = 2 * (torch.stack(missed) / 2).sin().abs()
    errors[-1] = (rounded(exact, dtype) - exact).norm(dim=-1)
    of_bins = errors.split([len(numbers) for numbers in bins], dim=1)
    return torch.stack([errors.amax(1) for errors in of_bins], dim=1)


def strip_start(position: int) -> int:
    """The first position in view: every power of two from 16 on is in the middle."""
    return (position + STRIP // 2) // STRIP * STRIP - STRIP // 2
