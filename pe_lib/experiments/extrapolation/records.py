"""The tables of what the language models cost a byte."""

from pathlib import Path

import torch
from jaxtyping import Float64
from torch import Tensor

from pe_lib.experiments.engine import tables
from pe_lib.experiments.engine.tables import Curves, Row, by_kind, runs_by_kind
from pe_lib.experiments.extrapolation.diagnostics import MEASURES

HERE = Path(__file__).with_name("records")


def read(table: str, folder: Path = HERE) -> list[Row]:
    """The rows of a table; none where there is no such table yet.

    Example:
        >>> [row["way"] for row in read("losses")][:2]
        ['last bytes', 'last bytes']
    """
    return tables.read(table, folder)


def curves(
    way: str, setting: str = "small", folder: Path = HERE
) -> tuple[list[int], dict[str, Curves]]:
    """The measured losses against the length: one table for each encoding.

    Args:
        way: ``"non-overlapping"``, ``"strided"`` or ``"last bytes"``.
        setting: name of the runs' setting.
        folder: where the tables are.

    Returns:
        The lengths, and for each encoding the losses (seeds, lengths) in nats per byte.

    Raises:
        ValueError: there is no such way or setting.

    Example:
        >>> lengths, losses = curves("last bytes")
        >>> lengths, losses["rope"].shape
        ([128, 256, 512, 1024, 2048], torch.Size([5, 5]))
    """
    rows = [row for row in read("losses", folder) if row["way"] == way]
    if not rows:
        raise ValueError(f"way: expected one that was measured, got {way!r}")
    return by_kind(rows, "length", "loss", setting, folder)


def stretched_curves(
    method: str, way: str, setting: str = "small", folder: Path = HERE
) -> tuple[list[int], dict[str, Curves]]:
    """The losses of models whose positions were stretched to the length that they read.

    Args:
        method: ``"interpolation"``, ``"NTK"``, ``"dynamic NTK"``, ``"YaRN"`` or ``"Llama 3"``.
        way, setting, folder: as in ``curves``.

    Returns:
        The lengths past the training's, and for each encoding that can be stretched so the
        losses (seeds, lengths) in nats per byte.

    Raises:
        ValueError: there is no such method, way or setting.

    Example:
        >>> lengths, losses = stretched_curves("YaRN", "last bytes", "smoke")
        >>> lengths, losses["rope"].shape
        ([256, 512], torch.Size([1, 2]))
    """
    rows = [
        row for row in read("stretched", folder) if (row["method"], row["way"]) == (method, way)
    ]
    if not rows:
        expected = "a method and a way that were measured"
        raise ValueError(f"method: expected {expected}, got {method!r} and {way!r}")
    return by_kind(rows, "length", "loss", setting, folder)


def curves_by_position(
    setting: str = "small", folder: Path = HERE
) -> tuple[list[int], dict[str, Curves]]:
    """The losses at every position of the longest windows, 32 positions averaged to one number.

    Args:
        setting, folder: as in ``curves``.

    Returns:
        The first of each 32 positions, and for each encoding the losses (seeds, positions).

    Raises:
        ValueError: there is no such setting.

    Example:
        >>> first, losses = curves_by_position()
        >>> first[:3], losses["rope"].shape
        ([0, 32, 64], torch.Size([5, 64]))
    """
    return by_kind(read("by_position", folder), "first", "loss", setting, folder)


def trained_diagnostics(
    what: str, setting: str = "small", folder: Path = HERE
) -> dict[str, Float64[Tensor, " seeds"]]:
    """What positions alone do in the trained models, on a text that is one byte at 100 places.

    Args:
        what: ``"neighbour"``, ``"neighbour_std"`` or ``"far"``: how far apart the vectors are that
            the first block reads at neighbouring places (their mean and standard deviation) and at
            the places 0 and 50. Or of the scores in its attention, before the softmax:
            ``"strength"``, their standard deviation in nats, and ``"by_offset"``, the share of
            their variance that the offset alone accounts for, which is nan where they are all the
            same.
        setting, folder: as in ``curves``.

    Returns:
        For each encoding the values (seeds,).

    Raises:
        ValueError: there is no such measure or setting.

    Example:
        >>> trained_diagnostics("by_offset")["rope"]
        tensor([1., 1., 1., 1., 1.], dtype=torch.float64)
    """
    if what not in MEASURES:
        raise ValueError(f"what: expected one of {', '.join(MEASURES)}, got {what!r}")
    found = {row["run"]: float(row[what] or "nan") for row in read("diagnostics", folder)}
    return {
        kind: torch.tensor([found[run] for run in runs], dtype=torch.float64)
        for kind, runs in runs_by_kind(found, setting, folder).items()
    }
