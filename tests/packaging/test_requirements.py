"""The pins of requirements.txt: complete, free of places, and within the ranges of pe_lib."""

import re
import tomllib
from importlib.metadata import requires

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.helpers import ROOT


def pins() -> dict[str, str]:
    """Each package of requirements.txt and its version."""
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    entries = (line.split("==") for line in lines if line and not line.startswith("#"))
    return {canonicalize_name(name): version for name, version in entries}


def test_pins_are_in_the_ranges_of_the_library() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"].values()
    for text in [*project["dependencies"], *(line for extra in extras for line in extra)]:
        wanted = Requirement(text)
        assert pins()[canonicalize_name(wanted.name)] in wanted.specifier, text
        assert not any(part.operator == "==" for part in wanted.specifier), f"{text} is a pin"


def test_what_the_pinned_packages_need_is_pinned_too() -> None:
    here_only = re.compile("nvidia-|cuda-|triton")  # parts of a CUDA build of torch
    for name in pins():
        for text in requires(name) or []:
            wanted = Requirement(text)
            needed = wanted.marker is None or wanted.marker.evaluate({"extra": ""})
            if needed and not here_only.match(wanted.name):
                assert canonicalize_name(wanted.name) in pins(), f"{name} needs {text}"


def test_requirements_name_no_index_and_no_build_of_torch() -> None:
    text = (ROOT / "requirements.txt").read_text()
    assert not re.search(r"://|^-|\+", text, re.MULTILINE)
