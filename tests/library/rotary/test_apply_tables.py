"""Tables of cosine and sine: exact values, and what a scaling changes about them."""

import math

import pytest
import torch
from mpmath import mp, mpf

from pe_lib import inverse_frequencies, rotary_cos_sin
from pe_lib.rotary.scaling.base import Scaling
from tests.helpers import F64, U, exact_frequencies

mp.dps = 40


def table(positions, dim, theta=10_000.0):
    return rotary_cos_sin(positions, dim, theta, dtype=F64)


def test_tables_written_out():
    cos, sin = table(4, 6)
    assert cos[3].tolist() == pytest.approx([-0.9899924966, 0.990320699136, 0.999979112923])
    assert sin[3].tolist() == pytest.approx([0.14112000806, 0.13879810108, 0.00646325907019])
    assert (cos[0] == 1).all()
    assert (sin[0] == 0).all()


POSITIONS = (0, 1, 2, 100, 4096, 65_535, 1_000_000, 16_000_000, -5, 1234567.890625)


@pytest.mark.parametrize("theta", [10, 10_000, 500_000, 100_000_000])
@pytest.mark.parametrize("dim", [2, 6, 64, 128])
def test_tables_are_right_to_rounding(dim, theta):
    """Against 40 digits. An angle's error is that of the frequency (the exponent is rounded, then
    pow) and of the product; cos and sin add an ulp, the last rounding half an ulp of the dtype."""
    positions = torch.tensor(POSITIONS, dtype=F64)
    results = {
        dtype: rotary_cos_sin(positions, dim, theta, dtype=dtype) for dtype in (torch.float32, F64)
    }
    for i, frequency in enumerate(exact_frequencies(dim, theta)):
        for row, position in enumerate(POSITIONS):
            angle = mpf(position) * frequency
            bound = abs(float(angle)) * (2 * i / dim * math.log(theta) + 3) * U + 2 * U
            for dtype, tables in results.items():
                for result, exact in zip(tables, (mp.cos(angle), mp.sin(angle)), strict=True):
                    error = abs(mpf(result[row, i].item()) - exact)
                    rounding = 2**-25 if dtype == torch.float32 else 0
                    assert error <= bound + rounding, (position, i, dtype)


@pytest.mark.parametrize("theta", [10_000, 500_000])
def test_position_one_million_in_float32(theta):
    angles = [1_000_000 * frequency for frequency in exact_frequencies(128, theta)]
    cos, sin = rotary_cos_sin(torch.tensor(1_000_000), 128, theta)
    worst = max(
        max(abs(mpf(c) - mp.cos(a)), abs(mpf(s) - mp.sin(a)))
        for c, s, a in zip(cos.tolist(), sin.tolist(), angles, strict=True)
    )
    assert worst <= 1e-7
    frequencies = inverse_frequencies(128, theta).float()  # as most code has them
    naive = (torch.tensor(1_000_000.0) * frequencies).cos().tolist()
    assert max(abs(mpf(c) - mp.cos(a)) for c, a in zip(naive, angles, strict=True)) > 1e-3


class Doubled(Scaling):
    """Frequencies halved, everything 3 times as long; remembers the lengths that it is told."""

    def __init__(self, needs_seq_len):
        object.__setattr__(self, "seen", [])
        object.__setattr__(self, "needs_seq_len", needs_seq_len)

    def inverse_frequencies(self, dim, theta=10000.0, seq_len=None, *, frequencies=None):
        self.seen.append((dim, theta, seq_len))
        return inverse_frequencies(dim, theta) / 2

    @property
    def attention_scaling(self):
        return 3.0


class TestScaling:
    def test_changes_frequencies_and_lengths(self):
        scaling = Doubled(False)
        positions = torch.tensor([0, 6, -3])
        result = rotary_cos_sin(positions, 8, 50, scaling=scaling, dtype=F64)
        for scaled, plain in zip(result, table(positions / 2, 8, 50), strict=True):
            torch.testing.assert_close(scaled, 3 * plain, rtol=1e-15, atol=1e-15)
        assert scaling.seen == [(8, 50, None)]

    @pytest.mark.parametrize(
        ("positions", "length"),
        [
            (7, 7),
            (0, 1),
            (torch.tensor([[3, 9], [0, 1]]), 10),
            (torch.tensor([0.5, 9.5]), 10),
            (torch.tensor([-8, -3]), 1),
            (torch.zeros(2, 0), 1),
        ],
    )
    def test_length_is_the_largest_position_and_one(self, positions, length):
        scaling = Doubled(True)
        rotary_cos_sin(positions, 8, scaling=scaling)
        rotary_cos_sin(positions, 8, scaling=scaling, seq_len=123)
        assert [seq_len for *_, seq_len in scaling.seen] == [length, 123]

    def test_positions_without_values_need_a_length(self):
        positions = torch.arange(5, device="meta")
        with pytest.raises(ValueError) as caught:
            rotary_cos_sin(positions, 8, scaling=Doubled(True))
        assert str(caught.value) == (
            "seq_len: expected an int, as positions on meta have no values, got None"
        )
        cos, _ = rotary_cos_sin(positions, 8, scaling=Doubled(True), seq_len=5)
        assert (cos.shape, cos.device.type) == ((5, 4), "meta")

    @pytest.mark.parametrize("value", [math.nan, math.inf])
    def test_a_largest_position_that_is_no_number(self, value):
        with pytest.raises(ValueError) as caught:
            rotary_cos_sin(torch.tensor([0, value]), 8, scaling=Doubled(True))
        assert str(caught.value) == f"positions: expected finite numbers, got {value}"

    @pytest.mark.parametrize("dtype", [torch.uint16, torch.int8, torch.float32], ids=str)
    def test_positions_of_any_dtype_have_a_length(self, dtype):
        scaling = Doubled(True)
        rotary_cos_sin(torch.tensor([3, 12, 9]).to(dtype), 8, scaling=scaling)
        assert scaling.seen == [(8, 10_000.0, 13)]

    @pytest.mark.usefixtures("without_shape_checks")
    @pytest.mark.parametrize(
        ("positions", "error"),
        [
            ([0, 1], TypeError),
            (2.5, TypeError),
            (None, TypeError),
            (True, TypeError),
            (torch.ones(2, dtype=torch.bool), TypeError),
            (torch.ones(2) * 1j, TypeError),
            (-1, ValueError),
        ],
    )
    def test_what_is_no_position_is_refused_as_without(self, positions, error):
        messages = []
        for scaling in (None, Doubled(True)):
            with pytest.raises(error, match=r"^positions: expected ") as caught:
                rotary_cos_sin(positions, 8, scaling=scaling)
            messages.append(str(caught.value))
        assert messages[0] == messages[1]


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (2, 0, 4)])
def test_positions_of_any_shape(shape):
    positions = torch.arange(math.prod(shape)).reshape(shape)
    for result in rotary_cos_sin(positions, 6):
        assert result.shape == (*shape, 3)
        assert result.dtype == torch.float32
    assert torch.equal(rotary_cos_sin(3, 6)[0], rotary_cos_sin(torch.arange(3), 6)[0])
