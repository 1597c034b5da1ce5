"""stretch_table (chapter 03): answers in many styles."""

import numpy as np
import torch
from torch import nn


def stretch_by_interpolate(table, length):
    columns = table.T.unsqueeze(0)
    out = nn.functional.interpolate(columns, size=length, mode="linear", align_corners=True)
    return out.squeeze(0).T


def stretch_in_numpy(table, length):
    places = np.linspace(0, len(table) - 1, length)
    columns = [np.interp(places, range(len(table)), column) for column in table.numpy().T]
    return np.stack(columns, axis=1)


def stretch_in_python(table, length):
    rows = []
    for p in range(length):
        at = p * (len(table) - 1) / (length - 1)
        low = min(int(at), len(table) - 2)
        rows.append(table[low] + (at - low) * (table[low + 1] - table[low]))
    return torch.stack(rows)


RIGHT = [stretch_by_interpolate, stretch_in_numpy, stretch_in_python]
