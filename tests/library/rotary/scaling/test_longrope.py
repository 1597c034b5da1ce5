"""LongRoPE's two sets of factors, and its attention factor."""

import math

import pytest
import torch

from pe_lib import LongRopeScaling, inverse_frequencies, rotary_cos_sin, scaling_from_config

SHORT, LONG = (0.9, 1.0, 1.25, 1.5), (1, 2.5, 8.0, 16.0)


def test_longrope_changes_over_beyond_the_trained_length():
    scaling = LongRopeScaling(SHORT, LONG, 1024)
    for seq_len, factors in ((None, SHORT), (1, SHORT), (1024, SHORT), (1025, LONG), (9999, LONG)):
        slowed = inverse_frequencies(8) / scaling.inverse_frequencies(8, seq_len=seq_len)
        expected = torch.tensor(factors, dtype=torch.float64)
        torch.testing.assert_close(slowed, expected, rtol=1e-15, atol=0)


@pytest.mark.parametrize(
    ("options", "expected"),
    [({}, 1.0), ({"factor": 1}, 1.0), ({"attention_factor": 1.2}, 1.2),
     ({"factor": 32, "attention_factor": 2}, 2.0), ({"factor": 32}, math.sqrt(1 + 5 / 12))],
)  # fmt: skip
def test_longrope_attention_factor(options, expected):
    scaling = LongRopeScaling(SHORT, LONG, 4096, **options)
    assert scaling.attention_scaling == pytest.approx(expected, rel=1e-15)
    assert type(scaling.attention_scaling) is float


@pytest.mark.parametrize("index", [0, 3])
@pytest.mark.parametrize("name", ["short_factor", "long_factor"])
@pytest.mark.usefixtures("without_shape_checks")
def test_longrope_names_the_wrong_number(name, index):
    for value, error, got in ((0.0, ValueError, "0.0"), ("1", TypeError, "'1' (str)")):
        numbers = list(SHORT)
        numbers[index] = value
        with pytest.raises(error) as caught:
            LongRopeScaling(**{"short_factor": SHORT, "long_factor": LONG} | {name: numbers},
                            original_max_position=1024)  # fmt: skip
        assert str(caught.value) == f"{name}[{index}]: expected a finite number > 0, got {got}"


def test_longrope_needs_the_dim_of_its_lists():
    with pytest.raises(ValueError) as caught:
        LongRopeScaling(SHORT, LONG, 1024).inverse_frequencies(6)
    assert str(caught.value) == (
        "dim: expected 8, as short_factor and long_factor have 4 numbers, got 6"
    )


def test_longrope_keeps_no_list_that_could_change():
    short = list(SHORT)
    scaling = LongRopeScaling(short, list(LONG), 1024)
    short[0] = 100.0
    assert scaling == LongRopeScaling(SHORT, LONG, 1024)
    assert hash(scaling) == hash(LongRopeScaling(SHORT, LONG, 1024))


# Phi-3.5-MoE has an attention factor for each of its two sets. Its class in transformers 5.23
# (PhimoeRotaryEmbedding) takes the long text's attention factor, but the short factors, for all
# lengths, so the published code and section 3 of the paper are what counts here.
PHI_MOE = LongRopeScaling(
    SHORT, LONG, 1024, factor=32, attention_factor=1.2, long_attention_factor=1.3
)


@pytest.mark.parametrize(
    ("seq_len", "expected"), [(None, 1.2), (1, 1.2), (1024, 1.2), (1025, 1.3), (9999, 1.3)]
)
def test_long_texts_may_have_an_attention_factor_of_their_own(seq_len, expected):
    assert PHI_MOE.attention_scaling_for(seq_len) == expected
    assert PHI_MOE.attention_scaling == 1.2
    assert type(PHI_MOE.attention_scaling_for(seq_len)) is float


@pytest.mark.parametrize("seq_len", [None, 1024, 1025])
def test_without_it_one_attention_factor_serves_all(seq_len):
    scaling = LongRopeScaling(SHORT, LONG, 4096, factor=32)
    assert scaling.attention_scaling_for(seq_len) == scaling.attention_scaling > 1


def test_long_attention_factor_beside_the_formula():
    """Given alone it is for long texts; short ones keep the formula's."""
    scaling = LongRopeScaling(SHORT, LONG, 4096, factor=32, long_attention_factor=2)
    assert scaling.attention_scaling_for(4096) == pytest.approx(math.sqrt(1 + 5 / 12), rel=1e-15)
    assert scaling.attention_scaling_for(4097) == 2.0


@pytest.mark.parametrize("length", [1024, 1025])
def test_tables_have_the_attention_factor_of_their_length(length):
    cos, sin = rotary_cos_sin(length, 8, scaling=PHI_MOE, dtype=torch.float64)
    factors, attention = (SHORT, 1.2) if length == 1024 else (LONG, 1.3)
    slowed = inverse_frequencies(8) / torch.tensor(factors, dtype=torch.float64)
    angles = torch.arange(length, dtype=torch.float64)[:, None] * slowed
    torch.testing.assert_close(cos, angles.cos() * attention, rtol=0, atol=1e-12)
    torch.testing.assert_close(sin, angles.sin() * attention, rtol=0, atol=1e-12)


@pytest.mark.parametrize("length", [64, 65])
def test_attention_factors_as_phi_moe(length):
    """Their frequencies are the short text's in both, see above; the attention factors are ours."""
    from transformers import PhimoeConfig
    from transformers.models.phimoe.modeling_phimoe import PhimoeRotaryEmbedding

    rope = {
        "rope_type": "longrope",
        "rope_theta": 10_000.0,
        "short_factor": list(SHORT),
        "long_factor": [float(factor) for factor in LONG],
        "short_mscale": 1.2,
        "long_mscale": 1.3,
        "original_max_position_embeddings": 64,
    }
    config = PhimoeConfig(
        hidden_size=32, num_attention_heads=4, max_position_embeddings=2048, rope_parameters=rope
    )
    cos, sin = PhimoeRotaryEmbedding(config)(torch.zeros(1), torch.arange(length)[None])
    scaling = scaling_from_config(rope, 2048)
    ours = rotary_cos_sin(length, 8, scaling=scaling)
    theirs = cos[0, :, :4], sin[0, :, :4]
    torch.testing.assert_close(torch.hypot(*ours), torch.hypot(*theirs))
    if length == 64:
        for a, b in zip(ours, theirs, strict=True):
            torch.testing.assert_close(a, b, rtol=0, atol=2e-5)
