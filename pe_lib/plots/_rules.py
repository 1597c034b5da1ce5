"""How the line of a rule that stretches RoPE looks, the same in every picture."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from pe_lib.course.palette import RULE_COLOURS, THEMES
from pe_lib.plots._canvas import INK, MUTED


class Look(NamedTuple):
    """A line's colour, dash and marker, as matplotlib takes them."""

    colour: str
    dash: Any
    marker: str


def _look(rule: str, dash: Any, marker: str) -> Look:
    return Look(THEMES["light"][RULE_COLOURS[rule]], dash, marker)


LOOKS = {
    "the switch": Look(MUTED, (0, (3, 1, 1, 1)), "v"),
    "as trained": Look(INK, "-", "o"),
    "interpolation": _look("interpolation", "--", "s"),
    "NTK": _look("NTK", ":", "^"),
    "YaRN": _look("YaRN", "-.", "x"),
    "Llama 3": _look("Llama 3", (0, (6, 1)), "D"),
}


def looks_of(names: Iterable[str]) -> list[Look]:
    """How each name is drawn: a rule in its own way, and others in the ways that are left over."""
    names = list(names)
    left_over = iter([look for rule, look in reversed(LOOKS.items()) if rule not in names])
    return [LOOKS[name] if name in LOOKS else next(left_over) for name in names]
