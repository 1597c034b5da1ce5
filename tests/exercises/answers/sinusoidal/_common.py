"""Chapter 02: what answers to several exercises share."""

import math

import numpy as np
import torch


def table_torch(length, dim):
    position = torch.arange(length).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, dim, 2) * (-math.log(10000.0) / dim))
    pe = torch.zeros(length, dim)
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)
    return pe


def table_numpy(length, dim):
    column = np.arange(dim)
    angle = np.arange(length)[:, None] / np.power(10000, 2 * (column // 2) / dim)
    return np.where(column % 2 == 0, np.sin(angle), np.cos(angle))
