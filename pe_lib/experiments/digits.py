"""Handwritten digits, 8 x 8 pixels each, that the small vision models learn from.

In the file, neighbours are by the same people. Split in its order, those that a model is measured
on are for the most part in a hand that it has never seen.

Origin and licence: ``handwritten_digits.licence.txt``, beside the pictures.
"""

import hashlib
import lzma
from functools import cache
from pathlib import Path

import torch

from pe_lib.experiments.pictures import SIDE, Pictures, enlarged

DETAIL = False  # there is no larger picture than that of 8 x 8 pixels
DARKEST = 16  # a pixel counts the black ones of 4 x 4
FILE = Path(__file__).with_name("handwritten_digits.xz")

# Where the pictures to learn from end, and those to choose settings by.
TRAINING, VALIDATION = 1200, 1397


def training_pictures() -> Pictures:
    """The pictures that no measurement uses.

    Returns:
        images: (1200, 1, 8, 8), from 0 (white) to 1 (black).
        labels: (1200,), the digits that they show.

    Example:
        >>> images, labels = training_pictures()
        >>> images.shape, labels[:10].tolist()
        (torch.Size([1200, 1, 8, 8]), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    """
    return _pictures(slice(TRAINING))


def validation_pictures() -> Pictures:
    """Pictures that no training sees, to choose settings by: as in ``training_pictures``.

    Example:
        >>> len(validation_pictures()[0])
        197
    """
    return _pictures(slice(TRAINING, VALIDATION))


def unseen_pictures(size: int = SIDE) -> Pictures:
    """Pictures that neither a training nor a choice has seen, to measure on.

    Args:
        size: height and width in pixels; to other sizes than 8 they are ``enlarged``.

    Raises:
        TypeError: ``size`` is not an int.
        ValueError: ``size`` is below 1.

    Example:
        >>> unseen_pictures(12)[0].shape
        torch.Size([400, 1, 12, 12])
    """
    images, labels = _pictures(slice(VALIDATION, None))
    return enlarged(images, size), labels


def pictures_hash() -> str:
    """The first digits of a SHA-256 of all pictures and their split: with it, both are the same.

    Example:
        >>> len(pictures_hash())
        12
    """
    together = hashlib.sha256(_file())
    together.update(f"{TRAINING} {VALIDATION}".encode())
    return together.hexdigest()[:12]


@cache
def _file() -> bytes:
    return lzma.decompress(FILE.read_bytes())


def _pictures(part: slice) -> Pictures:
    rows = torch.frombuffer(bytearray(_file()), dtype=torch.uint8).view(-1, SIDE**2 + 1)[part]
    images, labels = rows[:, :-1].float() / DARKEST, rows[:, -1].long()
    return images.reshape(-1, 1, SIDE, SIDE), labels
