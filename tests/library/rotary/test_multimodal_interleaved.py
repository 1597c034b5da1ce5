"""Sections that take turns (Qwen3-VL, ERNIE 4.5 VL), and scalings beside sections."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from pe_lib import (
    DynamicNTKScaling,
    LinearScaling,
    LongRopeScaling,
    YarnScaling,
    apply_rotary,
    mrope_cos_sin,
    rotary_cos_sin,
    rotary_from_config,
)
from tests.helpers import F64, compiled, randn

TOLERANCE = {"rtol": 0, "atol": 1e-4}  # transformers computes its angles in float32


def ids(*shape, high=500, seed=0):
    return torch.randint(high, (3, *shape), generator=torch.Generator().manual_seed(seed))


def assert_same(ours, expected):
    for a, b in zip(ours, expected, strict=True):
        assert torch.equal(a, b)


def assert_as_theirs(apply, tables, theirs, dim, **options):
    """The same rotation by our tables and their function as by their own tables."""
    q, k = randn(2, 2, 4, 9, dim, dtype=torch.float32)
    for x, expected in zip((q, k), apply(q, k, *theirs), strict=True):
        torch.testing.assert_close(apply_rotary(x, *tables, **options), expected, rtol=0, atol=5e-4)


def test_turns_written_out():
    """Time, height, width, time, height, and the time has what is left."""
    positions = torch.tensor([5, 7, 11])[:, None, None]
    cos, sin = mrope_cos_sin(positions, 12, (3, 2, 1), sections_interleaved=True, dtype=F64)
    places = torch.tensor([5, 7, 11, 5, 7, 5], dtype=F64)
    angles = places * 10_000.0 ** (-torch.arange(6, dtype=F64) / 6)
    torch.testing.assert_close(cos[0, 0], angles.cos(), rtol=0, atol=1e-14)
    torch.testing.assert_close(sin[0, 0], angles.sin(), rtol=0, atol=1e-14)


@given(st.integers(0, 6), st.integers(0, 6), st.integers(0, 6), st.booleans())
def test_each_axis_has_its_number_of_pairs(time, height, width, turns):
    """Of positions 0, 0, 1 only the width's pairs turn, and so for all three."""
    sections = time, height, width
    pairs = sum(sections)
    fits = height <= (pairs + 1) // 3 and width <= pairs // 3
    if pairs == 0 or (turns and not fits):
        return
    seen = []
    for axis in range(3):
        positions = torch.zeros(3, 1, 1)
        positions[axis] = 1
        sin = mrope_cos_sin(positions, 2 * pairs, sections, sections_interleaved=turns)[1][0, 0]
        seen.append(sin != 0)
        assert seen[-1].sum() == sections[axis]
    assert torch.stack(seen).sum(0).eq(1).all()


@pytest.mark.parametrize("sections", [(24, 20, 20), (11, 11, 10), (2, 2, 2), (6, 1, 1), (8, 0, 0)])
def test_as_qwen3_vl(sections):
    from transformers.models.qwen3_vl import modeling_qwen3_vl as qwen
    from transformers.models.qwen3_vl.configuration_qwen3_vl import Qwen3VLTextConfig

    dim, theta = 2 * sum(sections), 5_000_000.0
    config = Qwen3VLTextConfig(
        head_dim=dim,
        rope_parameters={
            "rope_type": "default", "rope_theta": theta,
            "mrope_section": list(sections), "mrope_interleaved": True,
        },
    )  # fmt: skip
    positions = ids(2, 9)
    theirs = qwen.Qwen3VLTextRotaryEmbedding(config)(torch.zeros(1), positions)
    ours = mrope_cos_sin(positions, dim, sections, theta, sections_interleaved=True)
    for a, b in zip(ours, theirs, strict=True):
        torch.testing.assert_close(torch.cat((a, a), -1), b, **TOLERANCE)
    assert_as_theirs(qwen.apply_rotary_pos_emb, ours, theirs, dim)
    settings = rotary_from_config(config)
    assert (settings.sections, settings.sections_interleaved) == (sections, True)
    assert_same(settings.cos_sin(positions), ours)


@pytest.mark.parametrize("sections", [None, [22, 22, 20], [6, 6, 4]])
def test_as_ernie(sections):
    """Height and width take turns in the fast pairs, the time has the slow ones."""
    from transformers.models.ernie4_5_vl_moe import modeling_ernie4_5_vl_moe as ernie
    from transformers.models.ernie4_5_vl_moe.configuration_ernie4_5_vl_moe import (
        Ernie4_5_VLMoeTextConfig,
    )

    dim = 2 * sum(sections or [64])
    rope = {"rope_type": "default", "rope_theta": 500_000.0}
    config = Ernie4_5_VLMoeTextConfig(
        hidden_size=4 * dim,
        num_attention_heads=4,
        rope_parameters=rope | ({"mrope_section": sections} if sections else {}),
    )
    positions = ids(2, 9)
    theirs = ernie.Ernie4_5_VLMoeTextRotaryEmbedding(config)(torch.zeros(1), positions)
    settings = rotary_from_config(config)
    height, width, time = sections or [22, 22, 20]
    assert settings.sections == (time, height, width)
    assert settings.interleaved is True
    ours = settings.cos_sin(positions)
    for a, b in zip(ours, theirs, strict=True):
        torch.testing.assert_close(a.repeat_interleave(2, -1), b, **TOLERANCE)
    assert_as_theirs(ernie.apply_rotary_pos_emb, ours, theirs, dim, interleaved=True)


def test_scaled_as_qwen2_5_vl():
    from transformers.models.qwen2_5_vl import modeling_qwen2_5_vl as qwen
    from transformers.models.qwen2_5_vl.configuration_qwen2_5_vl import Qwen2_5_VLTextConfig

    sections, dim = (16, 24, 24), 128
    rope = {"rope_type": "yarn", "rope_theta": 1e6, "factor": 4.0, "mrope_section": [16, 24, 24],
            "original_max_position_embeddings": 32768}  # fmt: skip
    config = Qwen2_5_VLTextConfig(
        hidden_size=4 * dim, num_attention_heads=4, num_key_value_heads=4, rope_parameters=rope
    )
    positions = ids(2, 9)
    theirs = qwen.Qwen2_5_VLRotaryEmbedding(config)(torch.zeros(1), positions)
    ours = mrope_cos_sin(positions, dim, sections, 1e6, scaling=YarnScaling(4.0, 32768))
    for a, b in zip(ours, theirs, strict=True):
        torch.testing.assert_close(torch.cat((a, a), -1), b, **TOLERANCE)
    assert_as_theirs(qwen.apply_rotary_pos_emb, ours, theirs, dim)
    assert_same(rotary_from_config(config).cos_sin(positions), ours)


SCALINGS = [
    LinearScaling(3.0),
    DynamicNTKScaling(2.0, 8),
    YarnScaling(4.0, 8),
    LongRopeScaling([1.0] * 8, [2.0] * 8, 8, attention_factor=1.1, long_attention_factor=1.3),
]


@pytest.mark.parametrize("interleaved", [False, True])
@pytest.mark.parametrize("seq_len", [None, 5, 8, 9, 1000])
@pytest.mark.parametrize("scaling", SCALINGS, ids=lambda scaling: type(scaling).__name__)
def test_a_scaled_text_is_turned_as_by_ordinary_rope(scaling, seq_len, interleaved):
    positions = torch.arange(12).view(1, 12)
    text = mrope_cos_sin(
        positions.expand(3, -1, -1), 16, (3, 3, 2), 500.0,
        sections_interleaved=interleaved, scaling=scaling, seq_len=seq_len,
    )  # fmt: skip
    assert_same(text, rotary_cos_sin(positions, 16, 500.0, scaling=scaling, seq_len=seq_len))


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_the_length_is_that_of_the_largest_of_all_positions(axis):
    positions = torch.zeros(3, 2, 5)
    positions[axis, 1, 3] = 99.5
    scaling = DynamicNTKScaling(2.0, 8)
    found = mrope_cos_sin(positions, 16, (3, 3, 2), scaling=scaling)
    assert_same(found, mrope_cos_sin(positions, 16, (3, 3, 2), scaling=scaling, seq_len=100))
    short = mrope_cos_sin(positions, 16, (3, 3, 2), scaling=scaling, seq_len=8)
    assert not torch.equal(found[0], short[0])
    assert_same(short, mrope_cos_sin(positions, 16, (3, 3, 2)))


def test_positions_that_have_no_length():
    with pytest.raises(ValueError) as caught:
        mrope_cos_sin(torch.full((3, 1, 1), torch.nan), 16, (3, 3, 2), scaling=SCALINGS[1])
    assert str(caught.value) == "position_ids: expected finite numbers, got nan"


@pytest.mark.parametrize(
    ("sections", "most"),
    [
        ((1, 4, 3), (3, 2)),
        ((3, 2, 3), (3, 2)),
        ((0, 0, 8), (3, 2)),
        ((0, 2, 2), (1, 1)),
        ((0, 2, 1), (1, 1)),
    ],
)
def test_more_turns_than_there_are(sections, most):
    pairs = sum(sections)
    mrope_cos_sin(ids(1, 2), 2 * pairs, sections)  # in blocks there is no limit
    with pytest.raises(ValueError) as caught:
        mrope_cos_sin(ids(1, 2), 2 * pairs, sections, sections_interleaved=True)
    assert str(caught.value) == (
        f"sections: expected at most {most[0]} pairs for the height and {most[1]} for the width, "
        f"which have every third of {pairs} interleaved pairs, got {sections}"
    )


@pytest.mark.usefixtures("without_shape_checks")
def test_compiles_whole_with_turns_and_a_scaling():
    options = {"sections_interleaved": True, "scaling": SCALINGS[1], "seq_len": 100}
    fast = compiled(lambda positions: mrope_cos_sin(positions, 16, (3, 3, 2), **options))
    for a, b in zip(
        fast(ids(2, 7)), mrope_cos_sin(ids(2, 7), 16, (3, 3, 2), **options), strict=True
    ):
        torch.testing.assert_close(a, b)
