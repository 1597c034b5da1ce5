"""How well each encoding reads pictures at other resolutions than that of the training.

Small vision models, alike but for their positions, learn handwritten digits of 8 x 8 patches and
are measured on others in 8, 12, 16 and 24 patches a side.

    python -m pe_lib.experiments digits plan

says what is trained and how long it takes here. The records of every run are the tables in
``records``: which model, where and when (``runs.csv``), how many digits it reads right at every
size, and at what loss (``results.csv``), how the learning rate was chosen (``tuning.csv``).
"""

from pe_lib.experiments.digits.records import accuracies

__all__ = ["accuracies"]
