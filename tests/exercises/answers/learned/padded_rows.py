"""padded_rows (chapter 03): answers in many styles."""

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


RIGHT = [rows_by_cumsum, rows_in_numpy, rows_in_loops]
