"""The frequencies of ``RotaryEmbedding`` while FSDP casts everything around them to bfloat16."""

import pytest
import torch
from torch import Tensor
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import (
    MixedPrecision,
    MixedPrecisionPolicy,
    fully_shard,
    register_fsdp_forward_method,
)

from tests.library.distributed.checks import check
from tests.library.distributed.models import FAR, Rotated, batch, made
from tests.library.distributed.training import HALF, MIXED, fsdp1, loss_of


def turned_far_out(q: Tensor, first: int) -> Tensor:
    """Queries (..., seq, dim) turned in float64, as complex numbers; ``first`` is the position."""
    dim = q.shape[-1]
    frequencies = 10_000.0 ** (-torch.arange(0, dim, 2, dtype=torch.float64) / dim)
    positions = torch.arange(first, first + q.shape[-2], dtype=torch.float64)
    angles = positions[:, None] * frequencies
    pairs = torch.view_as_complex(q.double().unflatten(-1, (-1, 2)))
    return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(-2)


@check(*((way,) for way in MIXED))
def fixed_frequencies_stay_exact(way: str) -> None:
    model = made("fixed_freqs")
    assert isinstance(model, Rotated)
    loss_of(MIXED[way](model), *batch("fixed_freqs")).backward()
    dtype, q, turned = model.seen
    assert (dtype, q.dtype, turned.dtype) == (torch.float64, torch.bfloat16, torch.bfloat16)
    # Rounded once: by half a unit in the last of bfloat16's 8 digits at most; float32 adds to that
    # what both terms of a + b lose, however small the sum is.
    exact = turned_far_out(q, FAR)
    allowed = exact.abs() * 2**-8 + q.double().abs().max() * 2**-22
    assert ((turned.double() - exact).abs() <= allowed).all()


@check()
def buffers_that_fsdp1_casts_are_refused() -> None:
    mixed = MixedPrecision(**HALF, buffer_dtype=torch.bfloat16)
    model = fsdp1(made("fixed_freqs"), mixed_precision=mixed)
    with pytest.raises(ValueError, match=r"freqs: expected float64, .*got torch\.bfloat16"):
        model(batch("fixed_freqs")[0])


@check()
def learned_frequencies_can_be_left_in_float32() -> None:
    """As a unit of its own without mixed precision, whose method FSDP2 is told of."""
    model = made("learned_freqs")
    assert isinstance(model, Rotated)
    model.offset, mesh = FAR, init_device_mesh("cpu", (2,))
    fully_shard(model.rotary, mesh=mesh)
    register_fsdp_forward_method(model.rotary, "rotate_queries_or_keys")
    fully_shard(model, mesh=mesh, mp_policy=MixedPrecisionPolicy(**HALF))
    loss_of(model, *batch("learned_freqs")).backward()
    _, q, turned = model.seen
    assert q.dtype == turned.dtype == torch.bfloat16
    # A frequency rounded to float32 is wrong by 2^-25 of itself at most, and bfloat16's rounding
    # comes on top: two digits after all at this position.
    assert (turned.double() - turned_far_out(q, FAR)).abs().max() < 0.02 * q.double().abs().max()
    assert model.rotary.freqs.grad is not None
