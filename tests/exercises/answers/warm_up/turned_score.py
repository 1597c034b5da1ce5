"""turned_score (chapter 00): answers in many styles."""

import cmath
import math

from tests.exercises.answers.warm_up._common import rotate_complex, rotate_matrix


def score_two_turns(q, k, m, n, frequency):
    return (rotate_complex(q[None], m * frequency) @ rotate_complex(k[None], n * frequency).T)[0, 0]


def score_matrix(q, k, m, n, frequency):
    return float(q.numpy() @ rotate_matrix(k[None], (n - m) * frequency)[0])


def score_complex(q, k, m, n, frequency):
    q, k = complex(*q), complex(*k)
    return (q * k.conjugate() * cmath.exp(1j * frequency * (m - n))).real


def score_by_length(q, k, m, n, frequency):
    between = math.atan2(k[1], k[0]) - math.atan2(q[1], q[0])
    return q.norm() * k.norm() * math.cos(between + (n - m) * frequency)


RIGHT = [score_two_turns, score_matrix, score_complex, score_by_length]
