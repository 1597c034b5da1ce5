"""Chapter 02: right answers in many styles, and wrong ones as learners write them."""

import math

import numpy as np
import torch

# --- right: the paper's words, PyTorch idioms, plain NumPy, plain Python --------------------------


def table_torch(length, dim):
    position = torch.arange(length).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, dim, 2) * (-math.log(10000.0) / dim))
    pe = torch.zeros(length, dim)
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)
    return pe


def table_numpy(length, dim):
    column = np.arange(dim)
    angle = np.arange(length)[:, None] / np.power(10000, 2 * (column // 2) / dim)
    return np.where(column % 2 == 0, np.sin(angle), np.cos(angle))


def table_complex(length, dim):
    turns = torch.polar(
        torch.ones(length, dim // 2, dtype=torch.float64),
        torch.outer(torch.arange(length), 10000 ** -(torch.arange(0, dim, 2) / dim)).double(),
    )
    return torch.view_as_real(turns).flip(-1).flatten(1)


def table_loops(length, dim):
    pe = torch.empty(length, dim, dtype=torch.float64)
    for p in range(length):
        for c in range(dim):
            angle = p / 10000 ** ((c - c % 2) / dim)
            pe[p, c] = math.cos(angle) if c % 2 else math.sin(angle)
    return pe


def wavelength_python(column, dim):
    return 2 * math.pi * 10000 ** (2 * (column // 2) / dim)


def wavelength_numpy32(column, dim):
    return np.float32(2 * np.pi) / np.float32(10000) ** np.float32(-(column - column % 2) / dim)


def wavelength_torch(column, dim):
    frequencies = torch.exp(torch.arange(0, dim, 2) * (-math.log(10000) / dim))
    return 2 * torch.pi / frequencies.repeat_interleave(2)[column]


def shift_loops(k, dim):
    result = np.zeros((dim, dim))
    for i in range(dim // 2):
        a = k / 10000 ** (2 * i / dim)
        result[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [
            [np.cos(a), np.sin(a)],
            [-np.sin(a), np.cos(a)],
        ]
    return result


def shift_exponential(k, dim):
    generator = torch.zeros(dim, dim)
    for i in range(0, dim, 2):
        generator[i, i + 1] = 10000 ** (-i / dim)
        generator[i + 1, i] = -(10000 ** (-i / dim))
    return torch.linalg.matrix_exp(k * generator)


def shift_power(k, dim):
    return np.linalg.matrix_power(shift_loops(1, dim), k)


def shift_least_squares(k, dim):
    here = table_numpy(400, dim)
    there = np.array([table_numpy(500, dim)[p + k] for p in range(50, 400)])
    return np.linalg.lstsq(here[50:], there, rcond=1e-12)[0].T


def add_torch(embeddings, offset=0):
    _, seq, dim = embeddings.shape
    return math.sqrt(dim) * embeddings + table_torch(offset + seq, dim)[offset:]


def add_numpy(embeddings, offset=0):
    x = embeddings.numpy()
    pe = table_numpy(1000, x.shape[-1])[offset : offset + x.shape[1]]
    return x * x.shape[-1] ** 0.5 + pe[np.newaxis]


def add_by_clone(embeddings, offset=0):
    out = embeddings.clone().mul_(embeddings.size(-1) ** 0.5)
    for b in range(out.size(0)):
        for p in range(out.size(1)):
            out[b, p] += table_torch(offset + p + 1, out.size(2))[-1]
    return out


def score_python(k, dim):
    return sum(math.cos(k / 10000 ** (2 * i / dim)) for i in range(dim // 2))


def score_torch(k, dim):
    return torch.cos(k * torch.exp(torch.arange(0, dim, 2) * (-math.log(10000.0) / dim))).sum()


def score_numpy32(k, dim):
    return np.cos(k * 10000 ** -(np.arange(0, dim, 2, dtype=np.float32) / dim)).sum()


RIGHT = {
    "sinusoidal_table": [table_torch, table_numpy, table_complex, table_loops],
    "wavelength": [wavelength_python, wavelength_numpy32, wavelength_torch],
    "shift_matrix": [shift_loops, shift_exponential, shift_power, shift_least_squares],
    "add_positions": [add_torch, add_numpy, add_by_clone],
    "score_by_offset": [score_python, score_torch, score_numpy32],
}


# --- wrong ----------------------------------------------------------------------------------------


def columns_all_alike(length, dim):
    pe = np.zeros((length, dim))
    for p in range(length):
        for i in range(0, dim, 2):
            pe[p, i] = np.sin(p / 10000 ** (2 * i / dim))
            pe[p, i + 1] = np.cos(p / 10000 ** (2 * (i + 1) / dim))
    return pe


def from_one(length, dim):
    return table_numpy(length + 1, dim)[1:].astype(np.float32)


def wrong_sign(length, dim):
    position = torch.arange(length)[:, None]
    div_term = torch.exp(torch.arange(0, dim, 2) * (math.log(10000.0) / dim))
    return torch.stack([torch.sin(position * div_term), torch.cos(position * div_term)], 2).flatten(
        1
    )


def one_block_too_many(k, dim):
    result = np.zeros((dim + 2, dim + 2))
    for i in range(dim // 2 + 1):
        a = k / 10000 ** (2 * i / dim)
        result[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [
            [np.cos(a), np.sin(a)],
            [-np.sin(a), np.cos(a)],
        ]
    return result


def counter_clockwise(k, dim):
    angles = k * 10000 ** (-torch.arange(0, dim, 2) / dim)
    cos, sin = torch.cos(angles), torch.sin(angles)
    return torch.block_diag(
        *(torch.tensor([[c, -s], [s, c]]) for c, s in zip(cos, sin, strict=True))
    )


def rows_of_the_batch(embeddings, offset=0):
    n, _, dim = embeddings.shape
    return embeddings * dim**0.5 + torch.from_numpy(table_numpy(n + offset, dim)[offset:]).float()


def mean_of_cosines(k, dim):
    return np.mean([math.cos(k / 10000 ** (2 * i / dim)) for i in range(dim // 2)])


def added_in_place(embeddings, offset=0):
    embeddings *= embeddings.shape[-1] ** 0.5
    embeddings += table_torch(offset + embeddings.shape[1], embeddings.shape[2])[offset:]
    return embeddings


WRONG = [
    ("sinusoidal_table", columns_all_alike, "column as pair index"),
    ("sinusoidal_table", from_one, "positions from 1"),
    ("sinusoidal_table", wrong_sign, "sign of the exponent"),
    ("wavelength", lambda c, d: np.pi * 2 * 10000 ** (2 * c / d), "column as pair index"),
    ("wavelength", lambda c, d: 10000 ** (2 * (c // 2) / d), "radians instead of turns"),
    ("shift_matrix", one_block_too_many, "one block too many"),
    ("shift_matrix", counter_clockwise, "turned backwards"),
    ("add_positions", rows_of_the_batch, "as many rows as sequences"),
    ("score_by_offset", mean_of_cosines, "mean instead of sum"),
    ("add_positions", added_in_place, "changed in place"),
]
