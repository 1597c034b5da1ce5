"""Rotation by column and row."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf

from pe_lib import (
    DynamicNTKScaling,
    LinearScaling,
    LongRopeScaling,
    YarnScaling,
    apply_rotary,
    available_devices,
    axial_rotary_cos_sin,
    nd_rotary_cos_sin,
    rotary_cos_sin,
)
from tests.helpers import FLOATS, compiled, randn

DIMS = st.integers(1, 16).map(lambda quarter: 4 * quarter)
SIZES = st.integers(1, 7)
REALS = st.floats(-100, 100)


def score(q, k, first, second, interleaved=False):
    """q at (row, column) ``first`` against k at ``second``."""
    rotated = [
        apply_rotary(
            x[None],
            *axial_rotary_cos_sin(1, 1, len(x), offset=offset, dtype=torch.float64),
            interleaved=interleaved,
        )
        for x, offset in ((q, first), (k, second))
    ]
    return (rotated[0] * rotated[1]).sum().item()


@given(DIMS, st.tuples(REALS, REALS), st.tuples(REALS, REALS), st.tuples(REALS, REALS))
def test_the_score_sees_only_the_way_from_patch_to_patch(dim, first, way, elsewhere):
    q, k = randn(2, dim)
    for interleaved in (False, True):
        scores = [
            score(q, k, start, (start[0] + way[0], start[1] + way[1]), interleaved)
            for start in (first, elsewhere)
        ]
        assert scores[0] == pytest.approx(scores[1], rel=0, abs=1e-11 * dim)


def test_another_way_is_another_score():
    q, k = randn(2, 16)
    there, down_instead = score(q, k, (1, 2), (4, 7)), score(q, k, (1, 2), (6, 5))
    assert abs(there - down_instead) > 0.1
    assert there == pytest.approx(score(q, k, (11, 5), (14, 10)), rel=1e-12)


@given(SIZES, SIZES, DIMS, st.floats(1.5, 1e6))
def test_a_direct_sum_of_two_rotations(height, width, dim, theta):
    """The first half of the pairs is the one-dimensional table of the columns, then the rows'."""
    tables = axial_rotary_cos_sin(height, width, dim, theta, dtype=torch.float64)
    columns = rotary_cos_sin(width, dim // 2, theta, dtype=torch.float64)
    rows = rotary_cos_sin(height, dim // 2, theta, dtype=torch.float64)
    for table, x, y in zip(tables, columns, rows, strict=True):
        grid = table.unflatten(0, (height, width))
        torch.testing.assert_close(
            grid[..., : dim // 4], x.expand(height, -1, -1), rtol=0, atol=1e-15
        )
        torch.testing.assert_close(
            grid[..., dim // 4 :], y[:, None].expand(-1, width, -1), rtol=0, atol=1e-15
        )


@given(SIZES, SIZES, DIMS, st.tuples(REALS, REALS), st.tuples(*[st.floats(0.1, 9)] * 2))
def test_the_grid_form_of_coordinates(height, width, dim, offset, scale):
    rows = (torch.arange(height).double() + offset[0]) * scale[0]
    columns = (torch.arange(width).double() + offset[1]) * scale[1]
    y, x = torch.meshgrid(rows, columns, indexing="ij")
    coordinates = torch.stack((x, y), dim=-1).flatten(0, 1)
    expected = nd_rotary_cos_sin(coordinates, (dim // 2, dim // 2), 100)
    tables = axial_rotary_cos_sin(height, width, dim, 100, offset=offset, scale=scale)
    assert all(map(torch.equal, tables, expected))


def test_angles_written_out():
    """Three rows of two patches, eight features: 1 and 0.01 for x, then 1 and 0.01 for y."""
    cos, sin = axial_rotary_cos_sin(3, 2, 8, dtype=torch.float64)
    angles = torch.atan2(sin, cos)
    expected = [
        [0, 0, 0, 0],
        [1, 0.01, 0, 0],
        [0, 0, 1, 0.01],
        [1, 0.01, 1, 0.01],
        [0, 0, 2, 0.02],
        [1, 0.01, 2, 0.02],
    ]
    torch.testing.assert_close(angles, torch.tensor(expected).double(), rtol=0, atol=1e-8)


@pytest.mark.parametrize("position", [5, 4096, 1_000_003])
@pytest.mark.parametrize("theta", [100, 10_000])
def test_exact(position, theta):
    """Against 40 digits; the angle's rounding grows with the position."""
    with mp.workdps(40):
        angles = [p * mpf(theta) ** (-mpf(2 * i) / 6) for p in (position, 7) for i in range(3)]
        expected = [[float(f(angle)) for angle in angles] for f in (mp.cos, mp.sin)]
    tables = axial_rotary_cos_sin(1, 1, 12, theta, offset=(7, position), dtype=torch.float64)
    for table, exact in zip(tables, expected, strict=True):
        assert table[0].tolist() == pytest.approx(exact, rel=0, abs=1e-15 * max(position, 10))


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_rounded_once_at_the_end(dtype):
    exact = axial_rotary_cos_sin(30, 40, 16, dtype=torch.float64)
    rounded = axial_rotary_cos_sin(30, 40, 16, dtype=dtype)
    for high, low in zip(exact, rounded, strict=True):
        assert low.dtype == dtype
        assert torch.equal(low, high.to(dtype))


def test_float32_unless_asked():
    assert [t.dtype for t in axial_rotary_cos_sin(2, 2, 4)] == [torch.float32] * 2


def test_a_crop_is_a_part_of_the_picture():
    whole = axial_rotary_cos_sin(9, 11, 8, scale=(0.5, 2.0))
    crop = axial_rotary_cos_sin(4, 3, 8, offset=(2, 5), scale=(0.5, 2.0))
    for large, small in zip(whole, crop, strict=True):
        part = large.unflatten(0, (9, 11))[2:6, 5:8].flatten(0, 1)
        torch.testing.assert_close(small, part, rtol=0, atol=1e-7)


def test_twice_the_resolution():
    """Every second patch of the finer grid stands where the coarse grid's patch stands."""
    coarse = axial_rotary_cos_sin(4, 6, 8)
    fine = axial_rotary_cos_sin(8, 18, 8, scale=(1 / 2, 1 / 3))
    for few, many in zip(coarse, fine, strict=True):
        shared = many.unflatten(0, (8, 18))[::2, ::3].flatten(0, 1)
        torch.testing.assert_close(few, shared, rtol=0, atol=1e-7)


def test_offset_is_row_and_column():
    cos, sin = axial_rotary_cos_sin(1, 1, 4, offset=(0.25, -0.5), dtype=torch.float64)
    assert torch.atan2(sin, cos)[0].tolist() == pytest.approx([-0.5, 0.25], rel=1e-14)
    cos, sin = axial_rotary_cos_sin(2, 2, 4, scale=(0.25, 0.5), dtype=torch.float64)
    assert torch.atan2(sin, cos)[3].tolist() == pytest.approx([0.5, 0.25], rel=1e-14)


def test_a_scaling_stretches_both_axes():
    """Twice as slow is the same as half the distance; a factor of 1 is no scaling."""
    plain, half = (axial_rotary_cos_sin(5, 7, 16, scale=(s, s)) for s in (1.0, 0.5))
    for factor, expected in ((1, plain), (2, half)):
        tables = axial_rotary_cos_sin(5, 7, 16, scaling=LinearScaling(factor))
        for table, same in zip(tables, expected, strict=True):
            torch.testing.assert_close(table, same, rtol=0, atol=1e-7)


def test_the_attention_factor_multiplies_both_axes():
    scaling = YarnScaling(4, 20, attention_factor=1.25)
    cos, sin = axial_rotary_cos_sin(4, 6, 16, scaling=scaling, dtype=torch.float64)
    torch.testing.assert_close(cos.hypot(sin), torch.full((24, 8), 1.25).double())


SCALINGS = st.sampled_from(
    [
        YarnScaling(3, 20),
        DynamicNTKScaling(2.5, 4),
        LongRopeScaling([1, 1.5], [2, 9], original_max_position=4, factor=8),
    ]
)


@given(SIZES, SIZES, st.tuples(REALS, REALS), SCALINGS)
def test_with_a_scaling_every_axis_is_a_text_of_its_own_length(height, width, offset, scaling):
    def text(count, first, distance):
        """Its length is the largest position + 1, which rotary_cos_sin finds by itself."""
        positions = (torch.arange(count).double() + first) * distance
        return rotary_cos_sin(positions, 4, 50, scaling=scaling, dtype=torch.float64)

    tables = axial_rotary_cos_sin(
        height, width, 8, 50, offset=offset, scale=(0.75, 2.0), scaling=scaling, dtype=torch.float64
    )
    columns, rows = text(width, offset[1], 2.0), text(height, offset[0], 0.75)
    for table, x, y in zip(tables, columns, rows, strict=True):
        grid = table.unflatten(0, (height, width))
        assert torch.equal(grid[..., :2], x.expand(height, -1, -1))
        assert torch.equal(grid[..., 2:], y[:, None].expand(-1, width, -1))


def test_a_picture_as_high_as_in_training_but_wider_is_stretched_along_its_rows():
    scaling = DynamicNTKScaling(2, original_max_position=14)
    plain, _ = axial_rotary_cos_sin(14, 20, 16)
    wide, _ = axial_rotary_cos_sin(14, 20, 16, scaling=scaling)
    assert torch.equal(wide[:, 4:], plain[:, 4:])  # y
    assert not torch.allclose(wide[:, 1:4], plain[:, 1:4])  # x
    finer = {"scale": (14 / 28, 14 / 28)}  # more patches, and none further away than in training
    for table, same in zip(
        axial_rotary_cos_sin(28, 28, 16, **finer, scaling=scaling),
        axial_rotary_cos_sin(28, 28, 16, **finer),
        strict=True,
    ):
        assert torch.equal(table, same)


@pytest.mark.parametrize("device", [*available_devices(), "meta"])
def test_on_the_default_device(device):
    with torch.device(device):
        tables = axial_rotary_cos_sin(2, 3, 8)
    assert [table.device.type for table in tables] == [device] * 2
    assert [tuple(table.shape) for table in tables] == [(6, 4)] * 2


def test_as_the_vision_part_of_qwen2_vl_but_for_the_order_of_the_axes():
    """Qwen2-VL's pairs turn with the row first; its tables repeat each half."""
    from transformers.models.qwen2_vl import modeling_qwen2_vl as qwen
    from transformers.models.qwen2_vl.configuration_qwen2_vl import Qwen2VLVisionConfig

    height, width, dim = 5, 7, 16
    config = Qwen2VLVisionConfig(embed_dim=4 * dim, num_heads=4)
    rows, columns = torch.meshgrid(torch.arange(height), torch.arange(width), indexing="ij")
    peer = qwen.Qwen2VLVisionRotaryEmbedding(config)
    positions = torch.stack((rows.flatten(), columns.flatten()), dim=-1).float()
    q, k = randn(2, height * width, 4, dim, dtype=torch.float32)
    cos, sin = axial_rotary_cos_sin(height, width, dim)
    cos, sin = (table.roll(dim // 4, dims=-1) for table in (cos, sin))  # rows first
    their_cos, their_sin = peer(q, positions)
    torch.testing.assert_close(cos.repeat(1, 2), their_cos, rtol=0, atol=1e-6)
    torch.testing.assert_close(sin.repeat(1, 2), their_sin, rtol=0, atol=1e-6)
    theirs = qwen.apply_rotary_pos_emb_vision(q, k, their_cos, their_sin)
    for x, rotated in zip((q, k), theirs, strict=True):
        ours = apply_rotary(x, cos, sin, seq_dim=-3)
        torch.testing.assert_close(ours, rotated, rtol=0, atol=1e-5)


@pytest.mark.usefixtures("without_shape_checks")
@pytest.mark.parametrize("scaling", [DynamicNTKScaling(2, 3)], ids=str)
def test_compiles_whole_and_for_other_sizes(scaling):
    def rotated(x, height, width):
        tables = axial_rotary_cos_sin(height, width, 8, offset=(0.5, 2), scaling=scaling)
        return apply_rotary(x, *tables)

    fast = compiled(rotated)
    for height, width in ((2, 3), (5, 4), (1, 9)):
        x = randn(height * width, 8, dtype=torch.float32)
        torch.testing.assert_close(fast(x, height, width), rotated(x, height, width))
