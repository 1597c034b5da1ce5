"""add_learned (chapter 03): answers in many styles, right and wrong ones."""

import numpy as np
import torch
from torch import nn


def add_by_slice(x, table, offset=0):
    return x + table[offset : offset + x.shape[-2]]


def add_by_embedding(x, table, offset=0):
    embedding = nn.Embedding.from_pretrained(table)
    positions = torch.arange(offset, offset + x.size(1))
    return x + embedding(positions).unsqueeze(0)


def add_in_numpy(x, table, offset=0):
    return x.numpy() + np.take(table.numpy(), np.arange(x.shape[1]) + offset, axis=0)[None]


def add_in_loops(x, table, offset=0):
    out = x.clone()
    for text in out:
        for n, vector in enumerate(text):
            vector += table[offset + n]
    return out


def whole_slice_plus_sequence_first(x, table, offset=0):
    return (
        x + table[: x.size(0)].unsqueeze(1) if not offset else x + table[offset:][: x.size(0), None]
    )


def added_in_place(x, table, offset=0):
    x += table[offset : offset + x.shape[1]]
    return x


RIGHT = [add_by_slice, add_by_embedding, add_in_numpy, add_in_loops]
WRONG = [
    (whole_slice_plus_sequence_first, "positions along the batch"),
    (lambda x, table, offset=0: x + table[-x.shape[1] :], "rows from the end"),
    (lambda x, table, offset=0: x + table[: x.shape[1]], "offset ignored"),
    (lambda x, table, offset=0: x + offset + table[: x.size(1)], "offset added to the numbers"),
    (lambda x, table, offset=0: table[offset:][: x.shape[1]], "rows without the batch"),
    (added_in_place, "changed in place"),
]
