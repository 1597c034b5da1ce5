"""A learned position table while it is trained: rows that are used, and rows that never are."""

import json
from functools import cache
from typing import ClassVar

import torch
from torch import Tensor
from torch.nn import functional as F

from pe_lib.experiments.learned_table.record import RECORD, Record, read_record
from pe_lib.figures.base import Figure, exact_dtype
from pe_lib.figures.controls import slider

CURVES = 3  # directions drawn over the positions
RECORDED = json.loads(RECORD.read_text("utf-8"))


class LearnedTable(Figure):
    """A recorded training of a table of 96 positions, of which the texts only ever use 72.

    It opens before the first step, so that the training can be guessed before it is played.

    Args:
        snapshot: which of the 32 recorded moments is shown; they are closest together at the start.
        removed: how many of the directions in which the trained rows are strongest at the end are
            taken away, before rows are drawn and compared.

    Example:
        >>> LearnedTable(snapshot=31)
        LearnedTable(snapshot=31, removed=0)
    """

    question = "What does training write into a table, and what into unused rows?"
    summary = (
        "A table of positions as a heat map, the cosines of all pairs of its rows, and its "
        "strongest directions over the positions. Training makes neighbouring rows alike, and a "
        "straight line from the first position to the last rises out of the noise. The last "
        "quarter of the rows is never used: it stays noise, as it was drawn."
    )

    still: ClassVar = {"snapshot": 31}

    snapshot = slider(0, 0, 31, label="snapshot")
    removed = slider(0, 0, 4, label="removed", unit="directions", more=True)

    @staticmethod
    def compute(device: str, *, snapshot: int, removed: int) -> dict[str, Tensor | float]:
        """The rows at length 1 (rows, dim), their own lengths (rows,), the cosines of all pairs
        (rows, rows), the table along its strongest directions (rows, 3) and, for every snapshot,
        its step and the mean cosine of neighbours, used and never used (snapshots, 3).
        """
        record = recorded()
        dtype = exact_dtype(device)
        tables = record.tables.to(device, dtype)
        directions = record.directions.to(device, dtype)
        taken = directions[:, :removed]
        left = tables - tables @ taken @ taken.mT
        unit = F.normalize(left, dim=-1)
        near = (unit[:, 1:] * unit[:, :-1]).sum(-1)
        means = near[:, : record.used - 1].mean(-1), near[:, record.used :].mean(-1)
        steps = torch.tensor(record.steps, device=device, dtype=dtype)
        return {
            "rows": unit[snapshot],
            "lengths": left[snapshot].norm(dim=-1),
            "cosines": unit[snapshot] @ unit[snapshot].mT,
            "curves": tables[snapshot] @ directions[:, :CURVES],
            "history": torch.stack((steps, *means), dim=-1),
            "loss": record.losses[snapshot],
        }


@cache
def recorded() -> Record:
    """The record, read once."""
    return read_record()
