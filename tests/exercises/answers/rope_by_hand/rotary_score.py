"""Answers: the score of a turned query and a turned key, from the unturned ones."""

import math

import numpy as np
import torch
from torch.nn import functional as F

from tests.exercises.answers.rope_by_hand.rotary_angles import angles_numpy, angles_torch
from tests.exercises.answers.rope_by_hand.turn_half_split import (
    halves_numpy,
    halves_of_neighbours,
    halves_torch,
)

# --- right ----------------------------------------------------------------------------------------


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


# --- wrong ----------------------------------------------------------------------------------------


def score_false_law(q, k, m, n):
    return float(np.dot(q.numpy(), k.numpy()) * np.cos((m - n) * 1.0))


def score_false_law_for_each_pair(q, k, m, n):
    return sum((q @ k) * math.cos((m - n) * 10000 ** (-2 * i / len(q))) for i in range(len(q) // 2))


def score_false_law_as_a_vector(q, k, m, n):
    return (q @ k) * (angles_torch(m, len(q)) - angles_torch(n, len(q))).cos()


def score_cosines_only(q, k, m, n):
    cos = angles_torch(m - n, len(q)).cos().repeat(2)
    return (q * k * cos).sum()


def score_minus_sine(q, k, m, n):
    (q_a, q_b), (k_a, k_b) = q.chunk(2), k.chunk(2)
    angle = angles_torch(m - n, len(q))
    return ((q_a * k_a + q_b * k_b) * angle.cos() + (q_b * k_a - q_a * k_b) * angle.sin()).sum()


def score_query_turned_back(q, k, m, n):
    return halves_torch(q, n - m) @ k


def score_distance(q, k, m, n):
    return score_law(q, k, abs(n - m), 0)


def score_distance_turning_the_key(q, k, m, n):
    return q @ halves_torch(k, abs(n - m))


def score_sum_of_positions(q, k, m, n):
    return score_complex(q, k, m + n, 0)


def score_query_only(q, k, m, n):
    return halves_torch(q, m) @ k


def score_key_only(q, k, m, n):
    return np.inner(q.numpy(), halves_numpy(k, n))


def score_plain_product_of_turned(q, k, m, n):
    q, k = (torch.complex(*x.chunk(2)) for x in (q, k))
    turned_q = q * torch.exp(1j * angles_torch(m, 2 * len(q)))
    return (turned_q * k * torch.exp(1j * angles_torch(n, 2 * len(k)))).real.sum()


def score_signs_as_in_a_product(q, k, m, n):
    (q_a, q_b), (k_a, k_b) = q.chunk(2), k.chunk(2)
    angle = angles_torch(m - n, len(q))
    return ((q_a * k_a - q_b * k_b) * angle.cos() + (q_a * k_b + q_b * k_a) * angle.sin()).sum()


def score_plus_in_both(q, k, m, n):
    (q_a, q_b), (k_a, k_b) = q.chunk(2), k.chunk(2)
    angle = angles_torch(m - n, len(q))
    return ((q_a * k_a + q_b * k_b) * angle.cos() + (q_a * k_b + q_b * k_a) * angle.sin()).sum()


def score_imaginary(q, k, m, n):
    q, k = (torch.complex(*x.chunk(2)) for x in (q, k))
    return (q * k.conj() * torch.exp(1j * angles_torch(m - n, 2 * len(q)))).imag.sum()


def score_size(q, k, m, n):
    q, k = (torch.complex(*x.chunk(2)) for x in (q, k))
    return (q.conj() * k * torch.exp(1j * angles_torch(n - m, 2 * len(q)))).sum().abs()


def score_as_if_aligned(q, k, m, n):
    lengths = (q.view(2, -1).norm(dim=0) * k.view(2, -1).norm(dim=0)).numpy()
    return lengths @ np.cos(angles_numpy(m - n, len(q)))


def score_of_neighbours(q, k, m, n):
    return torch.dot(halves_of_neighbours(q, m), halves_of_neighbours(k, n))


def score_overwritten(q, k, m, n):
    half = len(q) // 2
    for i in range(half):
        angle = (m - n) * 10000 ** (-i / half)
        A = q[i] * k[i] + q[i + half] * k[i + half]
        B = q[i] * k[i + half] - q[i + half] * k[i]
        score = A * math.cos(angle) + B * math.sin(angle)
    return score


def score_returned_in_the_loop(q, k, m, n):
    half = len(q) // 2
    for i in range(half):
        angle = (m - n) * 10000 ** (-i / half)
        A = q[i] * k[i] + q[i + half] * k[i + half]
        B = q[i] * k[i + half] - q[i + half] * k[i]
        return A * math.cos(angle) + B * math.sin(angle)


def score_not_summed(q, k, m, n):
    return halves_torch(q, m) * halves_torch(k, n)


def score_scaled(q, k, m, n):
    return score_law(q, k, m, n) / math.sqrt(len(q))


def score_as_a_cosine(q, k, m, n):
    return F.cosine_similarity(halves_torch(q, m), halves_torch(k, n), dim=0)


RIGHT = [
    score_law,
    score_key_minus_query,
    score_by_turning,
    score_positions_from_one,
    score_complex,
    score_by_lengths,
]
WRONG = [
    (score_false_law, "dot product times one cosine"),
    (score_false_law_for_each_pair, "dot product times all cosines"),
    (score_false_law_as_a_vector, "dot product times each cosine"),
    (score_cosines_only, "sine term missing"),
    (score_minus_sine, "offset turned round"),
    (score_query_turned_back, "offset turned round"),
    (score_distance, "offset without its sign"),
    (score_distance_turning_the_key, "distance for offset"),
    (score_sum_of_positions, "positions added"),
    (score_query_only, "only the query turned"),
    (score_key_only, "only the key turned"),
    (score_plain_product_of_turned, "no bar and positions added"),
    (score_signs_as_in_a_product, "no bar and the query turned back"),
    (score_plus_in_both, "plus in the sines product"),
    (score_imaginary, "imaginary part with a bar on the key"),
    (score_size, "absolute value"),
    (score_as_if_aligned, "lengths times cosine"),
    (score_of_neighbours, "interleaved layout"),
    (score_overwritten, "last pair only"),
    (score_returned_in_the_loop, "first pair only"),
    (score_not_summed, "products not added"),
    (score_scaled, "divided by the root of dim"),
    (score_as_a_cosine, "divided by the lengths"),
]
