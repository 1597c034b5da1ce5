"""RotarySettings: the tables of one kind of layer, and what contradicts itself."""

import math
import pickle

import pytest
import torch

from pe_lib import (
    DynamicNTKScaling,
    LinearScaling,
    RotarySettings,
    YarnScaling,
    mrope_cos_sin,
    nd_rotary_cos_sin,
    query_temperature,
    rotary_cos_sin,
)
from tests.helpers import F64, FLOATS

YARN = YarnScaling(4.0, 16)
PICTURE = {"dim": 16, "widths": (8, 8)}


def assert_same(ours, expected):
    for a, b in zip(ours, expected, strict=True):
        assert a.dtype == b.dtype
        assert torch.equal(a, b)


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize(
    "positions", [7, torch.arange(5), torch.rand(2, 3), torch.arange(8).view(2, 2, 2)]
)
def test_tables_of_a_text(positions, dtype):
    settings = RotarySettings(16, 500.0, YARN)
    expected = rotary_cos_sin(positions, 16, 500.0, scaling=YARN, dtype=dtype)
    assert_same(settings.cos_sin(positions, dtype=dtype), expected)


@pytest.mark.parametrize("seq_len", [None, 8, 100])
def test_the_length_of_the_text(seq_len):
    scaling = DynamicNTKScaling(2.0, 8)
    expected = rotary_cos_sin(20, 16, scaling=scaling, seq_len=seq_len)
    assert_same(RotarySettings(16, scaling=scaling).cos_sin(20, seq_len=seq_len), expected)
    places = torch.arange(60).view(3, 4, 5)
    expected = mrope_cos_sin(places, 16, (2, 3, 3), scaling=scaling, seq_len=seq_len)
    settings = RotarySettings(16, scaling=scaling, sections=(2, 3, 3))
    assert_same(settings.cos_sin(places, seq_len=seq_len), expected)


@pytest.mark.parametrize("interleaved", [False, True])
def test_time_height_and_width(interleaved):
    settings = RotarySettings(16, 500.0, YARN, sections=(3, 3, 2), sections_interleaved=interleaved)
    places = torch.arange(30).view(3, 2, 5)
    expected = mrope_cos_sin(
        places, 16, (3, 3, 2), 500.0, sections_interleaved=interleaved, scaling=YARN, dtype=F64
    )
    assert_same(settings.cos_sin(places, dtype=F64), expected)
    # A text has one position for all three.
    text = torch.arange(10).view(2, 5)
    assert_same(settings.cos_sin(text), settings.cos_sin(text.expand(3, -1, -1)))
    assert_same(settings.cos_sin(5), settings.cos_sin(torch.arange(5)))


def test_axes_of_pairs_of_their_own():
    """Every pair is turned by the position that it names."""
    settings = RotarySettings(8, 10_000.0, sections=(1, 2, 1), pair_axes=(1, 2, 1, 0))
    places = torch.tensor([5, 7, 11])[:, None, None]
    cos, sin = settings.cos_sin(places, dtype=F64)
    angles = torch.tensor([7, 1.1, 0.07, 0.005], dtype=F64)
    torch.testing.assert_close(cos[0, 0], angles.cos(), rtol=0, atol=1e-15)
    torch.testing.assert_close(sin[0, 0], angles.sin(), rtol=0, atol=1e-15)


def test_tables_of_a_picture():
    places = torch.cartesian_prod(torch.arange(3), torch.arange(4))
    ours = RotarySettings(**PICTURE, theta=500.0).cos_sin(places, dtype=F64)
    assert_same(ours, nd_rotary_cos_sin(places, (8, 8), 500.0, dtype=F64))
    scaled = RotarySettings(**PICTURE, coordinate_scale=(2 * math.pi, 0.5)).cos_sin(places)
    exact = places.double() * torch.tensor([2 * math.pi, 0.5], dtype=F64)
    assert_same(scaled, nd_rotary_cos_sin(exact, (8, 8)))


def test_a_picture_s_pairs_in_another_order():
    """Row 2, column 3: the axes take turns, and each has its frequencies 1 and 0.1 in order."""
    settings = RotarySettings(8, 100.0, widths=(4, 4), pair_axes=(1, 0, 1, 0))
    cos, sin = settings.cos_sin(torch.tensor([2, 3]), dtype=F64)
    angles = torch.tensor([3, 2, 0.3, 0.2], dtype=F64)
    torch.testing.assert_close(cos, angles.cos(), rtol=0, atol=1e-15)
    torch.testing.assert_close(sin, angles.sin(), rtol=0, atol=1e-15)
    # Columns first.
    settings = RotarySettings(8, 100.0, widths=(4, 4), pair_axes=(1, 1, 0, 0))
    angles = torch.tensor([3, 0.3, 2, 0.2], dtype=F64)
    torch.testing.assert_close(
        settings.cos_sin(torch.tensor([2, 3]), dtype=F64)[0], angles.cos(), rtol=0, atol=1e-15
    )


def test_a_picture_s_coordinates_may_have_any_shape():
    places = torch.rand(2, 3, 4, 2)
    cos, sin = RotarySettings(**PICTURE, coordinate_scale=(3.0, 3.0)).cos_sin(places)
    assert cos.shape == sin.shape == (2, 3, 4, 8)
    assert cos.dtype == torch.float32


@pytest.mark.parametrize(
    "positions", [5, torch.arange(60), torch.arange(72).view(3, 4, 6), torch.rand(2, 5, 2)]
)
def test_tables_are_where_the_positions_are(positions):
    settings = (
        RotarySettings(**PICTURE)
        if torch.is_tensor(positions) and positions.shape[-1] == 2
        else (RotarySettings(16, sections=(2, 3, 3)))
    )
    if torch.is_tensor(positions):
        for table in settings.cos_sin(positions.to("meta")):
            assert table.device.type == "meta"
    for table in settings.cos_sin(positions):
        assert table.device.type == "cpu"


def test_temperature():
    settings = RotarySettings(16, scaling=YARN, temperature_beta=0.1)
    places = torch.arange(100).view(2, 50)
    expected = query_temperature(places, 16, 0.1, dtype=F64)
    assert torch.equal(settings.query_temperature(places, dtype=F64), expected)
    assert (expected > 1).any()
    for without in (RotarySettings(16), RotarySettings(16, scaling=YARN)):
        assert torch.equal(without.query_temperature(places), torch.ones(2, 50))
    assert torch.equal(settings.query_temperature(3), torch.ones(3))


def test_a_value():
    settings = RotarySettings(16, 500.0, YARN, sections=(2, 3, 3))
    same = RotarySettings(16, 500.0, YarnScaling(4.0, 16), sections=(2, 3, 3))
    assert settings == same
    assert hash(settings) == hash(same)
    assert settings != RotarySettings(16, 501.0, YARN, sections=(2, 3, 3))
    assert pickle.loads(pickle.dumps(settings)) == settings
    with pytest.raises(AttributeError):
        settings.dim = 8


def test_repr_says_what_is_not_the_default():
    assert repr(RotarySettings(16)) == "RotarySettings(dim=16)"
    settings = RotarySettings(
        8, 5e5, LinearScaling(2.0), sections=(2, 1, 1), sections_interleaved=True, interleaved=None
    )
    assert repr(settings) == (
        "RotarySettings(dim=8, theta=500000.0, scaling=LinearScaling(factor=2.0), "
        "sections=(2, 1, 1), sections_interleaved=True, interleaved=None)"
    )
    assert eval(repr(settings)) == settings
