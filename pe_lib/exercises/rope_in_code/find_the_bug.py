"""Exercise: an attention layer with four bugs, to be mended."""

from collections.abc import Iterator
from functools import partial
from itertools import product

import torch
from torch import Tensor

from pe_lib.exercises.checker import Exercise, Mistake
from pe_lib.exercises.inputs import fixed
from pe_lib.exercises.rope_in_code._common import (
    BLOCK,
    CLOTHES,
    FULL_WIDTH,
    OFFSET,
    angles_of,
    turned,
)
from pe_lib.exercises.runs import Call, call
from pe_lib.frequencies import inverse_frequencies
from pe_lib.model import attention

# What a learner reads about a bug, and where the chapter explains it.
BUGS = {
    "turned before the split": (
        "queries and keys are turned while their heads are still one long row. Each head should be "
        "turned for itself, at the speeds of its own width.",
        BLOCK,
    ),
    "tables of the other layout": (
        "the two features of a pair are turned by two different angles. Tables and quarter turn "
        "are not of the same layout.",
        FULL_WIDTH,
    ),
    "values turned": (
        "what the words hand over depends on where they stand. Positions belong in the score, "
        "and nowhere else.",
        BLOCK,
    ),
    "offset forgotten": (
        "each call begins at position 0 again, as if nothing were in the cache.",
        OFFSET,
    ),
    "pairs across heads": (
        "the frequencies are those of a head now, but heads are still one long row when they are "
        "turned: the partners of a pair are in different heads.",
        BLOCK,
    ),
    "width of the model": (
        "the heads are cut first now, but their pairs still have the frequencies of the whole "
        "model's width.",
        BLOCK,
    ),
    "interleaved pairs": (
        "tables and quarter turn fit together now, but both are interleaved. The weights and the "
        "keys in the cache were made for half-split pairs.",
        CLOTHES,
    ),
    "only queries turned": (
        "the values stay as they are, but so do the keys now: the score depends on where the query "
        "stands.",
        BLOCK,
    ),
    "only keys turned": (
        "the values stay as they are, but so do the queries now: the score depends on where the "
        "key stands.",
        BLOCK,
    ),
    "cached keys turned again": (
        "the keys in the cache have been turned already, when they came in; now they are turned "
        "once more.",
        OFFSET,
    ),
    "one too far": (
        "the new words stand one position too far from those in the cache. With three words in "
        "the cache, which position is the next one?",
        OFFSET,
    ),
    "number of heads": (
        "the new words begin at the position that is the number of heads. Which axis of the cache "
        "counts its words?",
        OFFSET,
    ),
}
# What can be wrong at each of the four places: nothing (""), the bug that is planted there, or a
# bug that came in while it was mended.
PLACES = (
    ("", "turned before the split", "pairs across heads", "width of the model"),
    ("", "tables of the other layout", "interleaved pairs"),
    ("", "values turned", "only queries turned", "only keys turned"),
    ("", "offset forgotten", "cached keys turned again", "one too far", "number of heads"),
)
PLANTED = {place[1] for place in PLACES}
LEFT = {
    1: "one bug is left",
    2: "two bugs are left. One of them",
    3: "three bugs are left. One of them",
    4: "four bugs are left. One of them",
}


def _layer(
    bugs: tuple[str, ...],
    x: Tensor,
    w_q: Tensor,
    w_k: Tensor,
    w_v: Tensor,
    num_heads: int,
    past_k: Tensor,
    past_v: Tensor,
) -> Tensor:
    """The layer with these bugs; without any, as it should be."""

    def turn(t: Tensor, first: int) -> Tensor:
        width, tables = t.shape[-1], 1
        if "width of the model" in bugs:
            width = x.shape[-1]
        if "pairs across heads" in bugs:
            width, tables = width // num_heads, num_heads
        frequencies = inverse_frequencies(width).repeat(tables)[: t.shape[-1] // 2]
        interleaved = "interleaved pairs" in bugs
        beside = interleaved or "tables of the other layout" in bugs
        places = torch.arange(first, first + t.shape[-2])
        return turned(t, angles_of(places, frequencies, interleaved=beside), interleaved)

    def split(t: Tensor) -> Tensor:
        heads: Tensor = t.unflatten(-1, (num_heads, -1))
        return heads.transpose(0, 1)

    def prepared(t: Tensor, *, stays: bool) -> Tensor:
        """Split and turned, in one order or the other."""
        if stays:
            return split(t)
        first = _first(bugs, num_heads, past_k.shape[1])
        if {"turned before the split", "pairs across heads"} & {*bugs}:
            return split(turn(t, first))
        return turn(split(t), first)

    q = prepared(x @ w_q, stays="only keys turned" in bugs)
    k = prepared(x @ w_k, stays="only queries turned" in bugs)
    v = prepared(x @ w_v, stays="values turned" not in bugs)
    if "cached keys turned again" in bugs:  # together with the new ones, and so are the values
        past_k = turn(past_k, first=0)
        past_v = turn(past_v, first=0) if "values turned" in bugs else past_v
    k, v = torch.cat((past_k, k), dim=1), torch.cat((past_v, v), dim=1)
    return attention(q, k, v, causal=True).transpose(0, 1).flatten(1)


def _first(bugs: tuple[str, ...], num_heads: int, past: int) -> int:
    """The position of the first new word."""
    if "offset forgotten" in bugs:
        return 0
    if "number of heads" in bugs:
        return num_heads
    return past + ("one too far" in bugs)


def _mistakes() -> Iterator[Mistake]:
    """Every set of bugs that can be left; a message tells of the first of them."""
    for places in product(*PLACES):
        bugs = tuple(filter(None, places))
        # Whoever mends goes bug by bug, so only one of them is mended wrongly.
        if bugs and len({*bugs} - PLANTED) < 2:
            message, where = BUGS[bugs[0]]
            told = f"{LEFT[len(bugs)]}: {message}"
            yield Mistake(", ".join(bugs), partial(_layer, bugs), told, where)


def _call(num_heads: int, head_dim: int, past: int, seq: int) -> Call:
    dim, seed = num_heads * head_dim, 10 * past + seq
    x, weights = fixed(seq, dim, seed=seed), fixed(3, dim, dim, seed=seed) / dim**0.5
    cache = fixed(2, num_heads, past, head_dim, seed=seed + 1)
    return call(x, *weights, num_heads, *cache)


EXERCISE = Exercise(
    name="find_the_bug",
    signature="my_attention(x, w_q, w_k, w_v, num_heads, past_k, past_v)",
    reference=partial(_layer, ()),
    calls=(_call(2, 8, past=3, seq=4), _call(3, 4, past=0, seq=5), _call(2, 6, past=6, seq=1)),
    mistakes=tuple(_mistakes()),
)
