"""The record: how many digits each model reads right, in one JSON file, and where it comes from."""

import json
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float64
from torch import Tensor

HERE = Path(__file__).parent
RECORD, PROVENANCE = HERE / "record.json", HERE / "provenance.json"

Shares = dict[str, dict[str, Float64[Tensor, " seeds"]]]


def pack(shares: Shares) -> dict[str, Any]:
    """A record as it is written."""
    return {
        seen: {read: [round(share, 4) for share in seeds.tolist()] for read, seeds in own.items()}
        for seen, own in shares.items()
    }


def unpack(packed: dict[str, Any]) -> Shares:
    """A record from its written form."""
    return {
        seen: {read: torch.tensor(seeds, dtype=torch.float64) for read, seeds in own.items()}
        for seen, own in packed.items()
    }


def read_record() -> Shares:
    """The shares of digits that are read right, from 0 to 1, in the record that came with pe_lib.

    Returns:
        By the sizes seen in training, ``"one size"`` or ``"many sizes"``, and by what is read: a
        page as in training (``"page"``), or the same page in twice as many rows and columns of
        patches, with positions ``"continued"`` or ``"stretched"``. A share for each seed.

    Example:
        >>> record = read_record()
        >>> list(record), list(record["one size"])
        (['one size', 'many sizes'], ['page', 'continued', 'stretched'])
    """
    return unpack(json.loads(RECORD.read_text("utf-8")))


def read_provenance() -> dict[str, Any]:
    """Where the record comes from: command, settings, versions, processor, duration, date.

    Example:
        >>> read_provenance()["command"]
        'python -m pe_lib.experiments digit_sizes'
    """
    provenance: dict[str, Any] = json.loads(PROVENANCE.read_text("utf-8"))
    return provenance
