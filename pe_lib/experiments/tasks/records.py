"""The tables of what the models copy and retrieve right."""

from pathlib import Path

from pe_lib.experiments.engine import tables
from pe_lib.experiments.engine.tables import Curves, by_kind

HERE = Path(__file__).with_name("records")


def copied(
    what: str = "symbols", setting: str = "copying", folder: Path = HERE
) -> tuple[list[int], dict[str, Curves]]:
    """The share that is copied right, at every length.

    Args:
        what: ``"symbols"``, each after the right ones before it, or whole ``"strings"``.
        setting: name of the runs' setting.
        folder: where the tables are.

    Returns:
        The lengths, and for each encoding the shares (seeds, lengths), from 0 to 1.

    Raises:
        ValueError: there is no such setting.
    """
    return by_kind(tables.read("copying", folder), "length", what, setting, folder)


def retrieved(
    distance: int, setting: str = "retrieval", folder: Path = HERE
) -> tuple[list[int], dict[str, Curves]]:
    """The share of questions for the symbol at a distance that are answered right.

    Args:
        distance: how many places before the question the symbol stands.
        setting, folder: as in ``copied``.

    Returns:
        The lengths, and for each encoding the shares (seeds, lengths), from 0 to 1.

    Raises:
        ValueError: there is no such distance or setting.

    Example:
        >>> lengths, right = retrieved(16, "tasks-smoke")
        >>> lengths, right["rope"].shape
        ([16, 32, 48, 64, 96, 128], torch.Size([1, 6]))
    """
    rows = [r for r in tables.read("retrieval", folder) if r["distance"] == str(distance)]
    if not rows:
        raise ValueError(f"distance: expected one that was measured, got {distance!r}")
    return by_kind(rows, "length", "accuracy", setting, folder)
