"""gap (chapter 01): answers in many styles."""

import numpy as np
import torch


def gap_by_index(layer, x, order):
    return (layer(x[order]) - layer(x)[order]).abs().max().item()


def gap_by_matrix(layer, x, order):
    matrix = torch.eye(len(order), dtype=x.dtype)[order]
    return torch.dist(layer(matrix @ x), matrix @ layer(x), p=torch.inf)


def gap_in_numpy(layer, x, order):
    return np.abs(layer(x[order]).numpy() - layer(x).numpy()[order]).max()


def gap_shuffled_back(layer, x, order):
    back = torch.tensor(order).argsort()
    return float((layer(x[order])[back] - layer(x)).abs().amax())


RIGHT = [gap_by_index, gap_by_matrix, gap_in_numpy, gap_shuffled_back]
