"""Exercise: rows for a padded batch, as RoBERTa counts its positions."""

import torch
from torch import Tensor

from pe_lib.exercises.calls import call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.learned._common import PADDING, TABLE, numbers

exercise = Exercise(
    call(torch.tensor([[5, 7, 3, 1, 1], [4, 6, 9, 8, 2]]), numbers(12, 3)),
    call(torch.tensor([[1, 1, 5, 7]]), numbers(10, 4)),
    call(torch.tensor([[6, 2, 8, 0], [0, 0, 3, 9]]), numbers(11, 2), padding_idx=0),
    call(torch.tensor([[4, 3, 3, 7], [8, 3, 3, 3]]), numbers(14, 3), padding_idx=3),
    call(torch.tensor([[1] * 30 + [7, 5] * 2700]), numbers(5500, 2, dtype=torch.float64)),
)


@exercise.answer
def my_rows(tokens: Tensor, table: Tensor, padding_idx: int = 1) -> Tensor:
    return table[_counted(tokens, padding_idx, padding_idx + 1, padding_idx)]


def _counted(tokens: Tensor, padding_idx: int, first: int, pad: int) -> Tensor:
    """The number of every word, from ``first`` on; pads do not count and are all ``pad``."""
    words = tokens != padding_idx
    return torch.where(words, words.cumsum(-1) - 1 + first, pad)


@exercise.mistake(see=TABLE)
def rows_by_token(tokens: Tensor, table: Tensor, padding_idx: int = 1) -> Tensor:
    """you look up the numbers of the tokens. This table is indexed by positions, not by words."""
    return table[tokens]


@exercise.mistake(see=PADDING)
def counted_from_0(tokens: Tensor, table: Tensor, padding_idx: int = 1) -> Tensor:
    """the first word of a text gets row 0. In this numbering, a word never gets the row of the
    padding or a row before it."""
    return table[_counted(tokens, padding_idx, 0, padding_idx)]


@exercise.mistake(see=PADDING)
def first_word_on_the_row_of_the_pads(
    tokens: Tensor, table: Tensor, padding_idx: int = 1
) -> Tensor:
    """the first word shares its row with the padding: words begin one row further on."""
    return table[_counted(tokens, padding_idx, padding_idx, padding_idx)]


@exercise.mistake(see=PADDING)
def padding_index_not_added(tokens: Tensor, table: Tensor, padding_idx: int = 1) -> Tensor:
    """your words count from 1 and your pads are 0, whatever the padding index is. The padding index
    should be the row of the pads, and the words begin after it."""
    return table[_counted(tokens, padding_idx, 1, 0)]


@exercise.mistake(see=PADDING)
def counted_by_column_from_0(tokens: Tensor, table: Tensor, padding_idx: int = 1) -> Tensor:
    """the first column gets row 0, the second row 1, and so on, for words and pads alike. Here
    words begin one row after the padding's row, and pads do not count."""
    return table[torch.arange(tokens.shape[1])].expand(*tokens.shape, -1)


@exercise.mistake(see=PADDING)
def pads_counted(tokens: Tensor, table: Tensor, padding_idx: int = 1) -> Tensor:
    """you count pads like words and give each of them a row of its own. Pads should not count, and
    they should all get the same row."""
    return table[torch.arange(tokens.shape[1]).expand_as(tokens) + padding_idx + 1]


@exercise.mistake(see=PADDING)
def columns_instead_of_words(tokens: Tensor, table: Tensor, padding_idx: int = 1) -> Tensor:
    """the pads have the right row, but you count them. If there are pads on the left, the first
    word does not begin where it should."""
    columns = torch.arange(tokens.shape[1]) + padding_idx + 1
    return table[torch.where(tokens == padding_idx, padding_idx, columns)]


@exercise.mistake(see=PADDING)
def pads_with_the_row_of_a_word(tokens: Tensor, table: Tensor, padding_idx: int = 1) -> Tensor:
    """the words are right, but a pad has the row of the last word before it."""
    return table[(tokens != padding_idx).cumsum(-1) + padding_idx]


@exercise.mistake(see=PADDING)
def pads_empty(tokens: Tensor, table: Tensor, padding_idx: int = 1) -> Tensor:
    """the words are right, but your pads have zeros. Give them the padding's row, whatever is in
    it."""
    return my_rows(tokens, table, padding_idx) * (tokens != padding_idx)[..., None]


@exercise.mistake(see=PADDING)
def padding_index_ignored(tokens: Tensor, table: Tensor, padding_idx: int = 1) -> Tensor:
    """this is right for the usual padding index, but a different one has no effect."""
    return my_rows(tokens, table)


@exercise.mistake(see=PADDING)
def pads_on_row_0(tokens: Tensor, table: Tensor, padding_idx: int = 1) -> Tensor:
    """the words are right, but your pads get the very first row. They should get the row whose
    number is the padding index."""
    return table[_counted(tokens, padding_idx, padding_idx + 1, 0)]
