"""The five exercises of chapter 01, why order matters."""

from pe_lib.exercises.order.embed import EMBED
from pe_lib.exercises.order.gap import GAP
from pe_lib.exercises.order.permutation import PERMUTATION
from pe_lib.exercises.order.place import PLACE
from pe_lib.exercises.order.recurrent import RECURRENT_STATES

EXERCISES = (EMBED, PERMUTATION, GAP, RECURRENT_STATES, PLACE)
