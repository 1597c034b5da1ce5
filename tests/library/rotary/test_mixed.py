"""MixedRotary2D: learned directions, exact angles, and what models do to a module."""

import copy
import io
import math
import pickle

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from pe_lib import MixedRotary2D, apply_rotary, available_devices, axial_rotary_cos_sin
from tests.helpers import FLOATS, randn

HEADS, DIM = 3, 8
REALS = st.floats(-100, 100)


@pytest.fixture
def rotary():
    torch.manual_seed(0)
    return MixedRotary2D(DIM, HEADS)


def tables(rotary, *size, **settings):
    with torch.no_grad():
        return rotary(*size, dtype=torch.float64, **settings)


def rotated(rotary, x, place):
    """x (heads, dim) at (row, column)."""
    cos, sin = tables(rotary, 1, 1, offset=place)
    return apply_rotary(x[None, :, None], cos, sin)[0, :, 0]


@given(st.tuples(REALS, REALS), st.tuples(REALS, REALS), st.tuples(REALS, REALS))
def test_the_score_sees_only_the_way_from_patch_to_patch(first, way, elsewhere):
    torch.manual_seed(0)
    rotary = MixedRotary2D(DIM, HEADS)
    nn.init.normal_(rotary.frequencies)
    q, k = torch.randn(2, HEADS, DIM, dtype=torch.float64)
    scores = [
        (
            rotated(rotary, q, start) * rotated(rotary, k, (start[0] + way[0], start[1] + way[1]))
        ).sum(-1)
        for start in (first, elsewhere)
    ]
    torch.testing.assert_close(*scores, rtol=0, atol=1e-10)


def test_every_pair_turns_by_x_fx_plus_y_fy(rotary):
    nn.init.normal_(rotary.frequencies)
    cos, sin = tables(rotary, 4, 5, offset=(1, -2), scale=(0.5, 3.0))
    fx, fy = rotary.frequencies.detach().double()
    for head in range(HEADS):
        for row in range(4):
            for column in range(5):
                angle = (column - 2) * 3 * fx[head] + (row + 1) * 0.5 * fy[head]
                patch = row * 5 + column
                torch.testing.assert_close(cos[0, head, patch], angle.cos(), rtol=0, atol=1e-14)
                torch.testing.assert_close(sin[0, head, patch], angle.sin(), rtol=0, atol=1e-14)


def test_the_first_frequencies_are_axial_ones_turned_by_an_angle_per_head(rotary):
    rotary.double().reset_parameters()
    fx, fy = rotary.frequencies.detach()
    size = torch.tensor([1, 10**-0.5], dtype=torch.float64).repeat(2)  # theta = 10, dim 8
    torch.testing.assert_close(torch.hypot(fx, fy), size.expand(HEADS, -1))
    angles = torch.atan2(fy, fx) % (2 * math.pi)
    torch.testing.assert_close(angles[:, 0], angles[:, 1])
    across = (angles[:, 2:] - angles[:, :2]) % (2 * math.pi)
    torch.testing.assert_close(across, torch.full_like(across, math.pi / 2))
    assert angles[:, 0].unique().numel() == HEADS


def test_the_angles_fill_the_circle():
    torch.manual_seed(0)
    fx, fy = MixedRotary2D(4, 10_000).frequencies.detach()
    angles = torch.atan2(fy, fx)[:, 0] % (2 * math.pi)
    assert angles.histc(8, 0, 2 * math.pi).min() > 1000


@pytest.mark.parametrize("theta", [10.0, 500])
def test_angle_zero_is_axial(monkeypatch, theta):
    monkeypatch.setattr(torch, "rand", torch.zeros)
    rotary = MixedRotary2D(DIM, HEADS, theta).double()
    rotary.reset_parameters()
    expected = axial_rotary_cos_sin(3, 5, DIM, theta, dtype=torch.float64)
    for table, axial in zip(tables(rotary, 3, 5), expected, strict=True):
        torch.testing.assert_close(table, axial.expand(1, HEADS, -1, -1), rtol=0, atol=1e-14)


def test_the_seed_decides(rotary):
    before = rotary.frequencies.detach().clone()
    rotary.reset_parameters()
    assert not torch.equal(rotary.frequencies, before)
    torch.manual_seed(0)
    rotary.reset_parameters()
    assert torch.equal(rotary.frequencies, before)
    assert rotary.frequencies.requires_grad


@pytest.mark.parametrize("batch", [1, 2, HEADS])
@pytest.mark.parametrize("interleaved", [False, True])
def test_queries_of_a_batch(rotary, batch, interleaved):
    """(batch, heads, patches, dim), each head by its own table: also where batch equals heads."""
    x = randn(batch, HEADS, 12, DIM, dtype=torch.float32)
    tables = rotary(3, 4)
    together = apply_rotary(x, *tables, interleaved=interleaved)
    for head in range(HEADS):
        own = (table[0, head] for table in tables)
        alone = apply_rotary(x[:, head], *own, interleaved=interleaved)
        torch.testing.assert_close(together[:, head], alone)


def test_other_axes_than_heads_are_refused(rotary):
    """Without a batch, and with one head more, the tables do not fit: no silent mistake."""
    tables = rotary(3, 4)
    for shape in ((HEADS, 12, DIM), (HEADS, HEADS + 1, 12, DIM)):
        with pytest.raises(ValueError, match=r"^cos: expected the axes before seq"):
            apply_rotary(torch.zeros(shape), *tables)


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_rounded_once_at_the_end(rotary, dtype):
    for low, high in zip(rotary(20, 30, dtype=dtype), tables(rotary, 20, 30), strict=True):
        assert low.dtype == dtype
        assert torch.equal(low, high.to(dtype))


def test_float32_unless_asked(rotary):
    assert [table.dtype for table in rotary(2, 2)] == [torch.float32] * 2


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_the_frequencies_are_a_parameter_like_any_other(rotary, dtype):
    assert rotary.frequencies.dtype == torch.float32
    model = nn.Sequential(nn.Linear(2, 2), rotary).to(dtype)
    assert {parameter.dtype for parameter in model.parameters()} == {dtype}
    fx, fy = rotary.frequencies.detach().double()
    far = tables(rotary, 1, 1, offset=(3, 100_000))[0]  # (row, column)
    assert torch.equal(far[0, :, 0], (100_000 * fx + 3 * fy).cos())


@pytest.mark.parametrize("device", [*available_devices(), "meta"])
def test_tables_are_where_the_frequencies_are(rotary, device):
    rotary.to(device, torch.float16)
    assert rotary.frequencies.device.type == device
    assert rotary(2, 2)[0].device == rotary.frequencies.device


def test_built_on_meta_and_filled_later(rotary):
    with torch.device("meta"):
        late = MixedRotary2D(DIM, HEADS)
    assert late.frequencies.is_meta
    torch.manual_seed(0)
    late.to_empty(device="cpu").reset_parameters()
    assert torch.equal(late.frequencies, rotary.frequencies)


def test_copied_pickled_saved(rotary):
    other = MixedRotary2D(DIM, HEADS)
    assert not torch.equal(other.frequencies, rotary.frequencies)
    other.load_state_dict(rotary.state_dict())
    buffer = io.BytesIO()
    torch.save(rotary.state_dict(), buffer)
    buffer.seek(0)
    saved = MixedRotary2D(DIM, HEADS)
    saved.load_state_dict(torch.load(buffer))
    for same in (other, saved, copy.deepcopy(rotary), pickle.loads(pickle.dumps(rotary))):
        assert list(same.state_dict()) == ["frequencies"]
        for a, b in zip(same(3, 4), rotary(3, 4), strict=True):
            assert torch.equal(a, b)


def test_a_checkpoint_in_half_precision_still_computes_in_float64(rotary):
    half = {name: value.half() for name, value in rotary.state_dict().items()}
    rotary.load_state_dict(half, assign=True)
    cos, _ = tables(rotary, 2, 3)
    fx, fy = half["frequencies"].double()
    assert torch.equal(cos[0, :, 5], (2 * fx + fy).cos())


def test_gradients_reach_the_frequencies(rotary):
    def both(frequencies):
        call = {"dtype": torch.float64}
        return torch.func.functional_call(rotary, {"frequencies": frequencies}, (2, 3), call)

    frequencies = rotary.frequencies.detach().double().requires_grad_()
    assert torch.autograd.gradcheck(both, (frequencies,))
    cos, sin = rotary(2, 3)
    (cos + sin).sum().backward()
    assert rotary.frequencies.grad.abs().sum() > 0


def test_autocast_changes_nothing(rotary):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        inside = rotary(3, 4, offset=(1000, 0))
    for a, b in zip(inside, rotary(3, 4, offset=(1000, 0)), strict=True):
        assert torch.equal(a, b)


def test_says_what_it_is(rotary):
    assert repr(rotary) == "MixedRotary2D(dim=8, num_heads=3, theta=10.0)"
