"""The models that runs train and read with."""

from collections.abc import Callable
from typing import Any, TypeVar

from pe_lib.experiments.engine.chance import draw_table, seeded
from pe_lib.experiments.engine.runs import Run
from pe_lib.model import TransformerLM, VisionTransformer

Model = TypeVar("Model", TransformerLM, VisionTransformer)


def before_training(run: Run, make: Callable[[], Model]) -> Model:
    """What a run trains, as it is made: with one seed, all kinds begin with the same weights.

    Args:
        run: whose seed draws all weights, and whose deviation those of a learned table.
        make: makes the model.

    Example:
        >>> from pe_lib.experiments.engine.runs import Setting
        >>> run = Run(Setting("tiny", 16, 1, 2, batch=8, steps=6), "none", None, 4e-3, seed=0)
        >>> def make():
        ...     return TransformerLM(50, 16, 1, 2, max_len=8)
        >>> one, two = before_training(run, make), before_training(run, make)
        >>> bool((one.embedding.weight == two.embedding.weight).all())
        True
    """
    with seeded(run.seed):
        model = make()
        draw_table(model.position, run.table_std)
    return model


def new_language_model(
    run: Run, vocabulary: int, trained: int, longest: int, **how: Any
) -> TransformerLM:
    """A run's language model before training.

    Args:
        run: what is trained.
        vocabulary: tokens that there are.
        trained: tokens in the longest text of the training.
        longest: tokens in the longest text that is measured.
        how: of ``TransformerLM``, beyond its sizes. Its position is the run's unless it is here.

    Example:
        >>> from pe_lib.experiments.engine.runs import Setting
        >>> run = Run(Setting("tiny", 16, 1, 2, batch=8, steps=6), "cope", None, 4e-3, seed=0)
        >>> model = new_language_model(run, vocabulary=50, trained=24, longest=96)
        >>> len(model.blocks[0].attention.position.relative.weight)
        24
    """
    s = run.setting
    # CoPE counts as far as it has learned to, and no further. All others take longer texts.
    max_len = trained if run.position == "cope" else longest
    sizes = vocabulary, s.dim, s.num_layers, s.num_heads
    how = {"position": run.position} | how
    return before_training(run, lambda: TransformerLM(*sizes, max_len=max_len, **how))


def with_weights_of(model: TransformerLM, reader: TransformerLM) -> TransformerLM:
    """Give a reader the weights of a trained model, and put it on that model's device."""
    reader.load_state_dict(model.state_dict())
    return reader.to(next(model.parameters()).device)
