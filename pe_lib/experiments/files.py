"""Writing a file whole or not at all."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """A path to write to. Afterwards that file is at ``path``; after an error nothing has changed.

    Raises:
        OSError: the disk is full, or the file may not be written.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with atomic_write(Path(folder, "note.txt")) as unfinished:
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
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        kept = "what was there is unchanged"
        raise OSError(error.errno, f"the disk is full, {kept}: make room", str(path)) from error
    finally:
        unfinished.unlink(missing_ok=True)
