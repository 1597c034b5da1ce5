"""Every public name in eager mode, compiled, exported, under autocast, copied and made on meta.

Compiled means one graph, with the sizes and numbers of each call fixed, made dynamic when they
change, or dynamic from the first call on.
"""

import copy
import math
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import pe_lib
from tests.helpers import compiled
from tests.library.modes.cases import CASES, LEFT_OUT, Calls

pytestmark = [
    pytest.mark.usefixtures("without_shape_checks"),
    pytest.mark.filterwarnings("ignore"),  # torch's own, about what it compiles
]
MODULES = [name for name, case in CASES.items() if isinstance(case.make(), nn.Module)]


def made(name: str) -> Any:
    torch.manual_seed(0)
    return CASES[name].make()


def tensors(result: Tensor | tuple[Tensor, ...]) -> tuple[Tensor, ...]:
    return result if isinstance(result, tuple) else (result,)


def close(found: Any, expected: Any, **tolerance: float) -> None:
    torch.testing.assert_close(tensors(found), tensors(expected), **tolerance)


def test_no_public_name_is_missing() -> None:
    called = {name.partition(",")[0] for name in CASES}
    assert called | LEFT_OUT.keys() == {*pe_lib.__all__}
    assert called.isdisjoint(LEFT_OUT)


# The automatic way has both of the others: its first call is fixed, and a changed one is dynamic.
DYNAMIC = [
    pytest.param(False, marks=pytest.mark.slow),
    None,
    pytest.param(True, marks=pytest.mark.slow),
]


# A model compiles what its encoding's and its layers' own cases do. Enough are one that adds at the
# input, one that turns, one that adds to the score and one that adds to the values.
MODELS = {
    "TransformerLM, learned",
    "TransformerLM, rope",
    "TransformerLM, t5",
    "TransformerLM, shaw",
}
IN_A_GRAPH = [
    pytest.param(name, marks=[pytest.mark.slow] if ", " in name and name not in MODELS else [])
    for name in CASES
]


@pytest.mark.parametrize("dynamic", DYNAMIC, ids=["fixed", "automatic", "dynamic"])
@pytest.mark.parametrize("name", IN_A_GRAPH)
def test_compiled_to_one_graph(name: str, dynamic: bool | None) -> None:
    """The first time as in training, then without gradients, as in use."""
    eager = made(name)
    fast = compiled(eager, dynamic=dynamic)
    first, *others = CASES[name].inputs
    close(fast(*first), eager(*first))
    with torch.no_grad():
        for inputs in others:
            close(fast(*inputs), eager(*inputs))


@pytest.mark.parametrize("name", CASES)
@torch.no_grad()
def test_exported(name: str) -> None:
    eager, inputs = made(name), CASES[name].inputs[0]
    model = eager if isinstance(eager, nn.Module) else Calls(nn.Module(), lambda _, *x: eager(*x))
    close(torch.export.export(model, inputs).module()(*inputs), eager(*inputs))


@pytest.mark.parametrize("name", CASES)
@torch.no_grad()
def test_autocast_rounds_products_only(name: str) -> None:
    eager, inputs = made(name), CASES[name].inputs[-1]
    expected = tensors(eager(*inputs))
    with torch.autocast("cpu", torch.bfloat16):
        found = tensors(eager(*inputs))
    for low, exact in zip(found, expected, strict=True):
        if not exact.dtype.is_floating_point:
            close(low, exact)
            continue
        largest = exact[exact.isfinite()].abs().max().item()
        close(low.to(exact.dtype), exact, rtol=0, atol=0.03 * largest)


@pytest.mark.parametrize("name", MODULES)
@torch.no_grad()
def test_a_copy_is_one_of_its_own(name: str) -> None:
    original = made(name)
    other = copy.deepcopy(original)
    for inputs in CASES[name].inputs:
        close(other(*inputs), original(*inputs), rtol=0, atol=0)
    for tensor in (*original.parameters(), *original.buffers()):
        tensor.zero_()
    kept = [*made(name).state_dict().values()]
    close(tuple(other.state_dict().values()), tuple(kept), rtol=0, atol=0)


@pytest.mark.parametrize("name", MODULES)
@torch.no_grad()
def test_made_on_meta_and_filled_later(name: str) -> None:
    with torch.device("meta"):
        late = made(name)
    assert all(tensor.is_meta for tensor in late.state_dict().values())
    late.to_empty(device="cpu")
    for tensor in late.state_dict().values():
        tensor.fill_(math.nan)
    for part in late.modules():
        if hasattr(part, "reset_parameters"):
            part.reset_parameters()
    assert not any(tensor.isnan().any() for tensor in late.state_dict().values())
    dtypes = {key: tensor.dtype for key, tensor in made(name).state_dict().items()}
    assert {key: tensor.dtype for key, tensor in late.state_dict().items()} == dtypes
    for result in tensors(late(*CASES[name].inputs[0])):
        assert not result.isnan().any()


@pytest.mark.parametrize("dynamic", [None, True], ids=["automatic", "dynamic"])
def test_an_infinite_number_is_refused_in_a_graph_too(dynamic: bool | None) -> None:
    fast = compiled(pe_lib.inverse_frequencies, dynamic=dynamic)
    for theta in (100.0, 500.0):
        close(fast(4, theta), pe_lib.inverse_frequencies(4, theta))
    with pytest.raises(Exception, match=r"theta|Observed exception"):  # torch wraps it
        fast(4, math.inf)
