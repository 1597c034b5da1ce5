"""Whether models still find a thing, far back in texts longer than those they were trained on.

The text is made so that the far past pays: a ledger, in which a name comes back after a few tokens
or after a thousand, and what was noted with it has to be known. Order plays no part, content alone
decides. So a model without positions is told all that it needs, and what an encoding finds less
often than that, it has itself in the way.

    python -m pe_lib.experiments recall plan

says what is trained and how long it takes here. The records of every run are the tables in
``records``: which model, where and when (``runs.csv``), how the learning rate was chosen
(``tuning.csv``), what an answer costs at the end of the same texts (``losses.csv``), and how many
answers are right, by how far back the name stood (``found.csv``).
"""

from pe_lib.experiments.recall.ledger import CHANCE
from pe_lib.experiments.recall.measuring import perfect_loss
from pe_lib.experiments.recall.records import far_notes, found, losses

__all__ = ["CHANCE", "far_notes", "found", "losses", "perfect_loss"]
