"""orders (chapter 01): answers in many styles, right and wrong ones."""

import math
from collections import Counter
from functools import reduce

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


def orders_by_set_of_words(words):
    return math.prod(range(1, len(set(words)) + 1))


def orders_without_repeats(words):
    return reduce(lambda total, n: total * n, range(1, len(words) + 1))


def orders_over_counts(words):
    total = math.factorial(len(words))
    for word in set(words):
        total /= words.count(word)
    return total


RIGHT = [
    orders_by_factorials,
    orders_by_choosing_places,
    orders_word_by_word,
    orders_by_logarithms,
    orders_in_numpy,
]
WRONG = [
    (orders_by_set_of_words, "different words only"),
    (orders_without_repeats, "equal words counted as different"),
    (orders_over_counts, "divided by the count"),
    (lambda words: len(words) ** len(words), "every word in every place"),
    (lambda words: orders_by_choosing_places(words) - 1, "sentence itself not counted"),
]
