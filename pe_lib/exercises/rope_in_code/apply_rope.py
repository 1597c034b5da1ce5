"""Exercise: queries or keys of all heads, turned by their positions."""

import torch

from pe_lib.exercises.checker import Exercise, Mistake
from pe_lib.exercises.inputs import fixed
from pe_lib.exercises.rope_in_code import _turns as turns
from pe_lib.exercises.rope_in_code._common import (
    AXIS,
    BLOCK,
    CLOTHES,
    FULL_WIDTH,
    HALF_SPLIT,
    OFFSET,
    turned,
)
from pe_lib.exercises.rope_in_code._frequency_mistakes import FREQUENCY_MISTAKES
from pe_lib.exercises.runs import Call, call
from pe_lib.rotary.layouts import half_to_interleaved, interleaved_to_half
from pe_lib.sinusoidal import sinusoidal_encoding


def _call(*shape: int, **kwargs: int) -> Call:
    return call(fixed(*shape, seed=sum(shape), dtype=torch.float32), **kwargs)


EXERCISE = Exercise(
    name="apply_rope",
    signature="my_rope(x, offset=0)",
    reference=turns.rope,
    calls=(
        _call(2, 3, 5, 8),
        _call(1, 2, 4, 4),
        _call(2, 4, 1, 8, offset=7),
        _call(3, 2, 6, 12, offset=12),
    ),
    mistakes=(
        Mistake(
            "interleaved pairs",
            turns.interleaved,
            "a flawless turn, but of neighbours: your pairs are interleaved. A model made for the "
            "other layout would talk nonsense.",
            CLOTHES,
        ),
        Mistake(
            "interleaved read, half-split written",
            lambda x, offset=0: interleaved_to_half(turns.interleaved(x, offset)),
            "you take neighbours for a pair, and lay the results down in halves. Each number "
            "should come back to where it was read.",
            CLOTHES,
        ),
        Mistake(
            "half-split read, interleaved written",
            lambda x, offset=0: half_to_interleaved(turns.rope(x, offset)),
            "the right pairs, turned by the right angles, but laid down like the other layout's: "
            "the two numbers of a pair side by side.",
            CLOTHES,
        ),
        Mistake(
            "tables of the other layout",
            lambda x, offset=0: turned(x, turns.angles_at(x, offset, interleaved=True)),
            "your quarter turn takes half-split pairs, your tables are those of interleaved ones: "
            "the two features of a pair are turned by two different angles.",
            FULL_WIDTH,
        ),
        Mistake(
            "quarter turn of the other layout",
            lambda x, offset=0: turned(x, turns.angles_at(x, offset), interleaved=True),
            "your tables are made for half-split pairs, your quarter turn takes neighbours: the "
            "two do not fit together.",
            FULL_WIDTH,
        ),
        Mistake(
            "turned backwards",
            lambda x, offset=0: turned(x, -turns.angles_at(x, offset)),
            "every pair turns the other way round. If queries and keys both do, the score still "
            "sees their distance alone, but before and after have changed places, and a trained "
            "model expects one direction. Look at the minus.",
            HALF_SPLIT,
        ),
        Mistake(
            "quarter turn forgotten",
            lambda x, offset=0: x * turns.angles_at(x, offset).cos(),
            "the part with the cosine is there, the part with the sine is not: your pairs shrink "
            "instead of turning.",
            HALF_SPLIT,
        ),
        Mistake(
            "halves not swapped",
            turns.with_quarter(lambda a, b: (a, b)),
            "you multiply the same features by the cosine and by the sine. To the sine belongs the "
            "vector with every pair turned by a quarter.",
            HALF_SPLIT,
        ),
        Mistake(
            "minus without the swap",
            turns.with_quarter(lambda a, b: (-a, b)),
            "there is a minus beside the sine, but each feature meets itself there. It should meet "
            "its partner.",
            HALF_SPLIT,
        ),
        Mistake(
            "cosine for one half, sine for the other",
            lambda x, offset=0: x * turns.cosines_then_sines(x, offset),
            "the first half is multiplied by the cosine, the second one by the sine: the two "
            "never meet. Each feature needs both, and its partner.",
            HALF_SPLIT,
        ),
        Mistake(
            "swapped without the minus",
            turns.with_quarter(lambda a, b: (b, a)),
            "the partners meet, but without a minus: it is not a turn, lengths change.",
            HALF_SPLIT,
        ),
        Mistake(
            "sine and cosine swapped",
            lambda x, offset=0: turned(x, torch.pi / 2 - turns.angles_at(x, offset)),
            "sine and cosine have changed places. The word at position 0 should come out as it "
            "went in.",
            HALF_SPLIT,
        ),
        Mistake(
            "minus twice",
            turns.with_quarter(lambda a, b: (-b, -a)),
            "the partners meet, but with a minus in both halves: it is not a turn, lengths change.",
            HALF_SPLIT,
        ),
        Mistake(
            "second half mixed up",
            turns.with_second_half(lambda a, b, cos, sin: a * cos + b * sin),
            "the first half is right. In the second one sine and cosine stand at the wrong "
            "features: at position 0 it should come out as it went in.",
            HALF_SPLIT,
        ),
        Mistake(
            "new half used too early",
            turns.with_second_half(lambda a, b, cos, sin: b * cos + (a * cos - b * sin) * sin),
            "the first half is right. For the second one you take the first half as it is after "
            "the turn; it should be the one before.",
            HALF_SPLIT,
        ),
        *FREQUENCY_MISTAKES,
        Mistake(
            "heads counted",
            turns.along(1),
            "your position counts the heads: all words of a head turn alike, wherever they stand.",
            AXIS,
        ),
        Mistake(
            "texts counted",
            turns.along(0),
            "your position counts the texts of the batch: all words of a text turn alike, "
            "wherever they stand.",
            AXIS,
        ),
        Mistake(
            "one angle for all words",
            lambda x, offset=0: turned(x, turns.angles_at(x[..., :1, :], offset)),
            "all words turn by the angle of the first one.",
            AXIS,
        ),
        Mistake(
            "nothing turned",
            lambda x, offset=0: x,
            "the vectors come back as they were.",
            HALF_SPLIT,
        ),
        Mistake(
            "heads put together",
            turns.heads_together,
            "you put the heads together before you turn: the partners of a pair are then in "
            "different heads.",
            BLOCK,
        ),
        Mistake(
            "sinusoids added",
            lambda x, offset=0: x + sinusoidal_encoding(turns.places(x, offset), x.shape[-1]),
            "this adds the sinusoids of chapter 02. Nothing is added here.",
            BLOCK,
        ),
        Mistake(
            "added",
            lambda x, offset=0: x + turns.rope(x, offset),
            "you add the turned vector to the one that came in. Nothing is added here.",
            BLOCK,
        ),
        Mistake(
            "offset ignored",
            lambda x, offset=0: turns.rope(x),
            "right without an offset, but offset changes nothing: every call starts at position 0 "
            "again, as if nothing were in the cache.",
            OFFSET,
        ),
        Mistake(
            "offset added to the angle",
            lambda x, offset=0: turned(x, turns.angles_at(x) + offset),
            "you add the offset to the angle, so that slow pairs move as far as the fast one. It "
            "is the position that moves.",
            OFFSET,
        ),
        Mistake(
            "positions from 1",
            lambda x, offset=0: turns.rope(x, offset + 1),
            "every word is turned as far as the next one should be: you count positions from 1.",
            OFFSET,
        ),
    ),
)
