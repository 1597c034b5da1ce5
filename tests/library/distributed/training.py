"""Training in two processes, each with half of the batch, equals training in one."""

from collections.abc import Callable, Iterable
from copy import deepcopy
from functools import partial
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import (
    FullyShardedDataParallel,
    MixedPrecision,
    MixedPrecisionPolicy,
    fully_shard,
)
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel

from tests.library.distributed.checks import check
from tests.library.distributed.models import MODELS, batch, made

STEPS = 2
HALF = {"param_dtype": torch.bfloat16, "reduce_dtype": torch.float32}


def fsdp1(model: nn.Module, **options: Any) -> nn.Module:
    return FullyShardedDataParallel(model, device_id=torch.device("cpu"), **options)


def fsdp2(model: nn.Module, **options: Any) -> nn.Module:
    mesh = init_device_mesh("cpu", (dist.get_world_size(),))
    for block in getattr(model, "blocks", ()):
        fully_shard(block, mesh=mesh, **options)
    return fully_shard(model, mesh=mesh, **options)


EXACT: dict[str, Callable[[nn.Module], nn.Module]] = {
    "ddp": DistributedDataParallel,
    "fsdp1": fsdp1,
    "fsdp2": fsdp2,
}
MIXED: dict[str, Callable[[nn.Module], nn.Module]] = {
    "fsdp1": partial(fsdp1, mixed_precision=MixedPrecision(**HALF)),
    "fsdp2": partial(fsdp2, mp_policy=MixedPrecisionPolicy(**HALF)),
}


def cases(ways: Iterable[str]) -> list[tuple[str, str]]:
    """Every way with every model."""
    return [(way, name) for way in ways for name in MODELS]


def loss_of(model: nn.Module, x: Tensor, y: Tensor) -> Tensor:
    return F.cross_entropy(model(x).float().flatten(0, -2), y.flatten())


def own_half(tensor: Tensor) -> Tensor:
    return tensor.chunk(dist.get_world_size())[dist.get_rank()]


def trained_by_two(model: nn.Module, x: Tensor, y: Tensor) -> list[Tensor]:
    """Trains on this process's half of the batch; returns the losses, of both halves together."""
    optimizer, losses = torch.optim.SGD(model.parameters(), lr=0.5), []
    for _ in range(STEPS):
        loss = loss_of(model, own_half(x), own_half(y))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        shared = loss.detach()
        dist.all_reduce(shared)
        losses.append(shared / dist.get_world_size())
    return losses


def trained_by_one(model: nn.Module, x: Tensor, y: Tensor) -> list[Tensor]:
    optimizer, losses = torch.optim.SGD(model.parameters(), lr=0.5), []
    for _ in range(STEPS):
        loss = loss_of(model, x, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    return losses


def trained_by_one_in_halves(model: nn.Module, x: Tensor, y: Tensor) -> list[Tensor]:
    """What mixed precision means: a bfloat16 copy of the model computes the gradients of both
    halves, which are added up in float32 and change the float32 weights."""
    optimizer, losses = torch.optim.SGD(model.parameters(), lr=0.5), []
    x = x.bfloat16() if x.is_floating_point() else x
    for _ in range(STEPS):
        optimizer.zero_grad()
        copies = [deepcopy(model).bfloat16() for _ in range(2)]
        halves = zip(copies, x.chunk(2), y.chunk(2), strict=True)
        parts = [loss_of(copy, *half) for copy, *half in halves]
        torch.stack(parts).mean().backward()
        for weight, *others in zip(*(m.parameters() for m in (model, *copies)), strict=True):
            weight.grad = sum(other.grad.float() for other in others)
        optimizer.step()
        losses.append(torch.stack(parts).detach().mean())
    return losses


def full_state(model: nn.Module) -> dict[str, Tensor]:
    """The whole state, in every process, with the names that it has without a wrapper."""
    return get_model_state_dict(model, options=StateDictOptions(full_state_dict=True))


def compare(
    wrapped: nn.Module, plain: nn.Module, losses: list[Tensor], expected: list[Tensor]
) -> None:
    """The losses and weights are the same but for the order of sums.

    A gradient is a sum of about a hundred products, each rounded to 2^-24 of its size, and two
    processes add up in another order; weights and gradients are around 1 and below. So they differ
    by less than 1e-6, while training changes them by more than 1e-2.
    """
    torch.testing.assert_close(losses, expected, rtol=1e-6, atol=1e-6)
    state, wanted = full_state(wrapped), plain.state_dict()
    torch.testing.assert_close(state, dict(wanted), rtol=1e-6, atol=1e-6)


@check(*cases(EXACT))
def training(way: str, name: str) -> None:
    plain, wrapped = made(name), EXACT[way](made(name))
    before = deepcopy(plain.state_dict())
    expected = trained_by_one(plain, *batch(name))
    compare(wrapped, plain, trained_by_two(wrapped, *batch(name)), expected)
    changes = [(plain.state_dict()[key] - before[key]).abs().max() for key in before]
    assert max(changes) > 1e-2


@check(*cases(MIXED))
def training_in_mixed_precision(way: str, name: str) -> None:
    plain, wrapped = made(name), MIXED[way](made(name))
    expected = trained_by_one_in_halves(plain, *batch(name))
    compare(wrapped, plain, trained_by_two(wrapped, *batch(name)), expected)
