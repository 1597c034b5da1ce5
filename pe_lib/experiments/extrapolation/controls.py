"""A control: the settings of length that the comparison leaves at one value each.

T5's buckets end at a distance, Shaw's vectors at another, and CoPE counts up to a number. Were
these chosen well? Here they are varied, each with the learning rate of its encoding.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from pe_lib.experiments.extrapolation.experiment import Extrapolation
from pe_lib.experiments.extrapolation.model import new_model
from pe_lib.experiments.extrapolation.setting import SEEDS, SMALL, Run
from pe_lib.model import MultiHeadAttention, TransformerLM
from pe_lib.model.positions.base import Position, Sizes
from pe_lib.model.positions.text import T5, Cope, Shaw
from pe_lib.relative.cope import ContextualPosition
from pe_lib.relative.shaw import ShawRelativePosition
from pe_lib.relative.t5 import T5RelativeBias

CONTROLS = replace(SMALL, name="controls")

Made = Callable[[Sizes, int], Position]

# How an encoding is made with such a setting, and the values that are tried. The comparison's own:
# 128 for T5, as in its paper, 16 for Shaw, as in theirs, and 128 for CoPE, all it can have learned.
VARIED: dict[str, tuple[Made, Sequence[int]]] = {
    "t5": (
        lambda sizes, n: T5(T5RelativeBias(sizes.num_heads, bidirectional=False, max_distance=n)),
        (32, 512),
    ),
    "shaw": (lambda sizes, n: Shaw(ShawRelativePosition(sizes.head_dim, n)), (4, 64)),
    "cope": (lambda sizes, n: Cope(ContextualPosition(sizes.head_dim, n)), (32,)),
}


def control_runs(choices: Mapping[str, Run]) -> Iterator[Run]:
    """Every value at three seeds, with what the tuning chose for its encoding.

    Example:
        >>> found = control_runs({"shaw": Run(SMALL, "shaw", None, 4e-3, seed=0)})
        >>> [run.name for run in found][:2]
        ['controls-shaw-4-lr0.004-seed0', 'controls-shaw-64-lr0.004-seed0']
    """
    for seed in SEEDS[:3]:
        for position, (_, values) in VARIED.items():
            for value in values if position in choices else ():
                name = f"{position}-{value}"
                yield replace(choices[position], setting=CONTROLS, position=name, seed=seed)


class Controls(Extrapolation):
    """The same trainings and measurements, with other settings of length.

    Example:
        >>> run = Run(CONTROLS, "shaw-4", None, 4e-3, seed=0)
        >>> model = Controls().new_model(run)
        >>> model.blocks[0].attention.position.relative.max_distance
        4
    """

    name, folder = "controls", "runs/controls"
    summary = "the same for other settings of length of T5, Shaw and CoPE: half an hour"
    about = (
        "Train small language models with other settings of length, and measure them as\n"
        "`extrapolation` does, which has tuned the learning rates: the tuning has no runs here."
    )

    def __init__(self) -> None:
        super().__init__()
        self.tuning, self.extra_commands = (), {}

    def choices(self) -> dict[str, Run]:
        return Extrapolation(self.records).choices()

    def seeds(self, choices: Mapping[str, Run]) -> Iterator[Run]:
        return control_runs(choices)

    def new_model(self, run: Run) -> TransformerLM:
        position, _, value = run.position.partition("-")
        if position not in VARIED:  # the smoke run
            return new_model(run)
        model = new_model(replace(run, position=position))
        made, _ = VARIED[position]
        sizes = Sizes(run.setting.dim, run.setting.num_heads)
        for layer in model.modules():
            if isinstance(layer, MultiHeadAttention):
                layer.position = made(sizes, int(value))
        return model
