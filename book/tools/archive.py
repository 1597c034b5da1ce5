"""Put the built book into one zip file, to be read offline.

    .venv/bin/python -m book.tools.archive

The file unpacks into one folder, whose `index.html` opens in any browser. The same book gives the
same bytes.
"""

import shutil
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import pe_lib
from book.tools.build import BUILD, HTML
from book.tools.notebooks import name_of

NAME = f"positional-encodings-live-{pe_lib.__version__}"


def make(folder: Path = BUILD, html: Path = HTML) -> Path:
    """Write the zip file into a folder, in place of older ones, and give its path."""
    for old in folder.glob("positional-encodings-live-*.zip"):
        old.unlink()
    path = folder / f"{NAME}.zip"
    with ZipFile(path, "w") as archive:
        for file in sorted(file for file in html.rglob("*") if file.is_file()):
            # Without a time of its own: ZipInfo begins in 1980.
            member = ZipInfo(f"{NAME}/{file.relative_to(html).as_posix()}")
            member.external_attr = 0o644 << 16
            member.compress_type = ZIP_DEFLATED
            with file.open("rb") as source, archive.open(member, "w") as target:
                shutil.copyfileobj(source, target)
    return path


def main() -> None:
    path = make()
    print(f"The book is in {name_of(path)} ({path.stat().st_size / 1e6:.1f} MB).")
    print("Unpack it anywhere and open its index.html.")


if __name__ == "__main__":
    main()
