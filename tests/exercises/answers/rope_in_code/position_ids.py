"""position_ids (chapter 05): answers in many styles, right and wrong ones."""

import numpy as np
import torch


def positions_by_cumsum(mask):
    return (mask.long().cumsum(-1) - 1).masked_fill(mask == 0, 0)


def positions_by_first_word(mask):
    first = mask.int().argmax(dim=1, keepdim=True)
    positions = torch.arange(mask.shape[1]) - first
    return torch.where(mask.bool(), positions, 0)


def positions_in_numpy(mask):
    words = mask.bool().numpy()
    return np.where(words, words.cumsum(axis=1) - 1, 0)


def positions_in_loops(mask):
    rows = []
    for row in mask.tolist():
        number, positions = 0, []
        for word in row:
            positions.append(number if word else 0)
            number += int(word)
        rows.append(positions)
    return torch.tensor(rows)


def positions_in_int32(mask):
    return torch.cumsum(mask != 0, 1, dtype=torch.int32).sub(1).clamp(min=0) * (mask != 0)


def positions_in_float(mask):
    return mask * (mask.float().cumsum(1) - 1)


def positions_in_the_dtype_of_the_mask(mask):
    return ((mask.cumsum(-1) - 1) * mask).long()


RIGHT = [
    positions_by_cumsum,
    positions_by_first_word,
    positions_in_numpy,
    positions_in_loops,
    positions_in_int32,
]
WRONG = [
    (positions_in_the_dtype_of_the_mask, "counted in bfloat16"),
    (positions_in_float, "floats for whole numbers"),
    (lambda mask: mask.cumsum(-1) - 1, "pads below zero"),
]
