"""Chapter 00: right answers in many styles, and wrong ones as learners write them."""

import cmath
import math

import numpy as np
import torch
from torch.nn import functional as F

import pe_lib

# --- right: PyTorch idioms, plain NumPy, plain Python, the library --------------------------------


def weights_torch(scores):
    q_len, k_len = scores.shape
    later = torch.triu(torch.ones(q_len, k_len, dtype=torch.bool), diagonal=k_len - q_len + 1)
    return F.softmax(scores.masked_fill(later, float("-inf")), dim=-1)


def weights_by_large_number(scores):
    place = torch.arange(scores.shape[1])
    queries = place[-scores.shape[0] :]
    return torch.softmax(scores.float() - 1e9 * (place > queries[:, None]), dim=1)


def weights_numpy(scores):
    powers = np.exp(scores.numpy())
    powers = np.tril(powers, k=powers.shape[1] - powers.shape[0])
    return powers / powers.sum(axis=1, keepdims=True)


def weights_loops(scores):
    out = torch.zeros_like(scores)
    past = scores.shape[1] - scores.shape[0]
    for i, row in enumerate(scores):
        out[i, : past + i + 1] = row[: past + i + 1].softmax(0)
    return out


def heads_view(x, num_heads):
    return x.view(x.size(0), num_heads, x.size(1) // num_heads).transpose(0, 1)


def heads_chunks(x, num_heads):
    return torch.stack(x.chunk(num_heads, dim=-1))


def heads_numpy(x, num_heads):
    return np.stack(np.split(x.numpy(), num_heads, axis=1))


def heads_loops(x, num_heads):
    size = x.shape[1] // num_heads
    return torch.stack([x[:, h * size : (h + 1) * size].clone() for h in range(num_heads)])


def step_torch(q, k, v, past_k, past_v):
    keys, values = torch.vstack([past_k, k]), torch.vstack([past_v, v])
    return F.scaled_dot_product_attention(q[None], keys, values)[0]


def step_library(q, k, v, past_k, past_v):
    keys, values = (torch.cat([a, b.unsqueeze(0)]) for a, b in ((past_k, k), (past_v, v)))
    return pe_lib.attention(q.unsqueeze(0), keys, values, causal=True).squeeze(0)


def step_new_word_first(q, k, v, past_k, past_v):
    scores = torch.cat([k[None], past_k]) @ q * len(q) ** -0.5
    return torch.einsum("k,kd->d", scores.softmax(0), torch.cat([v[None], past_v]))


def step_numpy(q, k, v, past_k, past_v):
    keys = np.concatenate([past_k.numpy(), k.numpy()[None]])
    values = np.concatenate([past_v.numpy(), v.numpy()[None]])
    powers = np.exp(keys @ q.numpy() / np.sqrt(keys.shape[1]))
    return powers @ values / powers.sum()


def rotate_stack(x, angle):
    angle = torch.tensor(angle)
    across, up = x.unbind(-1)
    return torch.stack(
        (across * angle.cos() - up * angle.sin(), across * angle.sin() + up * angle.cos()), -1
    )


def rotate_matrix(x, angle):
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return (turn @ x.numpy().T).T.astype(np.float32)


def rotate_complex(x, angle):
    turned = torch.view_as_complex(x) * cmath.exp(1j * angle)
    return torch.view_as_real(turned)


def rotate_library(x, angle):
    positions = torch.full((len(x),), angle)
    return pe_lib.apply_rotary(x, *pe_lib.rotary_cos_sin(positions, 2, dtype=x.dtype))


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


RIGHT = {
    "causal_weights": [weights_torch, weights_by_large_number, weights_numpy, weights_loops],
    "split_heads": [heads_view, heads_chunks, heads_numpy, heads_loops],
    "cached_step": [step_torch, step_library, step_new_word_first, step_numpy],
    "rotate": [rotate_stack, rotate_matrix, rotate_complex, rotate_library],
    "turned_score": [score_two_turns, score_matrix, score_complex, score_by_length],
}


# --- wrong ----------------------------------------------------------------------------------------


def causal_flag_of_torch(scores):
    mask = torch.full(scores.shape, -math.inf).triu(1)
    return (scores + mask).softmax(-1)


def mask_of_ones_and_zeros(scores):
    q_len, k_len = scores.shape
    return (scores * torch.ones(q_len, k_len).tril(k_len - q_len)).softmax(-1)


def own_word_hidden_too(scores):
    q_len, k_len = scores.shape
    later = torch.ones(q_len, k_len).triu(k_len - q_len).bool()
    return scores.masked_fill(later, -math.inf).softmax(-1)


def heads_by_view(x, num_heads):
    return x.view(num_heads, x.shape[0], x.shape[1] // num_heads)


def step_before_appending(q, k, v, past_k, past_v):
    return F.scaled_dot_product_attention(q[None], past_k, past_v)[0]


def rotate_in_place(x, angle):
    x = x.clone()
    x[:, 0] = x[:, 0] * math.cos(angle) - x[:, 1] * math.sin(angle)
    x[:, 1] = x[:, 0] * math.sin(angle) + x[:, 1] * math.cos(angle)
    return x


def rows_times_matrix(x, angle):
    c, s = math.cos(angle), math.sin(angle)
    return x @ torch.tensor([[c, -s], [s, c]], dtype=x.dtype)


def turned_as_on_paper(x, angle):
    c, s = math.cos(angle), math.sin(angle)
    return torch.stack([x[:, 0] * c - x[:, 1] * s, x[:, 0] * s], dim=-1)


def cosine_of_the_difference(q, k, m, n, frequency):
    return q @ k * math.cos((m - n) * frequency)


def complex_without_bar(q, k, m, n, frequency):
    return (complex(*q) * complex(*k) * cmath.exp(1j * (n - m) * frequency)).real


def turned_in_place(x, angle):
    x[:] = rotate_stack(x, angle)
    return x


WRONG = [
    ("causal_weights", causal_flag_of_torch, "mask aligned at the start"),
    ("causal_weights", mask_of_ones_and_zeros, "zero instead of minus infinity"),
    ("causal_weights", own_word_hidden_too, "own word hidden"),
    ("split_heads", heads_by_view, "reshaped at once"),
    ("cached_step", step_before_appending, "new word left out"),
    ("rotate", rotate_in_place, "new number used too early"),
    ("rotate", rows_times_matrix, "turned backwards"),
    ("rotate", turned_as_on_paper, "one cosine forgotten"),
    ("turned_score", complex_without_bar, "conjugate forgotten"),
    ("turned_score", cosine_of_the_difference, "dot product times a cosine"),
    ("rotate", turned_in_place, "changed in place"),
]
