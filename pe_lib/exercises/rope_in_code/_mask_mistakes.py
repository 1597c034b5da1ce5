"""Mistakes in the mask of packed documents: what a token should see, and does not, or sees, and
should not."""

from pe_lib.exercises.checker import Mistake
from pe_lib.exercises.rope_in_code._common import PACKED
from pe_lib.exercises.rope_in_code._packing import (
    earlier,
    same,
    seen,
    softmax,
    turned_scores,
    with_mask,
)

MASK_MISTAKES = (
    Mistake(
        "no document mask",
        with_mask(earlier),
        "you treat the row as one long text: a token sees the documents before its own.",
        PACKED,
    ),
    Mistake(
        "looks ahead",
        with_mask(same),
        "no document sees another one, but inside a document a token sees those that come "
        "after it.",
        PACKED,
    ),
    Mistake(
        "looks ahead only",
        with_mask(lambda documents: seen(documents).mT),
        "your mask is turned over: a token sees itself and what comes after it.",
        PACKED,
    ),
    Mistake(
        "later tokens only",
        with_mask(lambda documents: ~earlier(documents) & same(documents)),
        "a token sees what comes after it in its document, and the last one nothing at all: "
        "hence the nan.",
        PACKED,
    ),
    Mistake(
        "one reason is enough",
        with_mask(lambda documents: earlier(documents) | same(documents)),
        "a token is seen if it comes earlier or is of the same document. It should be both.",
        PACKED,
    ),
    Mistake(
        "only other documents",
        with_mask(lambda documents: earlier(documents) & ~same(documents)),
        "a token sees only what does not belong to its document (and in the first one, "
        "nothing: hence the nan).",
        PACKED,
    ),
    Mistake(
        "own token hidden",
        with_mask(lambda documents: seen(documents).tril(-1)),
        "a token does not see itself, and the first one of a document sees nothing at all: "
        "hence the nan.",
        PACKED,
    ),
    Mistake(
        "mask the wrong way round",
        with_mask(lambda documents: ~seen(documents)),
        "your mask is the wrong way round: what a token should see is hidden, the rest is seen.",
        PACKED,
    ),
    Mistake(
        "no mask at all",
        lambda q, k, documents: turned_scores(q, k).softmax(dim=-1),
        "everybody sees everybody: nothing is masked.",
        PACKED,
    ),
    Mistake(
        "mask added as numbers",
        lambda q, k, documents: (turned_scores(q, k) + seen(documents)).softmax(dim=-1),
        "you add the mask to the scores as ones and zeros. That favours some tokens; it hides "
        "none.",
        PACKED,
    ),
    Mistake(
        "documents added as numbers",
        lambda q, k, documents: softmax(turned_scores(q, k) + same(documents), earlier(documents)),
        "no token looks ahead. But you add ones and zeros for the documents: that favours a "
        "token's own document; it does not hide the others.",
        PACKED,
    ),
    Mistake(
        "zero instead of minus infinity",
        lambda q, k, documents: (turned_scores(q, k) * seen(documents)).softmax(dim=-1),
        "hidden tokens have the score 0. A score of 0 still gets a share of the attention.",
        PACKED,
    ),
    Mistake(
        "masked after the softmax",
        lambda q, k, documents: turned_scores(q, k).softmax(dim=-1) * seen(documents),
        "the mask comes after the softmax: the rows no longer sum to 1, because the hidden "
        "tokens took a share.",
        PACKED,
    ),
    Mistake(
        "documents masked after the softmax",
        lambda q, k, documents: softmax(turned_scores(q, k), earlier(documents)) * same(documents),
        "the other documents are hidden only after the softmax: the rows no longer sum to 1, "
        "because the hidden tokens took a share.",
        PACKED,
    ),
    Mistake(
        "future masked after the softmax",
        lambda q, k, documents: softmax(turned_scores(q, k), same(documents)).tril(),
        "later tokens are hidden only after the softmax: the rows no longer sum to 1, because "
        "the hidden tokens took a share.",
        PACKED,
    ),
)
