"""Set the repository's address: in `_config.yml`, in pyproject.toml and in every chapter.

    .venv/bin/python -m book.tools.repository https://github.com/OWNER/NAME
    .venv/bin/python -m book.tools.repository ""
    .venv/bin/python -m book.tools.repository

The second form takes the address away; the third writes what hangs on it anew, from `_config.yml`.
A chapter has it in its set-up cell, the second one, which is written here with all that it needs
(book/tools/setup_cell.py). No chapter has to be executed again.
"""

import argparse
import re
import sys
from pathlib import Path

from book.tools import setup_cell
from book.tools.notebooks import ROOT, chapters, name_of, read, text_of, write
from book.tools.uses import Library

CONFIG = ROOT / "_config.yml"
CONFIG_ADDRESS = re.compile(
    r"""(?m)^repository:\n(?:[ #].*\n)*? +url:((?: *(?:"[^"\n]*"|'[^'\n]*'|[^\s#]+))?)"""
)
PROJECT = ROOT / "pyproject.toml"
PROJECT_URLS = re.compile(r"(?<=^\[project\.urls\]\n)(?:\w+ = .*\n)*", re.MULTILINE)
PATHS = {"Homepage": "", "Source": "", "Issues": "/issues", "Changelog": "/blob/HEAD/CHANGELOG.md"}
ADDRESS = re.compile(r"https://[\w.-]+(?::\d+)?/[\w.-]+/[\w.-]+", re.ASCII)


def normalised(address: str) -> str:
    """The address as git and the book use it; "" for none.

    Raises ValueError where it is not of the form https://host/owner/name.
    """
    address = address.strip().rstrip("/").removesuffix(".git")
    if address and not ADDRESS.fullmatch(address):
        raise ValueError(f"the address must look like https://host/owner/name, not {address!r}")
    return address


def configured(config: Path) -> str:
    """The address in `_config.yml`; "" where none is set."""
    return address_in(config).group(1).strip(" '\"")


def configure(address: str, config: Path) -> None:
    """Write the address into `_config.yml` and leave all else in it, comments too, as it is."""
    found = address_in(config)
    write(config, f'{found.string[: found.start(1)]} "{address}"{found.string[found.end(1) :]}')


def address_in(config: Path) -> re.Match[str]:
    found = CONFIG_ADDRESS.search(config.read_text(encoding="utf-8"))
    if found is None:
        raise ValueError(f"{name_of(config)} has no `url:` under `repository:`")
    return found


def write_urls(address: str, project: Path) -> None:
    """Write the entries of `[project.urls]` in pyproject.toml: none where there is no address."""
    entries = [f'{name} = "{address}{path}"\n' for name, path in PATHS.items() if address]
    write(project, PROJECT_URLS.sub("".join(entries), project.read_text(encoding="utf-8")))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("address", nargs="?")
    given = parser.parse_args().address
    try:
        address = configured(CONFIG) if given is None else normalised(given)
        configure(address, CONFIG)
    except ValueError as error:
        sys.exit(str(error))
    write_urls(address, PROJECT)
    notebooks = {path: read(path) for path in chapters()}
    library = Library(ROOT)
    for path, notebook in notebooks.items():
        try:
            setup_cell.write_cell(notebook, address, library)
        except (ValueError, SyntaxError) as error:
            sys.exit(f"{name_of(path)}: {error}")
        write(path, text_of(notebook))
    setup_cell.list_served(notebooks, setup_cell.SERVED)
    print(f"The repository's address is {address or 'not set'}.")


if __name__ == "__main__":
    main()
