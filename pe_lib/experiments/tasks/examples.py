"""Strings of random symbols, and what is asked about them.

A task is a function that makes examples: tokens to read, and answers, which are to follow the last
of these tokens, one each.

- Copying: a string, a separator, and the string again. Since it is random, no symbol follows from
  those before it: the one to copy is found by its place, or by what stands before it there.
- Retrieval: a string, and at its end a question, a token that stands for a distance. The answer is
  the symbol so many places before it.
"""

import hashlib
from collections.abc import Callable

import torch
from jaxtyping import Int
from torch import Tensor

SYMBOLS = 16
DISTANCES = (1, 2, 4, 8, 16)  # there is a question for each

SEPARATOR = SYMBOLS
FIRST_QUESTION = SEPARATOR + 1
VOCABULARY = FIRST_QUESTION + len(DISTANCES)

Examples = tuple[Int[Tensor, "count seq"], Int[Tensor, "count answers"]]


def copying(length: int, count: int, chance: torch.Generator) -> Examples:
    """Strings to copy.

    Args:
        length: symbols in each string.
        count: number of strings.
        chance: where the random symbols come from.

    Returns:
        Tokens (count, 2 * length) and answers (count, length): the last token is the last but one
        symbol of the copy.

    Example:
        >>> tokens, answers = copying(3, 1, torch.Generator().manual_seed(0))
        >>> tokens.tolist(), answers.tolist()
        ([[12, 15, 5, 16, 12, 15]], [[12, 15, 5]])
    """
    string = torch.randint(SYMBOLS, (count, length), generator=chance)
    separator = torch.full((count, 1), SEPARATOR)
    return torch.cat((string, separator, string[:, :-1]), dim=1), string


def retrieval(length: int, count: int, chance: torch.Generator) -> Examples:
    """Strings and a question about each; the distances take turns.

    Args:
        length: symbols in each string, at least the largest distance.
        count, chance: as in ``copying``.

    Returns:
        Tokens (count, length + 1) and answers (count, 1).

    Example:
        >>> tokens, answers = retrieval(16, 3, torch.Generator().manual_seed(0))
        >>> tokens[:, -3:].tolist(), answers.tolist()
        ([[6, 8, 17], [9, 4, 18], [3, 3, 19]], [[8], [9], [3]])
    """
    string = torch.randint(SYMBOLS, (count, length), generator=chance)
    kinds = torch.arange(count)[:, None] % len(DISTANCES)  # (count, 1)
    places = length - torch.tensor(DISTANCES)[kinds]
    return torch.cat((string, FIRST_QUESTION + kinds), dim=1), string.gather(1, places)


TASKS: dict[str, Callable[[int, int, torch.Generator], Examples]] = {
    "copying": copying,
    "retrieval": retrieval,
}


def unseen(task: str, length: int, count: int) -> Examples:
    """Examples to measure on, always the same; no training has them but by chance."""
    return TASKS[task](length, count, torch.Generator().manual_seed(10**9 + length))


def examples_hash() -> str:
    """The first digits of a SHA-256 of some examples: with the same hash, all are the same.

    Example:
        >>> len(examples_hash())
        12
    """
    together = hashlib.sha256()
    for task in TASKS:
        for part in unseen(task, length=16, count=100):
            together.update(part.numpy().tobytes())
    return together.hexdigest()[:12]
