"""word_perplexity (chapter 09): answers in many styles."""

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
