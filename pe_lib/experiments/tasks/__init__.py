"""How well each encoding does what needs nothing but order: copying, and looking back.

Small language models, alike but for their positions, copy strings of random symbols, and give back
the symbol that stands so many places before a question. They are measured on strings longer than
those that they were trained on.

    python -m pe_lib.experiments tasks plan

says what is trained and how long it takes here. The records of every run are the tables in
``records``: which model, where and when (``runs.csv``), how much it copies right at every length
(``copying.csv``), and how often it finds the right symbol at every length and distance
(``retrieval.csv``).
"""

from pe_lib.experiments.tasks.records import copied, retrieved

__all__ = ["copied", "retrieved"]
