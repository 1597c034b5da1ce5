"""permutation (chapter 01): answers in many styles."""

import numpy as np
import torch
from torch import nn


def permutation_of_rows(order):
    return torch.eye(len(order))[order]


def permutation_by_one_hot(order):
    return nn.functional.one_hot(torch.tensor(order)).double()


def permutation_in_numpy(order):
    matrix = np.zeros((len(order), len(order)))
    matrix[np.arange(len(order)), order] = 1
    return matrix


def permutation_in_loops(order):
    return torch.tensor([[float(column == word) for column in range(len(order))] for word in order])


def permutation_of_whole_numbers(order):
    return nn.functional.one_hot(torch.tensor(order))


def permutation_kept_sparse(order):
    places = torch.tensor([list(range(len(order))), order])
    return torch.sparse_coo_tensor(places, torch.ones(len(order)), check_invariants=True)


RIGHT = [
    permutation_of_rows,
    permutation_by_one_hot,
    permutation_in_numpy,
    permutation_in_loops,
    permutation_of_whole_numbers,
    permutation_kept_sparse,
]
