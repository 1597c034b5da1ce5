"""The five exercises of chapter 03, learned position embeddings."""

from pe_lib.exercises.learned.adding import ADD_LEARNED
from pe_lib.exercises.learned.gradient import TABLE_GRADIENT
from pe_lib.exercises.learned.neighbours import NEIGHBOUR_COSINE
from pe_lib.exercises.learned.padding import PADDED_ROWS
from pe_lib.exercises.learned.stretching import STRETCH_TABLE

EXERCISES = (ADD_LEARNED, TABLE_GRADIENT, STRETCH_TABLE, NEIGHBOUR_COSINE, PADDED_ROWS)
