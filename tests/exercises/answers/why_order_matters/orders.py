"""orders (chapter 01): answers in many styles."""

import math
from collections import Counter

import numpy as np
import torch


def orders_by_factorials(words):
    total = math.factorial(len(words))
    for word in set(words):
        total //= math.factorial(words.count(word))
    return total


def orders_by_choosing_places(words):
    """The places of each word, among those that are left."""
    left, total = len(words), 1
    for count in Counter(words).values():
        total *= math.comb(left, count)
        left -= count
    return total


def orders_word_by_word(words):
    seen, total = Counter(), 1
    for place, word in enumerate(words, start=1):
        seen[word] += 1
        total = total * place // seen[word]
    return total


def orders_by_logarithms(words):
    counts = torch.tensor(list(Counter(words).values()), dtype=torch.float64)
    log = torch.lgamma(torch.tensor(len(words) + 1.0).double()) - torch.lgamma(counts + 1).sum()
    return round(log.exp().item())


def orders_in_numpy(words):
    _, counts = np.unique(words, return_counts=True)
    return math.factorial(len(words)) / np.prod([float(math.factorial(n)) for n in counts])


RIGHT = [
    orders_by_factorials,
    orders_by_choosing_places,
    orders_word_by_word,
    orders_by_logarithms,
    orders_in_numpy,
]
