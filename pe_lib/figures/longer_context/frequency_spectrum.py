"""Which pairs of a rotary head meet angles that training never showed, as the context grows."""

import math

import torch
from torch import Tensor

from pe_lib.experiments.extrapolation import stretched
from pe_lib.figures.base import Figure, exact_dtype
from pe_lib.figures.controls import choice, slider
from pe_lib.rotary.scaling.base import UNSCALED, Scaling

ROUNDING = 1e-6  # numbers that differ by less than this part of them are the same
MOST = 128  # times the trained length
RULES = {"interpolation": "interpolation", "ntk": "NTK", "yarn": "YaRN", "llama3": "Llama 3"}
MODELS = {
    "Llama 2": {"theta": 10_000, "trained": "4096", "dim": "128"},
    "Llama 3.1": {"theta": 500_000, "trained": "8192", "dim": "128"},
    "Qwen3": {"theta": 1_000_000, "trained": "32768", "dim": "128"},
    "gpt-oss": {"theta": 150_000, "trained": "4096", "dim": "64"},
    "ours": {"theta": 10_000, "trained": "128", "dim": "32"},
}


class FrequencySpectrum(Figure):
    """How far pairs turn in training and in a longer context, with and without a scaling.

    Sixteen pairs are drawn as dials, from the fastest to the slowest; all are counted. The
    scaling's factor is ``times``: just enough for the context. With ``dim="32"`` and
    ``trained="128"`` the head is one of the small model that comes with ``pe_lib``.

    Args:
        method: what stretches the frequencies: ``"none"``, ``"interpolation"``, ``"ntk"``,
            ``"yarn"`` (beta 32 and 1) or ``"llama3"`` (high and low factor 4 and 1).
        theta: base of the frequencies.
        times: length of the context, as a multiple of the trained length.
        trained: positions in training, ``"128"``, ``"2048"``, ``"4096"``, ``"8192"`` or
            ``"32768"``.
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

    method = choice("none", {"none": "none", **RULES}, label="scaling")
    theta = slider(1e4, 1e2, 1e8, log=True, label="theta")
    times = slider(4.0, 1.0, float(MOST), log=True, label="context", unit="× trained", more=True)
    trained = choice(
        "4096",
        {n: f"{int(n):,}" for n in ("128", "2048", "4096", "8192", "32768")},
        label="trained on",
        more=True,
    )
    dim = choice("128", {n: n for n in ("32", "64", "128", "256")}, label="head dim", more=True)

    @staticmethod
    def compute(
        device: str, *, method: str, theta: float, times: float, trained: str, dim: str
    ) -> dict[str, Tensor]:
        """In training and now (2, pairs): the ``wavelengths`` in positions, and the ``turns``
        within the trained length and within the context. Of every pair (pairs,): its ``zone``, 0
        for a frequency that is unchanged, 1 for one divided by less than ``times``, 2 for one
        divided by ``times``; and ``beyond``, how many times the largest angle of training the
        context reaches, 1 where it shows no new angle. By each of the rules (rules, pairs):
        ``slower``, what it divides a pair's frequency by.
        """
        length, features = int(trained), int(dim)

        def by(rule: str) -> Tensor:
            return scaling_of(rule, times, length).inverse_frequencies(features, theta)

        frequencies = torch.stack((by("none"), by(method))).to(device, exact_dtype(device))
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
            "slower": torch.stack([by("none") / by(rule) for rule in RULES]),
        }


def scaling_of(method: str, factor: float, length: int) -> Scaling:
    """The scaling for a context ``factor`` times as long as the trained ``length``.

    Example:
        >>> scaling_of("ntk", 4.0, 4096)
        NTKScaling(factor=4.0)
    """
    if method == "none":
        return UNSCALED
    return stretched.RULES[RULES[method]](factor, length)
