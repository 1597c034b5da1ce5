"""Exercise: Shaw's scores, with a learned vector for every clipped distance."""

import math

import torch
from torch import Tensor

from pe_lib.exercises.calls import Call, call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.inputs import fixed
from pe_lib.exercises.relative._common import LEARNED, OFFSETS, SHAW, from_the_start
from pe_lib.relative.indices import relative_position_index, relative_positions


def _call(q_len: int, k_len: int, dim: int, max_distance: int) -> Call:
    q, k = fixed(q_len, dim, seed=q_len), fixed(k_len, dim, seed=k_len + 10)
    return call(q, k, fixed(2 * max_distance + 1, dim, seed=max_distance), max_distance)


# In all but the first, a distance that is not clipped wraps round to the table's end in silence.
exercise = Exercise(
    _call(5, 5, 6, 1),
    _call(2, 6, 4, 2),
    _call(4, 4, 8, 5),
    _call(1, 9, 4, 3),
    _call(2, 6000, 4, 2000),
)


@exercise.answer
def my_shaw_scores(q: Tensor, k: Tensor, table: Tensor, max_distance: int) -> Tensor:
    return _scaled(q, q @ k.T + _term(q, table[_index(q, k, max_distance)]))


def _index(q: Tensor, k: Tensor, max_distance: int) -> Tensor:
    return relative_position_index(len(q), len(k), max_distance=max_distance)


def _term(q: Tensor, vectors: Tensor) -> Tensor:
    """Every query times its vectors (q_len, k_len, dim)."""
    return torch.einsum("id,ijd->ij", q, vectors)


def _scaled(q: Tensor, scores: Tensor) -> Tensor:
    return scores / math.sqrt(q.shape[-1])


def _with_rows(q: Tensor, k: Tensor, table: Tensor, index: Tensor) -> Tensor:
    """The scores, with these rows of the table (from the end where negative)."""
    return _scaled(q, q @ k.T + _term(q, table[index]))


# --- which row ----------------------------------------------------------------------------------


@exercise.mistake(see=OFFSETS)
def query_minus_key(q: Tensor, k: Tensor, table: Tensor, max_distance: int) -> Tensor:
    """you read the table from the wrong end: you subtract the key's position from the query's, so
    past and future are swapped."""
    return _with_rows(q, k, table, 2 * max_distance - _index(q, k, max_distance))


@exercise.mistake(see=OFFSETS)
def distance_without_its_sign(q: Tensor, k: Tensor, table: Tensor, max_distance: int) -> Tensor:
    """a key two tokens back and a key two tokens ahead share a row: you take the distance without
    its sign."""
    distance = (_index(q, k, max_distance) - max_distance).abs()
    return _with_rows(q, k, table, distance + max_distance)


@exercise.mistake(see=SHAW)
def row_of_the_key(q: Tensor, k: Tensor, table: Tensor, max_distance: int) -> Tensor:
    """every query uses the same row for a key, because you choose the row by the key's own
    position. What counts is the distance between query and key."""
    row = torch.arange(len(k)).clamp(max=2 * max_distance)
    return _with_rows(q, k, table, row.expand(len(q), -1))


@exercise.mistake(see=OFFSETS)
def aligned_at_the_start(q: Tensor, k: Tensor, table: Tensor, max_distance: int) -> Tensor:
    """right if there are as many queries as keys. If there are fewer queries, you treat them as the
    first tokens of the text, but they are its last ones."""
    relative = from_the_start(len(q), len(k)).clamp(-max_distance, max_distance)
    return _with_rows(q, k, table, relative + max_distance)


@exercise.mistake(see=LEARNED)
def not_clipped(q: Tensor, k: Tensor, table: Tensor, max_distance: int) -> Tensor:
    """your rows run off the table. Below 0 that raises no error: a negative row is counted from
    the table's end, so the far past gets the vectors of keys ahead."""
    return _with_rows(q, k, table, relative_positions(len(q), len(k)) + max_distance)


@exercise.mistake(see=LEARNED)
def not_shifted(q: Tensor, k: Tensor, table: Tensor, max_distance: int) -> Tensor:
    """your distances are clipped but not shifted. A negative row raises no error, because it is
    counted from the table's end. So the past gets rows of the future, and the future those of
    the past."""
    return _with_rows(q, k, table, _index(q, k, max_distance) - max_distance)


# --- what meets the vector ----------------------------------------------------------------------


@exercise.mistake(see=SHAW)
def key_meets_the_vector(q: Tensor, k: Tensor, table: Tensor, max_distance: int) -> Tensor:
    """the right vectors meet the wrong partner: you multiply them by the key. The query should meet
    both, the key and the vector of the distance."""
    term = torch.einsum("jd,ijd->ij", k, table[_index(q, k, max_distance)])
    return _scaled(q, q @ k.T + term)


@exercise.mistake(see=SHAW)
def vector_added_up(q: Tensor, k: Tensor, table: Tensor, max_distance: int) -> Tensor:
    """you add up the numbers of a vector, as if each distance had one learned number. Here it has
    a vector, and what that gives depends on the query."""
    return _scaled(q, q @ k.T + table.sum(-1)[_index(q, k, max_distance)])


@exercise.mistake(see=SHAW)
def no_table(q: Tensor, k: Tensor, table: Tensor, max_distance: int) -> Tensor:
    """these are plain scores of queries and keys: you do not use the table."""
    return _scaled(q, q @ k.T)


@exercise.mistake(see=SHAW)
def table_alone(q: Tensor, k: Tensor, table: Tensor, max_distance: int) -> Tensor:
    """you give the part of the table alone: queries meet keys as well, and the two are added."""
    return _scaled(q, _term(q, table[_index(q, k, max_distance)]))


# --- the scale ----------------------------------------------------------------------------------


@exercise.mistake(see=SHAW)
def scale_forgotten(q: Tensor, k: Tensor, table: Tensor, max_distance: int) -> Tensor:
    """the sum is right, but it is not divided by the root of dim."""
    return q @ k.T + _term(q, table[_index(q, k, max_distance)])


@exercise.mistake(see=SHAW)
def table_not_scaled(q: Tensor, k: Tensor, table: Tensor, max_distance: int) -> Tensor:
    """only the part of the keys is divided by the root of dim. In Shaw's paper the vector is added
    to the key, so the whole sum is divided."""
    return _scaled(q, q @ k.T) + _term(q, table[_index(q, k, max_distance)])


@exercise.mistake(see=SHAW)
def keys_not_scaled(q: Tensor, k: Tensor, table: Tensor, max_distance: int) -> Tensor:
    """only the part of the table is divided by the root of dim; the part of the keys should be
    divided too."""
    return q @ k.T + _scaled(q, _term(q, table[_index(q, k, max_distance)]))


@exercise.mistake(see=SHAW)
def scaled_by_dim(q: Tensor, k: Tensor, table: Tensor, max_distance: int) -> Tensor:
    """the scores are divided too much: by the number of features itself."""
    return _scaled(q, my_shaw_scores(q, k, table, max_distance))


# --- what comes out -----------------------------------------------------------------------------


@exercise.mistake(see=SHAW)
def transposed(q: Tensor, k: Tensor, table: Tensor, max_distance: int) -> Tensor:
    """your scores are transposed: they should have one row for each query and one column for each
    key."""
    return my_shaw_scores(q, k, table, max_distance).T


@exercise.mistake(see=SHAW)
def already_weights(q: Tensor, k: Tensor, table: Tensor, max_distance: int) -> Tensor:
    """you have taken the softmax already. The task asks for the scores that go into it."""
    return my_shaw_scores(q, k, table, max_distance).softmax(-1)


@exercise.mistake(see=SHAW)
def keys_ahead_hidden(q: Tensor, k: Tensor, table: Tensor, max_distance: int) -> Tensor:
    """the scores are right, but you hide keys ahead. The task asks for all scores: this table has
    rows for both directions."""
    hidden = relative_positions(len(q), len(k)) > 0
    return my_shaw_scores(q, k, table, max_distance).masked_fill(hidden, -math.inf)
