"""The six exercises of chapter 04, RoPE by hand."""

from pe_lib.exercises.rotary_by_hand.angles import ROTARY_ANGLES
from pe_lib.exercises.rotary_by_hand.attention import ROTARY_ATTENTION
from pe_lib.exercises.rotary_by_hand.by_complex import TURN_BY_COMPLEX
from pe_lib.exercises.rotary_by_hand.halves import TURN_HALF_SPLIT
from pe_lib.exercises.rotary_by_hand.partner import FIND_PARTNER
from pe_lib.exercises.rotary_by_hand.score import ROTARY_SCORE

EXERCISES = (
    ROTARY_ANGLES,
    TURN_HALF_SPLIT,
    TURN_BY_COMPLEX,
    ROTARY_SCORE,
    FIND_PARTNER,
    ROTARY_ATTENTION,
)
