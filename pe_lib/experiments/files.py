"""Writing a file whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """A path to write to. Afterwards that file is at ``path``; after an error nothing has changed.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with whole(Path(folder, "note.txt")) as unfinished:
        ...         _ = unfinished.write_text("done")
        ...     print(os.listdir(folder))
        ['note.txt']
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        yield unfinished
        with unfinished.open("rb+") as written:
            os.fsync(written.fileno())  # or a power cut could leave an empty file in its place
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
