"""The tables of results: plain text, a row for each number, with the run that it comes from."""

import csv
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float64
from torch import Tensor

from pe_lib.experiments.extrapolation.measuring import BIN
from pe_lib.experiments.extrapolation.setting import Run, Setting, tuning_runs
from pe_lib.experiments.files import whole

HERE = Path(__file__).with_name("records")
Row = dict[str, Any]  # a row of a table; what is read from a file is strings
Losses = Float64[Tensor, "seeds places"]


def read(table: str, folder: Path = HERE) -> list[Row]:
    """The rows of a table; none where there is no such table yet.

    Example:
        >>> [row["way"] for row in read("losses")][:2]
        ['last bytes', 'last bytes']
    """
    path = folder / f"{table}.csv"
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def write(table: str, rows: Iterable[Row], folder: Path = HERE) -> None:
    """Write a table whole, or, after an error, leave the old one."""
    rows = list(rows)
    columns = dict.fromkeys(name for row in rows for name in row)
    with (
        whole(folder / f"{table}.csv") as unfinished,
        unfinished.open("w", encoding="utf-8", newline="") as lines,
    ):
        writer = csv.DictWriter(lines, list(columns), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def merge(results: Path, folder: Path = HERE) -> list[str]:
    """Put the results of runs, from any number of machines, into the tables.

    What a table holds of these runs is replaced, all else stays. A kind of position has one run for
    each seed: one with another learning rate takes the place of the one before.

    Args:
        results: where the runs were done: it holds the folders ``tuning`` and ``seeds``.
        folder: where the tables are.

    Returns:
        The names of the runs.

    Raises:
        ValueError: there are two runs of one kind of position and seed.
    """
    tuning, seeds = (
        [json.loads(path.read_text("utf-8")) for path in sorted((results / stage).glob("*.json"))]
        for stage in ("tuning", "seeds")
    )
    if tuning:
        rows = replaced(read("tuning", folder), [_about(r) for r in tuning], key=_name)
        write("tuning", with_choice(rows), folder)
    if seeds:
        runs = replaced(read("runs", folder), [_about(r) for r in seeds], key=_place)
        write("runs", runs, folder)
        names = {_name(row) for row in runs}
        for table, rows_of in (("losses", _losses), ("by_position", _by_position)):
            new = {_name(result) for result in seeds}
            kept = [row for row in read(table, folder) if _name(row) in names - new]
            rows = kept + [row for result in seeds for row in rows_of(result)]
            write(table, sorted(rows, key=_name), folder)
    return [_name(result) for result in tuning + seeds]


def replaced(old: list[Row], new: list[Row], key: Callable[[Row], Any]) -> list[Row]:
    """Old rows and new ones, of which those with an old one's key take its place.

    Raises:
        ValueError: two new ones have the same key.
    """
    found: dict[Any, Row] = {}
    for row in new:
        if (other := found.setdefault(key(row), row)) is not row:
            both = f"{_name(other)} and {_name(row)}"
            raise ValueError(f"results: expected one run of each kind and seed, got {both}")
    kept = [row for row in old if key(row) not in found]
    return sorted(kept + new, key=_name)


def _name(row: Row) -> str:
    return str(row["run"])


def _place(row: Row) -> tuple[str, str, str]:
    """What only one run is shown for."""
    return row["setting"], row["position"], str(row["seed"])


def _about(result: dict[str, Any]) -> Row:
    """What a table of runs says of one: all but its many numbers."""
    values = {name: value for name, value in result.items() if not isinstance(value, dict | list)}
    return {name: "" if value is None else str(value) for name, value in values.items()}


def _losses(result: dict[str, Any]) -> list[Row]:
    return [
        {"run": result["run"], "way": way, "length": length, "loss": f"{loss:.4f}"}
        for way, by_length in sorted(result["losses"].items())
        for length, loss in by_length.items()
    ]


def _by_position(result: dict[str, Any]) -> list[Row]:
    return [
        {"run": result["run"], "first": BIN * number, "loss": f"{loss:.4f}"}
        for number, loss in enumerate(result["by_position"])
    ]


def with_choice(rows: list[Row]) -> list[Row]:
    """Rows of the tuning, with a mark at the first of each position whose loss is the lowest.

    Example:
        >>> one = {"setting": "small", "position": "rope", "validation_loss": "1.5"}
        >>> [row["chosen"] for row in with_choice([one, one | {"validation_loss": "1.4"}])]
        ['', 'yes']
    """
    best: dict[tuple[str, str], Row] = {}
    for row in sorted(rows, key=lambda row: float(row["validation_loss"])):
        best.setdefault((row["setting"], row["position"]), row)
    chosen = [id(row) for row in best.values()]
    return [row | {"chosen": "yes" if id(row) in chosen else ""} for row in rows]


def choices(setting: Setting, folder: Path = HERE) -> dict[str, Run]:
    """What the tuning chose for each kind of position.

    Raises:
        ValueError: a run of the tuning is missing from the table.

    Example:
        >>> from pe_lib.experiments.extrapolation.setting import SMALL
        >>> choices(SMALL)["rope"].seed
        0
    """
    rows = {_name(row): row for row in read("tuning", folder)}
    runs = tuning_runs(setting)
    missing = [run.name for run in runs if run.name not in rows]
    if missing:
        raise ValueError(f"tuning: expected {len(runs)} runs, {len(missing)} are missing")
    return {run.position: run for run in runs if rows[run.name]["chosen"]}


def curves(
    way: str, setting: str = "small", folder: Path = HERE
) -> tuple[list[int], dict[str, Losses]]:
    """The measured losses against the length: one table for each kind of position.

    Args:
        way: ``"non-overlapping"``, ``"strided"`` or ``"last bytes"``.
        setting: name of the runs' setting.
        folder: where the tables are.

    Returns:
        The lengths, and for each kind of position the losses (seeds, lengths) in nats a byte.

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
    return _by_kind(rows, "length", setting, folder)


def curves_by_position(
    setting: str = "small", folder: Path = HERE
) -> tuple[list[int], dict[str, Losses]]:
    """The losses at every position of the longest windows, 32 positions averaged to one number.

    Args:
        setting, folder: as in ``curves``.

    Returns:
        The first of each 32 positions, and for each kind of position the losses (seeds, positions).

    Raises:
        ValueError: there is no such setting.

    Example:
        >>> first, losses = curves_by_position()
        >>> first[:3], losses["rope"].shape
        ([0, 32, 64], torch.Size([5, 64]))
    """
    return _by_kind(read("by_position", folder), "first", setting, folder)


def _by_kind(
    rows: list[Row], column: str, setting: str, folder: Path
) -> tuple[list[int], dict[str, Losses]]:
    """The places that a column names, and each kind's losses there: a row for each of its seeds."""
    runs = [run for run in read("runs", folder) if run["setting"] == setting]
    if not runs:
        raise ValueError(f"setting: expected one that was measured, got {setting!r}")
    found: dict[str, dict[int, float]] = {_name(run): {} for run in runs}
    for row in rows:
        if _name(row) in found:
            found[_name(row)][int(row[column])] = float(row["loss"])
    places = sorted(found[_name(runs[0])])
    by_kind: dict[str, list[list[float]]] = {}
    for run in sorted(runs, key=lambda run: int(run["seed"])):
        by_kind.setdefault(run["position"], []).append([found[_name(run)][p] for p in places])
    return places, {kind: torch.tensor(own, dtype=torch.float64) for kind, own in by_kind.items()}
