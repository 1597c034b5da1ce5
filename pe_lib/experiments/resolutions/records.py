"""The tables of how many pictures the vision models read right."""

from pathlib import Path

from pe_lib.experiments.engine import tables
from pe_lib.experiments.engine.tables import Curves, by_kind

HERE = Path(__file__).with_name("records")


def accuracies(
    way: str, setting: str = "digits", folder: Path = HERE
) -> tuple[list[int], dict[str, Curves]]:
    """The share of pictures that are read right, at every resolution.

    Args:
        way: ``"continued"`` (positions go on beyond those of the training), ``"resized"`` (they
            are stretched over those of the training), or, of letters alone, ``"enlarged"``
            (stretched, and the picture has no more detail than in training).
        setting: name of the runs' setting, ``"digits"`` or ``"letters"``.
        folder: where the tables are.

    Returns:
        Patches a side, the first as in training, and for each encoding the shares (seeds,
        sizes), from 0 to 1. A learned table cannot be continued.

    Raises:
        ValueError: there is no such way or setting.

    Example:
        >>> sizes, read_right = accuracies("resized")
        >>> sizes, read_right["rope2d"].shape
        ([8, 12, 16, 24], torch.Size([5, 4]))
    """
    rows = [row for row in tables.read("results", folder) if row["way"] == way]
    if not rows:
        raise ValueError(f"way: expected one that was measured, got {way!r}")
    return by_kind(rows, "size", "accuracy", setting, folder)
