"""Trained models, read with other positions than they were trained with.

With RoPE the positions are stretched. The factor of a rule is the length as a multiple of the
training's. YaRN's attention factor is also tried apart from its frequencies: taken away, given to
two other rules, and alone. The further training takes a hundred steps on windows of 1,024, with the
positions that it will be read with. Of a learned table, all rows are set to zero.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

import torch

from pe_lib.common.frequencies import inverse_frequencies
from pe_lib.experiments.engine.model import with_weights_of
from pe_lib.experiments.engine.training import descend
from pe_lib.experiments.extrapolation.stretched import RULES
from pe_lib.experiments.recall.ledger import of_step
from pe_lib.experiments.recall.measuring import Reading, losses_of, measure
from pe_lib.experiments.recall.model import new_model
from pe_lib.experiments.recall.setting import LONG, Run
from pe_lib.model import TransformerLM
from pe_lib.model.positions.text import Learned
from pe_lib.rotary.scaling.base import Scaling
from pe_lib.rotary.scaling.longrope import LongRopeScaling
from pe_lib.rotary.scaling.yarn import YarnScaling

AS_TRAINED = "as trained"
# The rule whose frequencies are kept, and whether YaRN's attention factor goes with them.
EXCHANGED = {
    "YaRN without attention factor": ("YaRN", False),
    "attention factor alone": (AS_TRAINED, True),
    "interpolation with attention factor": ("interpolation", True),
    "Llama 3 with attention factor": ("Llama 3", True),
}
STRETCHED = (*RULES, *EXCHANGED)
NO_TABLE = "table of zeros"
FURTHER_STEPS, FURTHER_RATE = 100, 2e-3
FURTHER = {
    "100 steps": AS_TRAINED,
    "interpolation and 100 steps": "interpolation",
    "YaRN and 100 steps": "YaRN",
}


def scaling_of(method: str, run: Run, length: int) -> Scaling | None:
    """What a rule makes of a length, for a run's model."""
    trained = run.setting.length
    if method in EXCHANGED:
        rule, sharper = EXCHANGED[method]
        attention = YarnScaling(length / trained, trained).attention_scaling if sharper else 1.0
        return _with_attention_factor(attention, scaling_of(rule, run, length), run)
    return None if method == AS_TRAINED else RULES[method](length / trained, trained)


def _with_attention_factor(attention: float, scaling: Scaling | None, run: Run) -> Scaling:
    """The frequencies of a scaling, with another attention factor than its own."""
    before = inverse_frequencies(run.setting.dim // run.setting.num_heads)
    after = scaling.inverse_frequencies(2 * len(before)) if scaling else before
    divisors = (before / after).tolist()
    return LongRopeScaling(
        divisors, divisors, run.setting.length, factor=1.0, attention_factor=attention
    )


def methods_of(run: Run) -> tuple[str, ...]:
    """What is tried with a run's model; nothing where it has read long windows."""
    of_kind = {"rope": (*STRETCHED, *FURTHER), "learned": (NO_TABLE,)}
    return of_kind.get(run.position, ()) if run.setting.length < LONG.length else ()


def readings(run: Run, model: TransformerLM) -> Iterator[tuple[str, int, Reading]]:
    """All that is tried, at every length past the training's."""
    for method in methods_of(run):
        reader = reader_of(method, run, model)
        for length in run.setting.lengths:
            if length > run.setting.length:
                yield method, length, measure(reader(length), run.setting, length)


def reader_of(method: str, run: Run, model: TransformerLM) -> Callable[[int], TransformerLM]:
    """What a method makes of a trained model, for each length. Rules alone depend on the length."""
    if method in STRETCHED:
        return lambda length: stretched(run, model, scaling_of(method, run, length))
    changed = (
        without_table(run, model) if method == NO_TABLE else further(run, model, FURTHER[method])
    )
    return lambda length: changed


def stretched(run: Run, model: TransformerLM, scaling: Scaling | None) -> TransformerLM:
    """A trained model's weights, read with other positions."""
    return with_weights_of(model, new_model(run, scaling=scaling))


def without_table(run: Run, model: TransformerLM) -> TransformerLM:
    """A trained model whose learned table holds zeros."""
    emptied = stretched(run, model, None)
    assert isinstance(emptied.position, Learned)
    torch.nn.init.zeros_(emptied.position.table.weight)
    return emptied


def further(run: Run, model: TransformerLM, method: str) -> TransformerLM:
    """A trained model, stretched, after a hundred steps more on long windows."""
    longer = stretched(run, model, scaling_of(method, run, LONG.length))
    setting = replace(run.setting, steps=FURTHER_STEPS)
    optimizer = torch.optim.Adam(longer.parameters(), lr=FURTHER_RATE)
    device = next(longer.parameters()).device
    for step in range(FURTHER_STEPS):
        tokens = of_step(LONG.length, LONG.batch, run.seed, step).to(device)
        loss = losses_of(longer, tokens).mean()
        descend(loss, step, longer, optimizer, FURTHER_RATE * setting.rate_factor(step))
    return longer
