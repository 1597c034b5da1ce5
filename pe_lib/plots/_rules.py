"""The lines of rules that stretch RoPE.

A rule looks the same in every picture, and has the colour that the live spectrum of frequencies
gives it (figures/longer_context).
"""

from collections.abc import Iterable
from typing import Any

from pe_lib.course.palette import THEMES
from pe_lib.plots._canvas import INK

_LIGHT = THEMES["light"]
LOOKS: dict[str, dict[str, Any]] = {
    "as trained": {"color": INK, "linestyle": "-", "marker": "o"},
    "interpolation": {"color": _LIGHT["purple"], "linestyle": "--", "marker": "s"},
    "NTK": {"color": _LIGHT["orange"], "linestyle": ":", "marker": "^"},
    "YaRN": {"color": _LIGHT["blue"], "linestyle": "-.", "marker": "x"},
    "Llama 3": {"color": _LIGHT["green"], "linestyle": (0, (6, 1)), "marker": "D"},
}


def looks_of(names: Iterable[str]) -> list[dict[str, Any]]:
    """How each name is drawn: a rule in its own way, and others in the ways that are left over."""
    names = list(names)
    free = iter(look for rule, look in reversed(LOOKS.items()) if rule not in names)
    return [LOOKS[name] if name in LOOKS else next(free) for name in names]
