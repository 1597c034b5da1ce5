"""How a model is told where its tokens or patches stand: a class for every encoding.

A kind enters a model at one of its doors: at the input, at queries and keys, or at the score. The
classes in ``text`` and ``picture`` stand in this order. What they read is in ``coordinates``.
"""

from pe_lib.model.positions.base import Position
from pe_lib.model.positions.coordinates import PicturePositions, TextPositions
from pe_lib.model.positions.text import (
    T5,
    Alibi,
    Cope,
    Fire,
    Kerple,
    Learned,
    Relative,
    Rope,
    Shaw,
    Sinusoidal,
    TransformerXL,
    XPos,
)

__all__ = [
    "T5",
    "Alibi",
    "Cope",
    "Fire",
    "Kerple",
    "Learned",
    "PicturePositions",
    "Position",
    "Relative",
    "Rope",
    "Shaw",
    "Sinusoidal",
    "TextPositions",
    "TransformerXL",
    "XPos",
]
