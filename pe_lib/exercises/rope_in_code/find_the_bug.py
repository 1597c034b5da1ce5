"""Exercise: an attention layer with four bugs to fix."""

from collections.abc import Iterator
from itertools import product

from torch import Tensor

from pe_lib.exercises.calls import Call, call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.inputs import fixed
from pe_lib.exercises.mistakes import Mistake
from pe_lib.exercises.rope_in_code import _bugs


def _call(num_heads: int, head_dim: int, past: int, seq: int) -> Call:
    dim, seed = num_heads * head_dim, 10 * past + seq
    x, weights = fixed(seq, dim, seed=seed), fixed(3, dim, dim, seed=seed) / dim**0.5
    cache = fixed(2, num_heads, past, head_dim, seed=seed + 1)
    return call(x, *weights, num_heads, *cache)


exercise = Exercise(
    _call(2, 8, past=3, seq=4),
    _call(3, 4, past=0, seq=5),
    _call(2, 6, past=6, seq=1),
    _call(2, 4, past=5003, seq=2),
)


@exercise.answer
def my_attention(
    x: Tensor,
    w_q: Tensor,
    w_k: Tensor,
    w_v: Tensor,
    num_heads: int,
    past_k: Tensor,
    past_v: Tensor,
) -> Tensor:
    return _bugs.Layer()(x, w_q, w_k, w_v, num_heads, past_k, past_v)


PLANTED = (_bugs.wrong_width, _bugs.wrong_layout, _bugs.wrong_turns, _bugs.wrong_offset)
LEFT = {
    1: "one bug is left",
    2: "two bugs are left. One of them",
    3: "three bugs are left. One of them",
    4: "four bugs are left. One of them",
    5: "five bugs are left. One of them",
}


def _left() -> Iterator[Mistake]:
    """Every set of bugs that can be left, as a message that tells of the first one."""
    for places in product(*[(None, *place.mistakes) for place in (*PLANTED, _bugs.wrong_mask)]):
        bugs = [bug for bug in places if bug]
        if _can_be_left(bugs):
            layer = _bugs.Layer()
            for bug in bugs:
                layer = bug.wrong(layer)
            names = ", ".join(bug.name for bug in bugs)
            yield Mistake(names, layer, f"{LEFT[len(bugs)]}: {bugs[0].message}", bugs[0].where)


def _can_be_left(bugs: list[Mistake]) -> bool:
    """A learner fixes one bug after the other, so at most one fix is wrong. If nothing is turned,
    nobody can tell how it would be turned."""
    if not bugs or _bugs.nothing_turned in [bug.wrong for bug in bugs]:
        return len(bugs) == 1
    planted = [place.mistakes[0] for place in PLANTED]
    return len([bug for bug in bugs if bug not in planted]) < 2


exercise.mistakes.extend(_left())
