"""The sinusoidal table as a heat map, morphing from a binary counter."""

import torch
from torch import Tensor

from pe_lib.absolute.sinusoidal import sinusoidal_encoding
from pe_lib.common.frequencies import wavelengths
from pe_lib.figures.base import Figure, exact_dtype
from pe_lib.figures.controls import slider

MOST = 100_000  # the last position that a table can begin with


class SinusoidalTable(Figure):
    """Heat map of the sinusoidal encoding: one row a position, one column a feature.

    Args:
        dim: number of features (columns).
        theta: base of the wavelengths.
        offset: first position shown.
        length: number of positions (rows).
        counter: 0 shows the sinusoids, 1 the binary digits of the position, least significant
            first, twice each (as sine and cosine share a wavelength); between, a blend.

    Example:
        >>> SinusoidalTable(dim=8, length=16)
        SinusoidalTable(dim=8, theta=10000.0, offset=0, length=16, counter=0.0)
    """

    question = "Which columns change fast, and which hardly at all?"
    summary = (
        "A heat map, one row for each position and one column for each feature: fast waves on "
        "the left, slower and slower to the right, until the columns hardly change."
    )

    dim = slider(64, 2, 128, step=2, label="dim", unit="features", more=True)
    theta = slider(10000.0, 10.0, 1e6, log=True, label="theta")
    offset = slider(0, 0, MOST, label="offset", unit="positions")
    length = slider(64, 8, 128, label="length", unit="positions", more=True)
    counter = slider(0.0, 0.0, 1.0, step=0.05, label="waves to bits", more=True)

    @staticmethod
    def compute(
        device: str, *, dim: int, theta: float, offset: int, length: int, counter: float
    ) -> dict[str, Tensor]:
        """The table (length, dim) and the wavelength of every pair (dim/2,)."""
        positions = torch.arange(offset, offset + length, device=device)
        table = sinusoidal_encoding(positions, dim, theta, dtype=exact_dtype(device))
        pair = torch.arange(dim, device=device) // 2
        bits = torch.where(pair < 31, positions[:, None] >> pair.clamp(max=30) & 1, 0)
        table = (1 - counter) * table + counter * (2 * bits - 1)
        # As float32, half as much travels from a kernel to the page: a slider moves sooner.
        return {"table": table.float(), "wavelengths": wavelengths(dim, theta)}
