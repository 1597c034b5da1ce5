"""The text that the small models learn from: help texts of Python, in bytes.

They are split by topic. Many topics stand once more inside a longer one ("try" in "compound"): of
those only the longer one is used. So nothing that a model is measured on stands in what it has
learned from, but for words and short phrases.

Origin and licence: ``python_topics.licence.txt``, beside the text.
"""

import hashlib
import json
import lzma
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import torch
from jaxtyping import Int
from torch import Tensor

from pe_lib.common._checks import check_count

VOCABULARY = 256  # a token is one byte
FILE = Path(__file__).with_name("python_topics.json.xz")

# Topics of which at least half stands in another one.
REPEATED = {
    *("async", "attribute-access", "augassign", "class", "context-managers", "customization"),
    *("dynamic-features", "else", "exceptions", "for", "function", "id-classes", "if", "in"),
    *("naming", "numeric-types", "sequence-types", "try", "typesseq-mutable", "while", "with"),
}
VALIDATION = ("comparisons", "identifiers", "objects")  # to choose settings by
UNSEEN = ("assignment", "import", "typesmapping")  # to measure on, once all is chosen


@cache
def topics() -> dict[str, str]:
    """All help texts by name.

    Example:
        >>> len(topics()), topics()["assert"][:22]
        (79, 'The "assert" statement')
    """
    found: dict[str, str] = json.loads(lzma.decompress(FILE.read_bytes()))
    return found


def training_text() -> Int[Tensor, " tokens"]:
    """The topics that no measurement uses, one after the other, one token a byte.

    Example:
        >>> len(training_text())
        322159
        >>> bytes(training_text()[:22].tolist()).decode()
        'The "assert" statement'
    """
    return _tokens(_training_topics())


def validation_text() -> Int[Tensor, " tokens"]:
    """Three topics that no training sees, to choose settings by.

    Example:
        >>> len(validation_text())
        19828
    """
    return _tokens(VALIDATION)


def unseen_text() -> Int[Tensor, " tokens"]:
    """Three topics that neither a training nor a choice has seen, to measure on.

    Example:
        >>> len(unseen_text())
        32418
    """
    return _tokens(UNSEEN)


def unseen_topics() -> list[Int[Tensor, " tokens"]]:
    """The topics of ``unseen_text``, each by itself.

    Example:
        >>> [len(topic) for topic in unseen_topics()]
        [11224, 8842, 12350]
    """
    return [_tokens([name]) for name in UNSEEN]


def text_hash() -> str:
    """The first digits of a SHA-256 of all three texts: with the same hash, they are the same.

    Example:
        >>> len(text_hash())
        12
    """
    together = hashlib.sha256()
    for names in (_training_topics(), VALIDATION, UNSEEN):
        together.update(hashlib.sha256(_joined(names)).digest())
    return together.hexdigest()[:12]


def random_windows(
    text: Int[Tensor, " tokens"], count: int, length: int, generator: torch.Generator
) -> Int[Tensor, "count length"]:
    """Pieces of a text that begin anywhere.

    Args:
        text: (tokens,), at least ``length`` of them.
        count: number of pieces, at least 1.
        length: tokens in each, at least 1.
        generator: where the random beginnings come from.

    Raises:
        TypeError: ``count`` or ``length`` is not an int.
        ValueError: ``count`` or ``length`` is below 1, or the text is shorter than ``length``.

    Example:
        >>> random_windows(torch.arange(100), 2, 3, torch.Generator().manual_seed(0))
        tensor([[60, 61, 62],
                [87, 88, 89]])
    """
    check_count(count, "count")
    check_count(length, "length")
    if len(text) < length:
        raise ValueError(f"text: expected at least length = {length} tokens, got {len(text)}")
    starts = torch.randint(len(text) - length + 1, (count, 1), generator=generator)
    return text[starts + torch.arange(length)]


def _training_topics() -> set[str]:
    return topics().keys() - REPEATED - {*VALIDATION, *UNSEEN}


def _joined(names: Iterable[str]) -> bytes:
    return "\n".join(topics()[name] for name in sorted(names)).encode()


def _tokens(names: Iterable[str]) -> Int[Tensor, " tokens"]:
    return torch.tensor(list(_joined(names)))
