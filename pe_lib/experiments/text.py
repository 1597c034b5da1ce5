"""The text that the small models learn from: help texts of Python, in bytes.

Origin and licence: ``python_topics.licence.txt``, beside the text.
"""

import lzma
from functools import cache
from pathlib import Path

import torch
from jaxtyping import Int
from torch import Tensor

from pe_lib._checks import check_count

VOCABULARY = 256  # a token is one byte
HELD_OUT = 0.1  # the share of the text, at its end, that no training sees


@cache
def _text() -> bytes:
    return lzma.decompress(Path(__file__).with_name("python_topics.txt.xz").read_bytes())


def training_text() -> Int[Tensor, " tokens"]:
    """The first nine tenths of the text, one token a byte.

    Example:
        >>> bytes(training_text()[:22].tolist()).decode()
        'The "assert" statement'
    """
    text = _text()
    return torch.tensor(list(text[: -int(HELD_OUT * len(text))]))


def held_out_text() -> Int[Tensor, " tokens"]:
    """The last tenth of the text, to measure on.

    Example:
        >>> len(training_text()), len(held_out_text())
        (419576, 46619)
    """
    text = _text()
    return torch.tensor(list(text[-int(HELD_OUT * len(text)) :]))


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
