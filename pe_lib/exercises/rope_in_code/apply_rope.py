"""Exercise: queries or keys of all heads, turned by their positions.

Far along, float32 angles are enough where heads are narrow: the frequencies of four features are 1
and 0.01, whose angles float32 holds well.
"""

import torch
from torch import Tensor

from pe_lib.absolute.sinusoidal import sinusoidal_encoding
from pe_lib.exercises.calls import Call, call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.inputs import fixed
from pe_lib.exercises.rope_in_code import _turns as turns
from pe_lib.exercises.rope_in_code._common import BLOCK, HALF_SPLIT, LAYOUT, turned
from pe_lib.exercises.rope_in_code._frequencies import turned_at, wrong_angles, wrong_frequencies
from pe_lib.exercises.rope_in_code._positions import wrong_positions
from pe_lib.rotary.layouts import half_to_interleaved, interleaved_to_half


def _call(*shape: int, dtype: torch.dtype = torch.float32, **kwargs: int) -> Call:
    return call(fixed(*shape, seed=sum(shape)).to(dtype), **kwargs)


exercise = Exercise(
    _call(2, 3, 5, 8),
    _call(1, 2, 4, 4),
    _call(2, 4, 1, 8, offset=7),
    _call(3, 2, 6, 12, offset=12),
    _call(1, 2, 3, 4, offset=1001),
    _call(2, 2, 3, 4, offset=12000),
    _call(1, 2, 3, 128, offset=5000, dtype=torch.bfloat16),
)


@exercise.answer
def my_rope(x: Tensor, offset: int = 0) -> Tensor:
    return turns.rope(x, offset).type_as(x)


exercise.take(wrong_frequencies, within=turned_at)
exercise.take(wrong_angles)
exercise.take(wrong_positions)


# --- layout -------------------------------------------------------------------------------------


def _interleaved(x: Tensor, offset: int) -> Tensor:
    return turned(x, turns.angles_at(x, offset, interleaved=True), interleaved=True)


@exercise.mistake(see=LAYOUT)
def interleaved_pairs(x: Tensor, offset: int = 0) -> Tensor:
    """you rotate correctly, but your pairs are neighbours: this is the interleaved layout. A model
    made for the other layout would produce nonsense."""
    return _interleaved(x, offset)


@exercise.mistake(see=LAYOUT)
def interleaved_read_and_half_split_written(x: Tensor, offset: int = 0) -> Tensor:
    """you read neighbours as a pair, but write the results in two halves. Each number should go
    back to where it was read."""
    return interleaved_to_half(_interleaved(x, offset))


@exercise.mistake(see=LAYOUT)
def half_split_read_and_interleaved_written(x: Tensor, offset: int = 0) -> Tensor:
    """you turn the right pairs by the right angles, but write the results in the other layout, with
    the two numbers of a pair side by side."""
    return half_to_interleaved(turns.rope(x, offset))


@exercise.mistake(see=LAYOUT)
def tables_of_the_other_layout(x: Tensor, offset: int = 0) -> Tensor:
    """your quarter turn uses half-split pairs, but your tables are made for interleaved pairs. So
    the two features of a pair are turned by two different angles."""
    return turned(x, turns.angles_at(x, offset, interleaved=True))


@exercise.mistake(see=LAYOUT)
def quarter_turn_of_the_other_layout(x: Tensor, offset: int = 0) -> Tensor:
    """your tables are made for half-split pairs, your quarter turn takes neighbours: the two do not
    fit together."""
    return turned(x, turns.angles_at(x, offset), interleaved=True)


# --- the four products --------------------------------------------------------------------------


def _parts(x: Tensor, offset: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Both halves, and the cosine and sine of their angles."""
    (a, b), (angles, _) = x.chunk(2, dim=-1), turns.angles_at(x, offset).chunk(2, dim=-1)
    return a, b, angles.cos(), angles.sin()


def _joined(first: Tensor, second: Tensor) -> Tensor:
    return torch.cat((first, second), dim=-1)


@exercise.mistake(see=LAYOUT)
def turned_clockwise(x: Tensor, offset: int = 0) -> Tensor:
    """every pair turns in the wrong direction. If queries and keys both do, the score still depends
    only on their offset, but before and after have changed places, and a trained model expects one
    direction. Look at the minus."""
    return turned(x, -turns.angles_at(x, offset))


@exercise.mistake(see=HALF_SPLIT)
def sine_forgotten(x: Tensor, offset: int = 0) -> Tensor:
    """the part with the cosine is there, the part with the sine is not: your pairs shrink instead
    of turning."""
    return x * turns.angles_at(x, offset).cos()


@exercise.mistake(see=HALF_SPLIT)
def halves_not_swapped(x: Tensor, offset: int = 0) -> Tensor:
    """you multiply the same features by the cosine and by the sine. The sine belongs to the vector
    with every pair turned by a quarter."""
    a, b, cos, sin = _parts(x, offset)
    return _joined(a * cos + a * sin, b * cos + b * sin)


@exercise.mistake(see=HALF_SPLIT)
def minus_without_the_swap(x: Tensor, offset: int = 0) -> Tensor:
    """there is a minus with the sine, but each feature meets itself there. It should meet its
    partner."""
    a, b, cos, sin = _parts(x, offset)
    return _joined(a * cos - a * sin, b * cos + b * sin)


@exercise.mistake(see=HALF_SPLIT)
def cosine_for_one_half_sine_for_the_other(x: Tensor, offset: int = 0) -> Tensor:
    """you multiply the first half by the cosine and the second half by the sine, so the two never
    meet. Each feature needs the cosine, the sine and its partner."""
    a, b, cos, sin = _parts(x, offset)
    return _joined(a * cos, b * sin)


@exercise.mistake(see=HALF_SPLIT)
def swapped_without_the_minus(x: Tensor, offset: int = 0) -> Tensor:
    """the partners meet, but without a minus: it is not a rotation, and lengths change."""
    a, b, cos, sin = _parts(x, offset)
    return _joined(a * cos + b * sin, b * cos + a * sin)


@exercise.mistake(see=HALF_SPLIT)
def minus_twice(x: Tensor, offset: int = 0) -> Tensor:
    """the partners meet, but with a minus in both halves: it is not a rotation, and lengths
    change."""
    a, b, cos, sin = _parts(x, offset)
    return _joined(a * cos - b * sin, b * cos - a * sin)


@exercise.mistake(see=HALF_SPLIT)
def sine_and_cosine_swapped(x: Tensor, offset: int = 0) -> Tensor:
    """sine and cosine have changed places. The token at position 0 should come out as it went
    in."""
    a, b, cos, sin = _parts(x, offset)
    return _joined(a * sin - b * cos, b * sin + a * cos)


@exercise.mistake(see=HALF_SPLIT)
def second_half_mixed_up(x: Tensor, offset: int = 0) -> Tensor:
    """the first half is right. In the second half, sine and cosine multiply the wrong features. At
    position 0 this half should come out as it went in."""
    a, b, cos, sin = _parts(x, offset)
    return _joined(a * cos - b * sin, a * cos + b * sin)


@exercise.mistake(see=HALF_SPLIT)
def new_half_used_too_early(x: Tensor, offset: int = 0) -> Tensor:
    """the first half is right. But for the second half you use the first half after its turn. Use
    it as it was before the turn."""
    a, b, cos, sin = _parts(x, offset)
    a = a * cos - b * sin
    return _joined(a, b * cos + a * sin)


# --- what is turned -----------------------------------------------------------------------------


@exercise.mistake(see=HALF_SPLIT)
def nothing_turned(x: Tensor, offset: int = 0) -> Tensor:
    """the vectors come back as they were."""
    return x


@exercise.mistake(see=BLOCK)
def heads_put_together(x: Tensor, offset: int = 0) -> Tensor:
    """you put the heads together before you turn: the partners of a pair are then in different
    heads."""
    rows = x.transpose(1, 2)
    return turns.rope(rows.flatten(2), offset).view(rows.shape).transpose(1, 2)


@exercise.mistake(see=BLOCK)
def sinusoids_added(x: Tensor, offset: int = 0) -> Tensor:
    """this adds the sinusoids of chapter 02. Nothing is added here."""
    return x + sinusoidal_encoding(turns.places(x, offset), x.shape[-1])


@exercise.mistake(see=BLOCK)
def added(x: Tensor, offset: int = 0) -> Tensor:
    """you add the turned vector to the one that came in. Nothing is added here."""
    return x + turns.rope(x, offset)
