"""Mistakes between the scores of a head and its weights: scale, softmax, mask."""

import math

from pe_lib.exercises.checker import Mistake
from pe_lib.exercises.rope_by_hand._common import WEIGHTS
from pe_lib.exercises.rope_by_hand._heads import causal, of_turned, scores, width_root

SOFTMAX_MISTAKES = (
    Mistake(
        "root of the width of x",
        width_root,
        "you divide the scores by the root of the width of the words' vectors. What counts is "
        "the number of features of one query.",
        WEIGHTS,
    ),
    Mistake(
        "no square root",
        of_turned(lambda q, k: (q @ k.mT).softmax(-1)),
        "the scores go into the softmax at their full size: they are still to be divided, by a "
        "root.",
        WEIGHTS,
    ),
    Mistake(
        "divided by dim",
        of_turned(lambda q, k: (q @ k.mT / q.shape[1]).softmax(-1)),
        "you divide the scores by the number of features. It is the root of that number.",
        WEIGHTS,
    ),
    Mistake(
        "root of the number of pairs",
        of_turned(lambda q, k: (q @ k.mT / math.sqrt(q.shape[1] / 2)).softmax(-1)),
        "you divide the scores by the root of the number of pairs. It is features that count.",
        WEIGHTS,
    ),
    Mistake(
        "multiplied by the root",
        of_turned(lambda q, k: (q @ k.mT * math.sqrt(q.shape[1])).softmax(-1)),
        "you multiply the scores by the root: they are to become smaller, not larger.",
        WEIGHTS,
    ),
    Mistake(
        "divided after the softmax",
        of_turned(lambda q, k: (q @ k.mT).softmax(-1) / math.sqrt(q.shape[1])),
        "your weights do not sum to 1: you divide by the root after the softmax. Divide the "
        "scores.",
        WEIGHTS,
    ),
    Mistake(
        "root of the number of words",
        of_turned(lambda q, k: (q @ k.mT / math.sqrt(len(k))).softmax(-1)),
        "you divide the scores by the root of the number of words. It is features that count: "
        "those of one query.",
        WEIGHTS,
    ),
    Mistake(
        "softmax over the queries",
        of_turned(lambda q, k: scores(q, k).softmax(-2)),
        "your columns sum to 1. Each word shares out its own attention, so it is the rows "
        "that sum to 1.",
        WEIGHTS,
    ),
    Mistake(
        "softmax missing",
        of_turned(scores),
        "you average the values with the scores themselves: the softmax is missing.",
        WEIGHTS,
    ),
    Mistake(
        "masked",
        of_turned(causal),
        "your words do not look ahead: there is a causal mask. It was not asked for here.",
        WEIGHTS,
    ),
)
