"""What papers report of longer texts than those of the training, as numbers to compute with.

``PAPERS`` names the papers, ``published`` gives the numbers of one, by the same names of kinds and
of ways to score as ``pe_lib.experiments.extrapolation.curves``, and ``source`` says where in the
paper they stand. The numbers are the table ``numbers.csv``, each with its table or figure and page.
"""

from pe_lib.experiments.published.numbers import published, source
from pe_lib.experiments.published.papers import PAPERS, Paper

__all__ = ["PAPERS", "Paper", "published", "source"]
