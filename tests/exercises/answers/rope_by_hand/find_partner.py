"""Answers: finding out which features a turn pairs."""

import numpy as np
import torch
from torch.nn import functional as F

# --- right ----------------------------------------------------------------------------------------


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


# --- wrong ----------------------------------------------------------------------------------------


def partner_half_away(turn, feature, dim):
    return feature + dim // 2 if feature < dim // 2 else feature - dim // 2


def partner_neighbour(turn, feature, dim):
    return feature ^ 1


def partner_largest(turn, feature, dim):
    probe = torch.zeros(dim)
    probe[feature] = 1.0
    return turn(probe, 1).abs().argmax().item()


def partner_first_found(turn, feature, dim):
    turned = turn(np.eye(dim)[feature], 1)
    for i in range(dim):
        if turned[i] != 0:
            return i


def partner_last_found(turn, feature, dim):
    return turn(torch.eye(dim)[feature], 3).nonzero()[-1].item()


def partner_second_largest(turn, feature, dim):
    return turn(torch.eye(dim)[feature], 1).abs().argsort()[-2]


def partner_without_sign(turn, feature, dim):
    turned = turn(torch.eye(dim)[feature], 1).tolist()
    turned[feature] = 0.0
    return turned.index(max(turned))


def partner_above_zero(turn, feature, dim):
    turned = turn(torch.eye(dim)[feature], 1)
    for i in range(dim):
        if i != feature and turned[i] > 0:
            return i


def partner_plain_to_see(turn, feature, dim):
    turned = turn(torch.eye(dim)[feature], 1)
    for i in range(dim):
        if i != feature and abs(turned[i]) > 0.005:
            return i


def partner_by_the_first_feature(turn, feature, dim):
    if turn(torch.eye(dim)[0], 1)[1] != 0:
        return feature + 1 if feature % 2 == 0 else feature - 1
    return (feature + dim // 2) % dim


def partner_of_the_first(turn, feature, dim):
    turned = turn(torch.eye(dim)[0], 1)
    return turned[1:].abs().argmax() + 1


def partner_at_position_zero(turn, feature, dim):
    turned = turn(torch.eye(dim)[feature], 0)
    turned[feature] = 0
    return turned.abs().argmax()


RIGHT = [
    partner_two_numbers,
    partner_loop,
    partner_numpy,
    partner_all_at_once,
    partner_by_difference,
]
WRONG = [
    (partner_half_away, "half split taken for granted"),
    (partner_neighbour, "neighbours taken for granted"),
    (partner_largest, "the largest number"),
    (partner_first_found, "the first that is not zero"),
    (partner_last_found, "the last that is not zero"),
    (partner_second_largest, "the second largest number"),
    (partner_without_sign, "sign forgotten"),
    (partner_above_zero, "only positive numbers"),
    (partner_plain_to_see, "slow pairs missed"),
    (partner_by_the_first_feature, "one of two layouts"),
    (partner_of_the_first, "always the first feature probed"),
    (partner_at_position_zero, "always the first feature"),
]
