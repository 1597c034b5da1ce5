"""The six exercises of chapter 05, rotary encoding in code."""

from pe_lib.exercises.rotary_in_code.half import ROTATE_HALF
from pe_lib.exercises.rotary_in_code.hunt import FIND_THE_BUG
from pe_lib.exercises.rotary_in_code.packed import PACKED_WEIGHTS
from pe_lib.exercises.rotary_in_code.padded import POSITION_IDS
from pe_lib.exercises.rotary_in_code.permuting import PERMUTE_WEIGHTS
from pe_lib.exercises.rotary_in_code.rope import APPLY_ROPE

EXERCISES = (
    ROTATE_HALF,
    APPLY_ROPE,
    PERMUTE_WEIGHTS,
    POSITION_IDS,
    PACKED_WEIGHTS,
    FIND_THE_BUG,
)
