"""Exercise: a whole attention head with rotary positions."""

from pe_lib.exercises.checker import Exercise, Mistake
from pe_lib.exercises.inputs import fixed
from pe_lib.exercises.rope_by_hand._common import (
    AFTER,
    EXHIBIT_WIDTH,
    LAW,
    LAYOUTS,
    OFFSET,
    ONE_ALONE,
    RADIANS,
    VALUES,
    WEIGHTS,
    interleaved,
    wrong_angles,
)
from pe_lib.exercises.rope_by_hand._heads import (
    attention,
    before,
    before_all,
    false_law,
    of_plain,
    of_turned,
    turned,
    values_turned,
    weights,
    width_frequencies,
)
from pe_lib.exercises.rope_by_hand._softmax_mistakes import SOFTMAX_MISTAKES
from pe_lib.exercises.runs import Call, call


def _call(seq: int, width: int, dim: int) -> Call:
    x, weights = fixed(seq, width, seed=seq), fixed(3, width, dim, seed=width)
    return call(x, *weights)


EXERCISE = Exercise(
    name="rotary_attention",
    signature="my_attention(x, w_q, w_k, w_v)",
    reference=attention,
    calls=(_call(5, 8, 6), _call(9, 6, 4), _call(12, 10, 8), _call(1, 6, 6), _call(7, 6, 6)),
    mistakes=(
        Mistake(
            "turned before the projection",
            before,
            "you turn the words' vectors before they are projected. The projection undoes nothing "
            "and keeps no pair together: turn what comes out of it.",
            AFTER,
        ),
        Mistake(
            "all turned before the projection",
            before_all,
            "you turn the words' vectors before they become queries, keys and values. Turn after "
            "the projection, and not everything.",
            AFTER,
        ),
        Mistake(
            "values turned too",
            values_turned,
            "the weights are right, but the values have turned as well: what comes out depends on "
            "where the text begins.",
            VALUES,
        ),
        Mistake(
            "values not projected",
            lambda x, w_q, w_k, w_v: weights(turned(x @ w_q), turned(x @ w_k)) @ x,
            "the weights are right, but they average the words' own vectors: the values are what "
            "the third projection gives.",
            WEIGHTS,
        ),
        Mistake(
            "weights only",
            lambda x, w_q, w_k, w_v: weights(turned(x @ w_q), turned(x @ w_k)),
            "these are the attention weights, and they are right. The output was asked for: the "
            "values are still to be averaged with them.",
            WEIGHTS,
        ),
        Mistake(
            "only the queries turned",
            of_plain(lambda q, k: weights(turned(q), k)),
            "only the queries have turned. Then the scores depend on where the query stands, and "
            "not on how far the key is from it: the keys turn as well.",
            ONE_ALONE,
        ),
        Mistake(
            "only the keys turned",
            of_plain(lambda q, k: weights(q, turned(k))),
            "only the keys have turned. Then the scores depend on where the key stands, and not "
            "on how far it is from the query: the queries turn as well.",
            ONE_ALONE,
        ),
        Mistake(
            "turned in opposite directions",
            of_plain(lambda q, k: weights(turned(q), turned(k, sign=-1))),
            "queries and keys turn in opposite directions: in their dot product the two angles "
            "add up. Turn both the same way, and one undoes the other.",
            OFFSET,
        ),
        Mistake(
            "turned backwards",
            of_plain(lambda q, k: weights(turned(q, sign=-1), turned(k, sign=-1))),
            "your queries and keys turn clockwise: before and after are exchanged. Here a positive "
            "angle turns counter-clockwise.",
            RADIANS,
        ),
        Mistake(
            "not turned",
            of_plain(weights),
            "the positions do nothing: this is attention without any. (If all rows get the same "
            "position, that is the same: only offsets count.)",
            OFFSET,
        ),
        Mistake(
            "false law",
            of_plain(false_law),
            "you multiply each plain score by the cosine of its offset: that is the printed law. "
            "Turn the queries and the keys, and then take dot products.",
            LAW,
        ),
        Mistake(
            "interleaved layout",
            of_plain(
                lambda q, k: weights(turned(q, layout=interleaved), turned(k, layout=interleaved))
            ),
            "you turn neighbours together: that is the interleaved layout. Here the partner of a "
            "feature is half a vector away.",
            LAYOUTS,
        ),
        Mistake(
            "frequencies of the width of x",
            width_frequencies,
            "your frequencies are made with the width of the words' vectors. What turns is a query "
            "or a key, and it has a width of its own.",
            EXHIBIT_WIDTH,
        ),
        Mistake(
            "one projection for both",
            lambda x, w_q, w_k, w_v: attention(x, w_q, w_q, w_v),
            "your keys are made with the queries' weights: there is a projection for each.",
            WEIGHTS,
        ),
        Mistake(
            "queries and keys swapped",
            of_turned(lambda q, k: weights(k, q)),
            "queries and keys have changed places: rows belong to the words that look, columns to "
            "the words that are looked at.",
            WEIGHTS,
        ),
        *SOFTMAX_MISTAKES,
        *wrong_angles(attention, positions=False),
    ),
)
