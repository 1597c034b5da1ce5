"""Every pair as a clock: what moving by k does to it, and what is lost without the cosine."""

import torch
from torch import Tensor

from pe_lib.absolute.sinusoidal import shift_matrix, sinusoidal_encoding
from pe_lib.common.frequencies import wavelengths
from pe_lib.figures.base import Figure, exact_dtype
from pe_lib.figures.controls import slider, toggle

SPAN = 101  # positions drawn where the cosine is hidden: all that the slider reaches
FITTED = 64  # positions that the single factor is fitted on


class ShiftClocks(Figure):
    """One clock a pair: the hand of PE(p), the hand of PE(p+k), and the turn between them.

    A hand points to (sine, cosine): it starts at 12 and runs clockwise as the position grows.

    Args:
        dim: number of features, two a clock.
        theta: base of the wavelengths.
        position: the position p, fractions too.
        shift: the offset k, negative and fractional too.
        cosine: False hides the cosine, and with it the shift matrix.

    Example:
        >>> ShiftClocks(dim=6, shift=2)
        ShiftClocks(dim=6, theta=10000.0, position=3.0, shift=2.0, cosine=True)
    """

    question = "What does a shift do to each pair?"
    summary = (
        "One clock for each pair of features: moving by k turns every hand by its own angle, "
        "fast pairs far, slow pairs little, and by the same angle at every position."
    )

    asks = True

    dim = slider(8, 2, 32, step=2, label="dim", unit="features", more=True)
    theta = slider(10000.0, 10.0, 1e6, log=True, label="theta", more=True)
    position = slider(3.0, 0, 100, label="position p")
    shift = slider(5.0, -50, 50, label="shift k", unit="positions")
    cosine = toggle(True, label="show the cosine")

    @staticmethod
    def compute(
        device: str, *, dim: int, theta: float, position: float, shift: float, cosine: bool
    ) -> dict[str, Tensor]:
        """PE(p), T(k) and the two sides of T(k) PE(p) = PE(p+k); and for the sines alone, their
        values (SPAN, dim/2) before and after the shift and the best factor of every pair.
        """
        dtype = exact_dtype(device)
        pair = torch.tensor([position, position + shift], dtype=dtype, device=device)
        here, there = sinusoidal_encoding(pair, dim, theta, dtype=dtype)
        turn = shift_matrix(shift, dim, theta).to(device, dtype)
        span = torch.arange(SPAN, dtype=dtype, device=device)
        sines = sinusoidal_encoding(span, dim, theta, dtype=dtype)[:, ::2]
        shifted = sinusoidal_encoding(span + shift, dim, theta, dtype=dtype)[:, ::2]
        # Least squares: the a that makes the sum of (a * sine - shifted sine)^2 smallest.
        fitted = sines[:FITTED]
        factors = (fitted * shifted[:FITTED]).sum(0) / fitted.square().sum(0)
        return {
            "here": here,
            "turn": turn,
            "moved": turn @ here,
            "there": there,
            "wavelengths": wavelengths(dim, theta),
            "sines": sines,
            "shifted": shifted,
            "factors": factors,
        }
