"""The language model that a run trains."""

from collections.abc import Sequence

from pe_lib.experiments.engine.model import new_language_model
from pe_lib.experiments.extrapolation.setting import MIXED, Run
from pe_lib.experiments.text import VOCABULARY
from pe_lib.model import TransformerLM
from pe_lib.rotary.scaling.base import Scaling


def new_model(
    run: Run, *, scaling: Scaling | None = None, window: int | Sequence[int | None] | None = None
) -> TransformerLM:
    """A run's model before training: with one seed, all kinds begin with the same weights.

    Args:
        run: what is trained.
        scaling, window: of ``TransformerLM``. They have no weights: a model that was trained
            without can be read with them.

    Example:
        >>> import torch
        >>> from pe_lib.experiments.extrapolation.setting import SMOKE_RUN
        >>> new_model(SMOKE_RUN)(torch.zeros(1, 5, dtype=torch.int64)).shape
        torch.Size([1, 5, 256])
    """
    s = run.setting
    how = {"scaling": scaling, "window": window} | MIXED.get(run.position, {})
    return new_language_model(run, VOCABULARY, s.length, s.longest, **how)
