"""Exercise: attention weights of documents that are packed into one row."""

import math

import torch

from pe_lib.exercises.checker import Exercise, Mistake
from pe_lib.exercises.inputs import fixed
from pe_lib.exercises.rope_in_code._common import BLOCK, CLOTHES, HALF_SPLIT, PACKED
from pe_lib.exercises.rope_in_code._mask_mistakes import MASK_MISTAKES
from pe_lib.exercises.rope_in_code._packing import (
    anew,
    earlier,
    placed,
    scaled_scores,
    scores_anew,
    seen,
    softmax,
    turned_scores,
    weights,
    with_scores,
)
from pe_lib.exercises.runs import Call, call


def _call(head_dim: int, *documents: int) -> Call:
    rows = 2 * fixed(2, len(documents), head_dim, seed=len(documents))
    return call(*rows, torch.tensor(documents))


EXERCISE = Exercise(
    name="packed_weights",
    signature="my_packed_weights(q, k, documents)",
    reference=weights,
    calls=(
        _call(8, 0, 0, 0, 1, 1),
        _call(4, 3, 3, 7, 7, 7, 7),
        _call(12, 0, 1, 1, 1, 1, 2, 2, 2),
        _call(6, 5, 5, 5, 5),
    ),
    mistakes=(
        *MASK_MISTAKES,
        Mistake(
            "positions anew, no document mask",
            lambda q, k, documents: softmax(scores_anew(q, k, documents), earlier(documents)),
            "positions start anew in every document, but its tokens still see the documents "
            "before: to them, a foreign token looks like one of their own text.",
            PACKED,
        ),
        Mistake(
            "number of the document as position",
            lambda q, k, documents: softmax(
                scaled_scores(placed(q, documents), placed(k, documents)), earlier(documents)
            ),
            "you turn every token by the number of its document. Positions are counted inside the "
            "text, and the documents are still to be kept apart.",
            PACKED,
        ),
        Mistake(
            "two ways of counting",
            lambda q, k, documents: softmax(
                scaled_scores(placed(q, anew(documents)), placed(k)), seen(documents)
            ),
            "the positions of the queries start anew in every document, those of the keys do not: "
            "their offset is then wrong.",
            PACKED,
        ),
        Mistake(
            "positions anew, no mask at all",
            lambda q, k, documents: scores_anew(q, k, documents).softmax(dim=-1),
            "positions start anew in every document, but everybody sees everybody: nothing is "
            "masked.",
            PACKED,
        ),
        Mistake(
            "scale forgotten",
            with_scores(lambda q, k: turned_scores(q, k, scale=1)),
            "turn and mask are right, but the scores are not scaled before the softmax.",
            PACKED,
        ),
        Mistake(
            "scaled by head_dim",
            with_scores(lambda q, k: turned_scores(q, k, scale=q.shape[-1])),
            "turn and mask are right, but the scores are scaled too much: by the width of the "
            "head itself.",
            PACKED,
        ),
        Mistake(
            "scaled by the number of tokens",
            with_scores(lambda q, k: turned_scores(q, k, scale=math.sqrt(len(q)))),
            "turn and mask are right, but your scale depends on the number of tokens. It is the "
            "width of the head that counts.",
            PACKED,
        ),
        Mistake(
            "queries and keys swapped",
            with_scores(lambda q, k: turned_scores(k, q)),
            "queries and keys have changed places: a row of the weights belongs to a query.",
            PACKED,
        ),
        Mistake(
            "softmax over the queries",
            lambda q, k, documents: (
                turned_scores(q, k).masked_fill(~seen(documents), -math.inf).softmax(dim=0)
            ),
            "your columns sum to 1. It is the rows that should: each query shares out its "
            "attention among the keys.",
            PACKED,
        ),
        Mistake(
            "softmax forgotten",
            lambda q, k, documents: turned_scores(q, k).masked_fill(~seen(documents), -math.inf),
            "these are the masked scores; the weights are still to be made of them.",
            PACKED,
        ),
        Mistake(
            "not turned",
            with_scores(scaled_scores),
            "the mask is right, but no score depends on how far two tokens of a document are "
            "apart: they are not turned, or all of them alike.",
            BLOCK,
        ),
        Mistake(
            "only the query turned",
            with_scores(lambda q, k: scaled_scores(placed(q), k)),
            "you turn the queries, but not the keys: the score then depends on where the query "
            "stands, not on the offset.",
            BLOCK,
        ),
        Mistake(
            "only the key turned",
            with_scores(lambda q, k: scaled_scores(q, placed(k))),
            "you turn the keys, but not the queries: the score then depends on where the key "
            "stands, not on the offset.",
            BLOCK,
        ),
        Mistake(
            "turned in opposite ways",
            with_scores(lambda q, k: scaled_scores(placed(q), placed(k, -torch.arange(len(k))))),
            "query and key turn in opposite ways, so that their positions add up instead of "
            "leaving the offset.",
            HALF_SPLIT,
        ),
        Mistake(
            "interleaved pairs",
            with_scores(
                lambda q, k: scaled_scores(placed(q, interleaved=True), placed(k, interleaved=True))
            ),
            "mask and turn are right, but your pairs are interleaved; this head was made for "
            "half-split ones.",
            CLOTHES,
        ),
        Mistake(
            "two layouts",
            with_scores(lambda q, k: scaled_scores(placed(q), placed(k, interleaved=True))),
            "the queries are turned in one layout, the keys in the other one.",
            CLOTHES,
        ),
    ),
)
