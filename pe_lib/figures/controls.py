"""The inputs of a figure: traits that also say how a page shows them as controls."""

import math
from numbers import Real
from typing import Any, TypeAlias

from traitlets import Bool, Float, Int, TraitType, Unicode

Input = bool | int | float | str
# As text: before 5.10, which some notebook servers still have, traitlets had no type arguments.
Trait: TypeAlias = "TraitType[Any, Any]"
Control = dict[str, Any]  # what a page needs to show an input


def slider(
    default: float,
    low: float,
    high: float,
    *,
    label: str,
    unit: str = "",
    step: float = 1,
    log: bool = False,
    up_to: str = "",
    more: bool = False,
) -> Trait:
    """A number between low and high: a slider with a number box beside it.

    An int default makes an int trait. ``log=True`` spaces the slider's positions evenly on a
    logarithmic scale; the number box takes any value either way. ``up_to`` names an input at whose
    present value the slider ends; a value beyond it stays possible, and is shown as that value.
    """
    trait = Int(default) if isinstance(default, int) else Float(default)
    control = {"kind": "slider", "low": low, "high": high, "step": step, "log": log}
    control["whole"] = isinstance(trait, Int)
    if up_to:
        control["up_to"] = up_to
    return shown(trait, control | {"label": label, "unit": unit}, more)


def toggle(default: bool, *, label: str, more: bool = False) -> Trait:
    """Yes or no: a check box."""
    return shown(Bool(default), {"kind": "toggle", "label": label}, more)


def choice(default: str, options: dict[str, str], *, label: str, more: bool = False) -> Trait:
    """One of a few: radio buttons. ``options`` maps each value to what the reader sees."""
    return shown(Unicode(default), {"kind": "choice", "label": label, "options": options}, more)


def several(default: str, options: dict[str, str], *, most: int, label: str) -> Trait:
    """At least one of a few, and ``most`` at once: check boxes.

    The value is their names with spaces between them, in the order in which they were chosen. One
    more than ``most`` takes the place of the one that was chosen first.
    """
    control = {"kind": "several", "label": label, "options": options, "most": most}
    return shown(Unicode(default), control)


def text(default: str, *, label: str, more: bool = False) -> Trait:
    """A line of text: a text field."""
    return shown(Unicode(default), {"kind": "text", "label": label}, more)


def passage(default: str, *, most: int, label: str, more: bool = False) -> Trait:
    """Several lines of text: a text box, which takes the first ``most`` characters and says so."""
    return shown(Unicode(default), {"kind": "text", "label": label, "most": most}, more)


def shown(trait: Trait, control: Control, more: bool = False) -> Trait:
    """An input as the page shows it, with ``more`` under "More". What the page sets is not sent
    back: it may have moved on.
    """
    if more:
        control["more"] = True
    return trait.tag(sync=True, echo_update=False, control=control)


def check_input(name: str, value: Input, control: Control) -> None:
    """Raise ValueError where the figure cannot draw a value; refusal.js says the same words."""
    if control["kind"] == "slider":
        low, high = control["low"], control["high"]
        if not (isinstance(value, Real) and math.isfinite(value) and low <= value <= high):
            raise ValueError(
                f"{name}: this figure draws {plain(low)} to {plain(high)}, got {plain(value)}"
            )
    elif control["kind"] == "choice" and value not in control["options"]:
        known = ", ".join(control["options"])
        raise ValueError(f"{name}: expected one of {known}, got {value}")
    elif control["kind"] == "several":
        chosen = str(value).split(" ")
        known, most = control["options"], control["most"]
        if len(chosen) > most or len({*chosen} & {*known}) < len(chosen):
            expected = f"1 to {most} of {', '.join(known)}, each once"
            raise ValueError(f"{name}: expected {expected}, got {value}")


def plain(value: Any) -> str:
    """A number as JavaScript writes it: 1.0 is 1."""
    return str(int(value)) if math.isfinite(value) and value == int(value) else str(value)
