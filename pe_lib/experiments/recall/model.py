"""The language model that a run trains."""

from pe_lib.experiments.engine.model import new_language_model
from pe_lib.experiments.recall.ledger import VOCABULARY
from pe_lib.experiments.recall.setting import MIXED, Run
from pe_lib.model import TransformerLM
from pe_lib.rotary.scaling.base import Scaling


def new_model(run: Run, *, scaling: Scaling | None = None) -> TransformerLM:
    """A run's model before training: with one seed, all kinds begin with the same weights.

    Args:
        run: what is trained.
        scaling: of ``TransformerLM``, for longer texts than it was trained on.
    """
    s, mixed = run.setting, MIXED.get(run.position, {})
    return new_language_model(run, VOCABULARY, s.length, s.longest, scaling=scaling, **mixed)
