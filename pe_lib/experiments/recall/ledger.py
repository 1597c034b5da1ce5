"""The text: a ledger, in which every name comes back and always with the same note.

Tokens take turns: a name, then an entry, which is that name with its note. Every ledger has its own
notes, drawn at random, so they can be known only from an entry before; and its own order of how
frequent names are. As in Zipf's law a few are frequent and many are rare, so that some return after
two tokens and some after a thousand.
"""

import hashlib

import torch
from jaxtyping import Bool, Int
from torch import Tensor

NAMES, NOTES = 32, 8
ZIPF = 1.25  # the k-th name is k ** -ZIPF times as frequent as the first
VOCABULARY = NAMES + NAMES * NOTES  # names, and every name with every note
DRAWN = 2048  # tokens that are drawn together, from the end; so longer ledgers end in shorter ones
CHANCE = 1 / NOTES  # of a right answer, for who knows the names and no notes

Ledgers = Int[Tensor, "count length"]


def ledgers(length: int, count: int, chance: torch.Generator) -> Ledgers:
    """Ledgers drawn at random.

    Args:
        length: tokens in each, an even number.
        count: number of ledgers.
        chance: where the random names and notes come from.

    Returns:
        (count, length): names (0 ... 31) in the places 0, 2, 4 ..., entries in those between.

    Example:
        >>> ledgers(8, 1, torch.Generator().manual_seed(3))
        tensor([[ 29, 269,  29, 269,   4,  70,  29, 269]])
    """
    weights = torch.arange(1.0, NAMES + 1).pow(-ZIPF).expand(count, -1)  # (count, NAMES)
    end = min(length, DRAWN) // 2
    ranks = torch.multinomial(weights, end, replacement=True, generator=chance)
    order = torch.rand(count, NAMES, generator=chance).argsort(dim=1)
    notes = torch.randint(NOTES, (count, NAMES), generator=chance)
    while (left := length // 2 - ranks.shape[1]) > 0:
        before = min(left, DRAWN // 2)
        more = torch.multinomial(weights, before, replacement=True, generator=chance)
        ranks = torch.cat((more, ranks), dim=1)
    names = order.gather(1, ranks)  # (count, length / 2)
    entries = NAMES + NOTES * names + notes.gather(1, names)  # (count, length / 2)
    return torch.stack((names, entries), dim=-1).flatten(1)


def of_step(length: int, count: int, seed: int, step: int) -> Ledgers:
    """What a step of a training learns from: other lengths, seeds and steps have other ledgers."""
    chance = torch.Generator().manual_seed((length * 100 + seed) * 10**5 + step)
    return ledgers(length, count, chance)


def distances(tokens: Ledgers) -> Int[Tensor, "count answers"]:
    """How many tokens before each name the same name last stood; 0 where it never did.

    Example:
        >>> distances(torch.tensor([[21, 235, 40, 389, 21, 235, 21, 235]]))
        tensor([[0, 0, 4, 2]])
    """
    names = tokens[:, ::2]  # (count, answers)
    places = torch.arange(names.shape[1])
    same = _same_before(names)  # (count, answers, answers)
    last = torch.where(same, places, -1).amax(dim=-1)  # (count, answers)
    return torch.where(last < 0, 0, 2 * (places - last))


def times_before(tokens: Ledgers) -> Int[Tensor, "count answers"]:
    """How often the same name has stood before each name.

    Example:
        >>> times_before(torch.tensor([[21, 235, 40, 389, 21, 235, 21, 235]]))
        tensor([[0, 0, 1, 2]])
    """
    return _same_before(tokens[:, ::2]).sum(dim=-1)


def _same_before(names: Int[Tensor, "count n"]) -> Bool[Tensor, "count n n"]:
    return (names[:, :, None] == names[:, None, :]).tril(diagonal=-1)


def validation(length: int, count: int) -> Ledgers:
    """Ledgers to choose settings by, always the same."""
    return ledgers(length, count, torch.Generator().manual_seed(10**12))


def unseen(length: int, count: int) -> Ledgers:
    """Ledgers to measure on, always the same; no training has them but by chance."""
    return ledgers(length, count, torch.Generator().manual_seed(10**12 + 1))


def ledgers_hash() -> str:
    """The first digits of a SHA-256 of some ledgers: with the same hash, all are the same.

    Example:
        >>> len(ledgers_hash())
        12
    """
    some = torch.cat((validation(64, 10), unseen(64, 10)))
    return hashlib.sha256(some.numpy().tobytes()).hexdigest()[:12]
