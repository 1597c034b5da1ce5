"""Reads the rotary settings of a Hugging Face model configuration."""

from collections.abc import Iterable, Mapping, Set
from dataclasses import MISSING, fields
from typing import Any

from pe_lib._checks import check_count, check_type, describe
from pe_lib.rotary.scaling.base import Scaling
from pe_lib.rotary.scaling.dynamic_ntk import DynamicNTKScaling
from pe_lib.rotary.scaling.linear import LinearScaling
from pe_lib.rotary.scaling.llama3 import Llama3Scaling
from pe_lib.rotary.scaling.longrope import LongRopeScaling
from pe_lib.rotary.scaling.proportional import ProportionalScaling
from pe_lib.rotary.scaling.yarn import YarnScaling

KINDS: dict[str, type[Scaling]] = {
    "default": Scaling,  # it changes nothing
    "linear": LinearScaling,
    "dynamic": DynamicNTKScaling,
    "yarn": YarnScaling,
    "longrope": LongRopeScaling,
    "llama3": Llama3Scaling,
    "proportional": ProportionalScaling,
}

ORIGINAL = "original_max_position_embeddings"

# What the dict says about theta, dim and the sections of multimodal rotary, not about the scaling.
OTHER_SETTINGS = {"rope_theta", "partial_rotary_factor", "mrope_section"}


def scaling_from_config(
    rope_parameters: Mapping[str, Any] | None, max_position_embeddings: int | None = None
) -> Scaling | None:
    """The scaling that a Hugging Face configuration asks for.

    Reads ``config.rope_parameters``, and ``config.rope_scaling`` as it was called before; the kind
    stands under ``rope_type`` or, in older files, under ``type``. A key whose value is None counts
    as absent.

    Three keys are left to the caller: ``rope_theta`` is ``rotary_cos_sin``'s ``theta``,
    ``partial_rotary_factor`` makes its ``dim`` smaller (only "proportional" takes it itself), and
    ``mrope_section`` is ``mrope_cos_sin``'s ``sections``.

    Args:
        rope_parameters: the dict, or None where the configuration has none. Of a configuration with
            one dict a layer type, one of these.
        max_position_embeddings: the configuration's number of this name. "dynamic" needs it. For
            "yarn" and "longrope" without ``factor`` it gives the factor, for kinds without
            ``original_max_position_embeddings`` it is the trained length.

    Returns:
        The scaling; None for ``default`` and for no dict.

    Raises:
        TypeError: an argument or a setting has the wrong type.
        ValueError: a key is unknown or missing, a setting is out of range, or two contradict each
            other.

    Source:
        The settings of Hugging Face transformers 5.23. Each scaling names its own paper: "linear"
        is Chen et al. 2023, arXiv 2306.15595.

    Example:
        >>> scaling_from_config({"type": "linear", "factor": 2.0})
        LinearScaling(factor=2.0)
        >>> config = {"rope_type": "yarn", "rope_theta": 1e6, "factor": 4.0}
        >>> scaling_from_config(config, max_position_embeddings=32768).original_max_position
        32768
    """
    if max_position_embeddings is not None:
        check_count(max_position_embeddings, "max_position_embeddings")
    if rope_parameters is None:
        return None
    check_type(rope_parameters, "rope_parameters", Mapping, "a dict or None")
    settings = {key: value for key, value in rope_parameters.items() if value is not None}
    rope_type = _pop_rope_type(settings)
    kind = KINDS[rope_type]
    # The scaling's own settings, by the configuration's names for them.
    own = {
        ORIGINAL if field.name == "original_max_position" else field.name: field
        for field in fields(kind)
    }
    # For "dynamic" the original length has always been max_position_embeddings.
    allowed = (own.keys() | OTHER_SETTINGS) - ({ORIGINAL} if rope_type == "dynamic" else set())
    _check_keys(settings, allowed, rope_type)
    settings = {key: value for key, value in settings.items() if key in own}
    if ORIGINAL in own:
        _use_max_position(settings, rope_type, max_position_embeddings)
    required = {key for key, field in own.items() if field.default is MISSING}
    if rope_type == "longrope" and "attention_factor" not in settings:
        required.add("factor")
    if missing := sorted(required - settings.keys()):
        raise ValueError(
            f"rope_parameters: expected {_listed(missing)} too, which rope_type {rope_type!r} "
            f"needs, got {_listed(settings) or 'no setting'}"
        )
    scaling = kind(**{own[key].name: value for key, value in settings.items()})
    return None if rope_type == "default" else scaling


def _pop_rope_type(settings: dict[str, Any]) -> str:
    """Take the kind out of the settings, under its new or its old name."""
    named = [settings.pop(key) for key in ("rope_type", "type") if key in settings] or ["default"]
    if named[0] != named[-1]:
        raise ValueError(
            "rope_parameters: expected rope_type and type to be the same, "
            f"got {named[0]!r} and {named[1]!r}"
        )
    if not isinstance(named[0], str) or named[0] not in KINDS:
        raise ValueError(
            f"rope_parameters: expected a rope_type out of {', '.join(KINDS)}, "
            f"got {describe(named[0])}"
        )
    return named[0]


def _check_keys(settings: Mapping[str, Any], allowed: Set[str], rope_type: str) -> None:
    for key, value in settings.items():
        if key not in allowed and isinstance(value, Mapping):
            raise ValueError(
                "rope_parameters: expected the dict of one layer type, "
                f"got a dict of dicts with the key {key!r}"
            )
        if key not in allowed:
            raise ValueError(
                f"rope_parameters: expected only keys that rope_type {rope_type!r} has "
                f"({', '.join(sorted(allowed))}), got {key!r}"
            )


def _use_max_position(settings: dict[str, Any], rope_type: str, longest: int | None) -> None:
    """Fill in what follows from the longest text that is allowed, and compare with it."""
    if longest is None:
        if rope_type == "dynamic":
            raise ValueError(
                "max_position_embeddings: expected an int >= 1 for rope_type 'dynamic', got None"
            )
    elif ORIGINAL in settings:
        check_count(settings[ORIGINAL], ORIGINAL)
        if settings[ORIGINAL] > longest:
            raise ValueError(
                f"{ORIGINAL}: expected at most max_position_embeddings = {longest}, "
                f"got {settings[ORIGINAL]}"
            )
        if rope_type in ("yarn", "longrope"):
            settings.setdefault("factor", longest / settings[ORIGINAL])
    elif rope_type == "dynamic" or "factor" in settings:
        settings[ORIGINAL] = longest


def _listed(keys: Iterable[str]) -> str:
    return ", ".join(map(repr, keys))
