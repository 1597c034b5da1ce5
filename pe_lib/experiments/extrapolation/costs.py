"""What a training step costs with each encoding: time and memory, side by side."""

import statistics
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from pe_lib.experiments.engine.experiment import Experiment, Say
from pe_lib.experiments.engine.training import Training
from pe_lib.experiments.extrapolation.setting import POSITIONS, TABLE_STDS, Run
from pe_lib.experiments.machine import machine
from pe_lib.model import TransformerLM


def costs(
    experiment: Experiment[Run, TransformerLM, Any],
    rounds: int,
    device: str = "cpu",
    say: Say = print,
) -> list[dict[str, Any]]:
    """Time steps of all kinds in turns, so that what else the machine does meets all of them.

    Args:
        experiment: whose models are timed, of the setting of its tuning.
        rounds: how many steps of each kind are timed; the one before them is not.
        device: where to compute.
        say: is given a line for each kind.

    Returns:
        For each kind a row: the median time of a step, its ratio to a step without positions (the
        median over the rounds), the megabytes that a step keeps for its backward pass beside the
        weights, and those of the weights with their gradients and Adam's two averages.
    """
    setting = experiment.tuning[0].setting
    trainings = {
        position: Training(
            experiment,
            Run(setting, position, TABLE_STDS[0] if position == "learned" else None, 1e-3, 0),
            device,
        )
        for position in POSITIONS
    }
    kept = {
        position: kept_bytes(training.advance, training.model)
        for position, training in trainings.items()
    }
    seconds: dict[str, list[float]] = {position: [] for position in trainings}
    for _ in range(rounds):
        for position, training in trainings.items():
            before = training.seconds
            training.advance()
            seconds[position].append(training.seconds - before)
    rows = []
    for position, training in trainings.items():
        ratios = [own / none for own, none in zip(seconds[position], seconds["none"], strict=True)]
        weights = sum(p.numel() * p.element_size() for p in training.model.parameters())
        row = {
            "setting": setting.name,
            "position": position,
            "milliseconds": f"{1000 * statistics.median(seconds[position]):.1f}",
            "times_none": f"{statistics.median(ratios):.3f}",
            "kept_mb": f"{kept[position] / 1e6:.1f}",
            "weights_and_adam_mb": f"{4 * weights / 1e6:.1f}",
            "rounds": rounds,
            **machine(device),
        }
        say("  ".join(f"{row[name]:>10}" for name in ("position", "times_none", "kept_mb")))
        rows.append(row)
    return rows


def kept_bytes(compute: Callable[[], object], model: torch.nn.Module) -> int:
    """How many bytes a computation keeps for its backward pass, beside the model's own weights.

    What several operations keep together counts once.

    Example:
        >>> model = torch.nn.Linear(10, 10)
        >>> kept_bytes(lambda: model(torch.ones(3, 10)).exp(), model)
        240
    """
    own = {weight.untyped_storage().data_ptr() for weight in model.parameters()}
    sizes: dict[int, int] = {}

    def keep(tensor: Tensor) -> Tensor:
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in own:
            sizes[storage.data_ptr()] = storage.nbytes()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        compute()
    return sum(sizes.values())
