"""What is saved in one form can be loaded in another: full state dicts, old and new."""

from collections.abc import Callable
from copy import deepcopy

import torch
import torch.distributed as dist
from rotary_embedding_torch import RotaryEmbedding as Published
from torch import Tensor, nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, set_model_state_dict

from tests.library.distributed.checks import check
from tests.library.distributed.models import MODELS, Rotated, batch, made
from tests.library.distributed.training import EXACT, cases, fsdp2, full_state

# Their reset_parameters copies plain tensors, which the sharded ones of FSDP2 do not take.
NOT_RESET = ("picture_mixed", "learned_freqs")


def changed(name: str) -> nn.Module:
    """The model with other weights than those that it is made with."""
    model = made(name)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(1.5)
    return model


def load(model: nn.Module, state: dict[str, Tensor]) -> None:
    """Loads a whole state that only process 0 has, into whatever wraps the model."""
    state = deepcopy(state) if dist.get_rank() == 0 else {}
    options = StateDictOptions(full_state_dict=True, broadcast_from_rank0=True)
    set_model_state_dict(model, state, options=options)


def assert_same(model: nn.Module, other: nn.Module, name: str) -> None:
    torch.testing.assert_close(full_state(model), full_state(other), rtol=0, atol=0)
    x, _ = batch(name)
    torch.testing.assert_close(model(x), other(x), rtol=1e-6, atol=1e-6)


@check(*cases(EXACT))
def saved_in_parts_and_loaded_whole(way: str, name: str) -> None:
    wrapped, plain = EXACT[way](changed(name)), made(name)
    plain.load_state_dict(full_state(wrapped))
    assert_same(wrapped, plain, name)


@check(*cases(EXACT))
def saved_whole_and_loaded_in_parts(way: str, name: str) -> None:
    plain, wrapped = changed(name), EXACT[way](made(name))
    load(wrapped, plain.state_dict())
    assert_same(wrapped, plain, name)


@check(*((name,) for way, name in cases(["fsdp2"])))
def made_on_meta_and_loaded_in_parts(name: str) -> None:
    plain = changed(name)
    with torch.device("meta"):
        empty = MODELS[name]()
    wrapped = fsdp2(empty).to_empty(device="cpu")
    load(wrapped, plain.state_dict())
    assert_same(wrapped, plain, name)


@check(*((name,) for _, name in cases(["fsdp2"]) if name not in NOT_RESET))
def made_on_meta_and_drawn_in_parts(name: str) -> None:
    """``reset_parameters`` of every module fills what ``to_empty`` has left undefined."""
    with torch.device("meta"):
        empty = MODELS[name]()
    wrapped = fsdp2(empty).to_empty(device="cpu")
    for parameter in wrapped.parameters():
        nn.init.constant_(parameter, torch.nan)
    for module in wrapped.modules():
        if hasattr(module, "reset_parameters"):
            module.reset_parameters()
    assert torch.isfinite(wrapped(batch(name)[0])).all()


def float64() -> Tensor:
    """``freqs`` as it is saved now, and was where it was a float64 Parameter, learned or not."""
    return nn.Parameter(made("fixed_freqs").rotary.freqs * 1.5)


def published() -> Tensor:
    """``freqs`` in a state dict of rotary-embedding-torch: float32."""
    return Published(8, theta=500).state_dict()["freqs"]


OLD: dict[str, Callable[[], Tensor]] = {
    "float64": float64,
    "published": published,
}


def check_frequencies(model: Rotated, name: str, freqs: Tensor) -> None:
    dtype = torch.float32 if name == "learned_freqs" else torch.float64
    found = full_state(model)["rotary.freqs"]
    assert found.dtype == dtype
    assert torch.equal(found, freqs.detach().to(dtype))
    assert torch.isfinite(model(batch(name)[0])).all()


ROTARY = ("fixed_freqs", "learned_freqs")


@check(*((name, old, how) for name in ROTARY for old in OLD for how in ("copy", "assign")))
def old_frequencies_are_loaded(name: str, old: str, how: str) -> None:
    freqs, model = OLD[old](), made(name)
    state = changed(name).state_dict() | {"rotary.freqs": freqs}
    model.load_state_dict(state, assign=how == "assign")
    check_frequencies(model, name, freqs)
    for way in EXACT.values():
        check_frequencies(way(deepcopy(model)), name, freqs)


@check(*((way, name, old) for way in EXACT for name in ROTARY for old in OLD))
def old_frequencies_are_loaded_in_parts(way: str, name: str, old: str) -> None:
    freqs, model = OLD[old](), EXACT[way](made(name))
    load(model, changed(name).state_dict() | {"rotary.freqs": freqs})
    check_frequencies(model, name, freqs)
