"""How many answers a model gives right, for strings of several lengths."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.nn import functional as F

from pe_lib.experiments.tasks.examples import DISTANCES, Examples, unseen
from pe_lib.experiments.tasks.setting import LENGTHS
from pe_lib.model import TransformerLM

COUNT = 1000  # strings of each length; the distances share them evenly
AT_ONCE = 50  # strings that are read together


def logits_of(model: TransformerLM, examples: Examples) -> Float[Tensor, "count answers symbols"]:
    """What a model says where answers are asked for, each after the right ones before it."""
    tokens, answers = examples
    logits: Tensor = model(tokens)[:, -answers.shape[1] :]
    return logits


def loss_of(model: TransformerLM, examples: Examples) -> Float[Tensor, ""]:
    """What an answer costs, in nats."""
    return F.cross_entropy(logits_of(model, examples).mT, examples[1])


@torch.no_grad()
def right_answers(
    model: TransformerLM, task: str, length: int, count: int
) -> Bool[Tensor, "count answers"]:
    """Which answers a model gives right, each after the right ones before it."""
    device = next(model.parameters()).device
    tokens, answers = unseen(task, length, count)
    found = []
    for part in zip(tokens.split(AT_ONCE), answers.split(AT_ONCE), strict=True):
        examples = part[0].to(device), part[1].to(device)
        found.append((logits_of(model, examples).argmax(dim=-1) == examples[1]).cpu())
    return torch.cat(found)


def copied_right(model: TransformerLM) -> dict[int, tuple[float, float]]:
    """Length -> the share of symbols that are copied right, and of whole strings."""
    found = {}
    for length in LENGTHS["copying"]:
        right = right_answers(model, "copying", length, COUNT)  # (count, length)
        found[length] = (_share(right), _share(right.all(dim=1)))
    return found


def retrieved_right(model: TransformerLM) -> dict[int, dict[int, float]]:
    """Length -> distance -> the share of questions that are answered right."""
    found = {}
    for length in LENGTHS["retrieval"]:
        right = right_answers(model, "retrieval", length, COUNT)[:, 0]  # (count)
        by_distance = right.view(-1, len(DISTANCES)).T  # the distances take turns
        found[length] = {d: _share(own) for d, own in zip(DISTANCES, by_distance, strict=True)}
    return found


def _share(right: Bool[Tensor, "..."]) -> float:
    return right.double().mean().item()
