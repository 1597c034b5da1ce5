"""Writing a file whole or not at all."""

import os
from pathlib import Path

import pytest

from pe_lib.experiments.files import atomic_write


def test_what_was_written_replaces_the_file(tmp_path):
    path = tmp_path / "new" / "note.txt"
    for text in ("first", "second"):
        with atomic_write(path) as unfinished:
            unfinished.write_text(text)
            assert unfinished != path
        assert path.read_text() == text
    assert [p.name for p in path.parent.iterdir()] == ["note.txt"]


def test_after_an_error_nothing_has_changed(tmp_path):
    path = tmp_path / "note.txt"
    path.write_text("old")
    with pytest.raises(RuntimeError), atomic_write(path) as unfinished:
        unfinished.write_text("half")
        raise RuntimeError
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["note.txt"]


def test_a_full_disk_is_called_a_full_disk(tmp_path):
    path = tmp_path / "note.txt"
    path.write_text("old")
    # What Linux keeps for this: a file on a disk that is always full.
    Path(f"{path}.{os.getpid()}").symlink_to("/dev/full")
    with pytest.raises(OSError, match=r"the disk is full, .*: make room: '.*note\.txt'"):  # noqa: SIM117
        with atomic_write(path) as unfinished:
            unfinished.write_text("new")
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["note.txt"]
