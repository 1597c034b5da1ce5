"""The record of the training: one JSON file, small enough for a page to carry.

The trained rows of each snapshot are int8 with one scale for the snapshot; the rows that are never
trained do not change and stand there once.
"""

import base64
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float64, Int8
from torch import Tensor

HERE = Path(__file__).parent
RECORD, PROVENANCE = HERE / "record.json", HERE / "provenance.json"


@dataclass(frozen=True)
class Record:
    """What the training left behind.

    Attributes:
        steps: the step of every snapshot, from 0.
        losses: the training loss there, in nats per byte.
        tables: (snapshots, rows, dim), the table at these steps.
        used: how many rows the training uses, from the first on.
        directions: (dim, dim), the directions of the trained rows at the end, strongest first, one
            in each column: ``tables @ directions`` shows the tables along them.
        loss_by_position: by the way in which the rows past the used ones were filled, the loss on
            unseen text at every position, in nats per byte.
    """

    steps: list[int]
    losses: list[float]
    tables: Float64[Tensor, "snapshots rows dim"]
    used: int
    directions: Float64[Tensor, "dim dim"]
    loss_by_position: dict[str, list[float]]


def pack(record: Record) -> dict[str, Any]:
    """A record as it is written: rounded, in base64."""
    dim = record.tables.shape[-1]
    trained, scales = zip(
        *(quantised(table) for table in record.tables[:, : record.used]), strict=True
    )
    unused, unused_scale = quantised(record.tables[0, record.used :])
    return {
        "dim": dim,
        "used": record.used,
        "steps": record.steps,
        "losses": [round(loss, 3) for loss in record.losses],
        "scales": scales,
        "unused_scale": unused_scale,
        "directions": [[round(x, 4) for x in row] for row in record.directions.tolist()],
        "loss_by_position": {
            name: [round(loss, 3) for loss in losses]
            for name, losses in record.loss_by_position.items()
        },
        "trained": in_base64(torch.stack(trained)),
        "unused": in_base64(unused),
    }


def unpack(packed: dict[str, Any]) -> Record:
    """A record from its written form."""
    dim, used, snapshots = packed["dim"], packed["used"], len(packed["steps"])
    trained = from_base64(packed["trained"]).view(snapshots, used, dim)
    scales = torch.tensor(packed["scales"], dtype=torch.float64)
    unused = from_base64(packed["unused"]).view(-1, dim) * packed["unused_scale"]
    tables = torch.cat((trained * scales[:, None, None], unused.expand(snapshots, -1, -1)), dim=1)
    directions = torch.tensor(packed["directions"], dtype=torch.float64)
    return Record(
        packed["steps"], packed["losses"], tables, used, directions, packed["loss_by_position"]
    )


def read_record() -> Record:
    """The record that came with pe_lib.

    Example:
        >>> record = read_record()
        >>> record.tables.shape[1:], record.used
        (torch.Size([96, 32]), 72)
    """
    return unpack(json.loads(RECORD.read_text("utf-8")))


def read_provenance() -> dict[str, Any]:
    """Where the record comes from: command, settings, versions, processor, duration, date.

    Example:
        >>> read_provenance()["command"]
        'python -m pe_lib.experiments learned_table'
    """
    provenance: dict[str, Any] = json.loads(PROVENANCE.read_text("utf-8"))
    return provenance


def quantised(table: Float64[Tensor, "rows dim"]) -> tuple[Int8[Tensor, "rows dim"], float]:
    """A table as int8, and the scale by which to multiply it again.

    Example:
        >>> quantised(torch.tensor([[0.5, -1.27]], dtype=torch.float64))
        (tensor([[  50, -127]], dtype=torch.int8), 0.01)
    """
    scale = float(f"{table.abs().max().item() / 127:.4g}")
    return (table / scale).round().clamp(-127, 127).to(torch.int8), scale


def in_base64(table: Int8[Tensor, "..."]) -> str:
    return base64.b64encode(table.numpy().tobytes()).decode()


def from_base64(text: str) -> Float64[Tensor, " values"]:
    return torch.frombuffer(bytearray(base64.b64decode(text)), dtype=torch.int8).double()
