"""How far back a head looks with ALiBi: its penalty by distance, and what softmax makes of it."""

import math

import torch
from jaxtyping import Int64
from torch import Tensor

from pe_lib.course.running_sentence import WORDS
from pe_lib.figures.base import Figure, exact_dtype
from pe_lib.figures.controls import slider, toggle
from pe_lib.relative.alibi import alibi_bias, alibi_slopes

MOST_HEADS = 32
TOKENS = 64  # that are drawn in a row
FARTHEST = 2048  # tokens: where the curves end, and the farthest reach


class AlibiBias(Figure):
    """How far back ALiBi's heads look from one token of a text.

    All scores are equal before the bias is added, so that the weights show ALiBi alone.

    Args:
        heads: number of heads in the layer.
        head: the head that is looked at, counted from 1; past the last one it is the last.
        length: number of tokens up to the query, the query included.
        reach: the distance at which the head's weight shall have fallen to 1 % of the nearest one,
            in tokens: it gets the slope for that. 0 leaves it ALiBi's own.
        causal: keys ahead of their query are shut out; otherwise they cost as much as those behind.
        offset: the query is known to come after the keys before it; otherwise it is taken for
            position 0, as when code forgets the keys in a cache.

    Example:
        >>> AlibiBias(head=8).length
        56
    """

    question = "How far back does a head look?"
    summary = (
        "A text of 64 tokens in a row and, for each of 8 heads, the weight that ALiBi leaves of "
        "equal scores: it tapers off behind the query. The steepest head, with slope 1/2, gives a "
        "token 9.2 back 1 % of the nearest one's weight; the gentlest, with slope 1/256, would do "
        "so only far outside this text."
    )

    asks = True

    heads = slider(8, 1, MOST_HEADS, label="heads")
    head = slider(3, 1, MOST_HEADS, label="head", up_to="heads", more=True)
    length = slider(56, 1, TOKENS, label="length", unit="tokens", more=True)
    reach = slider(0, 0, FARTHEST, label="1 % after", unit="0: ALiBi's", more=True)
    causal = toggle(True, label="causal: no key ahead of its query", more=True)
    offset = toggle(True, label="offset: the query comes after the cache", more=True)

    @staticmethod
    def compute(
        device: str,
        *,
        heads: int,
        head: int,
        length: int,
        reach: int,
        causal: bool,
        offset: bool,
    ) -> dict[str, Tensor]:
        """Every head's slope (heads,), and the distance (heads,) at which a weight is
        ``one_percent`` of the nearest one, in tokens; the query's ``weights`` on the tokens of the
        text (heads, tokens), and the share of them ``within`` that distance (heads,); the distances
        that the curves go through (drawn,), and how far a weight has ``fallen`` there, as a part of
        the nearest one (heads, drawn); and the head's bias for the words of the running sentence
        (6, 6): its ``map``, nan for a key that is shut out.
        """
        dtype = exact_dtype(device)
        chosen = min(head, heads) - 1
        own = alibi_slopes(heads)
        slopes = own.clone()
        if reach:
            slopes[chosen] = math.log(100) / reach
        one_percent = math.log(100) / slopes
        changed = (slopes / own).to(dtype).to(device)[:, None]
        query = length - 1 if offset else 0
        bias = alibi_bias(heads, TOKENS, causal=causal, dtype=dtype)[:, query].to(device)
        weights = (changed * bias).softmax(-1)
        near = (torch.arange(TOKENS) - query).abs() <= one_percent[:, None]
        distances = drawn_distances(FARTHEST)
        words = len(WORDS)
        of_words = alibi_bias(heads, words, causal=causal, dtype=dtype)[chosen]
        return {
            "slopes": slopes,
            "one_percent": one_percent,
            "weights": weights,
            "within": (weights * near.to(device)).sum(-1),
            "distances": distances,
            "fallen": (-slopes[:, None] * distances).exp(),
            "map": (of_words * (slopes / own)[chosen]).masked_fill(of_words.isinf(), math.nan),
        }


def drawn_distances(length: int) -> Int64[Tensor, " drawn"]:
    """The distances that are drawn: all up to 32, then 16 from one power of two to the next; and
    the last one.

    Example:
        >>> drawn_distances(40).tolist()[-6:]
        [31, 32, 34, 36, 38, 39]
    """
    distances = [0]
    while distances[-1] < length - 1:
        step = 1 << max(0, distances[-1].bit_length() - 5)
        distances.append(min(distances[-1] + step, length - 1))
    return torch.tensor(distances)
