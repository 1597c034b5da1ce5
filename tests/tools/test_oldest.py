"""The oldest packages that pe_lib allows, and the weekly tests with them."""

import re
import tomllib

import pytest
import yaml
from packaging.requirements import Requirement

from book.tools import oldest
from book.tools.notebooks import ROOT

SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text())
WORKFLOW = yaml.safe_load((ROOT / ".github/workflows/weekly.yml").read_text())


def test_every_package_of_the_library_has_an_oldest_version(
    capsys: pytest.CaptureFixture[str],
) -> None:
    extras = SETTINGS["project"]["optional-dependencies"].values()
    texts = [*SETTINGS["project"]["dependencies"], *(text for extra in extras for text in extra)]
    oldest.main()
    lines = capsys.readouterr().out.splitlines()
    for line, wanted in zip(lines, map(Requirement, texts), strict=True):
        name, version = line.split("==")
        assert name == wanted.name
        assert f">={version}" in map(str, wanted.specifier)


@pytest.mark.parametrize(
    "wanted", ["torch>=2.4", "torch>=2.4,<3", 'torch>=2.4; python_version > "3"']
)
def test_the_oldest_is_the_lower_bound(wanted: str) -> None:
    assert oldest.oldest(wanted) == "torch==2.4"


@pytest.mark.parametrize("wanted", ["torch", "torch<3", "torch~=2.4"])
def test_a_range_without_a_lower_bound_is_refused(wanted: str) -> None:
    with pytest.raises(ValueError, match=f"{wanted} must begin with its lower bound"):
        oldest.oldest(wanted)


def test_the_oldest_packages_are_tested_with_the_oldest_python() -> None:
    jobs = WORKFLOW["jobs"]["library"]["strategy"]["matrix"]["include"]
    pythons = {job["packages"]: job["python"] for job in jobs}
    assert f">={pythons['oldest']}" == SETTINGS["project"]["requires-python"]


def test_the_packages_that_test_the_library_are_pinned_for_the_book() -> None:
    pins = re.findall(r"^([\w.-]+)==", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    names = {Requirement(text).name for text in SETTINGS["dependency-groups"]["library-tests"]}
    assert names <= set(pins)
