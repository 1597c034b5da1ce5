"""What holds for every scaling."""

import copy
import dataclasses
import pickle

import pytest
import torch

import pe_lib
from pe_lib import (
    DynamicNTKScaling,
    LinearScaling,
    Llama3Scaling,
    LongRopeScaling,
    NTKScaling,
    ProportionalScaling,
    YarnScaling,
)
from pe_lib.rotary.scaling.base import Scaling
from tests.helpers import compiled

SHORT, LONG = (0.9, 1.0, 1.25, 1.5), (1, 2.5, 8.0, 16.0)
SCALINGS = [
    LinearScaling(4),
    NTKScaling(4.0),
    DynamicNTKScaling(2.0, 1024),
    YarnScaling(4.0, 2048),
    LongRopeScaling(SHORT, LONG, 1024, factor=8),
    Llama3Scaling(8.0, 1.0, 4.0, 8192),
    ProportionalScaling(0.5),
]
every_scaling = pytest.mark.parametrize("scaling", SCALINGS, ids=lambda s: type(s).__name__)


@every_scaling
def test_a_scaling_is_a_value(scaling):
    fields = {f.name: getattr(scaling, f.name) for f in dataclasses.fields(scaling)}
    for twin in (
        type(scaling)(**fields),
        eval(repr(scaling), vars(pe_lib)),
        pickle.loads(pickle.dumps(scaling)),
        copy.deepcopy(scaling),
    ):
        assert twin == scaling
        assert hash(twin) == hash(scaling)
    assert isinstance(scaling, Scaling)
    assert len({*SCALINGS, scaling}) == len(SCALINGS)
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(scaling, next(iter(fields)), 3)


@every_scaling
def test_frequencies_are_made_in_float64_on_the_cpu(scaling):
    plain = scaling.inverse_frequencies(8, 500.0, 4096)
    with torch.device("meta"):
        elsewhere = scaling.inverse_frequencies(8, 500.0, 4096)
    assert torch.equal(elsewhere, plain)
    assert plain.dtype == torch.float64
    assert plain.shape == (4,)


@every_scaling
@pytest.mark.usefixtures("without_shape_checks")
@pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")  # torch's own, in inductor
@pytest.mark.slow
def test_a_scaling_compiles_whole(scaling):
    def cos(positions, seq_len):
        return pe_lib.rotary_cos_sin(positions, 8, scaling=scaling, seq_len=seq_len)[0]

    fast = compiled(cos, "inductor")
    for length in (5, 1024, 1025, 3000):
        positions = torch.arange(length)
        expected = cos(positions, length)
        torch.testing.assert_close(fast(positions, length), expected, rtol=0, atol=1e-6)


@every_scaling
def test_theta_is_ten_thousand_unless_told(scaling):
    default = scaling.inverse_frequencies(8)
    assert torch.equal(default, scaling.inverse_frequencies(8, 10_000.0))
    assert not torch.equal(default, scaling.inverse_frequencies(8, 10_001.0))


@every_scaling
def test_only_dynamic_scalings_look_at_the_length(scaling):
    same = torch.equal(
        scaling.inverse_frequencies(8, seq_len=1), scaling.inverse_frequencies(8, seq_len=100_000)
    )
    assert scaling.needs_seq_len is not same


@every_scaling
def test_rotary_uses_frequencies_and_attention_factor(scaling):
    positions = torch.tensor([[0, 1, 5], [700, 2999, -3]])
    cos, sin = pe_lib.rotary_cos_sin(positions, 8, 500.0, scaling=scaling, dtype=torch.float64)
    angles = positions[..., None] * scaling.inverse_frequencies(8, 500.0, 3000)
    torch.testing.assert_close(cos, angles.cos() * scaling.attention_scaling, rtol=0, atol=1e-12)
    torch.testing.assert_close(sin, angles.sin() * scaling.attention_scaling, rtol=0, atol=1e-12)


@pytest.mark.parametrize("scaling", [SCALINGS[2], SCALINGS[4]], ids=["dynamic", "longrope"])
@pytest.mark.usefixtures("without_shape_checks")
def test_a_wrong_length_is_named(scaling):
    for value, error, got in (
        (0, ValueError, "0"),
        (2.0, TypeError, "2.0 (float)"),
        (True, TypeError, "True (bool)"),
    ):
        with pytest.raises(error) as caught:
            scaling.inverse_frequencies(8, seq_len=value)
        assert str(caught.value) == f"seq_len: expected an int >= 1, got {got}"


@pytest.mark.parametrize("scaling", [NTKScaling(4.0), DynamicNTKScaling(2.0, 1), YarnScaling(4, 9)])
def test_a_head_of_one_pair(scaling):
    """Its pair is the first one, which turns fast and keeps its frequency."""
    assert scaling.inverse_frequencies(2, seq_len=5).tolist() == [1.0]


@every_scaling
@pytest.mark.usefixtures("without_shape_checks")
def test_dim_and_theta_are_checked(scaling):
    with pytest.raises(ValueError, match=r"^dim: expected an even int >= 2 .*, got 7$"):
        scaling.inverse_frequencies(7)
    with pytest.raises(ValueError, match=r"^theta: expected a finite number > 0, got -1\.0$"):
        scaling.inverse_frequencies(8, -1.0)
