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


class AlibiBias(Figure):
    """ALiBi's bias and the attention weight by distance, for a query at the end of a text.

    All scores are equal before the bias is added, so that the weights show ALiBi alone.

    Args:
        heads: number of heads in the layer.
        head: the head that is looked at, counted from 1; past the last one it is the last.
        length: number of tokens, the query included.
        causal: keys ahead of their query are shut out; otherwise they cost as much as those behind.

    Example:
        >>> AlibiBias(head=8)
        AlibiBias(heads=8, head=8, length=2048, causal=True)
    """

    question = "How far back does a head look?"
    summary = (
        "Two curves over the distance from the query back to a key: the bias that ALiBi adds to "
        "the score, and the attention weight that it leaves of equal scores. Of 8 heads the "
        "steepest, with slope 1/2, gives a token 9.2 back 1 % of the nearest one's weight; the "
        "gentlest, with slope 1/256, does so 1,179 tokens back."
    )

    asks = True

    heads = slider(8, 1, MOST_HEADS, label="heads")
    head = slider(1, 1, MOST_HEADS, label="head", up_to="heads")
    length = slider(2048, 16, 2048, log=True, label="length", unit="tokens")
    causal = toggle(True, label="causal: no key ahead of its query")

    @staticmethod
    def compute(
        device: str, *, heads: int, head: int, length: int, causal: bool
    ) -> dict[str, Tensor]:
        """Every head's slope (heads,); the distances that are drawn (drawn,), with the last query's
        ``bias`` and ``weights`` at them (heads, drawn); the distance (heads,) at which a weight is
        ``one_percent`` of the nearest one, in tokens, and the share of the weight ``within`` it
        (heads,); and the head's bias for the words of the running sentence (6, 6): its ``map``,
        nan for a key that is shut out.
        """
        dtype = exact_dtype(device)
        slopes = alibi_slopes(heads)
        one_percent = math.log(100) / slopes
        bias = alibi_bias(heads, 1, length, causal=causal, dtype=dtype)[:, 0].flip(-1).to(device)
        weights = bias.softmax(-1)
        near = torch.arange(length) <= one_percent[:, None]
        drawn = drawn_distances(length).to(device)
        words = len(WORDS)
        of_words = alibi_bias(heads, words, causal=causal, dtype=dtype)[min(head, heads) - 1]
        return {
            "slopes": slopes,
            "distances": drawn,
            "bias": bias[:, drawn],
            "weights": weights[:, drawn],
            "one_percent": one_percent,
            "within": (weights * near.to(device)).sum(-1),
            "map": of_words.masked_fill(of_words.isinf(), math.nan),
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
