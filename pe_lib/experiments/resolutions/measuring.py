"""How many pictures a model reads right in several sizes, in up to three ways.

A larger picture is the same one at a higher resolution: as many more patches as it has more pixels.

- Continued: a patch's row and column are counted as in training, from 0, and go on beyond those of
  the training.
- Resized: a patch stands where this part of the picture stood in training, between the places that
  patches had then. A learned table can be used in this way alone.
- Enlarged: resized as well, but the picture is that of the training's size, enlarged. It has no
  more detail than this one. Where a source has no more detail either, resized is the same.
"""

import torch
from torch.nn import functional as F

from pe_lib.experiments.pictures import Pictures, Source, enlarged
from pe_lib.experiments.resolutions.setting import PATCH, SIZES
from pe_lib.model import VisionTransformer

AT_ONCE = 4  # pictures that are read together

WAYS = ("continued", "resized", "enlarged")


@torch.no_grad()
def read(
    model: VisionTransformer, pictures: Pictures, *, resized: bool = False
) -> tuple[float, float]:
    """How well a model reads pictures.

    Args:
        model: the model.
        pictures: images (n, 1, height, width) and labels (n,), on any device.
        resized: as ``VisionTransformer`` takes it.

    Returns:
        The share of right answers, and the loss in nats a picture.
    """
    device = next(model.parameters()).device
    images, labels = pictures
    parts = [model(part.to(device), resized=resized).cpu() for part in images.split(AT_ONCE)]
    logits = torch.cat(parts).double()  # (n, classes)
    right = (logits.argmax(dim=1) == labels).double().mean()
    return right.item(), F.cross_entropy(logits, labels).item()


def ways_of(position: str, source: Source) -> tuple[str, ...]:
    """The ways in which an encoding reads a source's larger pictures.

    Example:
        >>> from pe_lib.experiments import digits, letters
        >>> ways_of("rope2d", digits), ways_of("learned", letters)
        (('continued', 'resized'), ('resized', 'enlarged'))
    """
    first, last = int(position == "learned"), 3 if source.DETAIL else 2
    return WAYS[first:last]


def pictures_for(way: str, size: int, source: Source) -> Pictures:
    """The unseen pictures that are read in this way, with ``size`` patches a side."""
    if way != "enlarged":
        return source.unseen_pictures(size * PATCH)
    images, labels = source.unseen_pictures(SIZES[0] * PATCH)
    return enlarged(images, size * PATCH), labels


def measure(
    model: VisionTransformer, position: str, source: Source
) -> dict[str, dict[int, tuple[float, float]]]:
    """How well a model with this encoding reads a source's unseen pictures.

    Returns:
        way -> patches a side -> share of right answers and loss in nats a picture.
    """
    return {
        way: {
            size: read(model, pictures_for(way, size, source), resized=way != "continued")
            for size in SIZES
        }
        for way in ways_of(position, source)
    }
