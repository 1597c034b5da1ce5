"""How well each encoding reads texts longer than those it was trained on.

Small language models, alike but for their positions, learn from windows of 128 bytes and are
measured on windows of up to 2,048.

    python -m pe_lib.experiments extrapolation plan

says what is trained and how long it takes here. The records of every run are the tables in
``records``: which model, where and when (``runs.csv``), what a byte costs at every length
(``losses.csv``) and at every position (``by_position.csv``), and where positions are stretched to
the length (``stretched.csv``), how the learning rate was chosen (``tuning.csv``), what a training
step costs (``costs.csv``), and what positions alone do in each trained model
(``diagnostics.csv``).
"""

from pe_lib.experiments.extrapolation.measuring import last_bytes_loss, losses_by_position
from pe_lib.experiments.extrapolation.records import (
    curves,
    curves_by_position,
    stretched_curves,
    trained_diagnostics,
)
from pe_lib.experiments.extrapolation.trained import trained_model

__all__ = [
    "curves",
    "curves_by_position",
    "last_bytes_loss",
    "losses_by_position",
    "stretched_curves",
    "trained_diagnostics",
    "trained_model",
]
