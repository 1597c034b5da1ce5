"""padded_rows (chapter 03): answers in many styles, right and wrong ones."""

import numpy as np
import torch


def rows_by_cumsum(tokens, table, padding_idx=1):
    mask = tokens.ne(padding_idx).int()
    positions = torch.cumsum(mask, dim=1) * mask + padding_idx
    return table[positions]


def rows_in_numpy(tokens, table, padding_idx=1):
    words = tokens.numpy() != padding_idx
    return table.numpy()[np.where(words, np.cumsum(words, axis=1), 0) + padding_idx]


def rows_in_loops(tokens, table, padding_idx=1):
    texts = []
    for text in tokens.tolist():
        number, rows = padding_idx, []
        for token in text:
            number += token != padding_idx
            rows.append(table[padding_idx if token == padding_idx else number])
        texts.append(torch.stack(rows))
    return torch.stack(texts)


def rows_from_two(tokens, table, padding_idx=1):
    positions = padding_idx + 1 + torch.arange(tokens.shape[1])
    return table[positions][None].expand(len(tokens), -1, -1)


def rows_without_the_shift(tokens, table, padding_idx=1):
    words = (tokens != padding_idx).long()
    return table[words.cumsum(1) * words]


def rows_with_running_pads(tokens, table, padding_idx=1):
    return table[(tokens != padding_idx).cumsum(1) + padding_idx]


def rows_from_the_padding(tokens, table, padding_idx=1):
    words = (tokens != padding_idx).numpy()
    return table.numpy()[np.where(words, words.cumsum(axis=1) - 1, 0) + padding_idx]


RIGHT = [rows_by_cumsum, rows_in_numpy, rows_in_loops]
WRONG = [
    (rows_without_the_shift, "padding index not added"),
    (rows_from_two, "pads counted"),
    (rows_with_running_pads, "pads with the row of a word"),
    (rows_from_the_padding, "first word on the row of the pads"),
    (lambda tokens, table, padding_idx=1: table[tokens], "rows by token"),
]
