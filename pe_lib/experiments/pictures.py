"""What all pictures for the small vision models have in common, whatever they show."""

from typing import Protocol, runtime_checkable

from jaxtyping import Float, Float32, Int64
from torch import Tensor
from torch.nn import functional as F

from pe_lib.common._checks import check_count

SIDE = 8  # pixels of a picture to learn from
CLASSES = 10

Pictures = tuple[Float32[Tensor, "n 1 height width"], Int64[Tensor, " n"]]


@runtime_checkable  # by the tests, which check every argument
class Source(Protocol):
    """Where pictures come from: the modules ``digits`` and ``letters`` are two."""

    @property
    def DETAIL(self) -> bool:
        """Whether a picture in more pixels shows more of what it is a picture of."""

    def training_pictures(self) -> Pictures:
        """The pictures to learn from: 8 x 8 pixels from 0 (white) to 1 (black), and classes."""

    def validation_pictures(self) -> Pictures:
        """Pictures that no training sees, to choose settings by."""

    def unseen_pictures(self, size: int) -> Pictures:
        """Pictures that neither a training nor a choice has seen, in size x size pixels."""

    def pictures_hash(self) -> str:
        """The first digits of a SHA-256 of all pictures and their split."""


def enlarged(
    images: Float[Tensor, "n channels height width"], size: int
) -> Float[Tensor, "n channels {size} {size}"]:
    """The same pictures in more pixels, or in fewer: between pixels, brightness changes evenly.

    Args:
        images: (n, channels, height, width).
        size: height and width of the result in pixels, at least 1.

    Returns:
        (n, channels, size, size). The pictures' edges, not their outermost pixels' middles, stay
        where they are (``align_corners=False``).

    Raises:
        TypeError: ``size`` is not an int.
        ValueError: ``size`` is below 1.

    Example:
        >>> import torch
        >>> enlarged(torch.tensor([[[[0.0, 1.0]]]]).mT, 4)[0, 0, :, 0]
        tensor([0.0000, 0.2500, 0.7500, 1.0000])
    """
    check_count(size, "size")
    return F.interpolate(images, (size, size), mode="bilinear", align_corners=False)
