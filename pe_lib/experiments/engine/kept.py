"""What a run leaves in its folder: a checkpoint while it trains, and its result at the end.

Both are read with a checksum: damage is found, and named with the file and what to do about it.
"""

import hashlib
import io
import json
import pickle
import zipfile
from pathlib import Path
from typing import Any

import torch

from pe_lib.experiments.files import atomic_write

CHECKPOINT = {
    "identity": dict,
    "made_with": dict,
    "model": dict,
    "optimizer": dict,
    "step": int,
    "seconds": float,
}
BEGIN_AGAIN = "remove it, and this training begins again"
DO_AGAIN = "remove it, and do this run again"


class Damaged(ValueError):
    """A file that is not what its name says: where it is, what is wrong, and what to do."""

    def __init__(self, path: Path, expected: str, found: object, remedy: str) -> None:
        super().__init__(f"{path}: expected {expected}, got {found} ({remedy})")


def write_checkpoint(path: Path, state: dict[str, Any]) -> None:
    """Write what a training needs to go on, whole or not at all."""
    # PyTorch, when it writes to a disk that is full, does not say that it is full.
    packed = io.BytesIO()
    torch.save(state, packed)
    with atomic_write(path) as unfinished:
        unfinished.write_bytes(packed.getbuffer())


def read_checkpoint(path: Path) -> dict[str, Any]:
    """What ``write_checkpoint`` has written.

    Raises:
        Damaged: the file is cut off, changed, or something else.
    """
    expected = "a checkpoint"
    try:
        with zipfile.ZipFile(path) as parts:
            changed = parts.testzip()  # PyTorch writes checksums, and does not look at them
        if changed:
            raise Damaged(path, expected, f"one that was changed in {changed}", BEGIN_AGAIN)
        state = torch.load(path, map_location="cpu", weights_only=True)
    except (zipfile.BadZipFile, EOFError, pickle.UnpicklingError, RuntimeError) as error:
        size = f"{path.stat().st_size:,} bytes that are none"
        raise Damaged(path, expected, f"{size}: cut off, or another file", BEGIN_AGAIN) from error
    check_form(path, state, CHECKPOINT, expected, BEGIN_AGAIN)
    check_form(path, state["made_with"], {"device": str}, f"{expected} made", BEGIN_AGAIN)
    return dict(state)


def write_result(path: Path, result: dict[str, Any]) -> None:
    """Write the result of a run with its checksum, whole or not at all."""
    text = json.dumps({"sha256": checksum(result), **result}, indent=1, allow_nan=False)
    with atomic_write(path) as unfinished:
        unfinished.write_text(text + "\n", "utf-8")


def read_result(path: Path) -> dict[str, Any]:
    """What ``write_result`` has written.

    Raises:
        Damaged: the file is cut off, changed, or something else.
    """
    expected = "the result of a run"
    try:
        result = json.loads(path.read_bytes())
    except ValueError as error:  # also of bytes that are no text
        size = f"{path.stat().st_size:,} bytes that are no JSON"
        raise Damaged(path, expected, size, DO_AGAIN) from error
    check_form(path, result, {"sha256": str, "run": str, "identity": dict}, expected, DO_AGAIN)
    if result.pop("sha256") != checksum(result):
        raise Damaged(path, expected, "one that was changed later", DO_AGAIN)
    return dict(result)


def checksum(result: dict[str, Any]) -> str:
    """A hash that every change of a result changes.

    Example:
        >>> checksum({"losses": {128: 1.5}}) == checksum({"losses": {"128": 1.5}})
        True
    """
    as_read = json.loads(json.dumps(result))  # with text for every key
    return hashlib.sha256(json.dumps(as_read, sort_keys=True).encode()).hexdigest()


def check_form(
    path: Path, found: object, fields: dict[str, type], expected: str, remedy: str
) -> None:
    """Raise ``Damaged`` where one of the fields is not there, or of another type."""
    if not isinstance(found, dict):
        raise Damaged(path, expected, f"a {type(found).__name__}", remedy)
    for name, kind in fields.items():
        if not isinstance(found.get(name), kind):
            given = f"one without it, or with another form of it ({found.get(name)!r:.40})"
            raise Damaged(path, f"{expected} with {name!r}", given, remedy)
