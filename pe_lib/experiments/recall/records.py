"""The tables of what the models find, and what an answer costs them."""

from pathlib import Path

from jaxtyping import Float64
from torch import Tensor

from pe_lib.experiments.engine import tables
from pe_lib.experiments.engine.tables import Curves, Row, by_kind
from pe_lib.experiments.recall.stretched import AS_TRAINED

HERE = Path(__file__).with_name("records")
FAR = 1024  # a note is far if its name last stood this many tokens back, or up to 2,046


def losses(
    setting: str = "recall-128", method: str = AS_TRAINED, folder: Path = HERE
) -> tuple[list[int], dict[str, Curves]]:
    """What an answer costs at the end of the same texts, at every length.

    Args:
        setting: ``"recall-128"`` or ``"recall-1024"``: how long the windows of the training were.
        method: ``"as trained"``; for RoPE trained at 128 also a rule (``"interpolation"``,
            ``"NTK"``, ``"dynamic NTK"``, ``"YaRN"``, ``"Llama 3"``), its frequencies with YaRN's
            attention factor exchanged (``"YaRN without attention factor"``, ``"interpolation with
            attention factor"``, ``"Llama 3 with attention factor"``), ``"attention factor alone"``,
            or ``"100 steps"``, ``"interpolation and 100 steps"``, ``"YaRN and 100 steps"``:
            trained on at 1,024. For a learned table also ``"table of zeros"``.
        folder: where the tables are.

    Returns:
        The lengths, and for each encoding the losses (seeds, lengths) in nats an answer.

    Raises:
        ValueError: there is no such setting or method.

    Example:
        >>> lengths, by_kind = losses()
        >>> lengths, by_kind["rope"].shape
        ([128, 256, 512, 1024, 2048, 4096], torch.Size([3, 6]))
    """
    return by_kind(_of("losses", method, folder), "length", "loss", setting, folder)


def found(
    length: int, setting: str = "recall-128", method: str = AS_TRAINED, folder: Path = HERE
) -> tuple[list[int], dict[str, Curves]]:
    """The share of right answers in windows of a length, by how far back the name last stood.

    Args:
        length: of the windows that are read.
        setting, method, folder: as in ``losses``.

    Returns:
        The first of each class of distances (2 to 14, 16 to 30, 32 to 62 ...), and for each
        encoding the shares (seeds, classes), from 0 to 1.

    Raises:
        ValueError: there is no such length, setting or method.

    Example:
        >>> firsts, by_kind = found(2048, method="YaRN")
        >>> firsts, by_kind["rope"].shape
        ([2, 16, 32, 64, 128, 256, 512, 1024], torch.Size([3, 8]))
    """
    rows = [row for row in _of("found", method, folder) if row["length"] == str(length)]
    if not rows:
        raise ValueError(f"length: expected one that was measured, got {length!r}")
    return by_kind(rows, "distance", "right", setting, folder)


def far_notes(
    length: int, setting: str = "recall-128", method: str = AS_TRAINED, folder: Path = HERE
) -> dict[str, Float64[Tensor, " seeds"]]:
    """The share of far notes that were found, those whose name last stood 1,024 to 2,046 back.

    Args:
        length: of the windows that are read, at least 2,048.
        setting, method, folder: as in ``losses``.

    Returns:
        For each encoding the shares (seeds), from 0 to 1.

    Raises:
        ValueError: the windows are too short, or there is no such length, setting or method.

    Example:
        >>> far_notes(2048, method="YaRN")["rope"].shape
        torch.Size([3])
    """
    firsts, shares = found(length, setting, method, folder)
    if FAR not in firsts:
        raise ValueError(f"length: expected at least 2,048 tokens, got {length}")
    return {kind: seeds[:, firsts.index(FAR)] for kind, seeds in shares.items()}


def _of(table: str, method: str, folder: Path) -> list[Row]:
    rows = [row for row in tables.read(table, folder) if row["method"] == method]
    if not rows:
        raise ValueError(f"method: expected one that was measured, got {method!r}")
    return rows
