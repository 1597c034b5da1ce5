"""Trained models whose positions are stretched for texts longer than those of the training.

Nothing is trained further: the same weights are read with other positions. What turns is slowed by
a rule, with the length as a multiple of the training's for its factor. Of a learned table, the rows
that were trained are spread over the length, and those between them are interpolated.
"""

from collections.abc import Callable, Iterator

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn import functional as F

from pe_lib.experiments.engine.model import with_weights_of
from pe_lib.experiments.extrapolation.measuring import losses_at
from pe_lib.experiments.extrapolation.model import new_model
from pe_lib.experiments.extrapolation.setting import Run
from pe_lib.model import TransformerLM
from pe_lib.model.positions.text import Learned
from pe_lib.rotary.scaling.base import Scaling
from pe_lib.rotary.scaling.dynamic_ntk import DynamicNTKScaling
from pe_lib.rotary.scaling.linear import LinearScaling
from pe_lib.rotary.scaling.llama3 import Llama3Scaling
from pe_lib.rotary.scaling.ntk import NTKScaling
from pe_lib.rotary.scaling.yarn import YarnScaling

FAST_TURNS, SLOW_TURNS = 32, 1  # YaRN's beta_fast and beta_slow
HIGH_TURNS, LOW_TURNS = 4, 1  # Llama 3.1's high_freq_factor and low_freq_factor
# What each rule makes of a factor and of the training's length.
RULES: dict[str, Callable[[float, int], Scaling]] = {
    "interpolation": lambda factor, trained: LinearScaling(factor),
    "NTK": lambda factor, trained: NTKScaling(factor),
    # It takes the factor from what it has read so far: 1 means that it adds nothing to that.
    "dynamic NTK": lambda factor, trained: DynamicNTKScaling(1.0, trained),
    "YaRN": lambda factor, trained: YarnScaling(
        factor, trained, beta_fast=FAST_TURNS, beta_slow=SLOW_TURNS
    ),
    "Llama 3": lambda factor, trained: Llama3Scaling(factor, LOW_TURNS, HIGH_TURNS, trained),
}
METHODS = {"rope": tuple(RULES), "learned": ("interpolation",)}  # of the kinds that have any

Stretched = dict[str, dict[int, dict[str, float]]]


def measure(run: Run, model: TransformerLM) -> Stretched:
    """The losses of a run's trained model at every length past the training's.

    Returns:
        method -> length -> way -> nats per byte; nothing for kinds that are not stretched.
    """
    methods = METHODS.get(run.position, ())
    return {method: dict(_measured(run, model, method)) for method in methods}


def _measured(
    run: Run, model: TransformerLM, method: str
) -> Iterator[tuple[int, dict[str, float]]]:
    for length in run.setting.lengths[1:]:
        yield length, losses_at(stretched(run, model, method, length), run.setting, length)[0]


def stretched(run: Run, model: TransformerLM, method: str, length: int) -> TransformerLM:
    """A run's trained model with its positions stretched to a length.

    Example:
        >>> from pe_lib.experiments.extrapolation.setting import SMOKE_RUN
        >>> longer = stretched(SMOKE_RUN, new_model(SMOKE_RUN), "YaRN", 512)
        >>> longer.blocks[0].attention.position.scaling.factor
        4.0
    """
    trained = run.setting.length
    rotary = run.position == "rope"
    scaling = RULES[method](length / trained, trained) if rotary else None
    longer = with_weights_of(model, new_model(run, scaling=scaling))
    if isinstance(longer.position, Learned):
        weight = longer.position.table.weight
        with torch.no_grad():
            weight[:length] = spread(weight[:trained], length)
    return longer


def spread(rows: Float[Tensor, "trained dim"], length: int) -> Float[Tensor, "length dim"]:
    """Rows of a table spread evenly over a length, with straight lines between them.

    The first stays the first and the last becomes the last.

    Example:
        >>> spread(torch.tensor([[0.0], [1.0], [4.0]]), 5).flatten().tolist()
        [0.0, 0.5, 1.0, 2.5, 4.0]
    """
    return F.interpolate(rows.T[None], length, mode="linear", align_corners=True)[0].T
