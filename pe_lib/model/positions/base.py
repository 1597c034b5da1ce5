"""What all encodings have in common, and how a model is given one of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from torch import Tensor, nn

from pe_lib.model._checks import check_choice
from pe_lib.model.positions.coordinates import Positions


@dataclass(frozen=True)
class Sizes:
    """What an encoding has to know of the model that it is made for."""

    dim: int
    num_heads: int

    @property
    def head_dim(self) -> int:
        return self.dim // self.num_heads


class Position(nn.Module):
    """Nowhere: every place hands on what it is given. An encoding fills one of them.

    A subclass of ``TextKind`` or ``PictureKind`` that gives itself a ``kind`` can be had by this
    name from the models: ``TransformerLM(..., position="rope")``.

    Attributes:
        kind: the name.
        enters: at the model's input, or in every attention layer, which then has its own.
        multiple_of: the width has to be divisible by it: ``dim`` at the input, a head's in layers.
        kinds: all kinds for texts, or for pictures, by name.
    """

    kind: ClassVar[str] = "none"
    enters: ClassVar[Literal["input", "layers"]] = "layers"
    multiple_of: ClassVar[int] = 1
    kinds: ClassVar[dict[str, type["Position"]]]
    features: ClassVar[str]  # what an error calls such a width

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "kind" in vars(cls):
            cls.kinds[cls.kind] = cls

    @classmethod
    def made_for(cls, sizes: Sizes) -> "Position":
        """One for a model of these sizes."""
        return cls()

    def in_this_step(self, positions: Any, head_dim: int) -> Any:
        """The positions, with what all layers of this kind would make of them, made once."""
        return positions

    def at_the_input(self, x: Tensor, positions: Positions | Tensor) -> Tensor:
        """Changes the words or patches (batch, seq, dim), before the first layer."""
        return x

    def at_q_and_k(self, q: Tensor, k: Tensor, positions: Positions) -> tuple[Tensor, Tensor]:
        """Turns queries (batch, heads, seq, head_dim) and keys (batch, heads, seen, head_dim)."""
        return q, k

    def at_the_score(self, q: Tensor, k: Tensor, positions: Positions) -> Tensor | None:
        """What is added to the scaled scores (batch, heads, seq, seen)."""
        return None

    def at_the_values(self, weights: Tensor, v: Tensor) -> Tensor:
        """What the queries take from the values. Only Shaw's kind adds something here, too."""
        return weights @ v  # (batch, heads, seq, head_dim)


def put_in_place(
    family: type[Position], kind: str, sizes: Sizes, model: nn.Module, layers: Sequence[nn.Module]
) -> None:
    """Give the model, or each of its attention layers, a ``position`` of this kind."""
    chosen = _chosen(family.kinds, kind, "position", sizes)
    for place in [model] if chosen.enters == "input" else layers:
        place.position = chosen.made_for(sizes)


def put_in_layers(
    family: type[Position],
    kinds: Sequence[tuple[str, str]],
    sizes: Sizes,
    layers: Sequence[nn.Module],
) -> None:
    """Give each attention layer a ``position`` of its own kind; with each comes its name."""
    inside = {kind: one for kind, one in family.kinds.items() if one.enters == "layers"}
    for (name, kind), layer in zip(kinds, layers, strict=True):
        layer.position = _chosen(inside, kind, name, sizes, " for a layer").made_for(sizes)


def _chosen(
    kinds: dict[str, type[Position]], kind: str, name: str, sizes: Sizes, where: str = ""
) -> type[Position]:
    """The kind, if it is among these and fits the sizes."""
    check_choice(kind, name, tuple(kinds), where)
    chosen = kinds[kind]
    width = sizes.dim if chosen.enters == "input" else sizes.head_dim
    if width % chosen.multiple_of:
        expected = f"{chosen.features.format(chosen.multiple_of)} for {name}={kind!r}"
        came = f"{width} (dim = {sizes.dim}, num_heads = {sizes.num_heads})"
        raise ValueError(f"dim: expected {expected}, got {came}")
    return chosen
