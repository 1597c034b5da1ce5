"""Build the book's HTML from the outputs stored in its chapters.

    .venv/bin/python -m book.tools.build

Nothing is executed. What decides whether there is something to build is what the files hold, not
their dates. Every warning is an error. The new book is made from nothing beside the old one, which
stays until the new one is complete; beside its pages lies the wheel of pe_lib.
"""

import hashlib
import io
import json
import shutil
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import yaml
from filelock import FileLock, Timeout
from jupyter_book.config import get_validator
from sphinx_external_toc.parsing import MalformedError, parse_toc_yaml

from book.tools import notebooks, wheel
from book.tools.notebooks import ROOT

BUILD = ROOT / "_build"
HTML = BUILD / "html"
NEXT = BUILD / "next"
STAMP = BUILD / "built.json"
SOURCES = (*wheel.SOURCES, "_config.yml", "_toc.yml", "requirements.txt", "book", "chapters")


def main() -> None:
    try:
        BUILD.mkdir(exist_ok=True)
        lock = FileLock(BUILD / "lock")
        try:
            lock.acquire(blocking=False)
        except Timeout:
            print("Another build is under way: waiting for its end.", flush=True)
            lock.acquire()
        with lock:
            make()
    except OSError as error:
        sys.exit(f"The book cannot be written: {error.strerror or error} ({error.filename})")


def make() -> None:
    if problems := [*settings_problems(), *notebooks.check_all()]:
        sys.exit("\n".join(problems))
    sources = fingerprint()
    if stamp() == {"sources": sources, "files": files()}:
        print("The book is up to date.")
    else:
        shutil.rmtree(NEXT, ignore_errors=True)
        build()
        new = NEXT / "_build" / "html"
        wheel.make(new)
        STAMP.unlink(missing_ok=True)
        if HTML.exists():
            HTML.rename(NEXT / "old")
        new.rename(HTML)
        shutil.rmtree(NEXT)
        notebooks.write(STAMP, json.dumps({"sources": sources, "files": files()}))
    print(f"The book is at {HTML / 'index.html'}")
    print("`make serve` opens it in a browser.")


def check_built(html: Path) -> None:
    """End the program where no built book lies in this folder."""
    if not (html / "index.html").exists():
        sys.exit("The book is not built yet: `make book` builds it.")


def settings_problems() -> list[str]:
    """What keeps _config.yml and _toc.yml from being read, or is missing in them: a line each."""
    problems = []
    for name in ("_config.yml", "_toc.yml"):
        try:
            settings = yaml.safe_load((ROOT / name).read_text("utf-8"))
            if not isinstance(settings, dict):
                problems.append(f"{name}: expected names with values")
            elif name == "_config.yml":
                known = {*get_validator().schema["properties"], "only_build_toc_files"}
                unknown = sorted(settings.keys() - known)
                problems += [f"{name}: there is no setting {setting!r}" for setting in unknown]
            else:
                pages = parse_toc_yaml(ROOT / name)
                problems += [f"{name}: there is no page {page}" for page in pages if missing(page)]
        except (yaml.YAMLError, MalformedError, ValueError, OSError) as error:
            problems.append(f"{name}: cannot be read ({' '.join(str(error).split())})")
    return problems


def missing(page: str) -> bool:
    return not any((ROOT / f"{page}{suffix}").exists() for suffix in (".md", ".ipynb"))


def stamp() -> Any:
    """What the book was built from, and its files; None where that cannot be read."""
    try:
        return json.loads(STAMP.read_text("utf-8"))
    except (OSError, ValueError):
        return None


def files() -> dict[str, str]:
    """The files of the built book with their hashes: one that was removed or changed is missed."""
    paths = (path for path in sorted(HTML.rglob("*")) if path.is_file())
    return {
        path.relative_to(HTML).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in paths
    }


def fingerprint() -> str:
    """A hash of all that the book and the wheel are made from."""
    found = hashlib.sha256()
    for path in source_files():
        found.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes() + b"\0")
    return found.hexdigest()


def source_files() -> Iterator[Path]:
    for path in sorted({*ROOT.glob("*.md"), *(ROOT / name for name in SOURCES)}):
        inside = sorted(path.rglob("*")) if path.is_dir() else [path]
        yield from (file for file in inside if file.is_file() and file.suffix != ".pyc")


def build() -> None:
    """Build the HTML; jupyter-book's own words are shown only where it fails."""
    from jupyter_book.cli.main import main as jupyter_book

    print("Building the book", flush=True)
    command = ["build", str(ROOT), "--path-output", str(NEXT), "-W", "-n", "--keep-going", "-q"]
    said = io.StringIO()
    try:
        with redirect_stdout(said):
            jupyter_book.main(command, standalone_mode=False)
    except (Exception, SystemExit) as error:
        print(said.getvalue())
        reason = "" if isinstance(error, SystemExit) else str(error)
        sys.exit(f"The book was not built, and the old one stays. {reason}")


if __name__ == "__main__":
    main()
