"""Slow pairs slowed and fast ones kept, against the formula at 40 digits."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf

from pe_lib import Llama3Scaling, inverse_frequencies
from tests.helpers import exact_frequencies
from tests.library.rotary.scaling.formulas import DIMS, FACTORS, LENGTHS, THETAS

mp.dps = 40


@given(DIMS, THETAS, FACTORS, st.floats(0.5, 4), st.floats(0.1, 30), LENGTHS)
def test_llama3_goes_by_the_number_of_turns(dim, theta, factor, low, step, original):
    high = low + step
    expected = []
    for w in exact_frequencies(dim, theta):
        turns = original * w / (2 * mp.pi)
        kept = min(max((turns - mpf(low)) / (mpf(high) - mpf(low)), 0), 1)
        expected.append((1 - kept) * w / mpf(factor) + kept * w)
    scaling = Llama3Scaling(factor, low, high, original)
    result = scaling.inverse_frequencies(dim, theta)
    expected = torch.tensor([float(w) for w in expected], dtype=torch.float64)
    # The difference turns - low loses digits: as many as turns / step and the factor have.
    torch.testing.assert_close(result, expected, rtol=1e-9, atol=0)


def test_equal_factors_are_a_step():
    """Llama 4 Scout: from one turn within the trained length on a pair is left alone."""
    scaling = Llama3Scaling(16.0, 1.0, 1.0, 8192)
    frequencies = inverse_frequencies(128, 500_000.0)
    turns = 8192 * frequencies / (2 * math.pi)
    expected = torch.where(turns >= 1, frequencies, frequencies / 16)
    assert torch.equal(scaling.inverse_frequencies(128, 500_000.0), expected)
    assert 0 < (turns >= 1).sum() < 64
    # The border itself belongs to the kept ones, as above it does in the blend's limit.
    border = torch.tensor([2 * math.pi], dtype=torch.float64)
    at_border = Llama3Scaling(16.0, 1.0, 1.0, 1)
    assert torch.equal(at_border.inverse_frequencies(2, frequencies=border), border)
    below = border * (1 - 1e-15)
    assert torch.equal(at_border.inverse_frequencies(2, frequencies=below), below / 16)


@given(DIMS, THETAS, FACTORS, st.floats(0.5, 4), LENGTHS)
def test_the_step_is_the_limit_of_the_blend(dim, theta, factor, turns, original):
    step = Llama3Scaling(factor, turns, turns, original).inverse_frequencies(dim, theta)
    blend = Llama3Scaling(factor, turns, turns * (1 + 1e-13), original)
    torch.testing.assert_close(step, blend.inverse_frequencies(dim, theta), rtol=1e-9, atol=0)


@pytest.mark.parametrize("theta", [500_000.0, 10_000.0])
@pytest.mark.parametrize("factors", [1.0, 4.0])
def test_the_step_as_in_transformers(theta, factors):
    """Their blend divides 0 by 0 only for a pair exactly on the border: here is none."""
    from transformers import LlamaConfig
    from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

    rope = {
        "rope_type": "llama3",
        "rope_theta": theta,
        "factor": 16.0,
        "low_freq_factor": factors,
        "high_freq_factor": factors,
        "original_max_position_embeddings": 8192,
    }
    config = LlamaConfig(head_dim=128, max_position_embeddings=131072, rope_parameters=rope)
    theirs, attention = ROPE_INIT_FUNCTIONS["llama3"](config, "cpu")
    scaling = Llama3Scaling(16.0, factors, factors, 8192)
    ours = scaling.inverse_frequencies(128, theta)
    assert torch.isfinite(theirs).all()
    torch.testing.assert_close(ours.float(), theirs, rtol=1e-6, atol=0)
    assert scaling.attention_scaling == attention == 1
