"""packed_weights (chapter 05): answers in many styles, right and wrong ones."""

import math

import numpy as np
import torch

import pe_lib
from tests.exercises.answers.rope_in_code._common import rope_hugging_face_style, rope_in_numpy


def packed_by_library(q, k, documents):
    positions = torch.arange(len(q))
    tables = pe_lib.rotary_cos_sin(positions, q.shape[1], dtype=torch.float64)
    foreign = documents.unsqueeze(1) != documents.unsqueeze(0)
    bias = torch.zeros(foreign.shape, dtype=q.dtype).masked_fill(foreign, -math.inf)
    q, k = (pe_lib.apply_rotary(each, *tables) for each in (q, k))
    return pe_lib.attention_weights(q, k, bias=bias, causal=True)


def packed_text_by_text(q, k, documents):
    weights = torch.zeros(len(q), len(q))
    for number in documents.unique():
        own = documents == number
        a, b = (rope_hugging_face_style(each[own][None, None].float())[0, 0] for each in (q, k))
        scores = a @ b.T / len(q[0]) ** 0.5
        scores = scores.masked_fill(torch.ones_like(scores).triu(1).bool(), float("-inf"))
        weights[own.nonzero(), own.nonzero().T] = scores.softmax(-1)
    return weights


def packed_in_numpy(q, k, documents):
    turned = [rope_in_numpy(each[None, None])[0, 0] for each in (q, k)]
    powers = np.exp(turned[0] @ turned[1].T / np.sqrt(q.shape[1]))
    powers = np.tril(powers) * (documents.numpy()[:, None] == documents.numpy()[None])
    return powers / powers.sum(1, keepdims=True)


def packed_anew(q, k, documents):
    counts = documents.unique_consecutive(return_counts=True)[1]
    positions = torch.cat([torch.arange(n) for n in counts])
    tables = pe_lib.rotary_cos_sin(positions, q.shape[-1])
    scores = pe_lib.apply_rotary(q, *tables) @ pe_lib.apply_rotary(k, *tables).T
    mask = torch.block_diag(*(torch.ones(n, n).tril() for n in counts))
    return (scores / q.shape[-1] ** 0.5 - 1e9 * (1 - mask)).softmax(dim=-1)


def _packed(q, k, seen, positions=None):
    positions = torch.arange(len(q)) if positions is None else positions
    tables = pe_lib.rotary_cos_sin(positions, q.shape[-1])
    scores = pe_lib.apply_rotary(q, *tables) @ pe_lib.apply_rotary(k, *tables).T
    return (scores / q.shape[-1] ** 0.5).masked_fill(~seen, -math.inf).softmax(-1)


def packed_in_bfloat16(q, k, documents):
    same = documents[:, None] == documents
    return _packed(q, k, same.tril(), torch.arange(len(q)).bfloat16().float())


RIGHT = [packed_by_library, packed_text_by_text, packed_in_numpy, packed_anew]
WRONG = [
    (packed_in_bfloat16, "positions in bfloat16"),
]
