"""A small vision Transformer on the same blocks: it classifies pictures by their patches."""

from jaxtyping import Float
from torch import Tensor, nn

from pe_lib.common._checks import check_bool, check_count, check_float_tensor
from pe_lib.model._checks import check_tensor
from pe_lib.model.block import TransformerBlock
from pe_lib.model.positions.base import Position, put_in_place
from pe_lib.model.positions.coordinates import PicturePositions, stretched_over
from pe_lib.model.positions.picture import PictureKind, PictureSizes


class VisionTransformer(nn.Module):
    """Says what a picture shows, from patches that look at each other.

    The patches' pixels become vectors, the vectors pass the blocks, and their mean is classified.
    So without positions a picture is a bag of patches. As in ``TransformerLM``, one seed gives the
    same weights for every encoding, but for the positions' own.

    Args:
        num_classes: number of classes, at least 1.
        dim: number of features, a multiple of ``num_heads``; of 4 for ``sinusoidal2d``. A head's
            part of it is even for ``rope1d``, divisible by 4 for ``rope2d`` and ``mixed``.
        num_layers, num_heads: number of blocks, and of attention heads in each; at least 1.
        image_size: height and width of the pictures in training in pixels, a multiple of
            ``patch_size``, the height and width of a patch.
        channels: 1 for grey pictures, 3 for colours.
        position: a kind in ``pe_lib.model.positions.picture``: ``none``; ``learned`` or
            ``sinusoidal2d``, added to the patches; ``rope1d``, ``rope2d`` (axial) or ``mixed``,
            which turn queries and keys in every layer.

    Raises:
        TypeError: an argument is of another type.
        ValueError: a number is below 1, ``position`` no kind, or ``dim`` or ``image_size`` does
            not fit.

    Source:
        Dosovitskiy et al. 2020, "An Image is Worth 16x16 Words", arXiv 2010.11929, with the mean
        over the patches in place of a class token (Beyer et al. 2022, arXiv 2205.01580). The
        rotations: Heo et al. 2024, arXiv 2403.13298.

    Example:
        >>> import torch
        >>> sizes = {"dim": 32, "num_layers": 2, "num_heads": 2, "image_size": 8, "patch_size": 2}
        >>> model = VisionTransformer(10, **sizes, position="rope2d")
        >>> model(torch.zeros(3, 1, 8, 8)).shape
        torch.Size([3, 10])
        >>> model(torch.zeros(3, 1, 12, 16)).shape  # more patches than in training
        torch.Size([3, 10])
        >>> model(torch.zeros(3, 1, 16, 16), resized=True).shape  # a picture cut more finely
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
        self.channels, self.patch_size = channels, patch_size
        self.position = Position()
        self.embedding = nn.Linear(channels * patch_size**2, dim)
        self.blocks = nn.ModuleList(blocks)
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, num_classes)
        # Positions come last: so one seed draws the same for all of the above, whatever the kind.
        side = image_size // patch_size
        self.trained = PicturePositions(side, side)
        sizes = PictureSizes(dim, num_heads, self.trained)
        put_in_place(PictureKind, position, sizes, self, [block.attention for block in blocks])

    def forward(
        self, images: Float[Tensor, "batch channels height width"], *, resized: bool = False
    ) -> Float[Tensor, "batch num_classes"]:
        """How likely each class is, for every picture.

        Args:
            images: (batch, channels, height, width), both multiples of ``patch_size``; only a
                ``learned`` position asks for ``image_size``, unless ``resized``.
            resized: pictures of another size are those of the training's at another resolution:
                their patches stand where these parts of the picture stood in training, from edge
                to edge. By default positions are continued beyond those of the training.

        Returns:
            (batch, num_classes): the logits, whose softmax gives the probabilities.

        Raises:
            TypeError: ``images`` is not of floating point, or ``resized`` no bool.
            ValueError: ``images`` has other axes or channels, cannot be cut into patches, or has
                not the grid of a learned table.
        """
        check_float_tensor(images, "images", " (batch, channels, height, width)")
        axes = "batch", self.channels, "height", "width"
        check_tensor(images, "images", images.dtype, *axes)
        size, patch = images.shape[-2:], self.patch_size
        if min(size) < 1 or size[0] % patch or size[1] % patch:
            expected = f"height and width to be multiples of patch_size = {patch}"
            raise ValueError(f"images: expected {expected}, got {tuple(size)}")
        check_bool(resized, "resized")
        height, width = size[0] // patch, size[1] // patch
        positions = PicturePositions(height, width)
        if resized:
            positions = stretched_over(self.trained, height, width)
        patches = images.unfold(2, patch, patch).unfold(3, patch, patch)
        # (batch, channels, rows, columns, patch, patch)
        patches = patches.movedim(1, 3)  # (batch, rows, columns, channels, patch, patch)
        patches = patches.flatten(3).flatten(1, 2)  # (batch, patches, pixels of a patch)
        x = self.embedding(patches)  # (batch, patches, dim)
        x = self.position.at_the_input(x, positions)  # (batch, patches, dim)
        for block in self.blocks:
            x = block(x, positions)  # (batch, patches, dim)
        logits: Tensor = self.head(self.norm(x).mean(dim=1))  # (batch, num_classes)
        return logits
