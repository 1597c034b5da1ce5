"""The language model that a run trains."""

from pe_lib.experiments.engine.chance import draw_table, seeded
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
    s = run.setting
    how = {"position": run.position} | MIXED.get(run.position, {})
    # CoPE counts as far as it has learned to, and no further. All others take longer texts.
    max_len = s.length if run.position == "cope" else s.longest
    with seeded(run.seed):
        model = TransformerLM(
            VOCABULARY,
            s.dim,
            s.num_layers,
            s.num_heads,
            max_len=max_len,
            scaling=scaling,
            **how,
        )
        draw_table(model.position, run.table_std)
    return model


def read_with(run: Run, model: TransformerLM, scaling: Scaling | None) -> TransformerLM:
    """A trained model's weights, read with other positions."""
    longer = new_model(run, scaling=scaling)
    longer.load_state_dict(model.state_dict())
    return longer.to(next(model.parameters()).device)
