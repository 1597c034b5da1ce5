"""Exercise: rows for a padded batch, as RoBERTa counts its positions."""

import torch
from torch import Tensor

from pe_lib.exercises.checker import Exercise, Mistake
from pe_lib.exercises.learned._common import PADDING, TWO_TABLES, numbers
from pe_lib.exercises.runs import call


def _counted(tokens: Tensor, padding_idx: int, first: int, pad: int) -> Tensor:
    """The number of every word, from ``first`` on; pads do not count and are all ``pad``."""
    words = tokens != padding_idx
    return torch.where(words, words.cumsum(-1) - 1 + first, pad)


def _padded_rows(tokens: Tensor, table: Tensor, padding_idx: int = 1) -> Tensor:
    return table[_counted(tokens, padding_idx, padding_idx + 1, padding_idx)]


def _from_first_column(tokens: Tensor, table: Tensor, padding_idx: int = 1) -> Tensor:
    columns = torch.arange(tokens.shape[1]) + padding_idx + 1
    return table[torch.where(tokens == padding_idx, padding_idx, columns)]


def _running_pads(tokens: Tensor, table: Tensor, padding_idx: int = 1) -> Tensor:
    return table[(tokens != padding_idx).cumsum(-1) + padding_idx]


def _zero_pads(tokens: Tensor, table: Tensor, padding_idx: int = 1) -> Tensor:
    return _padded_rows(tokens, table, padding_idx) * (tokens != padding_idx)[..., None]


EXERCISE = Exercise(
    name="padded_rows",
    signature="my_rows(tokens, table, padding_idx=1)",
    reference=_padded_rows,
    calls=(
        call(torch.tensor([[5, 7, 3, 1, 1], [4, 6, 9, 8, 2]]), numbers(12, 3)),
        call(torch.tensor([[1, 1, 5, 7]]), numbers(10, 4)),
        call(torch.tensor([[6, 2, 8, 0], [0, 0, 3, 9]]), numbers(11, 2), padding_idx=0),
        call(torch.tensor([[4, 3, 3, 7], [8, 3, 3, 3]]), numbers(14, 3), padding_idx=3),
    ),
    mistakes=(
        Mistake(
            "rows by token",
            lambda tokens, table, padding_idx=1: table[tokens],
            "you look up the numbers of the tokens. This table is asked for places, not for words.",
            TWO_TABLES,
        ),
        Mistake(
            "counted from 0",
            lambda tokens, table, padding_idx=1: table[
                _counted(tokens, padding_idx, 0, padding_idx)
            ],
            "the first word of a text gets row 0. In this numbering the rows up to that of the "
            "padding are not given to words.",
            PADDING,
        ),
        Mistake(
            "first word on the padding's row",
            lambda tokens, table, padding_idx=1: table[
                _counted(tokens, padding_idx, padding_idx, padding_idx)
            ],
            "the first word shares its row with the padding: words begin one row further on.",
            PADDING,
        ),
        Mistake(
            "padding index not added",
            lambda tokens, table, padding_idx=1: table[_counted(tokens, padding_idx, 1, 0)],
            "your words count from 1 and your pads are 0, whatever the padding index is. In this "
            "numbering it is the row of the pads, and everything begins there.",
            PADDING,
        ),
        Mistake(
            "counted by column, from 0",
            lambda tokens, table, padding_idx=1: table[torch.arange(tokens.shape[1])].expand(
                *tokens.shape, -1
            ),
            "the first column has row 0, and so on, words and pads alike. Here words begin one "
            "row after the padding's, and pads do not count.",
            PADDING,
        ),
        Mistake(
            "pads counted",
            lambda tokens, table, padding_idx=1: table[
                torch.arange(tokens.shape[1]).expand_as(tokens) + padding_idx + 1
            ],
            "pads count like words, and have rows like words. They should not count, and all of "
            "them have one row.",
            PADDING,
        ),
        Mistake(
            "columns instead of words",
            _from_first_column,
            "a pad has the right row, but it counts: with pads at the left, the first word does "
            "not begin where it should.",
            PADDING,
        ),
        Mistake(
            "pads with a word's row",
            _running_pads,
            "the words are right, but a pad has the row of the last word before it.",
            PADDING,
        ),
        Mistake(
            "pads empty",
            _zero_pads,
            "the words are right, but your pads have zeros. Give them the padding's row, whatever "
            "stands in it.",
            PADDING,
        ),
        Mistake(
            "padding index ignored",
            lambda tokens, table, padding_idx=1: _padded_rows(tokens, table),
            "right for the usual padding index, but another one changes nothing.",
            PADDING,
        ),
        Mistake(
            "pads on row 0",
            lambda tokens, table, padding_idx=1: table[
                _counted(tokens, padding_idx, padding_idx + 1, 0)
            ],
            "the words are right, but your pads have the very first row. Theirs is the one that "
            "bears the padding's number.",
            PADDING,
        ),
    ),
)
