"""word_perplexity (chapter 09): answers in many styles, right and wrong ones."""

import math

import numpy as np
import torch


def perplexity_torch(nats_per_byte, bytes_per_word):
    return torch.tensor(nats_per_byte * bytes_per_word).exp()


def perplexity_numpy(nats_per_byte, bytes_per_word):
    return np.exp(nats_per_byte) ** bytes_per_word


def perplexity_plain(nats_per_byte, bytes_per_word):
    return math.e ** (nats_per_byte * bytes_per_word)


def perplexity_in_bits(nats_per_byte, bytes_per_word):
    bits = nats_per_byte / math.log(2)
    return 2 ** (bits * bytes_per_word)


RIGHT = [perplexity_torch, perplexity_numpy, perplexity_plain, perplexity_in_bits]
WRONG = [
    (lambda nats, size: np.exp(nats), "perplexity of a byte"),
    (lambda nats, size: size * math.exp(nats), "multiplied too late"),
    (lambda nats, size: 2 ** (nats * size), "power of 2"),
    (lambda nats, size: math.exp(math.log2(math.e) * nats * size), "bits in a power of e"),
    (lambda nats, size: math.exp(nats) ** (1 / size), "divided by the bytes"),
    (lambda nats, size: nats * size, "nats of a word"),
    (lambda nats, size: torch.tensor(size * nats) / np.log(2), "bits of a word"),
    (lambda nats, size: 1 / np.exp(nats * size), "probability of a word"),
    (lambda nats, size: np.log(size * nats), "logarithm for power"),
    (lambda nats, size: size**nats, "bytes to the power"),
]
