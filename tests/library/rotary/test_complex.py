"""The complex form: the interleaved rotation, by one multiplication."""

import cmath

import pytest
import torch

from pe_lib import apply_rotary, apply_rotary_complex, rotary_cos_sin, rotary_freqs_cis
from tests.helpers import randn


@pytest.mark.parametrize(
    ("dtype", "part"), [(torch.complex64, torch.float32), (torch.complex128, torch.float64)]
)
@pytest.mark.parametrize("theta", [10.0, 10_000.0])
def test_turns_are_cosine_and_sine(dtype, part, theta):
    positions = torch.tensor([[0, 1, 16_000_001], [-3, 7, 2]])
    result = rotary_freqs_cis(positions, 8, theta, dtype=dtype)
    assert result.dtype == dtype
    cos, sin = rotary_cos_sin(positions, 8, theta, dtype=part)
    assert torch.equal(result.real, cos)
    assert torch.equal(result.imag, sin)


def test_turns_written_out():
    assert rotary_freqs_cis(2, 6).dtype == torch.complex64
    turns = rotary_freqs_cis(3, 4, 100, dtype=torch.complex128)[2].tolist()
    assert turns == pytest.approx([cmath.exp(2j), cmath.exp(0.2j)], rel=1e-14)


def test_rotation_written_out():
    q = torch.tensor([[0.5, 1.0, -0.5, 0.8, -1.2, 0.3]], dtype=torch.float64)
    turn = rotary_freqs_cis(torch.tensor([1]), 6, dtype=torch.complex128)
    expected = [-0.571319832, 0.961037798, -0.536580867, 0.775938769, -1.200643545, 0.297413984]
    assert apply_rotary_complex(q, turn)[0].tolist() == pytest.approx(expected, rel=0, abs=1e-9)


@pytest.mark.parametrize("seq_dim", [-2, -3])
@pytest.mark.parametrize("width", [0, 4, 8])
@pytest.mark.parametrize("per_sequence", [False, True])
def test_equals_the_interleaved_rotation(seq_dim, width, per_sequence):
    x = randn(2, 5, 5, 10)
    positions = torch.tensor([[0, 1, 2, 3, 4], [9, 3, 100_000, 7, -2]])
    positions = positions if per_sequence else positions[1]
    cos, sin = (t[..., : width // 2] for t in rotary_cos_sin(positions, 8, dtype=x.dtype))
    for view in (x, x.transpose(1, 2), x[..., 2:], x[..., 1:]):
        before = view.clone()
        result = apply_rotary_complex(view, torch.complex(cos, sin), seq_dim=seq_dim)
        expected = apply_rotary(view, cos, sin, interleaved=True, seq_dim=seq_dim)
        torch.testing.assert_close(result, expected, rtol=0, atol=2e-15)
        assert torch.equal(result[..., width:], view[..., width:])
        assert torch.equal(view, before)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32], ids=str)
@pytest.mark.parametrize("turns", [torch.complex64, torch.complex128], ids=str)
def test_the_result_has_the_dtype_of_x(dtype, turns):
    x, positions = randn(3, 64, 8, dtype=dtype), torch.arange(100_000, 100_064)
    freqs_cis = rotary_freqs_cis(positions, 8, dtype=turns)
    result = apply_rotary_complex(x, freqs_cis)
    assert result.dtype == dtype
    wide = apply_rotary_complex(x.to(freqs_cis.real.dtype), freqs_cis)
    assert torch.equal(result, wide.to(dtype))


def test_float64_is_kept():
    x, freqs_cis = randn(5, 8), rotary_freqs_cis(5, 8)
    result = apply_rotary_complex(x, freqs_cis)
    expected = apply_rotary_complex(x, freqs_cis.to(torch.complex128))
    assert result.dtype == torch.float64
    assert torch.equal(result, expected)


def test_nothing_to_rotate():
    assert apply_rotary_complex(torch.zeros(2, 0, 8), rotary_freqs_cis(0, 8)).shape == (2, 0, 8)
