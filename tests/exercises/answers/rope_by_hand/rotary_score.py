"""Answers: the score of a turned query and a turned key, from the unturned ones."""

import math

import numpy as np
import torch

from tests.exercises.answers.rope_by_hand.rotary_angles import angles_numpy, angles_torch
from tests.exercises.answers.rope_by_hand.turn_half_split import (
    halves_numpy,
    halves_torch,
)


def score_law(q, k, m, n):
    (q_a, q_b), (k_a, k_b) = q.chunk(2), k.chunk(2)
    angle = angles_torch(m - n, len(q))
    same, crossed = q_a * k_a + q_b * k_b, q_a * k_b - q_b * k_a
    return torch.sum(same * torch.cos(angle) + crossed * torch.sin(angle))


def score_key_minus_query(q, k, m, n):
    total = 0
    half = len(q) // 2
    for i in range(half):
        delta = (n - m) * 10000 ** (-2 * i / len(q))
        A = q[i] * k[i] + q[i + half] * k[i + half]
        B = q[i] * k[i + half] - q[i + half] * k[i]
        total += A * math.cos(delta) - B * math.sin(delta)
    return total.item()


def score_by_turning(q, k, m, n):
    return halves_torch(q, m) @ halves_torch(k, n)


def score_positions_from_one(q, k, m, n):
    return float(halves_numpy(q, m + 1) @ halves_numpy(k, n + 1))


def score_complex(q, k, m, n):
    q, k = (x.numpy()[: len(x) // 2] + 1j * x.numpy()[len(x) // 2 :] for x in (q, k))
    return np.sum(q * k.conj() * np.exp(1j * angles_numpy(m - n, 2 * len(q)))).real


def score_by_lengths(q, k, m, n):
    (q_a, q_b), (k_a, k_b) = q.chunk(2), k.chunk(2)
    between = torch.atan2(k_b, k_a) - torch.atan2(q_b, q_a) + angles_torch(n - m, len(q))
    return (torch.hypot(q_a, q_b) * torch.hypot(k_a, k_b) * between.cos()).sum()


def score_plain_product_of_turned(q, k, m, n):
    q, k = (torch.complex(*x.chunk(2)) for x in (q, k))
    turned_q = q * torch.exp(1j * angles_torch(m, 2 * len(q)))
    return (turned_q * k * torch.exp(1j * angles_torch(n, 2 * len(k)))).real.sum()


RIGHT = [
    score_law,
    score_key_minus_query,
    score_by_turning,
    score_positions_from_one,
    score_complex,
    score_by_lengths,
]
WRONG = [
    (score_plain_product_of_turned, "no bar and positions added"),
]
