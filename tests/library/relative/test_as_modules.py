"""What models do to a module, for all six kinds: cast, move, copy, save, compile."""

import copy
import io
import pickle

import pytest
import torch

from pe_lib import (
    ContextualPosition,
    FireBias,
    KerpleBias,
    ShawRelativePosition,
    T5RelativeBias,
    TransformerXLRelativePosition,
    available_devices,
)
from tests.helpers import FLOATS, compiled

HEADS, DIM = 2, 4
MAKE = {
    "t5": lambda: T5RelativeBias(HEADS, num_buckets=8, max_distance=20),
    "kerple": lambda: KerpleBias(HEADS),
    "fire": lambda: FireBias(HEADS, width=3),
    "shaw": lambda: ShawRelativePosition(DIM, 2),
    "xl": lambda: TransformerXLRelativePosition(HEADS * DIM, HEADS),
    "cope": lambda: ContextualPosition(DIM, 5),
}
BIASES = ("t5", "kerple", "fire")  # functions of the lengths alone
KINDS = pytest.mark.parametrize("kind", MAKE)


@pytest.fixture
def module(kind):
    torch.manual_seed(0)
    made = MAKE[kind]()
    with torch.no_grad():
        for parameter in made.parameters():
            parameter += 0.1 * torch.randn_like(parameter)  # no zeros, none alike
    return made


def call(kind, module, q_len=3, k_len=5, dtype=torch.float32, device="cpu"):
    """The score term, of 3 queries and 5 keys."""
    if kind in BIASES:
        return module(q_len, k_len)
    generator = torch.Generator().manual_seed(1)
    q = torch.randn(1, HEADS, q_len, DIM, generator=generator).to(device, dtype)
    k = torch.randn(1, HEADS, k_len, DIM, generator=generator).to(device, dtype)
    return module(q, {"shaw": k_len, "xl": k, "cope": q @ k.mT}[kind])


@KINDS
@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_dtype_of_the_input_or_of_the_module(kind, module, dtype):
    expected = call(kind, module)
    assert expected.dtype == torch.float32
    if kind not in BIASES:
        assert call(kind, module, dtype=dtype).dtype == dtype  # the module stays in float32
    result = call(kind, module.to(dtype), dtype=dtype)
    assert result.dtype == dtype
    atol = 4 * torch.finfo(dtype).eps * max(1, expected.abs().max().item())
    torch.testing.assert_close(result.float(), expected, rtol=0, atol=max(atol, 1e-6))


@KINDS
@pytest.mark.parametrize("device", [*available_devices(), "meta"])
def test_device(kind, module, device):
    result = call(kind, module.to(device), device=device)
    assert result.device.type == device
    assert result.shape == call(kind, MAKE[kind]()).shape


@KINDS
def test_parameters_are_float32_and_all_learn(kind, module):
    result = call(kind, module).square().sum()
    if kind == "shaw":
        result = result + module.value_term(torch.rand(2, 3, 5)).square().sum()
    if kind == "fire":  # queries before and after the threshold
        module.log_threshold.data.fill_(1.0)
        result = module(3, 5).square().sum()
    result.backward()
    for name, parameter in module.named_parameters():
        assert parameter.dtype == torch.float32
        assert parameter.grad.abs().sum() > 0, name
    assert not list(module.buffers())


@KINDS
def test_copied_pickled_saved(kind, module):
    other = MAKE[kind]()
    assert not torch.equal(call(kind, other), call(kind, module))
    buffer = io.BytesIO()
    torch.save(module.state_dict(), buffer)
    buffer.seek(0)
    other.load_state_dict(torch.load(buffer))
    for same in (other, copy.deepcopy(module), pickle.loads(pickle.dumps(module))):
        assert torch.equal(call(kind, same), call(kind, module))


@KINDS
def test_calls_leave_no_trace(kind, module):
    before = copy.deepcopy(module.state_dict())
    first = call(kind, module)
    call(kind, module, 1, 40)
    call(kind, module, 7, 2)
    assert torch.equal(call(kind, module), first)
    assert module.state_dict().keys() == before.keys()
    for name, value in module.state_dict().items():
        assert torch.equal(value, before[name])


@KINDS
def test_one_query_with_cached_keys_is_the_last_row(kind, module):
    if kind in BIASES:
        for k_len in (1, 2, 40, 700):
            torch.testing.assert_close(module(1, k_len), module(k_len)[:, -1:], rtol=0, atol=1e-6)
        return
    q, k = torch.randn(2, 1, HEADS, 40, DIM)
    given = {"shaw": 40, "xl": k, "cope": q @ k.mT}[kind]
    last = {"shaw": 40, "xl": k, "cope": q[..., -1:, :] @ k.mT}[kind]
    expected = module(q, given)[..., -1:, :]
    torch.testing.assert_close(module(q[..., -1:, :], last), expected, rtol=0, atol=1e-6)


@pytest.mark.usefixtures("without_shape_checks")
def test_the_other_terms_compile_whole_too():
    torch.manual_seed(0)
    shaw, fire = MAKE["shaw"](), MAKE["fire"]()
    weights, padding = torch.rand(2, 3, 5), torch.tensor([0, 2])
    torch.testing.assert_close(compiled(shaw.value_term)(weights), shaw.value_term(weights))
    padded = compiled(fire)(3, 5, padding=padding)
    torch.testing.assert_close(padded, fire(3, 5, padding=padding))
