"""The layer of ``find_the_bug``: as it should be, and the bugs that it can have.

A bug is declared as a mistake; its function takes a layer and gives one that has the bug.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from pe_lib.common.frequencies import inverse_frequencies
from pe_lib.exercises.mistakes import Mistakes
from pe_lib.exercises.rope_in_code._common import BLOCK, LAYOUT, OFFSET, angles_of, turned

# What can be wrong at each place: the bug that is planted there comes first, and then those that
# come in while it is mended. Nothing is planted in the mask.
wrong_width = Mistakes()
wrong_layout = Mistakes()
wrong_turns = Mistakes()
wrong_offset = Mistakes()
wrong_mask = Mistakes()


def _causal(new: int, past: int) -> Tensor:
    """Which of all tokens each new one sees, (new, past + new)."""
    return torch.ones(new, past + new, dtype=torch.bool).tril(past)


@dataclass(frozen=True)
class Layer:
    """An attention layer with rotary positions and a cache, right as it stands.

    Attributes:
        heads_first: whether heads are cut before their features are turned.
        model_wide: whether the frequencies are made for the width of the model, not of a head.
        interleaved_tables: whether the two copies of an angle are neighbours, not half a width
            apart.
        interleaved_quarter: whether the quarter turn uses neighbours as pairs.
        direction: 1 counter-clockwise, -1 clockwise.
        turned: what is turned, of q, k and v.
        cache_turned: whether the cache is turned, once more.
        first: position of the first new token, from the number of heads and of cached tokens.
        seen: which tokens are seen, from the numbers of new and of cached ones.
    """

    heads_first: bool = True
    model_wide: bool = False
    interleaved_tables: bool = False
    interleaved_quarter: bool = False
    direction: int = 1
    turned: str = "qk"
    cache_turned: bool = False
    first: Callable[[int, int], int] = lambda heads, past: past
    seen: Callable[[int, int], Tensor] = _causal

    def __call__(
        self,
        x: Tensor,
        w_q: Tensor,
        w_k: Tensor,
        w_v: Tensor,
        num_heads: int,
        past_k: Tensor,
        past_v: Tensor,
    ) -> Tensor:
        past, head_dim = past_k.shape[1:]
        q, k, v = (
            self._heads(x @ w, num_heads, self.first(num_heads, past), name in self.turned)
            for w, name in ((w_q, "q"), (w_k, "k"), (w_v, "v"))
        )
        if self.cache_turned:  # together with the new ones, and so are the values
            past_k = self._turn(past_k, num_heads)
            past_v = self._turn(past_v, num_heads) if "v" in self.turned else past_v
        k, v = torch.cat((past_k, k), dim=1), torch.cat((past_v, v), dim=1)
        scores = q @ k.mT / math.sqrt(head_dim)
        weights = scores.masked_fill(~self.seen(len(x), past), -math.inf).softmax(-1)
        return (weights @ v).transpose(0, 1).flatten(1)

    def _heads(self, rows: Tensor, num_heads: int, first: int, is_turned: bool) -> Tensor:
        """(seq, dim) cut into (heads, seq, head_dim), and turned before or after."""
        if is_turned and not self.heads_first:
            rows = self._turn(rows, num_heads, first)
        heads: Tensor = rows.unflatten(-1, (num_heads, -1)).transpose(0, 1)
        return self._turn(heads, num_heads, first) if is_turned and self.heads_first else heads

    def _turn(self, x: Tensor, num_heads: int, first: int = 0) -> Tensor:
        """(..., seq, width) turned, of whatever width."""
        width, is_head = x.shape[-1], x.ndim == 3
        head_dim = width if is_head else width // num_heads
        if self.model_wide:
            frequencies = inverse_frequencies(head_dim * num_heads)
        else:
            frequencies = inverse_frequencies(head_dim).repeat(1 if is_head else num_heads)
        places = self.direction * torch.arange(first, first + x.shape[-2])
        angles = angles_of(places, frequencies[: width // 2], self.interleaved_tables)
        return turned(x, angles, self.interleaved_quarter)


# --- width --------------------------------------------------------------------------------------


@wrong_width.mistake(see=BLOCK)
def turned_before_the_split(layer: Layer) -> Layer:
    """queries and keys are turned while their heads are still one long row. Each head should be
    rotated on its own, with the frequencies of its own width."""
    return replace(layer, heads_first=False, model_wide=True)


@wrong_width.mistake(see=BLOCK)
def pairs_across_heads(layer: Layer) -> Layer:
    """the frequencies now fit a single head, but the heads are still one long row when they are
    turned, so the partners of a pair are in different heads."""
    return replace(layer, heads_first=False)


@wrong_width.mistake(see=BLOCK)
def width_of_the_model(layer: Layer) -> Layer:
    """the heads are cut first now, but their pairs still have the frequencies of the whole model's
    width."""
    return replace(layer, model_wide=True)


# --- layout -------------------------------------------------------------------------------------


@wrong_layout.mistake(see=LAYOUT)
def tables_of_the_other_layout(layer: Layer) -> Layer:
    """the two features of a pair are turned by two different angles. Tables and quarter turn are
    not of the same layout."""
    return replace(layer, interleaved_tables=True)


@wrong_layout.mistake(see=LAYOUT)
def interleaved_pairs(layer: Layer) -> Layer:
    """tables and quarter turn fit together now, but both are interleaved. The weights and the keys
    in the cache were made for half-split pairs."""
    return replace(layer, interleaved_tables=True, interleaved_quarter=True)


@wrong_layout.mistake(see=LAYOUT)
def turned_clockwise(layer: Layer) -> Layer:
    """tables and quarter turn fit together now, but every pair turns in the wrong direction. The
    weights and the keys in the cache were made for the other direction."""
    return replace(layer, direction=-1)


# --- what is turned -----------------------------------------------------------------------------


@wrong_turns.mistake(see=BLOCK)
def values_turned(layer: Layer) -> Layer:
    """what the tokens hand over depends on where they are. Positions belong in the score, and
    nowhere else."""
    return replace(layer, turned="qkv")


@wrong_turns.mistake(see=BLOCK)
def only_queries_turned(layer: Layer) -> Layer:
    """the values are no longer turned, but neither are the keys, so the score depends on where the
    query is."""
    return replace(layer, turned="q")


@wrong_turns.mistake(see=BLOCK)
def only_keys_turned(layer: Layer) -> Layer:
    """the values are no longer turned, but neither are the queries, so the score depends on where
    the key is."""
    return replace(layer, turned="k")


@wrong_turns.mistake(see=BLOCK)
def nothing_turned(layer: Layer) -> Layer:
    """the values are no longer turned, but neither are the queries and keys, so the score does not
    depend on positions at all."""
    return replace(layer, turned="")


# --- offset -------------------------------------------------------------------------------------


@wrong_offset.mistake(see=OFFSET)
def offset_forgotten(layer: Layer) -> Layer:
    """each call begins at position 0 again, as if nothing were in the cache."""
    return replace(layer, first=lambda heads, past: 0)


@wrong_offset.mistake(see=OFFSET)
def offset_subtracted(layer: Layer) -> Layer:
    """you subtract the number of tokens in the cache, so the new tokens are at positions below
    zero. They should come after the tokens in the cache."""
    return replace(layer, first=lambda heads, past: -past)


@wrong_offset.mistake(see=OFFSET)
def one_too_far(layer: Layer) -> Layer:
    """the new tokens are one position too far from those in the cache. With three tokens in the
    cache, which position is the next one?"""
    return replace(layer, first=lambda heads, past: past + 1)


@wrong_offset.mistake(see=OFFSET)
def number_of_heads(layer: Layer) -> Layer:
    """the new tokens begin at the position that is the number of heads. Which axis of the cache
    counts its tokens?"""
    return replace(layer, first=lambda heads, past: heads)


@wrong_offset.mistake(see=OFFSET)
def cached_keys_turned_again(layer: Layer) -> Layer:
    """the keys in the cache have been turned already, when they came in; now they are turned once
    more."""
    return replace(layer, cache_turned=True)


# --- the mask, for whoever writes one -----------------------------------------------------------


@wrong_mask.mistake(see=OFFSET)
def looks_ahead(layer: Layer) -> Layer:
    """a new token sees those that come after it: nothing is masked."""
    return replace(layer, seen=lambda new, past: torch.ones(new, past + new, dtype=torch.bool))


@wrong_mask.mistake(see=OFFSET)
def own_token_hidden(layer: Layer) -> Layer:
    """a token does not see itself. So the first token of a text sees nothing at all, and its output
    is nan."""
    return replace(layer, seen=lambda new, past: _causal(new, past).tril(past - 1))


@wrong_mask.mistake(see=OFFSET)
def mask_aligned_at_the_start(layer: Layer) -> Layer:
    """the mask treats the new tokens as the first ones of the text, so they do not see all keys
    before them. But they are the last tokens of the text."""
    return replace(layer, seen=lambda new, past: _causal(new, past).tril())
