"""How many digits a model reads right in pictures of several sizes, in two ways.

A larger picture is the same one at a higher resolution: as many more patches as it has more pixels.

- Counted on: a patch's row and column are counted as in training, from 0, and go on beyond those of
  the training.
- Resized: a patch stands where this part of the picture stood in training, between the places that
  patches had then. A learned table can be used in this way alone.
"""

import torch
from torch.nn import functional as F

from pe_lib.experiments.digits.setting import PATCH, SIZES
from pe_lib.experiments.pictures import Pictures, enlarged, unseen_pictures
from pe_lib.model import VisionTransformer

AT_ONCE = 4  # pictures that are read together

WAYS = ("counted on", "resized")


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


def ways_of(position: str) -> tuple[str, ...]:
    """The ways in which an encoding reads larger pictures.

    Example:
        >>> ways_of("rope2d"), ways_of("learned")
        (('counted on', 'resized'), ('resized',))
    """
    return WAYS[1:] if position == "learned" else WAYS


def measure(model: VisionTransformer, position: str) -> dict[str, dict[int, tuple[float, float]]]:
    """How well a model with this encoding reads the unseen pictures.

    Returns:
        way -> patches a side -> share of right answers and loss in nats a picture.
    """
    images, labels = unseen_pictures()
    sized = {size: (enlarged(images, size * PATCH), labels) for size in SIZES}
    return {
        way: {s: read(model, own, resized=way == "resized") for s, own in sized.items()}
        for way in ways_of(position)
    }
