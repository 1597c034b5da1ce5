"""The tables of results: plain text, a row for each number, with the run that it comes from."""

import csv
import io
import math
from collections.abc import Callable, Container, Iterable, Sequence
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float64
from torch import Tensor

from pe_lib.experiments.engine.kept import read_result
from pe_lib.experiments.engine.runs import R
from pe_lib.experiments.files import atomic_write

AGAIN = "it is damaged: take it from the repository again"

# Without these columns, nobody could say which runs are done.
NEEDED = {"runs": ("run", "setting", "position", "seed"), "tuning": ("run", "chosen")}

Row = dict[str, Any]  # a row of a table; what is read from a file is strings
RowsOf = Callable[[Row], dict[str, list[Row]]]
Curves = Float64[Tensor, "seeds places"]


def read(table: str, folder: Path) -> list[Row]:
    """The rows of a table; none where there is no such table yet.

    Raises:
        ValueError: the file is empty, cut off, or no text, a column is missing, or a row has more
            or fewer values than there are columns.
    """
    path = folder / f"{table}.csv"
    if not path.exists():
        return []
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: expected a table, got no text ({AGAIN})") from error
    if not text.endswith("\n"):
        got = "one that is cut off" if text else "an empty file"
        raise ValueError(f"{path}: expected a table, got {got} ({AGAIN})")
    header, *rows = csv.reader(io.StringIO(text, newline=""))
    for column in NEEDED.get(table, ()):
        if rows and column not in header:
            raise ValueError(f"{path}: expected a column {column!r}, got none ({AGAIN})")
    for line, row in enumerate(rows, start=2):
        if len(row) != len(header):
            expected = f"expected {len(header)} values in line {line}, got {len(row)}"
            raise ValueError(f"{path}: {expected} ({AGAIN})")
    return [dict(zip(header, row, strict=True)) for row in rows]


def write(table: str, rows: Iterable[Row], folder: Path) -> None:
    """Write a table whole, or, after an error, leave the old one."""
    rows = list(rows)
    columns = dict.fromkeys(name for row in rows for name in row)
    with (
        atomic_write(folder / f"{table}.csv") as unfinished,
        unfinished.open("w", encoding="utf-8", newline="") as lines,
    ):
        writer = csv.DictWriter(lines, list(columns), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def merge(results: Path, folder: Path, rows_of: RowsOf) -> list[str]:
    """Put the results of runs, from any number of machines, into the tables.

    What a table holds of these runs is replaced, all else stays. An encoding has one run for
    each seed: one with another learning rate takes the place of the one before.

    Args:
        results: where the runs were done: it holds the folders ``tuning`` and ``seeds``.
        folder: where the tables are.
        rows_of: gives, for each table of measured numbers, its rows of one result.

    Returns:
        The names of the runs.

    Raises:
        ValueError: there are two runs of one encoding and seed, there is no result at all,
            or one is damaged or of another experiment.
    """
    paths: dict[str, list[Path]] = {
        stage: sorted((results / stage).glob("*.json")) for stage in ("tuning", "seeds")
    }
    tuning, seeds = ([read_result(path) for path in own] for own in paths.values())
    measured = []  # before anything is written
    for path, result in zip(paths["seeds"], seeds, strict=True):
        try:
            measured.append(rows_of(result))
        except KeyError as error:
            expected = f"the result of a run of this experiment, with {error}"
            raise ValueError(f"{path}: expected {expected}, got none (move it away)") from error
    if not tuning + seeds:
        found = "none" if results.exists() else "no such folder"
        raise ValueError(f"folder: expected results in {results}/tuning or /seeds, got {found}")
    if tuning:
        rows = replaced(read("tuning", folder), [_about(r) for r in tuning], key=_name)
        write("tuning", with_choice(rows), folder)
    if seeds:
        runs = replaced(read("runs", folder), [_about(r) for r in seeds], key=_place)
        write("runs", runs, folder)
        others = {_name(row) for row in runs} - {_name(result) for result in seeds}
        for table in measured[0]:
            kept = [row for row in read(table, folder) if _name(row) in others]
            rows = kept + [row for by_table in measured for row in by_table[table]]
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


def _about(result: Row) -> Row:
    """What a table of runs says of one: all but its many numbers."""
    values = {name: value for name, value in result.items() if not isinstance(value, dict | list)}
    return {name: "" if value is None else str(value) for name, value in values.items()}


def with_choice(rows: list[Row]) -> list[Row]:
    """Rows of the tuning, with a mark at the first of each position whose loss is the lowest.

    A run that diverged has no loss, and is not chosen.

    Example:
        >>> one = {"setting": "small", "position": "rope", "validation_loss": "1.5"}
        >>> [row["chosen"] for row in with_choice([one, one | {"validation_loss": "1.4"}])]
        ['', 'yes']
    """
    best: dict[tuple[str, str], Row] = {}
    finite = [row for row in rows if math.isfinite(float(row["validation_loss"] or "nan"))]
    for row in sorted(finite, key=lambda row: float(row["validation_loss"])):
        best.setdefault((row["setting"], row["position"]), row)
    chosen = [id(row) for row in best.values()]
    return [row | {"chosen": "yes" if id(row) in chosen else ""} for row in rows]


def choices(runs: Sequence[R], folder: Path) -> dict[str, R]:
    """What the tuning chose, for each encoding of which it has all runs.

    Args:
        runs: all of the tuning.
        folder: where the tables are.
    """
    rows = {_name(row): row for row in read("tuning", folder)}
    incomplete = {run.position for run in runs if run.name not in rows}
    complete = [run for run in runs if run.position not in incomplete]
    return {run.position: run for run in complete if rows[run.name]["chosen"]}


def recorded(stage: str, folder: Path) -> set[str]:
    """The names of the runs whose results the tables hold.

    Args:
        stage: ``"tuning"`` or ``"seeds"``.
        folder: where the tables are.
    """
    return {_name(row) for row in read("tuning" if stage == "tuning" else "runs", folder)}


def by_kind(
    rows: list[Row], column: str, value: str, setting: str, folder: Path
) -> tuple[list[int], dict[str, Curves]]:
    """What was measured at each place: for each encoding a row for each of its seeds.

    Args:
        rows: of a table of measured numbers, one for each run and place.
        column, value: of the places, and of what was measured there.
        setting: name of the runs' setting.
        folder: where the tables are.

    Returns:
        The places, and for each kind that was measured there the values (seeds, places).

    Raises:
        ValueError: nothing was measured with such a setting.
    """
    found: dict[str, dict[int, float]] = {}
    for row in rows:
        found.setdefault(_name(row), {})[int(row[column])] = float(row[value])
    kinds = runs_by_kind(found, setting, folder)
    places = sorted(found[next(iter(kinds.values()))[0]])
    return places, {
        kind: torch.tensor([[found[run][p] for p in places] for run in runs], dtype=torch.float64)
        for kind, runs in kinds.items()
    }


def runs_by_kind(names: Container[str], setting: str, folder: Path) -> dict[str, list[str]]:
    """The names of a setting's runs: for each encoding one for each of its seeds.

    Args:
        names: of the runs that were measured.
        setting: name of the runs' setting.
        folder: where the tables are.

    Raises:
        ValueError: none of these runs has such a setting.
    """
    measured = [run for run in read("runs", folder) if _name(run) in names]
    runs = [run for run in measured if run["setting"] == setting]
    if not runs:
        raise ValueError(f"setting: expected one that was measured, got {setting!r}")
    kinds: dict[str, list[str]] = {}
    for run in sorted(runs, key=lambda run: int(run["seed"])):
        kinds.setdefault(run["position"], []).append(_name(run))
    return kinds
