"""The trained model that comes with pe_lib: RoPE, of the runs in the tables."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file

from pe_lib.experiments.engine.experiment import Experiment
from pe_lib.experiments.engine.training import resumed
from pe_lib.experiments.extrapolation.model import new_model
from pe_lib.experiments.extrapolation.setting import SMALL, Run
from pe_lib.experiments.files import atomic_write
from pe_lib.model import TransformerLM
from pe_lib.rotary.scaling.base import Scaling

FILE = Path(__file__).with_name("rope.safetensors")


def trained_rope(
    *, scaling: Scaling | None = None, window: int | Sequence[int | None] | None = None
) -> TransformerLM:
    """A small byte-level language model with RoPE, trained on windows of 128 bytes.

    Its weights are those of one run in the tables, rounded to float16 to be half as large a file.

    Args:
        scaling, window: of ``TransformerLM``. It was trained without either.

    Example:
        >>> model = trained_rope()
        >>> prompt = torch.tensor([list(b"The built-in fun")])
        >>> bytes(model.generate(prompt, 5)[0].tolist()).decode()
        'The built-in function'
    """
    model = new_model(Run(SMALL, "rope", None, 1.0, seed=0), scaling=scaling, window=window)
    model.load_state_dict(load_file(FILE))
    return model.eval()


def which_run(file: Path = FILE) -> str:
    """The name of the run that trained it.

    Example:
        >>> which_run().startswith("small-rope-")
        True
    """
    with safe_open(file, framework="pt") as opened:
        return str(opened.metadata()["run"])


def ship(
    experiment: Experiment[Run, TransformerLM, Any], run: Run, saved: Path, file: Path = FILE
) -> None:
    """Write a finished training's weights as the model that comes with pe_lib.

    Raises:
        ValueError: the training is not finished.
    """
    training = resumed(experiment, run, saved)
    if not training.finished:
        expected = f"expected a finished training of {run.name}"
        raise ValueError(f"saved: {expected}, got {training.step} steps in {saved}")
    half = {name: w.to(torch.float16) for name, w in training.model.state_dict().items()}
    with atomic_write(file) as unfinished:
        save_file(half, unfinished, metadata={"run": run.name})
