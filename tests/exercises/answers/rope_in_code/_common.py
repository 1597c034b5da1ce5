"""Chapter 05: what answers to several exercises share."""

import numpy as np
import torch

import pe_lib


def half_by_chunk(x):
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat((-x2, x1), dim=-1)


def rope_hugging_face_style(x, offset=0):
    inv_freq = 1.0 / (10000 ** (torch.arange(0, x.shape[-1], 2).float() / x.shape[-1]))
    t = torch.arange(offset, offset + x.shape[2]).float()
    freqs = torch.einsum("i,j->ij", t, inv_freq)
    emb = torch.cat((freqs, freqs), dim=-1)[None, None]
    return (x * emb.cos() + half_by_chunk(x) * emb.sin()).to(x.dtype)


def rope_by_library(x, offset=0):
    positions = torch.arange(x.shape[-2]) + offset
    return pe_lib.apply_rotary(x, *pe_lib.rotary_cos_sin(positions, x.shape[-1]))


def rope_by_type_as(x, offset=0):
    """Tables are rounded to the dtype of x, and all else happens in it."""
    positions = torch.arange(offset, offset + x.shape[2], device=x.device).double()
    two_i = torch.arange(0, x.shape[3], 2, device=x.device).double()
    angles = positions[:, None] * 10000 ** (-two_i / x.shape[3])
    cos, sin = angles.cos().type_as(x), angles.sin().type_as(x)
    a, b = x.chunk(2, dim=-1)
    return torch.cat((a * cos - b * sin, b * cos + a * sin), dim=-1)


def rope_in_numpy(x, offset=0):
    """In float64."""
    x = x.double().numpy()
    half = x.shape[-1] // 2
    angle = np.arange(offset, offset + x.shape[2])[:, None] * 10000.0 ** (-np.arange(half) / half)
    a, b = x[..., :half], x[..., half:]
    return np.concatenate(
        (a * np.cos(angle) - b * np.sin(angle), a * np.sin(angle) + b * np.cos(angle)), axis=-1
    )
