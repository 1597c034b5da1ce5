"""How well each encoding reads pictures at other resolutions than that of the training.

Small vision models, alike but for their positions, learn pictures of 8 x 8 patches and are measured
on others in 8, 12, 16 and 24 patches a side. There are two experiments, alike but for the pictures:
handwritten digits, which are enlarged, and printed letters, which have more detail in more pixels.

    python -m pe_lib.experiments digits plan
    python -m pe_lib.experiments letters plan

say what is trained and how long it takes here. The records of every run are the tables in
``records``: which model, where and when (``runs.csv``), how many pictures it reads right at every
size, and at what loss (``results.csv``), how the learning rate was chosen (``tuning.csv``).
"""

from pe_lib.experiments.resolutions.records import accuracies

__all__ = ["accuracies"]
