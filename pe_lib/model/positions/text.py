"""Every encoding for texts: a class each, in the order in which an error names them."""

# A text's kinds are given a text's positions and sizes, not any: a narrower argument.
# mypy: disable-error-code="override"

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from torch import Tensor

from pe_lib.absolute.learned import LearnedPositionalEmbedding
from pe_lib.absolute.sinusoidal import sinusoidal_encoding
from pe_lib.model.positions.base import Position, Sizes
from pe_lib.model.positions.coordinates import SharedTables, TextPositions, text_positions
from pe_lib.relative.alibi import alibi_bias
from pe_lib.relative.cope import ContextualPosition
from pe_lib.relative.fire import FireBias
from pe_lib.relative.kerple import KerpleBias
from pe_lib.relative.shaw import ShawRelativePosition
from pe_lib.relative.t5 import T5RelativeBias
from pe_lib.relative.transformer_xl import TransformerXLRelativePosition
from pe_lib.rotary.apply import apply_rotary, rotary_cos_sin
from pe_lib.rotary.module import RotaryTables
from pe_lib.rotary.scaling.base import Scaling
from pe_lib.rotary.xpos import xpos_scale


@dataclass(frozen=True)
class TextSizes(Sizes):
    """What a kind for texts has to know of its model."""

    max_len: int
    causal: bool
    scaling: Scaling | None = None


class TextKind(Position):
    """An encoding for texts."""

    kinds: ClassVar[dict[str, type[Position]]] = {Position.kind: Position}
    features = "features in pairs"


# At the input: x is (batch, seq, dim).


class Sinusoidal(TextKind):
    """Sines and cosines of the position are added to the words."""

    kind = "sinusoidal"
    enters = "input"
    multiple_of = 2

    def at_the_input(self, x: Tensor, positions: TextPositions | Tensor) -> Tensor:
        own = text_positions(positions).ids[..., -x.shape[-2] :]  # (*batch, seq)
        return x + sinusoidal_encoding(own, x.shape[-1], dtype=x.dtype)  # (batch, seq, dim)


class Learned(TextKind):
    """A trained vector for every position below ``max_len`` is added to the words."""

    kind = "learned"
    enters = "input"

    def __init__(self, max_len: int, dim: int) -> None:
        super().__init__()
        self.table = LearnedPositionalEmbedding(max_len, dim)

    @classmethod
    def made_for(cls, sizes: TextSizes) -> "Learned":
        return cls(sizes.max_len, sizes.dim)

    def at_the_input(self, x: Tensor, positions: TextPositions | Tensor) -> Tensor:
        ids = text_positions(positions).ids  # (*batch, seen)
        if ids.shape[-1] > self.table.max_len:
            limit = f"at most max_len = {self.table.max_len} (position='learned')"
            raise ValueError(f"tokens: expected {limit}, got {ids.shape[-1]}")
        own = ids[..., -x.shape[-2] :].clamp(min=0)  # padding takes any row: nobody looks
        return x + self.table.weight[own].to(x.dtype)  # (batch, seq, dim)


# At q and k: q is (batch, heads, seq, head_dim), k is (batch, heads, seen, head_dim).


class Rope(TextKind):
    """Queries and keys are turned by their positions."""

    kind = "rope"
    multiple_of = 2

    def __init__(self, scaling: Scaling | None = None) -> None:
        super().__init__()
        self.scaling = scaling

    @classmethod
    def made_for(cls, sizes: TextSizes) -> "Rope":
        if sizes.scaling is not None:
            try:
                sizes.scaling.inverse_frequencies(sizes.head_dim)
            except ValueError as error:  # LongRoPE's lists have a length
                expected = f"one for heads of {sizes.head_dim} features"
                raise ValueError(f"scaling: expected {expected}, got {sizes.scaling!r}") from error
        return cls(sizes.scaling)

    def tables(self, ids: Tensor, dim: int) -> tuple[Tensor, Tensor]:
        """Cosine and sine at these positions, each (*batch, seen, dim / 2)."""
        return rotary_cos_sin(ids, dim, scaling=self.scaling)

    def in_this_step(self, positions: TextPositions, head_dim: int) -> TextPositions:
        if self._has_its_own or self._shared(positions) is not None:
            return positions
        tables = RotaryTables(*self.tables(positions.ids, head_dim))
        return positions._replace(tables=SharedTables(self.scaling, tables))

    @property
    def _has_its_own(self) -> bool:
        """Whether somebody has changed how this layer makes its tables."""
        return type(self).tables is not Rope.tables or "tables" in self.__dict__

    def _shared(self, positions: TextPositions) -> RotaryTables | None:
        """The tables that a model has made of the positions, if they are this layer's too."""
        shared = positions.tables
        if shared is None or shared.scaling is not self.scaling or self._has_its_own:
            return None
        return shared.tables

    def _tables_of(self, positions: TextPositions, head_dim: int) -> tuple[Tensor, Tensor]:
        """Cosine and sine of all positions, each (*batch, seen, head_dim / 2)."""
        shared = self._shared(positions)
        if shared is None:
            return self.tables(positions.ids, head_dim)
        return shared.cos, shared.sin

    def at_q_and_k(self, q: Tensor, k: Tensor, positions: TextPositions) -> tuple[Tensor, Tensor]:
        cos, sin = self._tables_of(positions, q.shape[-1])  # (*batch, seen, head_dim / 2)
        own = (table[..., -q.shape[-2] :, :] for table in (cos, sin))  # (*batch, seq, head_dim / 2)
        return apply_rotary(q, *own), apply_rotary(k, cos, sin)  # q's and k's own shapes


class XPos(Rope):
    """Turned as in RoPE; and the farther apart query and key, the smaller their product."""

    kind = "xpos"

    def at_q_and_k(self, q: Tensor, k: Tensor, positions: TextPositions) -> tuple[Tensor, Tensor]:
        ids = positions.ids  # (*batch, seen)
        cos, sin = self._tables_of(positions, q.shape[-1])  # (*batch, seen, head_dim / 2)
        # Only distances count, so any token may have scale 1. The newest has it: the keys of the
        # past shrink, and none ever grows out of range.
        scale = xpos_scale(ids - ids[..., -1:], q.shape[-1])  # (*batch, seen, head_dim / 2)
        # (*batch, seq, head_dim / 2)
        own = ((table * scale)[..., -q.shape[-2] :, :] for table in (cos, sin))
        return apply_rotary(q, *own), apply_rotary(k, cos / scale, sin / scale)


# At the score: what is added has a shape that broadcasts to (batch, heads, seq, seen).


class Relative(TextKind):
    """A bias from a module or function: one number for every head and distance."""

    def __init__(self, relative: Callable[..., Tensor]) -> None:
        super().__init__()
        self.relative = relative

    def at_the_score(self, q: Tensor, k: Tensor, positions: TextPositions) -> Tensor:
        return self.relative(q.shape[-2], k.shape[-2]).to(q.device)  # (heads, seq, seen)


class Shaw(Relative):
    """A trained vector for every distance, clipped, joins the key, and another joins the value."""

    kind = "shaw"
    relative: ShawRelativePosition

    @classmethod
    def made_for(cls, sizes: TextSizes) -> "Shaw":
        return cls(ShawRelativePosition(sizes.head_dim, max_distance=16))

    def at_the_score(self, q: Tensor, k: Tensor, positions: TextPositions) -> Tensor:
        term: Tensor = self.relative(q, k.shape[-2])  # (batch, heads, seq, seen)
        return term / math.sqrt(q.shape[-1])  # as the q k^T that it joins

    def at_the_values(self, weights: Tensor, v: Tensor) -> Tensor:
        return weights @ v + self.relative.value_term(weights)  # (batch, heads, seq, head_dim)


class T5(Relative):
    """One trained number for every head and bucket of distances."""

    kind = "t5"

    @classmethod
    def made_for(cls, sizes: TextSizes) -> "T5":
        return cls(T5RelativeBias(sizes.num_heads, bidirectional=not sizes.causal))


class TransformerXL(Relative):
    """The query meets a sinusoid of the distance; two biases meet the key and the distance."""

    kind = "xl"

    @classmethod
    def made_for(cls, sizes: TextSizes) -> "TransformerXL":
        return cls(TransformerXLRelativePosition(sizes.dim, sizes.num_heads))

    def at_the_score(self, q: Tensor, k: Tensor, positions: TextPositions) -> Tensor:
        return self.relative(q, k) / math.sqrt(q.shape[-1])  # (batch, heads, seq, seen)


class Alibi(Relative):
    """A penalty that grows with the distance, at a fixed slope for every head."""

    kind = "alibi"

    @classmethod
    def made_for(cls, sizes: TextSizes) -> "Alibi":
        return cls(partial(alibi_bias, sizes.num_heads, causal=False))


class Kerple(Relative):
    """A penalty that grows with the logarithm of the distance, as every head has learned."""

    kind = "kerple"

    @classmethod
    def made_for(cls, sizes: TextSizes) -> "Kerple":
        return cls(KerpleBias(sizes.num_heads))


class Fire(Relative):
    """One number for every head and share of the way back to the row's own first token.

    So the bias has to know how many pads stand before that token.
    """

    kind = "fire"

    @classmethod
    def made_for(cls, sizes: TextSizes) -> "Fire":
        return cls(FireBias(sizes.num_heads))

    def at_the_score(self, q: Tensor, k: Tensor, positions: TextPositions) -> Tensor:
        pads = positions.padding  # (*batch, seen)
        pads = None if pads is None else pads.long().cumprod(-1).sum(-1)  # (*batch)
        # (*batch, heads, seq, seen)
        return self.relative(q.shape[-2], k.shape[-2], padding=pads)


class Cope(Relative):
    """The query meets the vector of a distance that counts only what the query wants counted."""

    kind = "cope"

    @classmethod
    def made_for(cls, sizes: TextSizes) -> "Cope":
        return cls(ContextualPosition(sizes.head_dim, sizes.max_len))

    def at_the_score(self, q: Tensor, k: Tensor, positions: TextPositions) -> Tensor:
        scores = q @ k.mT / math.sqrt(q.shape[-1])  # (batch, heads, seq, seen)
        return self.relative(q, scores)  # (batch, heads, seq, seen)
