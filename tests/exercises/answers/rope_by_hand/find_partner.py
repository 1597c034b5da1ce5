"""Answers: finding out which features a turn pairs."""

import numpy as np
import torch
from torch.nn import functional as F


def partner_two_numbers(turn, feature, dim):
    probe = F.one_hot(torch.tensor(feature), dim).float()
    for other in turn(probe, 1).nonzero().flatten().tolist():
        if other != feature:
            return other


def partner_loop(turn, feature, dim):
    turned = turn([1.0 if i == feature else 0.0 for i in range(dim)], 5)
    [found] = [i for i in range(dim) if i != feature and abs(turned[i]) > 1e-9]
    return found


def partner_numpy(turn, feature, dim):
    turned = turn(np.eye(dim)[feature], 2).numpy()
    turned[feature] = 0
    return np.flatnonzero(turned)[0]


def partner_all_at_once(turn, feature, dim):
    table = turn(torch.eye(dim, dtype=torch.int64), 1)
    return (table - torch.diag(table.diagonal())).abs().max(dim=1).indices[feature]


def partner_by_difference(turn, feature, dim):
    x = torch.ones(dim)
    y = x.clone()
    y[feature] += 3
    moved = turn(y, 7) - turn(x, 7)
    moved[feature] = 0
    return int(torch.argmax(moved.abs()))


RIGHT = [
    partner_two_numbers,
    partner_loop,
    partner_numpy,
    partner_all_at_once,
    partner_by_difference,
]
