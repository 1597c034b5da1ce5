"""Set the repository's address: in `_config.yml`, in pyproject.toml and in every chapter.

    .venv/bin/python -m book.tools.repository https://github.com/OWNER/NAME
    .venv/bin/python -m book.tools.repository ""
    .venv/bin/python -m book.tools.repository

The second form takes the address away; the third writes what hangs on it anew, from `_config.yml`.
A chapter has it in its set-up cell, the second one. Where the chapter stands alone, as in Colab,
that cell installs pe_lib, from a wheel in the same folder or from the address; where pe_lib is
there, it does nothing. No chapter has to be executed again.
"""

import argparse
import re
import sys
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from book.tools.notebooks import ROOT, chapters, is_setup, name_of, read, text_of, write

CONFIG = ROOT / "_config.yml"
CONFIG_ADDRESS = re.compile(
    r"""(?m)^repository:\n(?:[ #].*\n)*? +url:((?: *(?:"[^"\n]*"|'[^'\n]*'|[^\s#]+))?)"""
)
PROJECT = ROOT / "pyproject.toml"
PROJECT_URLS = re.compile(r"(?<=^\[project\.urls\]\n)(?:\w+ = .*\n)*", re.MULTILINE)
PATHS = {"Homepage": "", "Source": "", "Issues": "/issues", "Changelog": "/blob/HEAD/CHANGELOG.md"}
ADDRESS = re.compile(r"https://[\w.-]+(?::\d+)?/[\w.-]+/[\w.-]+", re.ASCII)
TAGS = ["remove-cell", "setup"]

SETUP = """\
# Install the course's library where it is missing, as in Colab.
import importlib.util
import subprocess
import sys
from glob import glob

repository = "{address}"
if importlib.util.find_spec("pe_lib") is None:
    sources = [f"./{{wheel}}[figures,plots]" for wheel in glob("pe_lib-*.whl")]
    sources += [f"pe_lib[figures,plots] @ git+{{repository}}"] * bool(repository)
    if not sources:
        advice = "put its wheel, which the book has, beside this notebook, or run `make setup`"
        raise ModuleNotFoundError(f"pe_lib is not installed: {{advice}} in the course's folder.")
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", sources[0]], check=True)
    importlib.invalidate_caches()"""


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


def setup_source(address: str) -> str:
    return SETUP.format(address=address)


def write_setup(notebook: NotebookNode, address: str) -> None:
    """Write the set-up cell, which is made where it is missing."""
    cell = next((cell for cell in notebook.cells if is_setup(cell)), None)
    if cell is None:
        cell = nbformat.v4.new_code_cell(id="setup", metadata={"tags": TAGS})
        notebook.cells.insert(1, cell)
    cell.source = setup_source(address)


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
    for path in chapters():
        notebook = read(path)
        write_setup(notebook, address)
        write(path, text_of(notebook))
    print(f"The repository's address is {address or 'not set'}.")


if __name__ == "__main__":
    main()
