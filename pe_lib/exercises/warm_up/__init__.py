"""The five exercises of chapter 00, the warm-up."""

from pe_lib.exercises.warm_up.cache import CACHED_STEP
from pe_lib.exercises.warm_up.heads import SPLIT_HEADS
from pe_lib.exercises.warm_up.rotation import ROTATE
from pe_lib.exercises.warm_up.score import TURNED_SCORE
from pe_lib.exercises.warm_up.weights import CAUSAL_WEIGHTS

EXERCISES = (CAUSAL_WEIGHTS, SPLIT_HEADS, CACHED_STEP, ROTATE, TURNED_SCORE)
