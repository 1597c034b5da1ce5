"""A sentence, its words in another order, and which of their outputs notice."""

import re

import torch
from jaxtyping import Float, Float64
from torch import Tensor

from pe_lib.absolute.sinusoidal import sinusoidal_encoding
from pe_lib.course.running_sentence import DIM, VOCABULARY, W_K, W_Q, W_V
from pe_lib.figures.base import Figure, exact_dtype
from pe_lib.figures.controls import slider, text, toggle
from pe_lib.figures.fixed_random import fixed_uniform, hash32
from pe_lib.model import attention

MOST = 12  # words
ROUNDING = 1e-5  # a smaller change is none
SEPARATORS = r"[ \t\r\n\u00a0\u3000.,;:!?\"“”()]+"
THETA = 10000.0


class TokenShuffle(Figure):
    """Each word's output before and after a shuffle: has it changed, or only moved?

    The words of the running sentence have its eight numbers each; any other word has eight fixed
    random ones made of its letters. Every layer is ``x + attention(x)`` with the running
    sentence's weights.

    Args:
        sentence: 1 to 12 words; case and punctuation do not count.
        order: which word comes first, second … in the shuffled sentence, counted from 0. Words
            that are not named follow as they were typed; numbers without a word are left out.
        layers: number of layers.
        causal: each word sees itself and the words before it, no others.
        positions: sinusoidal positions are added to the words.

    Example:
        >>> TokenShuffle(sentence="you love I", order="2 1 0")
        TokenShuffle(sentence='you love I', order='2 1 0', layers=1, causal=False, positions=False)
    """

    question = "When the words change places, which outputs change?"
    summary = (
        "A sentence and the same words in another order. Each word's output is a strip of eight "
        "colours, joined by a line to the same word's output after the shuffle. Without a mask "
        "and without positions every strip only moves with its word, and equal words have equal "
        "strips. A causal mask or positions change strips."
    )

    asks = True

    sentence = text("the cat sat on the mat", label="sentence")
    order = text("0 5 2 3 4 1", label="order", more=True)
    layers = slider(1, 1, 3, label="layers")
    causal = toggle(False, label="causal mask")
    positions = toggle(False, label="positions added")

    @staticmethod
    def compute(
        device: str, *, sentence: str, order: str, layers: int, causal: bool, positions: bool
    ) -> dict[str, Tensor]:
        """Outputs ``before`` (words, 8) as typed and ``after`` (words, 8) in the new order.

        ``order`` (words,) is the number of the word at each new place, ``change`` (words,) the
        largest difference between that word's two outputs, and 0 where it is rounding.
        """
        words = words_of(sentence)
        places = places_of(order, len(words))
        x = torch.stack([word_vector(word) for word in words]).to(device, exact_dtype(device))
        before = outputs(x, layers, causal, positions)
        after = outputs(x[places], layers, causal, positions)
        change = (after - before[places]).abs().amax(-1)
        return {
            "before": before,
            "after": after,
            "order": torch.tensor(places),
            "change": torch.where(change < ROUNDING, 0, change),
        }


def words_of(sentence: str) -> list[str]:
    """What stands between spaces and punctuation.

    Raises:
        ValueError: there is no word, or there are too many.

    Example:
        >>> words_of("I love you. You love me!")
        ['I', 'love', 'you', 'You', 'love', 'me']
    """
    words = [word for word in re.split(SEPARATORS, sentence) if word]
    if not 1 <= len(words) <= MOST:
        raise ValueError(f"sentence: this figure draws 1 to {MOST} words, got {len(words)}")
    return words


def places_of(order: str, count: int) -> list[int]:
    """The number of the word at each place, every word once.

    Raises:
        ValueError: something is no number, or a word is named twice.

    Example:
        >>> places_of("2 0", 4)
        [2, 0, 1, 3]
    """
    named: list[int] = []
    for part in order.split():
        if not re.fullmatch("[0-9]+", part):
            raise ValueError(f"order: expected numbers of words, as in 2 0 1, got {part}")
        if int(part) in named:
            raise ValueError(f"order: expected each word once, got {int(part)} twice")
        named.append(int(part))
    return [n for n in named if n < count] + [n for n in range(count) if n not in named]


def word_vector(word: str) -> Float64[Tensor, "8"]:
    """The word's row in the running sentence's table, or numbers made of its letters.

    Example:
        >>> torch.equal(word_vector("Dog"), word_vector("dog"))
        True
    """
    word = word.lower()
    if word in VOCABULARY:
        return torch.tensor(VOCABULARY[word], dtype=torch.float64)
    seed = torch.tensor(0)
    for letter in word:
        seed = hash32(seed ^ ord(letter))
    return fixed_uniform((seed + torch.arange(DIM)) & 0xFFFFFFFF)


def outputs(
    x: Float[Tensor, "words 8"], layers: int, causal: bool, positions: bool
) -> Float[Tensor, "words 8"]:
    """The words after so many layers of ``x + attention(x)``."""
    if positions:
        x = x + sinusoidal_encoding(len(x), DIM, dtype=torch.float64).to(x)
    w_q, w_k, w_v = (weights.to(x) for weights in (W_Q, W_K, W_V))
    for _ in range(layers):
        x = x + attention(x @ w_q, x @ w_k, x @ w_v, causal=causal)
    return x
