"""Exercise: token ids to rows."""

import torch

from pe_lib.exercises.checker import Exercise, Mistake
from pe_lib.exercises.runs import call
from pe_lib.exercises.why_order_matters._common import ROWS, THREE_SLIPS, numbers

EXERCISE = Exercise(
    name="embed",
    signature="my_embed(ids, table)",
    reference=lambda ids, table: table[ids],
    calls=(  # at least as many columns as rows, so that a column can be taken for a row
        call(torch.tensor([[4, 1, 4, 2, 5], [3, 3, 5, 1, 4]]), numbers(6, 8)),
        call(torch.tensor([[2, 0, 3]]), numbers(4, 4)),
        call(torch.tensor([[6, 2], [0, 6], [1, 5]]), numbers(7, 7)),
    ),
    mistakes=(
        Mistake(
            "ids from 1",
            lambda ids, table: table[ids - 1],
            "your rows are those of the id before. The first token of the vocabulary has id 0.",
            ROWS,
        ),
        Mistake(
            "columns instead of rows",
            lambda ids, table: table.T[ids],
            "you take columns of the table: one feature of all tokens, where all features of one "
            "token are wanted.",
            ROWS,
        ),
        Mistake(
            "the place instead of the word",
            lambda ids, table: table[: ids.shape[1]].expand(*ids.shape, -1),
            "you never read the ids: every text gets the first rows of the table, by place. That "
            "is what a table of positions does.",
            THREE_SLIPS,
        ),
        Mistake(
            "the id as a number",
            lambda ids, table: ids.unsqueeze(-1).to(table.dtype).expand(*ids.shape, table.shape[1]),
            "you hand on the ids themselves. An id is a name: it says which row to take.",
            ROWS,
        ),
        Mistake(
            "the id as a factor",
            lambda ids, table: ids.unsqueeze(-1) * table[: ids.shape[1]],
            "you multiply by the ids. An id is a name and not a size: it says which row to take.",
            ROWS,
        ),
        Mistake(
            "each word once",
            lambda ids, table: table[ids.unique()],
            "each id appears once, and sorted. A word that stands twice in the text has its row "
            "twice, in the order of the text.",
            ROWS,
        ),
        Mistake(
            "first text only",
            lambda ids, table: table[ids[0]],
            "only the first text of the batch comes back.",
            ROWS,
        ),
        Mistake(
            "texts run together",
            lambda ids, table: table[ids.flatten()],
            "the texts of the batch have run together into one long one; their axis is lost.",
            ROWS,
        ),
    ),
)
