"""Writing a file whole or not at all."""

import pytest

from pe_lib.experiments.files import whole


def test_what_was_written_replaces_the_file(tmp_path):
    path = tmp_path / "new" / "note.txt"
    for text in ("first", "second"):
        with whole(path) as unfinished:
            unfinished.write_text(text)
            assert unfinished != path
        assert path.read_text() == text
    assert [p.name for p in path.parent.iterdir()] == ["note.txt"]


def test_after_an_error_nothing_has_changed(tmp_path):
    path = tmp_path / "note.txt"
    path.write_text("old")
    with pytest.raises(RuntimeError), whole(path) as unfinished:
        unfinished.write_text("half")
        raise RuntimeError
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["note.txt"]
