"""The queries' temperature: exact values, the steps, and the models that have it."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf

from pe_lib import query_temperature
from tests.helpers import F64, FLOATS, compiled, randn

STEPS = [
    0,
    1,
    8191,
    8192,
    8193,
    16_383,
    16_384,
    16_385,
    32_767,
    32_768,
    131_071,
    131_072,
    1_000_003,
]


def exact(position, length, beta):
    """The formula with 40 digits, in integers before the logarithm."""
    with mp.workdps(40):
        return 1 + mpf(beta) * mp.log(1 + position // length)


@pytest.mark.parametrize("length", [1, 3, 8192, 16_384])
@pytest.mark.parametrize("beta", [0.1, 0, 1, 2.5])
@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_right_to_rounding(length, beta, dtype):
    result = query_temperature(torch.tensor(STEPS), length, beta, dtype=dtype)
    assert result.dtype == dtype
    for value, position in zip(result.tolist(), STEPS, strict=True):
        right = exact(position, length, beta)
        assert abs(mpf(value) - right) <= (torch.finfo(dtype).eps / 2 + 2.0**-51) * right


def test_short_texts_do_not_change():
    result = query_temperature(16_385, 16_384, dtype=F64)
    assert result.shape == (16_385,)
    assert (result[:16_384] == 1).all()
    assert result[16_384].item() == pytest.approx(1.0693147180559945, rel=1e-15)


def test_a_tenth_where_nothing_is_said():
    positions = torch.tensor([5, 50])
    assert torch.equal(query_temperature(positions, 4), query_temperature(positions, 4, 0.1))
    assert query_temperature(positions, 4).dtype == torch.float32


@given(st.integers(1, 2**20), st.integers(1, 2**30))
def test_the_step_is_at_the_multiple_itself(length, times):
    """One position earlier it has not come yet, however far away it is."""
    border = length * times
    before, at, last = query_temperature(
        torch.tensor([border - 1, border, border + length - 1]), length, 1e6, dtype=F64
    ).tolist()
    assert before < at == last


def test_positions_of_any_shape_and_kind():
    whole = torch.tensor([[0, 7, 8], [9, 16, 24]])
    result = query_temperature(whole, 8)
    assert result.shape == (2, 3)
    assert torch.equal(query_temperature(whole + 0.75, 8), result)
    assert torch.equal(query_temperature(whole.to(torch.uint8), 8), result)
    assert torch.equal(query_temperature(25, 8)[whole], result)
    assert query_temperature(0, 8).shape == (0,)


@pytest.mark.usefixtures("without_shape_checks")
def test_numbers_from_numpy():
    result = query_temperature(torch.tensor(9), np.int64(8), np.float32(0.5))
    assert result.item() == pytest.approx(1.3465735903, rel=1e-7)


def test_positions_of_pads_count_as_zero():
    assert query_temperature(torch.tensor([-1, -8, -9, -(10**9)]), 8).tolist() == [1, 1, 1, 1]
    assert query_temperature(torch.tensor([-0.5, float("-inf")]), 8).tolist() == [1, 1]


@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_the_result_is_where_the_positions_are(device):
    assert query_temperature(torch.arange(5, device=device), 8).device.type == device
    with torch.device(device):
        assert query_temperature(5, 8).device.type == device


@pytest.mark.usefixtures("without_shape_checks")
@pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")  # torch's own, in inductor
@pytest.mark.slow
def test_compiled():
    fast = compiled(lambda positions: query_temperature(positions, 8192), "inductor")
    for length in (5, 9, 20_000):
        positions = torch.arange(length)
        expected = query_temperature(positions, 8192)
        torch.testing.assert_close(fast(positions), expected, rtol=2e-7, atol=0)


# Other people's


def test_as_ministral_3_in_transformers():
    from transformers import Ministral3Config
    from transformers.models.ministral3.modeling_ministral3 import get_llama_4_attn_scale

    settings = Ministral3Config().rope_parameters
    length, beta = (
        settings["original_max_position_embeddings"],
        settings["llama_4_scaling_beta"],
    )
    assert (length, beta) == (16_384, 0.1)
    positions = torch.tensor([STEPS, STEPS[::-1]])
    theirs = get_llama_4_attn_scale(positions, beta, length)  # (batch, 1, seq, 1)
    ours = query_temperature(positions, length)
    torch.testing.assert_close(ours[:, None, :, None], theirs, rtol=1.2e-7, atol=0)
    assert torch.equal(ours == 1, theirs[:, 0, :, 0] == 1)  # up to 16,383, and no further


def test_as_llama_4_in_transformers():
    """The model's own attention, whose layers without rotation take a query's place from 1 on."""
    from transformers import Llama4TextConfig
    from transformers.models.llama4.modeling_llama4 import Llama4TextAttention

    config = Llama4TextConfig(
        hidden_size=8,
        num_attention_heads=2,
        num_key_value_heads=2,
        head_dim=4,
        num_hidden_layers=4,
        no_rope_layers=[1, 1, 1, 0],
        use_qk_norm=False,
        attn_implementation="eager",
    )
    assert (config.floor_scale, config.attn_scale) == (8192, 0.1)
    config.floor_scale = 3  # so that a short text has many steps
    torch.manual_seed(0)
    layer = Llama4TextAttention(config, layer_idx=3).double()
    x = randn(2, 10, 8)
    with torch.no_grad():
        _, theirs = layer(x, position_embeddings=None, attention_mask=None)
        q, k = (
            project(x).unflatten(-1, (2, 4)).transpose(1, 2)
            for project in (layer.q_proj, layer.k_proj)
        )
    q = q * query_temperature(torch.arange(10) + 1, 3, dtype=F64)[:, None]
    torch.testing.assert_close((q @ k.mT / 2).softmax(-1), theirs, rtol=0, atol=1e-7)
