"""Keys that are moved after they were rotated, and turned back."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from pe_lib import DynamicNTKScaling, YarnScaling, apply_rotary, rerotate, rotary_cos_sin
from tests.helpers import F64, FLOATS, randn

LAYOUTS = pytest.mark.parametrize("interleaved", [False, True], ids=["half", "interleaved"])
SCALINGS = [None, YarnScaling(4.0, 16), YarnScaling(8.0, 16, attention_factor=1.7)]


def table(first, scaling=None, **options):
    return rotary_cos_sin(torch.arange(first, first + 6), 8, scaling=scaling, **options)


@LAYOUTS
@pytest.mark.parametrize("scaling", SCALINGS, ids=str)
@given(old=st.integers(-50, 10**6), new=st.integers(-50, 10**6), seed=st.integers(0, 9))
def test_as_if_rotated_there(interleaved, scaling, old, new, seed):
    x = randn(2, 3, 6, 9, seed=seed)  # one feature more than is rotated
    there, here = (table(first, scaling, dtype=F64) for first in (old, new))
    turned, expected = (apply_rotary(x, *t, interleaved=interleaved) for t in (there, here))
    moved = rerotate(turned, *there, *here, interleaved=interleaved)
    torch.testing.assert_close(moved, expected, rtol=0, atol=1e-13)


@LAYOUTS
@pytest.mark.parametrize("scaling", SCALINGS, ids=str)
@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_turned_back_it_is_what_it_was(interleaved, scaling, dtype):
    x, tables = randn(2, 3, 6, 9, dtype=dtype), table(1000, scaling)
    turned = apply_rotary(x, *tables, interleaved=interleaved)
    back = apply_rotary(turned, *tables, interleaved=interleaved, inverse=True)
    bound = 4 * torch.finfo(torch.promote_types(dtype, torch.float32)).eps
    bound = max(bound, 2 * torch.finfo(dtype).eps) * x.abs().max().item()
    torch.testing.assert_close(back, x, rtol=0, atol=max(bound, 1e-6))


def test_a_negative_sine_would_count_the_factor_twice():
    """Under YaRN x comes back 1.296 times as long: (0.1 ln 4 + 1) squared."""
    x, (cos, sin) = randn(6, 8), table(3, YarnScaling(4.0, 16), dtype=F64)
    turned = apply_rotary(x, cos, sin)
    longer = apply_rotary(turned, cos, -sin) / x
    torch.testing.assert_close(longer, torch.full_like(x, 1.2965), rtol=1e-4, atol=0)
    torch.testing.assert_close(apply_rotary(turned, cos, sin, inverse=True), x)


def test_where_a_dynamic_scaling_has_other_frequencies_now():
    x, scaling = randn(6, 8), DynamicNTKScaling(2.0, 4)
    short, long = (table(0, scaling, seq_len=length, dtype=F64) for length in (6, 60))
    moved = rerotate(apply_rotary(x, *short), *short, *long)
    torch.testing.assert_close(moved, apply_rotary(x, *long), rtol=0, atol=1e-14)


@LAYOUTS
def test_in_place_and_with_the_heads_behind_the_positions(interleaved):
    x, there, here = randn(2, 6, 3, 8), table(70, dtype=F64), table(4, dtype=F64)
    options = {"interleaved": interleaved, "seq_dim": -3}
    expected = apply_rotary(x, *here, **options)
    turned = apply_rotary(x, *there, **options)
    assert rerotate(turned, *there, *here, **options, out=turned) is turned
    torch.testing.assert_close(turned, expected, rtol=0, atol=1e-13)


def test_half_tables_are_divided_exactly():
    """What rounded tables have rotated, they turn back: their own length is divided out."""
    x, tables = randn(6, 8), table(5, dtype=torch.bfloat16)
    turned = apply_rotary(x, *tables)
    torch.testing.assert_close(apply_rotary(turned, *tables, inverse=True), x, rtol=0, atol=1e-6)


@pytest.mark.usefixtures("without_shape_checks")
@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"sin": None}, TypeError, "sin: expected a tensor of cos's dtype"),
        ({"new_cos": randn(6, 4)}, TypeError, "new_cos: expected a tensor of cos's dtype"),
        ({"new_sin": torch.zeros(5, 4)}, ValueError, r"new_sin: expected cos's shape \(6, 4\)"),
        ({"cos": [1.0]}, TypeError, "cos: expected a floating point tensor"),
        ({"x": torch.zeros(5, 8)}, ValueError, "cos: expected seq = 5 rows"),
        ({"interleaved": 1}, TypeError, "interleaved: expected a bool"),
    ],
)
def test_what_is_wrong_is_named(change, error, message):
    cos, sin = table(0)
    arguments = {"x": torch.zeros(6, 8), "cos": cos, "sin": sin, "new_cos": cos, "new_sin": sin}
    with pytest.raises(error, match=f"^{message}"):
        rerotate(**{**arguments, **change})
