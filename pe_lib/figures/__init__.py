"""Live figures: alive with a kernel (pe_lib computes) and without one (the page computes)."""

from pe_lib.figures.base import Figure
from pe_lib.figures.cache_offset import CacheOffset
from pe_lib.figures.learned_table import LearnedTable
from pe_lib.figures.position_similarity import PositionSimilarity
from pe_lib.figures.precision_loss import PrecisionLoss
from pe_lib.figures.rotary_by_hand import RotaryByHand
from pe_lib.figures.rotary_score import RotaryScore
from pe_lib.figures.shift_clocks import ShiftClocks
from pe_lib.figures.sinusoidal_table import SinusoidalTable
from pe_lib.figures.sum_and_separate import SumAndSeparate
from pe_lib.figures.token_shuffle import TokenShuffle
from pe_lib.figures.where_it_enters import WhereItEnters

__all__ = [
    "CacheOffset",
    "Figure",
    "LearnedTable",
    "PositionSimilarity",
    "PrecisionLoss",
    "RotaryByHand",
    "RotaryScore",
    "ShiftClocks",
    "SinusoidalTable",
    "SumAndSeparate",
    "TokenShuffle",
    "WhereItEnters",
]
