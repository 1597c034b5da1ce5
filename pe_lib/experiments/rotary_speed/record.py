"""The record of one benchmark: a table, and where its numbers come from."""

import csv
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from pe_lib.experiments.files import atomic_write

HERE = Path(__file__).parent
RECORD = HERE / "record.csv"
PROVENANCE = HERE / "provenance.json"


@dataclass(frozen=True)
class Speed:
    """One line of the record: the median time of one case, and its ratio to a measure.

    ``kind`` says what was done. Compared with ``clone()``: "fresh" (into a new tensor), "busy" (the
    same while other processes keep the cores busy, its ``clone()`` too), "training" (forward and
    backward, with two clones) and "compiled"; with ``copy_``: "ready" (into memory that is there)
    and "in-place"; with transformers' Llama: "step", one token's queries and keys, and "server",
    those of 8 texts with a position each.
    """

    kind: str
    dtype: str
    layout: str
    library: str
    milliseconds: float
    ratio: float  # the median over the rounds
    low: float  # a quarter of the rounds are below
    high: float  # a quarter of them are above


def read_speeds(kind: str | None = None) -> list[Speed]:
    """The lines of the record, of one kind or of all.

    Example:
        >>> {speed.library for speed in read_speeds("ready")}
        {'pe_lib'}
    """
    numbers = [field.name for field in fields(Speed) if field.type is float]
    with RECORD.open(encoding="utf-8", newline="") as file:
        rows: list[dict[str, Any]] = list(csv.DictReader(file))
    for row in rows:
        row.update({name: float(row[name]) for name in numbers})
    return [speed for speed in (Speed(**row) for row in rows) if kind in (None, speed.kind)]


def read_provenance() -> dict[str, Any]:
    """What it was measured on, with which versions, and when.

    Example:
        >>> read_provenance()["positions"]
        4096
    """
    found: dict[str, Any] = json.loads(PROVENANCE.read_text("utf-8"))
    return found


def write(speeds: Iterable[Speed], provenance: dict[str, Any]) -> None:
    """Replace the record."""
    with (
        atomic_write(RECORD) as unfinished,
        unfinished.open("w", encoding="utf-8", newline="") as file,
    ):
        lines = csv.DictWriter(file, [field.name for field in fields(Speed)], lineterminator="\n")
        lines.writeheader()
        lines.writerows(asdict(speed) for speed in speeds)
    with atomic_write(PROVENANCE) as unfinished:
        unfinished.write_text(json.dumps(provenance, indent=2) + "\n", "utf-8")
