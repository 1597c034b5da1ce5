"""SinusoidalPositionalEncoding as a part of models: cast, saved, compiled, trained through."""

import copy
import io
import pickle

import pytest
import torch
from torch import nn

from pe_lib import SinusoidalPositionalEncoding, available_devices, sinusoidal_encoding
from tests.helpers import FLOATS, compiled, randn

DEVICES = available_devices()


@pytest.fixture
def encoding():
    return SinusoidalPositionalEncoding(8)


@pytest.fixture
def x():
    return randn(2, 5, 8, dtype=torch.float32)


@pytest.mark.parametrize("shape", [(5, 8), (2, 5, 8), (2, 3, 5, 8), (2, 0, 8), (0, 5, 8)])
def test_adds_the_table_to_every_sequence(encoding, shape):
    x = randn(*shape, dtype=torch.float32)
    before = x.clone()
    result = encoding(x)
    assert result.shape == shape
    assert torch.equal(result, x + sinusoidal_encoding(shape[-2], 8))
    assert torch.equal(x, before)


def test_theta_reaches_the_table(x):
    module = SinusoidalPositionalEncoding(8, theta=50)
    assert torch.equal(module(x), x + sinusoidal_encoding(5, 8, 50))


@pytest.mark.parametrize("offset", [0, 3, -4, 16_000_001])
def test_offset_is_the_position_of_the_first_vector(encoding, x, offset):
    positions = torch.arange(offset, offset + 5)
    assert torch.equal(encoding(x, offset), x + sinusoidal_encoding(positions, 8))


def test_token_by_token_equals_all_at_once(encoding, x):
    steps = [encoding(x[:, t : t + 1], offset=t) for t in range(5)]
    torch.testing.assert_close(torch.cat(steps, dim=1), encoding(x), rtol=0, atol=2**-22)


@pytest.mark.parametrize("device", [*DEVICES, "meta"])
@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_keeps_dtype_and_device(encoding, x, dtype, device):
    if device == "mps" and dtype == torch.float64:
        dtype = torch.float32  # that device has no float64
    result = encoding.to(device)(x.to(device, dtype))
    assert result.dtype == dtype
    assert result.device.type == device
    assert result.shape == x.shape


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
def test_half_precision_is_rounded_once(encoding, x, dtype):
    x = x.to(dtype)
    assert torch.equal(encoding(x), (x.float() + sinusoidal_encoding(5, 8)).to(dtype))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64], ids=str)
def test_casts_of_the_module_change_nothing(x, dtype):
    before = SinusoidalPositionalEncoding(8)(x, 1000)
    model = nn.Sequential(nn.Linear(8, 8), SinusoidalPositionalEncoding(8)).to(dtype)
    assert torch.equal(model[1](x, 1000), before)


def test_autocast_changes_nothing(encoding, x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert torch.equal(encoding(x), x + sinusoidal_encoding(5, 8))


def test_nothing_is_learned_or_stored(encoding):
    assert encoding.state_dict() == {}
    assert list(encoding.parameters()) == list(encoding.buffers()) == []
    encoding.load_state_dict({}, strict=True)


def test_copies_and_files_give_the_same(encoding, x):
    file = io.BytesIO()
    torch.save(encoding, file)
    file.seek(0)
    for other in (
        copy.deepcopy(encoding),
        pickle.loads(pickle.dumps(encoding)),
        torch.load(file, weights_only=False),
    ):
        assert torch.equal(other(x, 7), encoding(x, 7))
    assert repr(encoding) == "SinusoidalPositionalEncoding(dim=8, theta=10000.0)"


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_gradients_flow_to_x_unchanged(encoding, x, dtype):
    x = x.to(dtype).requires_grad_()
    weights = torch.arange(x.numel(), dtype=dtype).reshape(x.shape)
    (encoding(x) * weights).sum().backward()
    assert torch.equal(x.grad, weights)


def test_vmap(encoding, x):
    assert torch.equal(torch.vmap(encoding)(x), encoding(x))


@pytest.mark.usefixtures("without_shape_checks")
@pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")  # torch's own, in inductor
@pytest.mark.slow
class TestCompiled:
    """One graph, for lengths and offsets that change (as in decoding with a cache)."""

    def test_module(self, encoding):
        fast = compiled(encoding, "inductor")
        for offset, length in ((0, 5), (0, 9), (5, 1), (6, 1), (7, 1), (16_000_001, 3)):
            x = randn(2, length, 8, seed=length, dtype=torch.float32)
            torch.testing.assert_close(fast(x, offset), encoding(x, offset), rtol=0, atol=1e-6)

    def test_function(self):
        fast = compiled(sinusoidal_encoding, "inductor")
        for positions in (3, 7, torch.tensor([0.5, -2.0]), torch.tensor([16_000_001, 1, 2])):
            torch.testing.assert_close(
                fast(positions, 8), sinusoidal_encoding(positions, 8), rtol=0, atol=1e-7
            )
