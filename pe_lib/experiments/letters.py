"""Printed letters that the small vision models learn from, with more detail in more pixels.

Each is drawn once, black on white, in 96 x 96 dots: a letter of one of twelve typefaces, moved,
turned and scaled at random. A pixel is the share of black dots in its block, so that a picture of
8 x 8 pixels and one of 24 x 24 are of the same drawing, and each has the detail of its size.

Origin and licence: ``printed_letters.licence.txt``, beside the letters.
"""

import hashlib
import lzma
import math
from functools import cache
from pathlib import Path

import torch
from jaxtyping import Bool
from torch import Tensor
from torch.nn import functional as F

from pe_lib.common._checks import check_count
from pe_lib.experiments.pictures import SIDE, Pictures

DETAIL = True
LETTERS = "abcdegopqs"  # round ones, of which eight pixels a side do not show much
TYPEFACES = 12
GLYPH = 128  # dots a side, of a letter in the file: the size of its type
FILE = Path(__file__).with_name("printed_letters.xz")

DRAWN = 96  # dots a side, of a drawing: a multiple of each size that is measured
ANGLE = math.radians(15)  # at most, to either side
SCALES = (0.8, 1.1)  # the size of the type, as a part of the drawing's side
SHIFT = 0.08  # of the drawing's side, at most

# Where the drawings to learn from end, those to choose settings by, and those to measure on.
TRAINING, VALIDATION, ALL = 3600, 3960, 4440


def training_pictures() -> Pictures:
    """The pictures that no measurement uses.

    Returns:
        images: (3600, 1, 8, 8), from 0 (white) to 1 (black).
        labels: (3600,), which of the ten letters they show.

    Example:
        >>> images, labels = training_pictures()
        >>> images.shape, "".join(LETTERS[label] for label in labels[:12])
        (torch.Size([3600, 1, 8, 8]), 'abcdegopqsab')
    """
    return _pictures(slice(TRAINING), SIDE)


def validation_pictures() -> Pictures:
    """Pictures that no training sees, to choose settings by: as in ``training_pictures``.

    Example:
        >>> len(validation_pictures()[0])
        360
    """
    return _pictures(slice(TRAINING, VALIDATION), SIDE)


def unseen_pictures(size: int = SIDE) -> Pictures:
    """Pictures that neither a training nor a choice has seen, to measure on.

    Args:
        size: height and width in pixels, a divisor of 96.

    Raises:
        TypeError: ``size`` is not an int.
        ValueError: ``size`` does not divide 96.

    Example:
        >>> unseen_pictures(24)[0].shape
        torch.Size([480, 1, 24, 24])
    """
    check_count(size, "size")
    if DRAWN % size:
        raise ValueError(f"size: expected a divisor of {DRAWN}, got {size}")
    return _pictures(slice(VALIDATION, None), size)


def pictures_hash() -> str:
    """The first digits of a SHA-256 of all drawings and their split: with it, both are the same.

    Example:
        >>> len(pictures_hash())
        12
    """
    together = hashlib.sha256(_drawings().numpy().tobytes())
    together.update(f"{TRAINING} {VALIDATION}".encode())
    return together.hexdigest()[:12]


def _pictures(part: slice, size: int) -> Pictures:
    drawings = _drawings()[part, None].float()
    return F.avg_pool2d(drawings, DRAWN // size), torch.arange(ALL)[part] % len(LETTERS)


@cache
def _drawings() -> Bool[Tensor, "n rows columns"]:
    """All of them: the letters take turns, and so do the typefaces."""
    chance = torch.Generator().manual_seed(0)
    places = torch.rand(ALL, 4, generator=chance, dtype=torch.float64).tolist()
    glyphs = _glyphs()
    return torch.stack(
        [_drawing(glyphs[n % len(glyphs)], *place) for n, place in enumerate(places)]
    )


@cache
def _glyphs() -> Bool[Tensor, "typefaces_letters rows columns"]:
    """Every letter of the first typeface, then of the next."""
    packed = torch.frombuffer(bytearray(lzma.decompress(FILE.read_bytes())), dtype=torch.uint8)
    bits = packed[:, None] >> torch.arange(7, -1, -1, dtype=torch.uint8) & 1
    return bits.bool().view(TYPEFACES * len(LETTERS), GLYPH, GLYPH)


def _drawing(
    glyph: Bool[Tensor, "rows columns"], turned: float, scaled: float, right: float, down: float
) -> Bool[Tensor, "drawn drawn"]:
    """A letter, moved, turned and scaled by what four numbers from 0 to 1 say."""
    angle, scale = (2 * turned - 1) * ANGLE, SCALES[0] + scaled * (SCALES[1] - SCALES[0])
    dots = (torch.arange(DRAWN, dtype=torch.float64) + 0.5) / DRAWN - 0.5  # from the middle
    x = (dots - (2 * right - 1) * SHIFT)[None, :] / scale
    y = (dots - (2 * down - 1) * SHIFT)[:, None] / scale
    # Where each dot of the drawing lies on the letter: the same way back.
    column = ((math.cos(angle) * x + math.sin(angle) * y + 0.5) * GLYPH).floor().long()
    row = ((math.cos(angle) * y - math.sin(angle) * x + 0.5) * GLYPH).floor().long()
    inside = (row.clamp(0, GLYPH - 1) == row) & (column.clamp(0, GLYPH - 1) == column)
    return glyph[row.clamp(0, GLYPH - 1), column.clamp(0, GLYPH - 1)] & inside
