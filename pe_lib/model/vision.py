"""A small vision Transformer on the same blocks: it classifies pictures by their patches."""

from collections.abc import Callable

import torch
from jaxtyping import Float
from torch import Tensor, nn

from pe_lib._checks import check_count, check_float_tensor
from pe_lib.model._checks import check_choice, check_tensor
from pe_lib.model.block import TransformerBlock
from pe_lib.model.positions import Position
from pe_lib.rotary.apply import apply_rotary, rotary_cos_sin
from pe_lib.rotary.axial import axial_rotary_cos_sin
from pe_lib.rotary.mixed import MixedRotary2D
from pe_lib.sinusoidal_2d import sinusoidal_encoding_2d

Grid = tuple[int, int]  # height and width in patches: what positions are in a picture
THETA = 100.0  # as in Heo et al.: a picture has fewer patches to a side than a text has words


class LearnedGrid(Position):
    """A trained vector for every patch of one grid is added to the patches."""

    def __init__(self, grid: Grid, dim: int) -> None:
        super().__init__()
        self.grid = grid
        self.table = nn.Parameter(0.02 * torch.randn(grid[0] * grid[1], dim))

    def at_the_input(self, x: Tensor, positions: Grid) -> Tensor:
        if positions != self.grid:
            expected = f"{self.grid} patches (position='learned')"
            raise ValueError(f"images: expected {expected}, got {positions}")
        return x + self.table


class SinusoidalGrid(Position):
    """Sines and cosines of row and column are added to the patches."""

    def at_the_input(self, x: Tensor, positions: Grid) -> Tensor:
        return x + sinusoidal_encoding_2d(*positions, x.shape[-1]).to(x)


class RopeByIndex(Position):
    """Queries and keys are turned by the patch's number, counted row by row as in a text."""

    def tables(self, grid: Grid, head_dim: int) -> tuple[Tensor, Tensor]:
        """Cosines and sines for every patch."""
        return rotary_cos_sin(grid[0] * grid[1], head_dim, THETA)

    def at_q_and_k(self, q: Tensor, k: Tensor, positions: Grid) -> tuple[Tensor, Tensor]:
        cos, sin = (table.to(q.device) for table in self.tables(positions, q.shape[-1]))
        return apply_rotary(q, cos, sin), apply_rotary(k, cos, sin)


class RopeByAxes(RopeByIndex):
    """One half of every head is turned by the patch's column, the other half by its row."""

    def tables(self, grid: Grid, head_dim: int) -> tuple[Tensor, Tensor]:
        return axial_rotary_cos_sin(*grid, head_dim, THETA)


class RopeMixed(RopeByIndex):
    """Every pair of features is turned along a direction that is learned."""

    def __init__(self, head_dim: int, num_heads: int) -> None:
        super().__init__()
        self.rotary = MixedRotary2D(head_dim, num_heads)

    def tables(self, grid: Grid, head_dim: int) -> tuple[Tensor, Tensor]:
        cos, sin = self.rotary(*grid)
        return cos, sin


class VisionTransformer(nn.Module):
    """Says what a picture shows, from patches that look at each other.

    The patches' pixels become vectors, the vectors pass the blocks, and their mean is classified.
    So without positions a picture is a bag of patches. As in ``TransformerLM``, one seed gives the
    same weights for every kind of position, but for the positions' own.

    Args:
        num_classes: number of classes, at least 1.
        dim: number of features, a multiple of ``num_heads``; of 4 for ``sinusoidal2d``.
            ``rope1d`` needs an even ``dim / num_heads``, ``rope2d`` and ``mixed`` one divisible
            by 4.
        num_layers: number of blocks, at least 1.
        num_heads: number of attention heads, at least 1.
        image_size: height and width of the pictures in training, a multiple of ``patch_size``.
        patch_size: height and width of a patch in pixels.
        channels: 1 for grey pictures, 3 for colours.
        position: ``none``; ``learned`` or ``sinusoidal2d``, added to the patches; ``rope1d``,
            ``rope2d`` (axial) or ``mixed``, which turn queries and keys in every layer.

    Raises:
        TypeError: a number is not an int, ``position`` not a str.
        ValueError: a number is below 1, ``image_size`` not a multiple of ``patch_size``, ``dim``
            does not fit ``num_heads`` or ``position``, ``position`` is none of the kinds.

    Source:
        Dosovitskiy et al. 2020, "An Image is Worth 16x16 Words", arXiv 2010.11929, with the mean
        over the patches in place of a class token (Beyer et al. 2022, arXiv 2205.01580). The
        rotations: Heo et al. 2024, arXiv 2403.13298.

    Example:
        >>> sizes = {"dim": 32, "num_layers": 2, "num_heads": 2, "image_size": 8, "patch_size": 2}
        >>> model = VisionTransformer(10, **sizes, position="rope2d")
        >>> model(torch.zeros(3, 1, 8, 8)).shape
        torch.Size([3, 10])
        >>> model(torch.zeros(3, 1, 12, 16)).shape  # more patches than in training
        torch.Size([3, 10])
    """

    def __init__(
        self,
        num_classes: int,
        dim: int,
        num_layers: int,
        num_heads: int,
        *,
        image_size: int,
        patch_size: int,
        channels: int = 1,
        position: str = "none",
    ) -> None:
        super().__init__()
        numbers = {"num_classes": num_classes, "num_layers": num_layers, "channels": channels}
        for name, number in (numbers | {"patch_size": patch_size}).items():
            check_count(number, name)
        check_count(image_size, "image_size")
        if image_size % patch_size:
            expected = f"a multiple of patch_size = {patch_size}"
            raise ValueError(f"image_size: expected {expected}, got {image_size}")
        blocks = [TransformerBlock(dim, num_heads) for _ in range(num_layers)]
        self.channels, self.patch_size, self.position = channels, patch_size, Position()
        self.embedding = nn.Linear(channels * patch_size**2, dim)
        self.blocks = nn.ModuleList(blocks)
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, num_classes)

        # Positions come last: so one seed draws the same for all of the above, whatever the kind.
        grid, head_dim = (image_size // patch_size,) * 2, dim // num_heads
        kinds: dict[str, Callable[[], Position]] = {
            "none": Position,
            "learned": lambda: LearnedGrid(grid, dim),
            "sinusoidal2d": SinusoidalGrid,
            "rope1d": RopeByIndex,
            "rope2d": RopeByAxes,
            "mixed": lambda: RopeMixed(head_dim, num_heads),
        }
        check_choice(position, "position", tuple(kinds))
        needs = {"sinusoidal2d": (dim, 4), "rope1d": (head_dim, 2)}
        needs |= dict.fromkeys(("rope2d", "mixed"), (head_dim, 4))
        width, parts = needs.get(position, (0, 1))
        if width % parts:
            expected = f"features divisible by {parts} for position={position!r}"
            came = f"{width} (dim = {dim}, num_heads = {num_heads})"
            raise ValueError(f"dim: expected {expected}, got {came}")
        at_the_input = position in ("learned", "sinusoidal2d")
        for place in [self] if at_the_input else [block.attention for block in blocks]:
            place.position = kinds[position]()

    def forward(
        self, images: Float[Tensor, "batch channels height width"]
    ) -> Float[Tensor, "batch num_classes"]:
        """How likely each class is, for every picture.

        Args:
            images: (batch, channels, height, width), both multiples of ``patch_size``; other sizes
                than ``image_size`` too, except where position is ``learned``.

        Returns:
            (batch, num_classes): the logits, whose softmax gives the probabilities.

        Raises:
            TypeError: ``images`` is not a floating point tensor.
            ValueError: ``images`` has not these axes and channels, or cannot be cut into patches;
                another number of patches meets a learned table.
        """
        check_float_tensor(images, "images", " (batch, channels, height, width)")
        axes = "batch", self.channels, "height", "width"
        check_tensor(images, "images", images.dtype, *axes)
        size, patch = images.shape[-2:], self.patch_size
        if min(size) < 1 or size[0] % patch or size[1] % patch:
            expected = f"height and width to be multiples of patch_size = {patch}"
            raise ValueError(f"images: expected {expected}, got {tuple(size)}")
        grid = size[0] // patch, size[1] // patch
        patches = images.unfold(2, patch, patch).unfold(3, patch, patch).movedim(1, 3)
        # (batch, *grid, channels, patch, patch) -> (batch, patches, pixels of a patch), row by row
        x = self.embedding(patches.flatten(3).flatten(1, 2))
        x = self.position.at_the_input(x, grid)
        for block in self.blocks:
            x = block(x, grid)
        logits: Tensor = self.head(self.norm(x).mean(dim=1))
        return logits
