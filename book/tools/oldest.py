"""Print the oldest version that pyproject.toml allows of every package, as pip's constraints.

    python3 book/tools/oldest.py

Every week the library is tested with these, so that what the ranges promise stays true. It needs
nothing but Python's standard library.
"""

import re
import tomllib
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"
LOWER_BOUND = re.compile(r"([\w.-]+)>=([\w.]+)")


def main() -> None:
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    for wanted in [*project["dependencies"], *(package for extra in extras for package in extra)]:
        print(oldest(wanted))


def oldest(wanted: str) -> str:
    """The constraint that leaves only the oldest version of a range.

    Raises ValueError where a range has no lower bound.
    """
    bound = LOWER_BOUND.match(wanted)
    if bound is None:
        raise ValueError(f"{wanted} must begin with its lower bound, as in torch>=2.5")
    return f"{bound[1]}=={bound[2]}"


if __name__ == "__main__":
    main()
