"""apply_rope (chapter 05): answers in many styles, right and wrong ones."""

import math

import torch

import pe_lib
from tests.exercises.answers.rope_in_code._common import (
    half_by_chunk,
    rope_by_library,
    rope_hugging_face_style,
    rope_in_numpy,
)


def rope_by_complex(x, offset=0):
    half = x.shape[-1] // 2
    freqs = 10000 ** (-torch.arange(half) / half)
    cis = torch.polar(torch.ones(()), torch.outer(torch.arange(x.shape[2]) + offset, freqs))
    turned = torch.complex(x[..., :half], x[..., half:]) * cis
    return torch.cat([turned.real, turned.imag], dim=-1)


def rope_by_matrices(x, offset=0):
    seq, dim = x.shape[-2:]
    out = torch.zeros_like(x)
    for p in range(seq):
        turn = torch.eye(dim)
        for i in range(dim // 2):
            angle = (offset + p) * 10000 ** (-2 * i / dim)
            turn[i, i] = turn[i + dim // 2, i + dim // 2] = math.cos(angle)
            turn[i, i + dim // 2] = -math.sin(angle)
            turn[i + dim // 2, i] = math.sin(angle)
        out[:, :, p] = x[:, :, p] @ turn.T
    return out


def _tables(x, offset, repeat):
    freqs = 10000 ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1])
    angles = torch.outer(torch.arange(x.shape[-2]) + offset, freqs)
    angles = angles.repeat_interleave(2, -1) if repeat else torch.cat((angles, angles), -1)
    return angles.cos(), angles.sin()


def rope_with_tables_of_meta(x, offset=0):
    cos, sin = _tables(x, offset, repeat=True)
    return x * cos + half_by_chunk(x) * sin


def rope_of_meta(x, offset=0):
    cos, sin = pe_lib.rotary_cos_sin(torch.arange(x.shape[2]) + offset, x.shape[3])
    pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(pairs * torch.complex(cos, sin)).flatten(-2)


def rope_of_another_axis(x, offset=0):
    tables = pe_lib.rotary_cos_sin(torch.arange(x.shape[1]) + offset, x.shape[3])
    return pe_lib.apply_rotary(x, *tables, seq_dim=-3)


def rope_from_the_start_of_the_table(x, offset=0):
    cos, sin = pe_lib.rotary_cos_sin(offset + x.shape[2], x.shape[3])
    return pe_lib.apply_rotary(x, cos[: x.shape[2]], sin[: x.shape[2]])


def rope_written_back(x, offset=0):
    cos, sin = pe_lib.rotary_cos_sin(torch.arange(x.shape[2]) + offset, x.shape[3])
    x = x.clone()
    a, b = x.chunk(2, dim=-1)
    a[:] = a * cos - b * sin
    b[:] = b * cos + a * sin
    return x


def rope_mirrored(x, offset=0):
    cos, sin = _tables(x, offset, repeat=False)
    return x * cos - half_by_chunk(x) * sin


def rope_with_half_of_the_width(x, offset=0):
    half = x.shape[-1] // 2
    angles = torch.outer(
        torch.arange(offset, offset + x.shape[2]).float(),
        torch.exp(-math.log(10000) * torch.arange(half) / x.shape[-1]),
    )
    a, b = x.chunk(2, dim=-1)
    turned = torch.complex(a, b) * torch.exp(1j * angles)
    return torch.cat((turned.real, turned.imag), -1)


def rope_before_the_split(x, offset=0):
    batch, heads, seq, head_dim = x.shape
    x = x.transpose(1, 2).reshape(batch, 1, seq, heads * head_dim)
    x = rope_hugging_face_style(x, offset)
    return x.reshape(batch, seq, heads, head_dim).transpose(1, 2)


RIGHT = [
    rope_hugging_face_style,
    rope_by_complex,
    rope_by_library,
    rope_in_numpy,
    rope_by_matrices,
]
WRONG = [
    (rope_with_tables_of_meta, "tables of the other layout"),
    (rope_of_meta, "interleaved pairs"),
    (rope_of_another_axis, "heads counted"),
    (rope_from_the_start_of_the_table, "offset ignored"),
    (rope_written_back, "new half used too early"),
    (rope_mirrored, "turned backwards"),
    (rope_with_half_of_the_width, "exponent without its 2"),
    (rope_before_the_split, "heads put together"),
]
