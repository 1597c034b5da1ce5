"""Which pairs of a rotary head meet angles that training never showed, as the context grows."""

import math

import torch
from torch import Tensor

from pe_lib.common.frequencies import inverse_frequencies
from pe_lib.figures.base import Figure, exact_dtype
from pe_lib.figures.controls import choice, slider
from pe_lib.rotary.scaling.base import UNSCALED, Scaling
from pe_lib.rotary.scaling.linear import LinearScaling
from pe_lib.rotary.scaling.llama3 import Llama3Scaling
from pe_lib.rotary.scaling.ntk import NTKScaling
from pe_lib.rotary.scaling.yarn import YarnScaling

FAST_TURNS, SLOW_TURNS = 32, 1  # YaRN's beta_fast and beta_slow
HIGH_TURNS, LOW_TURNS = 4, 1  # Llama 3.1's high_freq_factor and low_freq_factor
ROUNDING = 1e-6  # numbers that differ by less than this part of them are the same


class FrequencySpectrum(Figure):
    """How far every pair turns in training and in a longer context, with and without a scaling.

    The scaling's factor is ``times``: just enough for the context. With ``dim="32"`` and
    ``trained="128"`` the head is one of the small model that comes with ``pe_lib``.

    Args:
        method: what stretches the frequencies: ``"none"``, ``"interpolation"``, ``"ntk"``,
            ``"yarn"`` (beta 32 and 1) or ``"llama3"`` (high and low factor 4 and 1).
        times: length of the context, as a multiple of the trained length.
        theta: base of the frequencies, ``"10000"``, ``"500000"``, ``"1000000"`` or
            ``"10000000"``.
        trained: positions in training, ``"128"``, ``"2048"``, ``"4096"`` or ``"8192"``.
        dim: features of the head, two a pair, ``"32"``, ``"64"``, ``"128"`` or ``"256"``.

    Example:
        >>> FrequencySpectrum(method="ntk").times
        4.0
    """

    question = "Which pairs meet angles that training never showed?"
    summary = (
        "The pairs of a head of 128 features (theta 10,000), from the fastest to the slowest. 18 "
        "of the 64 need more than 4,096 positions for one turn: a training on so many showed a "
        "part of their circle only, and a context four times as long takes them to new angles. "
        "NTK scaling leaves 17 with new angles, up to 1.45 times the largest of training; "
        "interpolation, YaRN and Llama 3's rule leave none."
    )

    asks = True

    method = choice(
        "none",
        {
            "none": "none",
            "interpolation": "interpolation",
            "ntk": "NTK",
            "yarn": "YaRN",
            "llama3": "Llama 3",
        },
        label="scaling",
    )
    # To 256, so that the slider stops at every power of two.
    times = slider(4.0, 1.0, 256.0, log=True, label="context", unit="× trained")
    theta = choice(
        "10000",
        {
            "10000": "10,000",
            "500000": "500,000",
            "1000000": "1 million",
            "10000000": "10 million",
        },
        label="theta",
    )
    trained = choice(
        "4096",
        {"128": "128", "2048": "2,048", "4096": "4,096", "8192": "8,192"},
        label="trained on",
    )
    dim = choice("128", {"32": "32", "64": "64", "128": "128", "256": "256"}, label="head dim")

    @staticmethod
    def compute(
        device: str, *, method: str, times: float, theta: str, trained: str, dim: str
    ) -> dict[str, Tensor]:
        """In training and now (2, pairs): the ``wavelengths`` in positions, and the ``turns``
        within the trained length and within the context. Of every pair (pairs,): its ``zone``, 0
        for a frequency that is unchanged, 1 for one divided by less than ``times``, 2 for one
        divided by ``times``; and ``beyond``, how many times the largest angle of training the
        context reaches, 1 where it shows no new angle.
        """
        length, base, features = int(trained), float(theta), int(dim)
        scaling = scaling_of(method, times, length)
        frequencies = torch.stack(
            (inverse_frequencies(features, base), scaling.inverse_frequencies(features, base))
        ).to(device, exact_dtype(device))
        before, after = frequencies
        turns = torch.stack((before * length, after * times * length)) / (2 * math.pi)
        slowed = before / after
        partly, wholly = slowed > 1 + ROUNDING, slowed > times * (1 - ROUNDING)
        farther = turns[1] / turns[0]
        new = (turns[0] < 1) & (farther > 1 + ROUNDING)
        return {
            "wavelengths": 2 * math.pi / frequencies,
            "turns": turns,
            "zone": partly.long() + (partly & wholly),
            "beyond": torch.where(new, farther, 1.0),
        }


def scaling_of(method: str, factor: float, length: int) -> Scaling:
    """The scaling for a context ``factor`` times as long as the trained ``length``.

    Example:
        >>> scaling_of("ntk", 4.0, 4096)
        NTKScaling(factor=4.0)
    """
    return {
        "none": UNSCALED,
        "interpolation": LinearScaling(factor),
        "ntk": NTKScaling(factor),
        "yarn": YarnScaling(factor, length, beta_fast=FAST_TURNS, beta_slow=SLOW_TURNS),
        "llama3": Llama3Scaling(factor, LOW_TURNS, HIGH_TURNS, length),
    }[method]
