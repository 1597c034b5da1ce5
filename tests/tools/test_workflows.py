"""What the workflows take from others: actions, pinned by commit, with the tag beside it."""

import re
from collections import defaultdict

import pytest

from tests.helpers import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
USES = re.compile(r"^ *(?:- )?uses: *(.*)$", re.MULTILINE)
PINNED = re.compile(r"([\w.-]+/[\w./-]+)@([0-9a-f]{40}) # (v\d+\.\d+\.\d+)")


def unpinned(workflow: str) -> list[str]:
    """The actions of a workflow's text that a moved tag would change."""
    return [use for use in USES.findall(workflow) if not PINNED.fullmatch(use)]


def versions() -> dict[str, set[str]]:
    """The versions of each action in all workflows."""
    found = defaultdict(set)
    for path in WORKFLOWS:
        for use in USES.findall(path.read_text("utf-8")):
            action, _, version = use.partition("@")
            found[action].add(version)
    return found


def test_every_action_is_pinned_by_its_commit() -> None:
    found = {path.name: unpinned(path.read_text("utf-8")) for path in WORKFLOWS}
    assert {name: uses for name, uses in found.items() if uses} == {}


def test_every_action_has_one_version() -> None:
    assert {action: found for action, found in versions().items() if len(found) > 1} == {}


@pytest.mark.parametrize(
    "use",
    [
        "actions/checkout@v5",
        f"actions/checkout@{'0' * 40}",
        f"actions/checkout@{'0' * 12} # v5.1.0",
    ],
)
def test_an_action_by_its_tag_alone_is_named(use: str) -> None:
    assert unpinned(f"    steps:\n      - uses: {use}\n      - run: make\n") == [use]
