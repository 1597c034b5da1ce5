"""The tables of results: plain text, a row for each number, with the run that it comes from."""

import csv
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float64
from torch import Tensor

from pe_lib.experiments.extrapolation.setting import Run, Setting, tuning_runs

HERE = Path(__file__).with_name("records")
Row = dict[str, Any]  # a row of a table; what is read from a file is strings

# What is written about a run that only chooses a learning rate, and about one that is measured.
STAGES = ("tuning", "seeds")


def read(table: str, folder: Path = HERE) -> list[Row]:
    """The rows of a table; none where there is no such table yet.

    Example:
        >>> [row["way"] for row in read("losses")][:2]
        ['non-overlapping', 'non-overlapping']
    """
    path = folder / f"{table}.csv"
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def write(table: str, rows: Iterable[Row], folder: Path = HERE) -> None:
    """Write a table whole, or, if that fails, leave the old one."""
    rows = list(rows)
    folder.mkdir(parents=True, exist_ok=True)
    path, unfinished = folder / f"{table}.csv", folder / f"{table}.{os.getpid()}"
    with unfinished.open("w", encoding="utf-8", newline="") as lines:
        columns = dict.fromkeys(name for row in rows for name in row)
        writer = csv.DictWriter(lines, list(columns), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    unfinished.replace(path)


def merge(results: Path, folder: Path = HERE) -> list[str]:
    """Put the results of runs, from any number of machines, into the tables.

    What a table holds of these runs is replaced, all else stays.

    Args:
        results: where the runs were done: it holds the folders ``tuning`` and ``seeds``.
        folder: where the tables are.

    Returns:
        The names of the runs.
    """
    found: dict[str, list[dict[str, Any]]] = {
        stage: [json.loads(p.read_text("utf-8")) for p in sorted((results / stage).glob("*.json"))]
        for stage in STAGES
    }
    tuning, seeds = found["tuning"], found["seeds"]
    _replace("tuning", [_about(result) for result in tuning], folder)
    write("tuning", with_choice(read("tuning", folder)), folder)
    _replace("runs", [_about(result) for result in seeds], folder)
    losses = [
        {"run": result["run"], "way": way, "length": length, "loss": f"{loss:.4f}"}
        for result in seeds
        for way, by_length in result["losses"].items()
        for length, loss in by_length.items()
    ]
    _replace("losses", losses, folder)
    by_position = [
        {"run": result["run"], "bin": str(number), "loss": f"{loss:.4f}"}
        for result in seeds
        for number, loss in enumerate(result["by_position"])
    ]
    _replace("by_position", by_position, folder)
    return [result["run"] for stage in STAGES for result in found[stage]]


def _about(result: dict[str, Any]) -> Row:
    """What a table of runs says of one: all but the many numbers measured at its end."""
    values = {name: value for name, value in result.items() if not isinstance(value, dict | list)}
    return {name: "" if value is None else str(value) for name, value in values.items()}


def _replace(table: str, rows: list[Row], folder: Path) -> None:
    new = {row["run"] for row in rows}
    kept = [row for row in read(table, folder) if row["run"] not in new]
    if kept or rows:
        write(table, sorted(kept + rows, key=lambda row: row["run"]), folder)


def with_choice(rows: Iterable[Row]) -> list[Row]:
    """Rows of the tuning, with a mark at the run of each position whose loss is the lowest.

    Example:
        >>> one = {"setting": "small", "position": "rope", "validation_loss": "1.5"}
        >>> [row["chosen"] for row in with_choice([one, one | {"validation_loss": "1.4"}])]
        ['', 'yes']
    """
    rows = list(rows)
    best: dict[tuple[str, str], float] = {}
    for row in rows:
        key = row["setting"], row["position"]
        best[key] = min(best.get(key, float("inf")), float(row["validation_loss"]))
    return [
        row | {"chosen": "yes" if float(row["validation_loss"]) == best[key] else ""}
        for row in rows
        for key in [(row["setting"], row["position"])]
    ]


def choices(setting: Setting, folder: Path = HERE) -> dict[str, Run]:
    """What the tuning chose for each kind of position.

    Raises:
        ValueError: a run of the tuning is missing from the table.

    Example:
        >>> from pe_lib.experiments.extrapolation.setting import SMALL
        >>> choices(SMALL)["rope"].seed
        0
    """
    rows = {row["run"]: row for row in read("tuning", folder)}
    runs = tuning_runs(setting)
    missing = [run.name for run in runs if run.name not in rows]
    if missing:
        raise ValueError(f"tuning: expected {len(runs)} runs, {len(missing)} are missing")
    return {run.position: run for run in runs if rows[run.name]["chosen"]}


def curves(
    way: str, setting: str = "small", folder: Path = HERE
) -> tuple[list[int], dict[str, Float64[Tensor, "seeds lengths"]]]:
    """The measured losses against the length: one table for each kind of position.

    Args:
        way: ``"non-overlapping"``, ``"strided"`` or ``"last bytes"``.
        setting: name of the runs' setting.
        folder: where the tables are.

    Returns:
        The lengths, and for each kind of position the losses (seeds, lengths) in nats a byte.

    Example:
        >>> lengths, losses = curves("last bytes")
        >>> lengths, losses["rope"].shape
        ([128, 256, 512, 1024, 2048], torch.Size([5, 5]))
    """
    rows = [row for row in read("losses", folder) if row["way"] == way]
    lengths = sorted({int(row["length"]) for row in rows})
    return lengths, _by_kind(rows, setting, folder)


def curves_by_position(
    setting: str = "small", folder: Path = HERE
) -> dict[str, Float64[Tensor, "seeds bins"]]:
    """The losses in the longest windows, every 32 positions averaged: a table for each kind.

    Example:
        >>> curves_by_position()["rope"].shape
        torch.Size([5, 64])
    """
    return _by_kind(read("by_position", folder), setting, folder)


def _by_kind(rows: list[Row], setting: str, folder: Path) -> dict[str, Tensor]:
    """The losses of each kind: a row for each seed, in the order in which the seed's rows come."""
    found: dict[str, list[list[float]]] = {}
    for run in read("runs", folder):
        if run["setting"] == setting:
            own = [float(row["loss"]) for row in rows if row["run"] == run["run"]]
            found.setdefault(run["position"], []).append(own)
    return {position: torch.tensor(own, dtype=torch.float64) for position, own in found.items()}
