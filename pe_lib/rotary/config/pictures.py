"""Settings of models that see: the axes of a picture, and the three positions of a token."""

import math
from collections.abc import Mapping
from typing import Any

from pe_lib.common._checks import check_count, check_sequence
from pe_lib.rotary.config import conventions as known
from pe_lib.rotary.config.source import first
from pe_lib.rotary.settings import RotarySettings


def of_a_picture(kind: str, head_dim: int, theta: float) -> RotarySettings:
    """Settings of a part that sees: every axis has its share of the head."""
    axes = known.AXES.get(kind, 2)
    width = 2 * (head_dim // axes // 2)
    scale = None
    if kind in known.IN_TURNS:
        scale = (2 * math.pi,) * axes
    elif kind in known.COLUMNS_BETWEEN:
        scale = (1.0, theta ** (-2 / head_dim))
    order = None
    if kind in known.COLUMN_FIRST:
        order = (1,) * (width // 2) + (0,) * (width // 2)
    elif kind in known.COLUMN_AND_ROW_IN_TURN:
        order = (1, 0) * (width // 2)
    return RotarySettings(
        dim=axes * width,
        theta=theta,
        widths=(width,) * axes,
        coordinate_scale=scale,
        pair_axes=order,
        interleaved=known.interleaved_of(kind),
    )


def sections_of(kind: str, parameters: Mapping[str, Any], pairs: int) -> dict[str, Any]:
    """What the settings say of time, height and width."""
    given = parameters.get("mrope_section")
    if given is None and sum(known.SECTIONS.get(kind, ())) == pairs:
        given = known.SECTIONS[kind]
    elif given is None:
        return {}
    elif kind in known.MIXED_PAIRS:
        raise ValueError(
            f"config: expected no mrope_section, as the code of {kind!r} turns the two features "
            f"of a pair by different axes, which is no rotation, got {given}"
        )
    check_sequence(given, "mrope_section", "three numbers of pairs", 3)
    for section in given:
        check_count(section, "mrope_section", least=0)
    turns = None
    if kind in known.TIME_LAST:
        height, width, time = given
        if height != width:
            raise ValueError(
                "mrope_section: expected as many pairs for the height as for the width, "
                f"got {given}"
            )
        # Height and width take turns in the fast pairs, the time has the slow ones.
        given, turns = (time, height, width), (1, 2) * height + (0,) * time
    interleaved = first(parameters, "mrope_interleaved", "interleaved")
    if interleaved is None:
        interleaved = kind in known.SECTIONS_INTERLEAVED
    return {"sections": tuple(given), "sections_interleaved": interleaved, "pair_axes": turns}
