"""Put the built book into one zip file, to be read offline.

    .venv/bin/python -m book.tools.archive

The file unpacks into one folder, whose `index.html` opens in any browser. The same book gives the
same bytes.
"""

import shutil
import sys
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import pe_lib
from book.tools.build import BUILD, HTML, check_built
from book.tools.notebooks import name_of
from pe_lib.experiments.files import atomic_write

NAME = f"positional-encodings-live-{pe_lib.__version__}"


def make(folder: Path = BUILD, html: Path = HTML) -> Path:
    """Write the zip file into a folder, in place of older ones, and give its path."""
    older = set(folder.glob("positional-encodings-live-*.zip"))
    path = folder / f"{NAME}.zip"
    with atomic_write(path) as unfinished, ZipFile(unfinished, "w") as archive:
        for file in sorted(file for file in html.rglob("*") if file.is_file()):
            # Without a time of its own: ZipInfo begins in 1980.
            member = ZipInfo(f"{NAME}/{file.relative_to(html).as_posix()}")
            member.external_attr = 0o644 << 16
            member.compress_type = ZIP_DEFLATED
            with file.open("rb") as source, archive.open(member, "w") as target:
                shutil.copyfileobj(source, target)
    for old in older - {path}:
        old.unlink()
    return path


def main() -> None:
    check_built(HTML)
    try:
        path = make()
    except OSError as error:
        sys.exit(f"The zip file cannot be written: {error.strerror} ({error.filename})")
    print(f"The book is in {name_of(path)} ({path.stat().st_size / 1e6:.1f} MB).")
    print("Unpack it anywhere and open its index.html.")


if __name__ == "__main__":
    main()
