"""How many answers a model gives right, how far back their names stood, and what an answer costs.

All lengths end in the same tokens: a window of 128 is the end of one of 4,096.
"""

import math
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.nn import functional as F

from pe_lib.experiments.recall.ledger import NOTES, Ledgers, distances, unseen
from pe_lib.experiments.recall.setting import SHORT, Setting
from pe_lib.model import TransformerLM

AT_ONCE = 2048  # tokens of all windows that are read together
PIECE = 128  # tokens of each of them that are read together; the others wait in the cache
SCORED = 64  # tokens at the end of a window whose answers count in the loss: half of the shortest
NEAREST = 16  # names that stood nearer count together; then each class reaches twice as far


def losses_of(model: TransformerLM, tokens: Ledgers) -> Float[Tensor, "count answers"]:
    """What every answer costs, given what stands before it, in nats."""
    return F.cross_entropy(_logits(model, tokens).mT, tokens[:, 1::2], reduction="none")


def _logits(model: TransformerLM, tokens: Ledgers) -> Float[Tensor, "count answers vocabulary"]:
    logits: Tensor = model(tokens[:, :-1])[:, ::2]
    return logits


@torch.no_grad()
def read(
    model: TransformerLM, tokens: Ledgers
) -> tuple[Float[Tensor, "count answers"], Bool[Tensor, "count answers"]]:
    """What every answer costs, and whether it is right; long ledgers are read in pieces."""
    device = next(model.parameters()).device
    costs, right = [], []
    for part in tokens.split(max(1, AT_ONCE // tokens.shape[1])):
        own, cache = part.to(device), model.new_cache()
        pieces = own.split(PIECE, dim=1)
        logits = torch.cat([model(piece, cache=cache)[:, ::2] for piece in pieces], dim=1)
        entries = own[:, 1::2]  # (count, answers)
        costs.append(F.cross_entropy(logits.mT, entries, reduction="none").cpu())
        right.append((logits.argmax(dim=-1) == entries).cpu())
    return torch.cat(costs), torch.cat(right)


@dataclass(frozen=True)
class Reading:
    """What a model makes of windows of one length.

    Attributes:
        loss: nats an answer, over the last tokens of the windows.
        right: for each class of distances, by the first of them, the share of right answers in the
            second half of the windows.
    """

    loss: float
    right: dict[int, float]


def classes_of(apart: Int[Tensor, "..."]) -> Int[Tensor, "..."]:
    """For each distance the first of its class: 2 for all below 16, then 16, 32, 64 ...

    Example:
        >>> classes_of(torch.tensor([0, 2, 14, 16, 30, 32, 1900]))
        tensor([   0,    2,    2,   16,   16,   32, 1024])
    """
    doubled = 2 ** apart.clamp(min=1).double().log2().floor().long()
    return torch.where(apart < NEAREST, 2, doubled).masked_fill(apart == 0, 0)


def windows_of(setting: Setting, length: int) -> Ledgers:
    """The unseen ledgers' last tokens."""
    return unseen(setting.longest, setting.windows)[:, -length:]


def measure(model: TransformerLM, setting: Setting, length: int) -> Reading:
    """Let a model read the unseen windows of a length."""
    tokens = windows_of(setting, length)
    costs, right = read(model, tokens)
    half = right.shape[1] // 2
    kinds = classes_of(distances(tokens))[:, half:]  # (windows, answers)
    shares = {
        int(first): right[:, half:][kinds == first].double().mean().item()
        for first in kinds.unique()
        if first
    }
    return Reading(costs[:, -SCORED // 2 :].double().mean().item(), shares)


def perfect_loss(length: int, setting: Setting = SHORT) -> float:
    """What an answer costs who forgets nothing in a window of this length, in nats.

    A name that stood in the window costs nothing. For all others there are eight notes to guess.

    Example:
        >>> perfect_loss(2048) < perfect_loss(128)
        True
    """
    last = distances(windows_of(setting, length))[:, -SCORED // 2 :]
    return (last == 0).double().mean().item() * math.log(NOTES)
