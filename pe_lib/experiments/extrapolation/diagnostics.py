"""What positions alone do in a trained model: how far they move its vectors, and its scores.

The text is one byte, at many places: so nothing but its position tells one place from another.
What is added to words moves the vectors that the first block reads. What acts inside attention
moves its scores alone, and there is no vector to measure; the scores there are of all kinds.
"""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import torch
from jaxtyping import Float
from torch import Tensor

from pe_lib.diagnostics import neighbour_distances, score_by_offset
from pe_lib.experiments.engine.experiment import Experiment, Say
from pe_lib.experiments.engine.training import resumed, steps_done
from pe_lib.experiments.engine.work import saved_in
from pe_lib.experiments.extrapolation.layers import compared
from pe_lib.experiments.extrapolation.setting import Run
from pe_lib.experiments.machine import machine
from pe_lib.model import TransformerBlock, TransformerLM
from pe_lib.model.positions.coordinates import TextPositions

BYTE, PLACES = ord(" "), 100
FAR = 50  # the place whose vector is compared with the first one's
ROUNDING = 1e-4  # nats: of attention without positions, float32 moves no score by so much

MEASURES = ("neighbour", "neighbour_std", "far", "strength", "by_offset")


def diagnostics(
    experiment: Experiment[Run, TransformerLM, Any],
    runs: Sequence[Run],
    folder: Path,
    say: Say = print,
) -> list[dict[str, Any]]:
    """Measure the trained models of some runs.

    Args:
        experiment: whose runs they are.
        runs: the runs.
        folder: where they were done: it holds their trainings.
        say: is given a line for each run.

    Returns:
        For each run a row: what was measured, what the model was trained with, and the commit that
        measured it. A share of a variance that is 0 is left empty.

    Raises:
        ValueError: a training is not there, or not finished.
    """
    saved = {run: saved_in(folder, run) for run in runs}
    done = {run: steps_done(path) for run, path in saved.items()}
    unfinished = [run.name for run in runs if done[run] < run.setting.steps]
    if unfinished:
        came = f"got {len(unfinished)} that are not: {', '.join(unfinished)}"
        raise ValueError(f"folder: expected {len(runs)} finished trainings in {folder}, {came}")
    rows = []
    for run, path in saved.items():
        training = resumed(experiment, run, path)
        found = measure(training.model.eval())
        own = {name: "" if math.isnan(value) else f"{value:.4f}" for name, value in found.items()}
        say(f"{run.name:<34}" + "  ".join(f"{own[name]:>8}" for name in MEASURES))
        measured_with = {"measured_with": machine()["commit"]}
        rows.append({"run": run.name, **own, **training.made_with, **measured_with})
    return sorted(rows, key=lambda row: str(row["run"]))


def measure(model: TransformerLM) -> dict[str, float]:
    """How far positions alone move what a model's first block reads, and how far its scores.

    Returns:
        ``neighbour``, ``neighbour_std``: mean and standard deviation, over the places, of the
        distance between the vectors that the first block reads at neighbouring places. ``far``:
        that distance between places 0 and 50. ``strength``, ``by_offset``: see ``spread_of``.

    Example:
        >>> model = TransformerLM(256, 16, 1, 2, max_len=128, position="alibi")
        >>> {name: round(value, 4) for name, value in measure(model).items()}
        {'neighbour': 0.0, 'neighbour_std': 0.0, 'far': 0.0, 'strength': 0.7864, 'by_offset': 1.0}
    """
    vectors, scores = first_block(model)
    neighbours = neighbour_distances(vectors)
    strength, by_offset = spread_of(scores)
    return {
        "neighbour": neighbours.mean().item(),
        "neighbour_std": neighbours.std(correction=0).item(),
        "far": neighbour_distances(vectors, FAR)[0].item(),
        "strength": strength,
        "by_offset": by_offset,
    }


@torch.no_grad()
def first_block(
    model: TransformerLM,
) -> tuple[Float[Tensor, "places dim"], Float[Tensor, "heads places places"]]:
    """What the first block reads, and the scores in its attention, before softmax and any mask.

    Args:
        model: on the CPU.
    """
    block = cast(TransformerBlock, model.blocks[0])
    layer, positions = block.attention, TextPositions(torch.arange(PLACES))
    words = model.embedding(torch.full((1, PLACES), BYTE))  # (1, places, dim)
    x = model.position.at_the_input(words, positions)  # (1, places, dim)
    q, k, bias = compared(layer, block.attention_norm(x), positions)
    scores = q @ k.mT / math.sqrt(q.shape[-1])  # (1, heads, places, places)
    return x[0], (scores if bias is None else scores + bias)[0]


def spread_of(scores: Float[Tensor, "heads places places"]) -> tuple[float, float]:
    """How far scores differ from each other, and how much of that the offset alone accounts for.

    Of every query, the keys up to its own place count.

    Args:
        scores: (heads, places, places), before the softmax, in nats.

    Returns:
        The scores' standard deviation, a mean over the heads; and the share of their variance that
        lies between the offsets' means, a mean over the heads whose scores differ at all. It is 1
        where scores depend on the offset alone, and nan where none differ.

    Example:
        >>> offsets = torch.arange(3.0) - torch.arange(3.0)[:, None]
        >>> strength, by_offset = spread_of(offsets[None])
        >>> round(strength, 4), by_offset
        (0.7454, 1.0)
    """
    found = score_by_offset(scores)
    past = found.offset <= 0
    pairs = scores.shape[-1] + found.offset[past].double()  # (offsets) of each offset
    share = pairs / pairs.sum()
    mean, std = found.mean[:, past], found.std[:, past]  # (heads, offsets)
    within = std.square() @ share  # (heads)
    between = (mean - (mean @ share)[:, None]).square() @ share  # (heads)
    strength = (between + within).sqrt()  # (heads)
    by_offset = (between / (between + within))[strength > ROUNDING]  # (heads that differ)
    return strength.mean().item(), by_offset.mean().item()
