"""Build the book's HTML from the outputs stored in its chapters.

    .venv/bin/python -m book.tools.build

Nothing is executed, and what has not changed is not built again. Every warning is an error. Beside
the pages lies the wheel of pe_lib.
"""

import hashlib
import io
import json
import shutil
import sys
from collections.abc import Iterable
from contextlib import redirect_stdout
from pathlib import Path

from book.tools import notebooks, wheel
from book.tools.notebooks import ROOT

BUILD = ROOT / "_build"
HTML = BUILD / "html"
STAMP = BUILD / "built.json"


def main() -> None:
    if problems := notebooks.check_all():
        sys.exit("\n".join(problems))
    sources = fingerprints()
    built = json.loads(STAMP.read_text()) if STAMP.exists() else {}
    if sources == built:
        print("The book is up to date.")
    else:
        STAMP.unlink(missing_ok=True)
        if sources["machinery"] != built.get("machinery"):
            # Sphinx builds the pages whose text has changed; it cannot know what else they hang on.
            shutil.rmtree(BUILD, ignore_errors=True)
        build()
        if not any(HTML.glob("*.whl")):  # it goes with the folder, when pe_lib changes
            wheel.make(HTML)
        STAMP.write_text(json.dumps(sources))
    print(f"The book is at {HTML / 'index.html'}")
    print("`make serve` opens it in a browser.")


def fingerprints() -> dict[str, str]:
    """Hashes of the pages, and of what all pages are made with."""
    machinery = [
        ROOT / name for name in ("_config.yml", "_toc.yml", "requirements.txt", "pyproject.toml")
    ]
    for folder in ("book", "pe_lib"):
        machinery.extend((ROOT / folder).rglob("*.*"))
    pages = [*ROOT.glob("*.md"), *(ROOT / "chapters").glob("*.*")]
    return {"machinery": fingerprint(machinery), "pages": fingerprint(pages)}


def fingerprint(paths: Iterable[Path]) -> str:
    sources = (path for path in sorted(paths) if path.is_file() and path.suffix != ".pyc")
    contents = (f"{path}\0".encode() + path.read_bytes() for path in sources)
    return hashlib.sha256(b"\0".join(contents)).hexdigest()


def build() -> None:
    """Build the HTML; jupyter-book's own words are shown only where it fails."""
    from jupyter_book.cli.main import main as jupyter_book

    print("Building the book", flush=True)
    said = io.StringIO()
    try:
        with redirect_stdout(said):
            jupyter_book.main(
                ["build", str(ROOT), "-W", "-n", "--keep-going", "-q"], standalone_mode=False
            )
    except BaseException:
        # Sphinx warns about a page when it reads it. What it has read must be forgotten, or the
        # next build would succeed without a word.
        shutil.rmtree(BUILD / ".doctrees", ignore_errors=True)
        print(said.getvalue())
        raise


if __name__ == "__main__":
    main()
