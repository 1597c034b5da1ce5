"""Exercise: attention weights of documents that are packed into one row."""

import math

import torch

from pe_lib.exercises.checker import Exercise, Mistake
from pe_lib.exercises.inputs import fixed
from pe_lib.exercises.rotary_in_code import packing
from pe_lib.exercises.rotary_in_code.common import BLOCK, CLOTHES, HALF_SPLIT, PACKED
from pe_lib.exercises.runs import Call, call


def _call(head_dim: int, *documents: int) -> Call:
    rows = 2 * fixed(2, len(documents), head_dim, seed=len(documents))
    return call(*rows, torch.tensor(documents))


PACKED_WEIGHTS = Exercise(
    name="packed_weights",
    signature="my_packed_weights(q, k, documents)",
    reference=packing.weights,
    calls=(
        _call(8, 0, 0, 0, 1, 1),
        _call(4, 3, 3, 7, 7, 7, 7),
        _call(12, 0, 1, 1, 1, 1, 2, 2, 2),
        _call(6, 5, 5, 5, 5),
    ),
    mistakes=(
        Mistake(
            "positions anew, no document mask",
            lambda q, k, documents: packing.softmax(
                packing.scores_anew(q, k, documents), packing.earlier(documents)
            ),
            "positions start anew in every document, but its tokens still see the documents "
            "before: to them, a foreign token looks like one of their own text.",
            PACKED,
        ),
        Mistake(
            "no document mask",
            packing.with_mask(packing.earlier),
            "you treat the row as one long text: a token sees the documents before its own.",
            PACKED,
        ),
        Mistake(
            "number of the document as position",
            lambda q, k, documents: packing.softmax(
                packing.scaled_scores(packing.placed(q, documents), packing.placed(k, documents)),
                packing.earlier(documents),
            ),
            "you turn every token by the number of its document. Positions are counted inside the "
            "text, and the documents are still to be kept apart.",
            PACKED,
        ),
        Mistake(
            "two ways of counting",
            lambda q, k, documents: packing.softmax(
                packing.scaled_scores(
                    packing.placed(q, packing.anew(documents)), packing.placed(k)
                ),
                packing.seen(documents),
            ),
            "the positions of the queries start anew in every document, those of the keys do not: "
            "their offset is then wrong.",
            PACKED,
        ),
        Mistake(
            "looks ahead",
            packing.with_mask(packing.same),
            "no document sees another one, but inside a document a token sees those that come "
            "after it.",
            PACKED,
        ),
        Mistake(
            "looks ahead only",
            packing.with_mask(lambda documents: packing.seen(documents).mT),
            "your mask is turned over: a token sees itself and what comes after it.",
            PACKED,
        ),
        Mistake(
            "later tokens only",
            packing.with_mask(
                lambda documents: ~packing.earlier(documents) & packing.same(documents)
            ),
            "a token sees what comes after it in its document, and the last one nothing at all: "
            "hence the nan.",
            PACKED,
        ),
        Mistake(
            "one reason is enough",
            packing.with_mask(
                lambda documents: packing.earlier(documents) | packing.same(documents)
            ),
            "a token is seen if it comes earlier or is of the same document. It should be both.",
            PACKED,
        ),
        Mistake(
            "positions anew, no mask at all",
            lambda q, k, documents: packing.scores_anew(q, k, documents).softmax(dim=-1),
            "positions start anew in every document, but everybody sees everybody: nothing is "
            "masked.",
            PACKED,
        ),
        Mistake(
            "mask added as numbers",
            lambda q, k, documents: (packing.turned_scores(q, k) + packing.seen(documents)).softmax(
                dim=-1
            ),
            "you add the mask to the scores as ones and zeros. That favours some tokens; it hides "
            "none.",
            PACKED,
        ),
        Mistake(
            "documents added as numbers",
            lambda q, k, documents: packing.softmax(
                packing.turned_scores(q, k) + packing.same(documents), packing.earlier(documents)
            ),
            "no token looks ahead. But you add ones and zeros for the documents: that favours a "
            "token's own document; it does not hide the others.",
            PACKED,
        ),
        Mistake(
            "no mask at all",
            lambda q, k, documents: packing.turned_scores(q, k).softmax(dim=-1),
            "everybody sees everybody: nothing is masked.",
            PACKED,
        ),
        Mistake(
            "mask the wrong way round",
            packing.with_mask(lambda documents: ~packing.seen(documents)),
            "your mask is the wrong way round: what a token should see is hidden, the rest is "
            "seen.",
            PACKED,
        ),
        Mistake(
            "only other documents",
            packing.with_mask(
                lambda documents: packing.earlier(documents) & ~packing.same(documents)
            ),
            "a token sees only what does not belong to its document (and in the first one, "
            "nothing: hence the nan).",
            PACKED,
        ),
        Mistake(
            "own token hidden",
            packing.with_mask(lambda documents: packing.seen(documents).tril(-1)),
            "a token does not see itself, and the first one of a document sees nothing at all: "
            "hence the nan.",
            PACKED,
        ),
        Mistake(
            "masked after the softmax",
            lambda q, k, documents: (
                packing.turned_scores(q, k).softmax(dim=-1) * packing.seen(documents)
            ),
            "the mask comes after the softmax: the rows no longer sum to 1, because the hidden "
            "tokens took a share.",
            PACKED,
        ),
        Mistake(
            "documents masked after the softmax",
            lambda q, k, documents: (
                packing.softmax(packing.turned_scores(q, k), packing.earlier(documents))
                * packing.same(documents)
            ),
            "the other documents are hidden only after the softmax: the rows no longer sum to 1, "
            "because the hidden tokens took a share.",
            PACKED,
        ),
        Mistake(
            "future masked after the softmax",
            lambda q, k, documents: packing.softmax(
                packing.turned_scores(q, k), packing.same(documents)
            ).tril(),
            "later tokens are hidden only after the softmax: the rows no longer sum to 1, because "
            "the hidden tokens took a share.",
            PACKED,
        ),
        Mistake(
            "zero instead of minus infinity",
            lambda q, k, documents: (packing.turned_scores(q, k) * packing.seen(documents)).softmax(
                dim=-1
            ),
            "hidden tokens have the score 0. A score of 0 still gets a share of the attention.",
            PACKED,
        ),
        Mistake(
            "scale forgotten",
            packing.with_scores(lambda q, k: packing.turned_scores(q, k, scale=1)),
            "turn and mask are right, but the scores are not scaled before the softmax.",
            PACKED,
        ),
        Mistake(
            "scaled by head_dim",
            packing.with_scores(lambda q, k: packing.turned_scores(q, k, scale=q.shape[-1])),
            "turn and mask are right, but the scores are scaled too much: by the width of the "
            "head itself.",
            PACKED,
        ),
        Mistake(
            "scaled by the number of tokens",
            packing.with_scores(lambda q, k: packing.turned_scores(q, k, scale=math.sqrt(len(q)))),
            "turn and mask are right, but your scale depends on the number of tokens. It is the "
            "width of the head that counts.",
            PACKED,
        ),
        Mistake(
            "queries and keys swapped",
            packing.with_scores(lambda q, k: packing.turned_scores(k, q)),
            "queries and keys have changed places: a row of the weights belongs to a query.",
            PACKED,
        ),
        Mistake(
            "softmax over the queries",
            lambda q, k, documents: (
                packing.turned_scores(q, k)
                .masked_fill(~packing.seen(documents), -math.inf)
                .softmax(dim=0)
            ),
            "your columns sum to 1. It is the rows that should: each query shares out its "
            "attention among the keys.",
            PACKED,
        ),
        Mistake(
            "softmax forgotten",
            lambda q, k, documents: packing.turned_scores(q, k).masked_fill(
                ~packing.seen(documents), -math.inf
            ),
            "these are the masked scores; the weights are still to be made of them.",
            PACKED,
        ),
        Mistake(
            "not turned",
            packing.with_scores(packing.scaled_scores),
            "the mask is right, but no score depends on how far two tokens of a document are "
            "apart: they are not turned, or all of them alike.",
            BLOCK,
        ),
        Mistake(
            "only the query turned",
            packing.with_scores(lambda q, k: packing.scaled_scores(packing.placed(q), k)),
            "you turn the queries, but not the keys: the score then depends on where the query "
            "stands, not on the offset.",
            BLOCK,
        ),
        Mistake(
            "only the key turned",
            packing.with_scores(lambda q, k: packing.scaled_scores(q, packing.placed(k))),
            "you turn the keys, but not the queries: the score then depends on where the key "
            "stands, not on the offset.",
            BLOCK,
        ),
        Mistake(
            "turned in opposite ways",
            packing.with_scores(
                lambda q, k: packing.scaled_scores(
                    packing.placed(q), packing.placed(k, -torch.arange(len(k)))
                )
            ),
            "query and key turn in opposite ways, so that their positions add up instead of "
            "leaving the offset.",
            HALF_SPLIT,
        ),
        Mistake(
            "interleaved pairs",
            packing.with_scores(
                lambda q, k: packing.scaled_scores(
                    packing.placed(q, interleaved=True), packing.placed(k, interleaved=True)
                )
            ),
            "mask and turn are right, but your pairs are interleaved; this head was made for "
            "half-split ones.",
            CLOTHES,
        ),
        Mistake(
            "two layouts",
            packing.with_scores(
                lambda q, k: packing.scaled_scores(
                    packing.placed(q), packing.placed(k, interleaved=True)
                )
            ),
            "the queries are turned in one layout, the keys in the other one.",
            CLOTHES,
        ),
    ),
)
