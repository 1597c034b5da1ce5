"""Qwen2-VL's rotation by time, height and width."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from pe_lib import (
    apply_rotary,
    available_devices,
    inverse_frequencies,
    mrope_cos_sin,
    rotary_cos_sin,
)
from tests.helpers import FLOATS, randn

SHIFTS = st.tuples(*[st.integers(-1000, 1000)] * 3)


def ids(*shape, high=500, seed=0):
    return torch.randint(high, (3, *shape), generator=torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("sections", [(16, 24, 24), (8, 12, 12), (1, 1, 2), (0, 3, 1), [4, 0, 0]])
def test_as_qwen2_vl(sections):
    """Their tables are doubled and in float32; fed with frequencies of float64 they agree."""
    from transformers.models.qwen2_vl import modeling_qwen2_vl as qwen
    from transformers.models.qwen2_vl.configuration_qwen2_vl import Qwen2VLTextConfig

    dim, theta = 2 * sum(sections), 1_000_000.0
    rope = {"rope_type": "default", "rope_theta": theta, "mrope_section": list(sections)}
    config = Qwen2VLTextConfig(
        hidden_size=4 * dim, num_attention_heads=4, num_key_value_heads=4, rope_parameters=rope
    )
    peer = qwen.Qwen2VLRotaryEmbedding(config)
    peer.inv_freq = inverse_frequencies(dim, theta).float()
    positions = ids(2, 9)
    q, k = randn(2, 2, 4, 9, dim, dtype=torch.float32)
    their_cos, their_sin = peer(q, positions)
    cos, sin = mrope_cos_sin(positions, dim, sections, theta)
    assert cos.shape == sin.shape == (2, 9, dim // 2)
    torch.testing.assert_close(torch.cat((cos, cos), -1), their_cos, rtol=0, atol=5e-5)
    torch.testing.assert_close(torch.cat((sin, sin), -1), their_sin, rtol=0, atol=5e-5)
    theirs = qwen.apply_rotary_pos_emb(q, k, their_cos, their_sin)
    for x, rotated in zip((q, k), theirs, strict=True):
        torch.testing.assert_close(apply_rotary(x, cos, sin), rotated, rtol=0, atol=3e-4)


def test_sections_written_out():
    """Pairs 0, 1 turn with the time, 2 with the height, 3 with the width."""
    positions = torch.tensor([5, 7, 11])[:, None, None]
    cos, sin = mrope_cos_sin(positions, 8, (2, 1, 1), dtype=torch.float64)
    angles = torch.tensor([5, 0.5, 0.07, 0.011], dtype=torch.float64)
    torch.testing.assert_close(cos[0, 0], angles.cos(), rtol=0, atol=1e-14)
    torch.testing.assert_close(sin[0, 0], angles.sin(), rtol=0, atol=1e-14)


def test_text_is_turned_as_by_ordinary_rope():
    positions = ids(2, 6)[0]
    text = mrope_cos_sin(positions.expand(3, -1, -1), 16, (2, 3, 3), 500)
    ordinary = rotary_cos_sin(positions, 16, 500)
    for a, b in zip(text, ordinary, strict=True):
        assert torch.equal(a, b)


@given(SHIFTS, SHIFTS, SHIFTS)
def test_the_score_sees_only_the_differences(first, way, elsewhere):
    q, k = randn(2, 1, 1, 16)

    def at(x, place):
        tables = mrope_cos_sin(place[:, None, None], 16, (2, 3, 3), dtype=torch.float64)
        return apply_rotary(x, *tables)

    first, way, elsewhere = (torch.tensor(place) for place in (first, way, elsewhere))
    scores = [(at(q, start) * at(k, start + way)).sum() for start in (first, elsewhere)]
    torch.testing.assert_close(*scores, rtol=0, atol=1e-10)


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_rounded_once_at_the_end(dtype):
    positions = ids(2, 5, high=1_000_000)
    exact = mrope_cos_sin(positions, 16, (2, 3, 3), dtype=torch.float64)
    for low, high in zip(mrope_cos_sin(positions, 16, (2, 3, 3), dtype=dtype), exact, strict=True):
        assert low.dtype == dtype
        assert torch.equal(low, high.to(dtype))


@pytest.mark.parametrize("dtype", [torch.int32, torch.float32, torch.float64], ids=str)
def test_positions_of_any_real_dtype(dtype):
    positions = ids(2, 5)
    for a, b in zip(
        mrope_cos_sin(positions.to(dtype), 16, (2, 3, 3)),
        mrope_cos_sin(positions, 16, (2, 3, 3)),
        strict=True,
    ):
        assert a.dtype == torch.float32
        assert torch.equal(a, b)


@pytest.mark.parametrize("device", [*available_devices(), "meta"])
def test_the_result_is_where_the_positions_are(device):
    for table in mrope_cos_sin(ids(2, 5).to(device), 16, (2, 3, 3)):
        assert table.device.type == device
        assert table.shape == (2, 5, 8)
