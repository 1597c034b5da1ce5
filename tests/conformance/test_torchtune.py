"""torchtune: the numbers that its own tests expect, and its formulas.

github.com/pytorch/torchtune at bd2a0fc: torchtune/modules/position_embeddings.py and
torchtune/models/{llama3_1,llama4,phi3,qwen2}/; the numbers stand in
tests/torchtune/modules/test_position_embeddings.py and tests/torchtune/models/{llama3_1,phi3}/.
Gemma, Mistral, Llama 2 and 3 share the class of the modules, Qwen 2.5 and 3 that of Qwen 2, Phi-4
that of Phi-3.

Its angles are float32. At position 2,000 they are off by 1e-4, and so the sum of 33 million rotated
numbers is by 0.1.
"""

import math

import pytest
import torch

from pe_lib import Llama3Scaling, apply_rotary, axial_rotary_cos_sin, rotary_cos_sin
from tests.conformance.reference import same_table_in_float32, steps, turned
from tests.helpers import F64, randn

LLAMA_3_1 = Llama3Scaling(8, 1, 4, original_max_position=8192)
LLAMA_4 = Llama3Scaling(16, 1, 1, original_max_position=8192)


def normal(*shape):
    """What torch.randn gives after its tests have set the seed 0."""
    return torch.randn(shape, generator=torch.Generator().manual_seed(0))


@pytest.fixture(scope="module")
def x():
    return normal(4, 2048, 32, 128)  # (batch, seq, heads, dim)


def llama3(frequencies, factor, low, high, trained):
    """Its loop over the frequencies, for all of them at once."""
    wavelength = 2 * math.pi / frequencies
    kept = (trained / wavelength - low) / (high - low) if high > low else 0
    blend = (1 - kept) * frequencies / factor + kept * frequencies
    blend = torch.where(wavelength > trained / low, frequencies / factor, blend)
    return torch.where(wavelength < trained / high, frequencies, blend)


def their_angles(positions, dim, base, scaling=None):
    frequencies = 1 / base ** steps(dim, torch.float32)
    if scaling is not None:
        frequencies = llama3(frequencies, *scaling)
    return positions.float()[:, None] * frequencies


# Means, sums and largest numbers of TestRotaryPositionEmbedding and TestLlama3ScaledRoPE.
@pytest.mark.parametrize(
    ("scaling", "theirs", "mean", "total", "largest"),
    [(None, None, 6.4543e-05, 2165.7053, 5.4546),
     (LLAMA_3_1, (8, 1, 4, 8192), -2.4781e-06, -83.1523, 5.4625)],
)  # fmt: skip
def test_the_sums_that_its_tests_expect(x, scaling, theirs, mean, total, largest):
    rotated = apply_rotary(
        x, *rotary_cos_sin(2048, 128, scaling=scaling), interleaved=True, seq_dim=-3
    )
    # Another angle or another pair changes the sum by thousands: the numbers are random.
    assert rotated.sum(dtype=F64).item() == pytest.approx(total, abs=0.2)
    assert rotated.mean(dtype=F64).item() == pytest.approx(mean, abs=0.2 / x.numel())
    assert rotated.max().item() == pytest.approx(largest, rel=1e-5)
    # With angles of float32 it is nearer still: to 0.001 where powers are rounded as they were
    # there. As a rotation is linear, it needs only the sums over batch and heads.
    angles = their_angles(torch.arange(2048), 128, 10_000, theirs).double()
    sums = turned(x.sum((0, 2), dtype=F64), angles, interleaved=True)
    assert sums.sum().item() == pytest.approx(total, abs=0.05)


def test_the_table_of_llama_3_1_that_its_test_expects():
    table = torch.stack(rotary_cos_sin(4096, 128, scaling=LLAMA_3_1))
    assert table.mean(dtype=F64).item() == pytest.approx(0.1738, abs=5e-5)
    assert table.sum(dtype=F64).item() == pytest.approx(91141.7656, rel=2e-7)
    assert table.max() == 1


def test_the_sum_of_phi_3_that_its_test_expects():
    """Phi-3's and Qwen's classes are half-split, the others interleaved."""
    x = normal(4, 60, 32, 96)
    rotated = apply_rotary(x, *rotary_cos_sin(60, 96), seq_dim=-3)
    assert rotated.sum(dtype=F64).item() == pytest.approx(-381.0620, rel=1e-5)
    assert rotated.mean(dtype=F64).item() == pytest.approx(-0.0005, abs=1e-4)


@pytest.mark.parametrize("cls_last", [True, False])
def test_the_sum_of_a_picture_that_its_test_expects(cls_last):
    """Axial, rows and columns counted from 1; the class token, last or first, is not turned."""
    x = normal(2, 3 * 17, 8, 4)  # (batch, 3 tiles of 16 patches and a class token, heads, dim)
    tiles = x.unflatten(1, (3, 17))
    patches = slice(None, 16) if cls_last else slice(1, None)
    tables = axial_rotary_cos_sin(4, 4, 4, offset=(1, 1))
    rotated = tiles.clone()
    rotated[:, :, patches] = apply_rotary(
        tiles[:, :, patches], *tables, interleaved=True, seq_dim=-3
    )
    # Of this head's four features two turn with the column, two with the row, by 1 radian a step.
    patch = torch.arange(16, dtype=F64)
    angles = torch.stack((patch % 4 + 1, patch // 4 + 1), dim=-1)
    angles = torch.cat((angles, 0 * angles[:1]) if cls_last else (0 * angles[:1], angles))
    expected = turned(tiles.double(), angles[:, None], interleaved=True)
    torch.testing.assert_close(rotated.double(), expected, rtol=0, atol=1e-6)
    if cls_last:
        assert rotated.mean().item() == pytest.approx(-0.00903320, rel=1e-5)
        assert rotated.sum().item() == pytest.approx(-29.48437119, rel=1e-5)
        assert rotated.max().item() == pytest.approx(4.07074356, rel=1e-6)


@pytest.mark.parametrize(
    ("dim", "base", "scaling", "theirs"),
    [(128, 10_000, None, None),  # Llama 2
     (256, 10_000, None, None),  # Gemma
     (128, 500_000, None, None),  # Llama 3
     (128, 1_000_000, None, None),  # Qwen 2.5
     (128, 500_000, LLAMA_3_1, (8, 1, 4, 8192)),
     (64, 500_000, Llama3Scaling(32, 1, 4, 8192), (32, 1, 4, 8192)),  # Llama 3.2
     (128, 500_000, LLAMA_4, (16, 1, 1, 8192))],
)  # fmt: skip
def test_the_tables_of_its_models(dim, base, scaling, theirs):
    positions = torch.arange(0, 200_000, 37)
    table = rotary_cos_sin(positions, dim, base, scaling=scaling, dtype=F64)
    same_table_in_float32(table, their_angles(positions, dim, base, theirs))


@pytest.mark.parametrize("interleaved", [True, False])
def test_positions_of_packed_samples(interleaved):
    positions = torch.tensor([[0, 1, 2, 0, 1], [0, 1, 2, 3, 4]])
    x = randn(2, 5, 3, 8)  # (batch, seq, heads, dim)
    rotated = apply_rotary(
        x, *rotary_cos_sin(positions, 8, dtype=F64), interleaved=interleaved, seq_dim=-3
    )
    for sample, row, result in zip(x, positions, rotated, strict=True):
        angles = their_angles(row, 8, 10_000).double()[:, None]
        torch.testing.assert_close(
            result, turned(sample, angles, interleaved=interleaved), rtol=0, atol=1e-6
        )
