"""apply_rope (chapter 05): answers in many styles, right and wrong ones."""

import math

import torch

import pe_lib
from tests.exercises.answers.rope_in_code._common import (
    half_by_chunk,
    rope_by_library,
    rope_by_type_as,
    rope_hugging_face_style,
    rope_in_numpy,
)


def rope_in_numpy_and_back(x, offset=0):
    return torch.from_numpy(rope_in_numpy(x, offset)).to(x.dtype)


def rope_by_complex(x, offset=0):
    half = x.shape[-1] // 2
    freqs = 10000 ** (-torch.arange(half) / half)
    cis = torch.polar(torch.ones(()), torch.outer(torch.arange(x.shape[2]) + offset, freqs))
    turned = torch.complex(x[..., :half].float(), x[..., half:].float()) * cis
    return torch.cat([turned.real, turned.imag], dim=-1).type_as(x)


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
        out[:, :, p] = x[:, :, p] @ turn.T.to(x.dtype)
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
    pairs = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(pairs * torch.complex(cos, sin)).flatten(-2).type_as(x)


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


def rope_with_a_long_table(x, offset=0):
    cos, sin = pe_lib.rotary_cos_sin(2**14, x.shape[-1])
    rows = slice(offset, offset + x.shape[-2])
    return pe_lib.apply_rotary(x, cos[rows], sin[rows])


def rope_with_a_short_table(x, offset=0):
    freqs = 10000 ** (-torch.arange(0, x.shape[-1], 2).float() / x.shape[-1])
    angles = torch.outer(torch.arange(4096).float(), freqs)[offset : offset + x.shape[2]]
    a, b = x.chunk(2, dim=-1)
    cos, sin = angles.cos(), angles.sin()
    return torch.cat((a * cos - b * sin, b * cos + a * sin), dim=-1)


def rope_of_the_last_rows(x, offset=0):
    cos, sin = pe_lib.rotary_cos_sin(2048, x.shape[-1])
    return pe_lib.apply_rotary(x, cos[-x.shape[2] :], sin[-x.shape[2] :])


def rope_in_the_dtype_of_x(x, offset=0):
    freqs = 10000 ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1])
    positions = torch.arange(offset, offset + x.shape[-2], dtype=x.dtype)
    angles = torch.outer(positions, freqs.type_as(x))
    angles = torch.cat((angles, angles), dim=-1)
    return x * angles.cos() + half_by_chunk(x) * angles.sin()


def in_the_dtype_of_x(frequencies):
    def rope(x, offset=0):
        positions = torch.arange(x.shape[-2], dtype=x.dtype) + offset
        numbers = torch.arange(0, x.shape[-1], 2, dtype=x.dtype)
        angles = torch.outer(positions, frequencies(numbers, x.shape[-1])).repeat(1, 2)
        return x * angles.cos() + half_by_chunk(x) * angles.sin()

    return rope


def rope_after_to_bfloat16(x, offset=0):
    """As in a module whose buffer went to bfloat16 with the model."""
    inv_freq = (1.0 / 10000 ** (torch.arange(0, x.shape[-1], 2) / x.shape[-1])).bfloat16()
    angles = torch.outer(torch.arange(offset, offset + x.shape[-2]).float(), inv_freq.float())
    angles = torch.cat((angles, angles), dim=-1)
    return (x * angles.cos() + half_by_chunk(x) * angles.sin()).type_as(x)


def rope_with_angles_of_x(x, offset=0):
    freqs = 10000 ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1])
    angles = torch.outer(torch.arange(offset, offset + x.shape[-2]), freqs).type_as(x).repeat(1, 2)
    return x * angles.cos() + half_by_chunk(x) * angles.sin()


def rope_with_positions_of_x(x, offset=0):
    positions = torch.arange(x.shape[-2]).type_as(x) + offset
    freqs = 10000 ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1])
    angles = (positions[:, None] * freqs).repeat(1, 2)
    return (x * angles.cos() + half_by_chunk(x) * angles.sin()).type_as(x)


def rope_of_another_base(x, offset=0):
    cos, sin = pe_lib.rotary_cos_sin(torch.arange(x.shape[2]) + offset, x.shape[3], 500000.0)
    return pe_lib.apply_rotary(x, cos, sin)


def rope_in_float(x, offset=0):
    return rope_by_library(x.float(), offset)


def rope_backwards(x, offset=0):
    return rope_by_library(x, -offset)


def rope_mirrored(x, offset=0):
    cos, sin = _tables(x, offset, repeat=False)
    return x * cos - half_by_chunk(x) * sin


def rope_with_half_of_the_width(x, offset=0):
    half = x.shape[-1] // 2
    angles = torch.outer(
        torch.arange(offset, offset + x.shape[2]).float(),
        torch.exp(-math.log(10000) * torch.arange(half) / x.shape[-1]),
    )
    a, b = x.float().chunk(2, dim=-1)
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
    rope_by_type_as,
    rope_in_numpy_and_back,
    rope_by_matrices,
    rope_with_a_long_table,
]
WRONG = [
    (rope_with_tables_of_meta, "tables of the other layout"),
    (rope_of_meta, "interleaved pairs"),
    (rope_of_another_axis, "heads counted"),
    (rope_from_the_start_of_the_table, "offset ignored"),
    (rope_written_back, "new half used too early"),
    (rope_mirrored, "turned clockwise"),
    (rope_with_half_of_the_width, "exponent without its 2"),
    (rope_before_the_split, "heads put together"),
    (rope_with_a_short_table, "table too short"),
    (rope_of_the_last_rows, "last rows of a table"),
    (rope_in_the_dtype_of_x, "all in the dtype of x"),
    (in_the_dtype_of_x(lambda n, dim: 10000 ** -(n / dim)), "powers in the dtype of x"),
    (
        in_the_dtype_of_x(lambda n, dim: 1.0 / 10000 ** (n / dim)),
        "inverse powers in the dtype of x",
    ),
    (
        in_the_dtype_of_x(lambda n, dim: torch.exp(n * (-math.log(10000) / dim))),
        "exponentials in the dtype of x",
    ),
    (rope_after_to_bfloat16, "frequencies in bfloat16"),
    (rope_with_angles_of_x, "angles in the dtype of x"),
    (rope_with_positions_of_x, "positions in the dtype of x"),
    (rope_of_another_base, "base of llama 3"),
    (rope_in_float, "dtype of x lost"),
    (rope_in_numpy, "dtype of x lost"),
    (rope_backwards, "offset subtracted"),
]
