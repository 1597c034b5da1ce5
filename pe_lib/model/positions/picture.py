"""Every encoding for pictures: a class each, in the order in which an error names them."""

# A picture's kinds are given a picture's positions and sizes, not any: a narrower argument.
# mypy: disable-error-code="override"

import math
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from pe_lib.absolute.sinusoidal_2d import sinusoidal_encoding_2d
from pe_lib.model.positions.base import Position, Sizes
from pe_lib.model.positions.coordinates import PicturePositions
from pe_lib.rotary.apply import apply_rotary, rotary_cos_sin
from pe_lib.rotary.axial import axial_rotary_cos_sin
from pe_lib.rotary.mixed import MixedRotary2D

THETA = 100.0  # as in Heo et al.: a picture has fewer patches to a side than a text has words


@dataclass(frozen=True)
class PictureSizes(Sizes):
    """What a kind for pictures has to know of its model."""

    grid: PicturePositions  # of the pictures in training


class PictureKind(Position):
    """An encoding for pictures."""

    kinds: ClassVar[dict[str, type[Position]]] = {Position.kind: Position}
    features = "features divisible by {}"


# At the input: x is (batch, patches, dim).


class LearnedGrid(PictureKind):
    """A trained vector for every patch of one grid is added to the patches.

    At another resolution these are interpolated as an image is (Dosovitskiy et al. 2020, section
    3.2): bicubically, and smoothed first where there are fewer patches than in training.
    """

    kind = "learned"
    enters = "input"

    def __init__(self, grid: PicturePositions, dim: int) -> None:
        super().__init__()
        self.grid = grid
        self.table = nn.Parameter(torch.empty(grid.height * grid.width, dim))
        self.reset_parameters()

    @torch.no_grad()
    def reset_parameters(self) -> None:
        """Draw all vectors anew."""
        self.table.normal_().mul_(0.02)

    @classmethod
    def made_for(cls, sizes: PictureSizes) -> "LearnedGrid":
        return cls(sizes.grid, sizes.dim)

    def at_the_input(self, x: Tensor, positions: PicturePositions) -> Tensor:
        size, trained = (positions.height, positions.width), (self.grid.height, self.grid.width)
        if size == trained:
            return x + self.table
        if positions.scale == self.grid.scale:
            expected = f"{trained} patches (position='learned'), or resized=True"
            raise ValueError(f"images: expected {expected}, got {size}")
        maps = self.table.mT.unflatten(1, trained)  # (dim, height, width)
        exact = torch.promote_types(maps.dtype, torch.float32)  # less is not computed everywhere
        maps = F.interpolate(maps[None].to(exact), size, mode="bicubic", antialias=True)
        return x + maps[0].flatten(1).mT.to(x)


class SinusoidalGrid(PictureKind):
    """Sines and cosines of row and column are added to the patches."""

    kind = "sinusoidal2d"
    enters = "input"
    multiple_of = 4

    def at_the_input(self, x: Tensor, positions: PicturePositions) -> Tensor:
        return x + sinusoidal_encoding_2d(
            positions.height,
            positions.width,
            x.shape[-1],
            offset=positions.offset,
            scale=positions.scale,
        ).to(x)


# At q and k: both are (batch, heads, patches, head_dim).


class RopeByIndex(PictureKind):
    """Queries and keys are turned by the patch's number, counted row by row as in a text.

    At another resolution the last number stays about where it was in training, as a text's does
    whose positions are interpolated: a row of more patches then spans fewer numbers.
    """

    kind = "rope1d"
    multiple_of = 2

    def tables(self, grid: PicturePositions, head_dim: int) -> tuple[Tensor, Tensor]:
        """Cosines and sines for every patch, each (patches, head_dim / 2)."""
        numbers = torch.arange(grid.height * grid.width, dtype=torch.float64, device="cpu")
        return rotary_cos_sin(numbers * math.prod(grid.scale), head_dim, THETA)

    def at_q_and_k(
        self, q: Tensor, k: Tensor, positions: PicturePositions
    ) -> tuple[Tensor, Tensor]:
        cos, sin = (table.to(q.device) for table in self.tables(positions, q.shape[-1]))
        return apply_rotary(q, cos, sin), apply_rotary(k, cos, sin)


class RopeByAxes(RopeByIndex):
    """One half of every head is turned by the patch's column, the other half by its row."""

    kind = "rope2d"
    multiple_of = 4

    def tables(self, grid: PicturePositions, head_dim: int) -> tuple[Tensor, Tensor]:
        return axial_rotary_cos_sin(
            grid.height, grid.width, head_dim, THETA, offset=grid.offset, scale=grid.scale
        )


class RopeMixed(RopeByIndex):
    """Every pair of features is turned along a direction that is learned, by every head."""

    kind = "mixed"
    multiple_of = 4

    def __init__(self, head_dim: int, num_heads: int) -> None:
        super().__init__()
        self.rotary = MixedRotary2D(head_dim, num_heads)

    @classmethod
    def made_for(cls, sizes: PictureSizes) -> "RopeMixed":
        return cls(sizes.head_dim, sizes.num_heads)

    def tables(self, grid: PicturePositions, head_dim: int) -> tuple[Tensor, Tensor]:
        cos, sin = self.rotary(
            grid.height, grid.width, offset=grid.offset, scale=grid.scale
        )  # each (1, heads, patches, head_dim / 2)
        return cos, sin
