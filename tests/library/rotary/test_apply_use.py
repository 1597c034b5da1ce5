"""The rotary functions as parts of models: compiled, exported, differentiated, on any device."""

from functools import partial

import pytest
import torch
from torch import nn

from pe_lib import (
    apply_rotary,
    apply_rotary_complex,
    available_devices,
    half_to_interleaved,
    interleaved_to_half,
    rotary_cos_sin,
    rotary_freqs_cis,
    rotate_half,
    xpos_scale,
)
from tests.helpers import compiled, randn

randn32 = partial(randn, dtype=torch.float32)
# Where a product and a sum are rounded as one, the last bit of some numbers is another.
close = partial(torch.testing.assert_close, rtol=0, atol=5e-7)
DEVICES = available_devices()
ROTATIONS = {
    "half": lambda x, cos, sin: apply_rotary(x, cos, sin),
    "interleaved": lambda x, cos, sin: apply_rotary(x, cos, sin, interleaved=True),
    "heads last": lambda x, cos, sin: apply_rotary(x, cos, sin, seq_dim=-3),
    "complex": lambda x, cos, sin: apply_rotary_complex(x, torch.complex(cos, sin)),
}
ROTATION = pytest.mark.parametrize("rotate", ROTATIONS.values(), ids=ROTATIONS)


@ROTATION
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32], ids=str)
def test_autocast_changes_nothing(rotate, dtype):
    x, tables = randn(2, 5, 5, 8, dtype=dtype), rotary_cos_sin(5, 8)
    expected = rotate(x, *tables)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        inside = rotary_cos_sin(5, 8)
        assert torch.equal(torch.stack(inside), torch.stack(tables))
        result = rotate(x, *inside)
    assert result.dtype == dtype
    assert torch.equal(result, expected)


@pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")  # torch's own, forward mode
@ROTATION
def test_gradients(rotate):
    x = randn(2, 3, 3, 6).requires_grad_()
    cos, sin = (
        t.requires_grad_() for t in rotary_cos_sin(torch.arange(3.0), 4, dtype=torch.float64)
    )
    assert torch.autograd.gradcheck(rotate, (x, cos, sin), check_forward_ad=True)
    assert torch.autograd.gradgradcheck(rotate, (x, cos, sin))


def test_gradients_reach_positions():
    positions = torch.tensor([0.5, -2.0, 100.25], dtype=torch.float64, requires_grad=True)
    for function in (rotary_cos_sin, xpos_scale):
        in_float64 = partial(function, dim=6, dtype=torch.float64)
        assert torch.autograd.gradcheck(in_float64, positions)


@pytest.mark.parametrize("interleaved", [False, True])
def test_the_gradient_is_turned_back(interleaved):
    """Also for a tensor that is rotated in slices, and in place."""
    x, weights = randn32(2, 700, 64).requires_grad_(), randn32(2, 700, 64, seed=1)
    assert x.numel() > 2**15
    cos, sin = rotary_cos_sin(700, 64)
    back = apply_rotary(weights, cos, -sin, interleaved=interleaved)
    for out in (False, True):
        x.grad, now = None, x.clone()
        result = apply_rotary(now, cos, sin, interleaved=interleaved, out=now if out else None)
        (result * weights).sum().backward()
        torch.testing.assert_close(x.grad, back, rtol=0, atol=1e-6)


@ROTATION
def test_vmap(rotate):
    x, (cos, sin) = randn32(4, 5, 5, 8), rotary_cos_sin(torch.arange(20).reshape(4, 5), 8)
    one_by_one = torch.stack([rotate(x[b], cos[b], sin[b]) for b in range(4)])
    close(torch.vmap(rotate)(x, cos, sin), one_by_one)
    shared = torch.stack([rotate(x[0], cos[b], sin[b]) for b in range(4)])
    close(torch.vmap(rotate, in_dims=(None, 0, 0))(x[0], cos, sin), shared)


@pytest.mark.parametrize("in_dims", [(0, None, None), (None, 0, 0)])
def test_vmap_in_slices(in_dims):
    x, (cos, sin) = randn32(2, 1100, 64), rotary_cos_sin(torch.arange(2200).view(2, 1100), 64)
    batched = [t if d == 0 else t[0] for t, d in zip((x, cos, sin), in_dims, strict=True)]
    result = torch.vmap(apply_rotary, in_dims=in_dims)(*batched)
    for b in range(2):
        one = [t[b] if d == 0 else t for t, d in zip(batched, in_dims, strict=True)]
        close(result[b], apply_rotary(*one))


@pytest.mark.parametrize("device", [*DEVICES, "meta"])
def test_results_are_where_the_arguments_are(device):
    positions, x = torch.arange(5, device=device), torch.zeros(2, 5, 8, device=device)
    with torch.device(device):
        for result in (
            *rotary_cos_sin(positions, 8),
            *rotary_cos_sin(5, 8),
            rotary_freqs_cis(positions, 8),
            rotary_freqs_cis(5, 8),
            xpos_scale(positions, 8),
            xpos_scale(5, 8),
        ):
            assert result.device.type == device
            assert result.shape == (5, 4)
    tables = rotary_cos_sin(positions, 8)
    for result in (
        apply_rotary(x, *tables),
        apply_rotary(x, *tables, interleaved=True, out=torch.empty_like(x)),
        apply_rotary_complex(x, rotary_freqs_cis(positions, 8)),
        rotate_half(x),
        interleaved_to_half(x),
        half_to_interleaved(x),
    ):
        assert result.device.type == device
        assert result.shape == x.shape


@pytest.mark.gpu
@ROTATION
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32, torch.float64], ids=str)
def test_a_gpu_gives_the_same(rotate, dtype):
    exact = torch.promote_types(dtype, torch.float32)
    x, positions = randn(2, 5, 5, 8, dtype=dtype), torch.arange(100_000, 100_005)
    expected = rotate(x, *rotary_cos_sin(positions, 8, dtype=exact))
    result = rotate(x.cuda(), *rotary_cos_sin(positions.cuda(), 8, dtype=exact)).cpu()
    tolerance = 4 * torch.finfo(dtype).eps
    torch.testing.assert_close(result, expected, rtol=tolerance, atol=1e-6)


@pytest.mark.usefixtures("without_shape_checks")
@pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")  # torch's own, in inductor
@pytest.mark.parametrize("backend", ["eager", pytest.param("inductor", marks=pytest.mark.slow)])
class TestCompiled:
    """One graph, for lengths that change."""

    @pytest.mark.parametrize(
        ("interleaved", "dtype"), [(False, torch.bfloat16), (True, torch.float32)], ids=str
    )
    def test_tables_and_rotation(self, backend, interleaved, dtype):
        def rotate(x, start):
            positions = torch.arange(x.shape[-2], device=x.device) + start
            return apply_rotary(x, *rotary_cos_sin(positions, 6), interleaved=interleaved)

        fast = compiled(rotate, backend)
        for start, length in ((0, 5), (0, 9), (5, 1), (6, 1), (100_000, 3), (0, 5000)):
            x = randn(2, 2, length, 8, dtype=dtype, seed=length)
            result = fast(x, start)
            assert result.dtype == dtype
            rounding = torch.finfo(dtype).eps
            torch.testing.assert_close(result, rotate(x, start), rtol=rounding, atol=1e-6)

    def test_lengths_share_one_graph(self, backend):
        graphs = []

        def counting(graph, inputs):
            graphs.append(graph)
            return graph

        fast = compiled(apply_rotary, counting, dynamic=True)
        for length in (5, 9, 33, 5000):
            x, tables = randn32(2, length, 8), rotary_cos_sin(length, 8)
            torch.testing.assert_close(
                fast(x, *tables), apply_rotary(x, *tables), rtol=0, atol=1e-6
            )
        assert len(graphs) == 1

    def test_in_place(self, backend):
        def rotate(x, cos, sin):
            return apply_rotary(x, cos, sin, seq_dim=-3, out=x)

        x, tables = randn32(2, 5, 3, 8), rotary_cos_sin(5, 8)
        expected = apply_rotary(x, *tables, seq_dim=-3)
        compiled(rotate, backend)(x, *tables)
        torch.testing.assert_close(x, expected, rtol=0, atol=1e-6)

    def test_layouts_and_scales(self, backend):
        def function(x):
            return half_to_interleaved(rotate_half(x)), xpos_scale(x.shape[-2], 8, center=3)

        fast = compiled(function, backend)
        for length in (5, 9):
            x = randn32(2, length, 8)
            for result, expected in zip(fast(x), function(x), strict=True):
                torch.testing.assert_close(result, expected, rtol=0, atol=1e-6)


@pytest.mark.usefixtures("without_shape_checks")
def test_complex_numbers_compiled():
    """By the eager backend: inductor leaves complex numbers to PyTorch, and warns."""
    fast = compiled(lambda x: apply_rotary_complex(x, rotary_freqs_cis(x.shape[-2], 8)), "eager")
    for length in (5, 9):
        x = randn32(2, length, 8)
        expected = apply_rotary(x, *rotary_cos_sin(length, 8), interleaved=True)
        torch.testing.assert_close(fast(x), expected, rtol=0, atol=1e-6)


class Rotating(nn.Module):
    def forward(self, x):
        return apply_rotary(x, *rotary_cos_sin(x.shape[-2], x.shape[-1]), interleaved=True)


@pytest.mark.usefixtures("without_shape_checks")
@pytest.mark.parametrize("strict", [False, True])
def test_export_for_any_length(strict):
    lengths = torch.export.Dim("seq", min=2, max=100_000)
    program = torch.export.export(
        Rotating(), (randn32(2, 7, 8),), dynamic_shapes={"x": {1: lengths}}, strict=strict
    )
    for length in (2, 7, 64, 5000):
        x = randn32(2, length, 8, seed=length)
        close(program.module()(x), Rotating()(x))
