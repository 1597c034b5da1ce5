"""Where each of the twelve kinds of position enters a model: a class each, with one place filled.

| at the input        | at q and k | at the score                            | nowhere |
|---------------------|------------|-----------------------------------------|---------|
| sinusoidal, learned | rope, xpos | shaw, t5, xl, alibi, kerple, fire, cope | none    |
"""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

from torch import Tensor, nn

from pe_lib.learned import LearnedPositionalEmbedding
from pe_lib.model._checks import check_choice
from pe_lib.relative.alibi import alibi_bias
from pe_lib.relative.cope import ContextualPosition
from pe_lib.relative.fire import FireBias
from pe_lib.relative.kerple import KerpleBias
from pe_lib.relative.shaw import ShawRelativePosition
from pe_lib.relative.t5 import T5RelativeBias
from pe_lib.relative.transformer_xl import TransformerXLRelativePosition
from pe_lib.rotary.apply import apply_rotary, rotary_cos_sin
from pe_lib.rotary.xpos import xpos_scale
from pe_lib.sinusoidal import sinusoidal_encoding


class Position(nn.Module):
    """Nowhere: every place hands on what it is given. A kind of position fills one of them.

    ``positions`` says where the tokens stand: (seen,), or (batch, seen) where each row counts from
    its own first token and -1 is padding. The queries are the last of the tokens seen.
    """

    def at_the_input(self, x: Tensor, positions: Any) -> Tensor:
        """Changes the word vectors (batch, seq, dim), before the first layer."""
        return x

    def at_q_and_k(self, q: Tensor, k: Tensor, positions: Any) -> tuple[Tensor, Tensor]:
        """Changes queries and keys (batch, heads, length, head_dim), in every layer."""
        return q, k

    def at_the_score(self, q: Tensor, k: Tensor, positions: Any) -> Tensor | None:
        """What is added to the scaled scores (batch, heads, q_len, k_len), in every layer."""
        return None

    def at_the_values(self, weights: Tensor, v: Tensor) -> Tensor:
        """What the queries take from the values. Only Shaw's kind adds something here, too."""
        return weights @ v


class Sinusoidal(Position):
    """Sines and cosines of the position are added to the words."""

    def at_the_input(self, x: Tensor, positions: Tensor) -> Tensor:
        return x + sinusoidal_encoding(positions[..., -x.shape[-2] :], x.shape[-1], dtype=x.dtype)


class Learned(Position):
    """A trained vector for every position below ``max_len`` is added to the words."""

    def __init__(self, max_len: int, dim: int) -> None:
        super().__init__()
        self.table = LearnedPositionalEmbedding(max_len, dim)

    def at_the_input(self, x: Tensor, positions: Tensor) -> Tensor:
        if positions.shape[-1] > self.table.max_len:
            limit = f"at most max_len = {self.table.max_len} (position='learned')"
            raise ValueError(f"tokens: expected {limit}, got {positions.shape[-1]}")
        own = positions[..., -x.shape[-2] :].clamp(min=0)  # padding takes any row: nobody looks
        return x + self.table.weight[own].to(x.dtype)


class Rope(Position):
    """Queries and keys are turned by their positions."""

    def at_q_and_k(self, q: Tensor, k: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
        cos, sin = rotary_cos_sin(positions, q.shape[-1])
        own = (table[..., -q.shape[-2] :, :] for table in (cos, sin))
        return apply_rotary(q, *own), apply_rotary(k, cos, sin)


class XPos(Rope):
    """Turned as in RoPE; and the farther apart query and key, the smaller their product."""

    def at_q_and_k(self, q: Tensor, k: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
        cos, sin = rotary_cos_sin(positions, q.shape[-1])
        # Only distances count, so any token may have scale 1. The newest has it: the keys of the
        # past shrink, and none ever grows out of range.
        scale = xpos_scale(positions - positions[..., -1:], q.shape[-1])
        own = ((table * scale)[..., -q.shape[-2] :, :] for table in (cos, sin))
        return apply_rotary(q, *own), apply_rotary(k, cos / scale, sin / scale)


class Relative(Position):
    """One number for every head and distance (ALiBi, KERPLE) or bucket of distances (T5)."""

    def __init__(self, relative: Callable[..., Tensor]) -> None:
        super().__init__()
        self.relative = relative

    def at_the_score(self, q: Tensor, k: Tensor, positions: Tensor) -> Tensor:
        return self.relative(q.shape[-2], k.shape[-2]).to(q.device)


class Fire(Relative):
    """One number for every head and share of the way back to the row's own first token.

    So the bias has to know how many pads stand before that token.
    """

    def at_the_score(self, q: Tensor, k: Tensor, positions: Tensor) -> Tensor:
        padding = (positions < 0).long().cumprod(-1).sum(-1)
        return self.relative(q.shape[-2], k.shape[-2], padding=padding)


class Shaw(Relative):
    """A trained vector for every distance, clipped, joins the key, and another joins the value."""

    relative: ShawRelativePosition

    def at_the_score(self, q: Tensor, k: Tensor, positions: Tensor) -> Tensor:
        term: Tensor = self.relative(q, k.shape[-2])
        return term / math.sqrt(q.shape[-1])  # as the q k^T that it joins

    def at_the_values(self, weights: Tensor, v: Tensor) -> Tensor:
        return weights @ v + self.relative.value_term(weights)


class TransformerXL(Relative):
    """The query meets a sinusoid of the distance; two biases meet the key and the distance."""

    def at_the_score(self, q: Tensor, k: Tensor, positions: Tensor) -> Tensor:
        return self.relative(q, k) / math.sqrt(q.shape[-1])


class Cope(Relative):
    """The query meets the vector of a distance that counts only what the query wants counted."""

    def at_the_score(self, q: Tensor, k: Tensor, positions: Tensor) -> Tensor:
        return self.relative(q, q @ k.mT / math.sqrt(q.shape[-1]))


def make_position(kind: str, dim: int, num_heads: int, max_len: int, causal: bool) -> Position:
    """A position of one of the twelve kinds, for a model of these sizes.

    Raises:
        TypeError: ``kind`` is not a str.
        ValueError: ``kind`` is none of the twelve, or ``dim`` does not fit it.
    """
    head_dim = dim // num_heads
    kinds: dict[str, Callable[[], Position]] = {
        "none": Position,
        "sinusoidal": Sinusoidal,
        "learned": lambda: Learned(max_len, dim),
        "rope": Rope,
        "xpos": XPos,
        "shaw": lambda: Shaw(ShawRelativePosition(head_dim, max_distance=16)),
        "t5": lambda: Relative(T5RelativeBias(num_heads, bidirectional=not causal)),
        "xl": lambda: TransformerXL(TransformerXLRelativePosition(dim, num_heads)),
        "alibi": lambda: Relative(partial(alibi_bias, num_heads, causal=False)),
        "kerple": lambda: Relative(KerpleBias(num_heads)),
        "fire": lambda: Fire(FireBias(num_heads)),
        "cope": lambda: Cope(ContextualPosition(head_dim, max_len)),
    }
    check_choice(kind, "position", tuple(kinds))
    width = {"sinusoidal": dim, "rope": head_dim, "xpos": head_dim}.get(kind, 0)
    if width % 2:
        came = f"{width} (dim = {dim}, num_heads = {num_heads})"
        raise ValueError(f"dim: expected features in pairs for position={kind!r}, got {came}")
    return kinds[kind]()
