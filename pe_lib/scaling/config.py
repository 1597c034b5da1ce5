"""Reads the rotary settings of a Hugging Face model configuration."""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any

from pe_lib._checks import check_count, describe
from pe_lib.scaling.base import Scaling
from pe_lib.scaling.dynamic_ntk import DynamicNTKScaling
from pe_lib.scaling.linear import LinearScaling
from pe_lib.scaling.llama3 import Llama3Scaling
from pe_lib.scaling.longrope import LongRopeScaling
from pe_lib.scaling.proportional import ProportionalScaling
from pe_lib.scaling.yarn import YarnScaling

KINDS: dict[str, type[Scaling] | None] = {
    "default": None,
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
        TypeError: ``rope_parameters`` is not a dict, ``max_position_embeddings`` not an int, or a
            setting of the wrong type.
        ValueError: the kind or a key is unknown, a key is missing, two settings contradict each
            other, or a setting is out of its range.

    Source:
        The settings are those of Hugging Face transformers 5.23. Each scaling names its own paper,
        from Chen et al. 2023, arXiv 2306.15595 (linear), to Ding et al. 2024, arXiv 2402.13753
        (LongRoPE).

    Example:
        >>> config = {"rope_type": "yarn", "rope_theta": 1e6, "factor": 4.0}
        >>> scaling = scaling_from_config(config, max_position_embeddings=32768)
        >>> scaling.factor, scaling.original_max_position
        (4.0, 32768)
        >>> print(scaling_from_config({"rope_type": "default", "rope_theta": 1e6}))
        None
        >>> scaling_from_config({"type": "linear", "factor": 2.0})
        LinearScaling(factor=2.0)
    """
    if max_position_embeddings is not None:
        check_count(max_position_embeddings, "max_position_embeddings")
    if rope_parameters is None:
        return None
    if not isinstance(rope_parameters, Mapping):
        raise TypeError(
            f"rope_parameters: expected a dict or None, got {describe(rope_parameters)}"
        )
    settings = {key: value for key, value in rope_parameters.items() if value is not None}
    rope_type = _pop_rope_type(settings)
    kind = KINDS[rope_type]
    allowed = set() if kind is None else {_key(field.name) for field in fields(kind)}
    if kind is DynamicNTKScaling:
        allowed.remove(ORIGINAL)  # here it has always been max_position_embeddings
    _check_keys(settings, allowed, rope_type)
    if kind is None:
        return None
    settings = {key: value for key, value in settings.items() if key in allowed}
    _use_max_position(settings, kind, max_position_embeddings)
    required = {_key(field.name) for field in fields(kind) if field.default is MISSING}
    if kind is LongRopeScaling and "attention_factor" not in settings:
        required.add("factor")
    if missing := sorted(required - set(settings)):
        raise ValueError(
            f"rope_parameters: expected {_listed(missing)} too, which rope_type {rope_type!r} "
            f"needs, got {_listed(settings)}"
        )
    return kind(**{_field(key): value for key, value in settings.items()})


def _pop_rope_type(settings: dict[str, Any]) -> str:
    """Take the kind out of the settings, under its new or its old name."""
    new, old = settings.pop("rope_type", None), settings.pop("type", None)
    if new is not None and old is not None and new != old:
        raise ValueError(
            f"rope_parameters: expected rope_type and type to be the same, got {new!r} and {old!r}"
        )
    rope_type = new if new is not None else "default" if old is None else old
    if not isinstance(rope_type, str) or rope_type not in KINDS:
        raise ValueError(
            f"rope_parameters: expected a rope_type out of {', '.join(KINDS)}, "
            f"got {describe(rope_type)}"
        )
    return rope_type


def _check_keys(settings: Mapping[str, Any], allowed: set[str], rope_type: str) -> None:
    for key, value in settings.items():
        if key in allowed | OTHER_SETTINGS:
            continue
        if isinstance(value, Mapping):
            raise ValueError(
                "rope_parameters: expected the dict of one layer type, "
                f"got a dict of dicts with the key {key!r}"
            )
        raise ValueError(
            f"rope_parameters: expected only keys that rope_type {rope_type!r} has "
            f"({', '.join(sorted(allowed | OTHER_SETTINGS))}), got {key!r}"
        )


def _use_max_position(
    settings: dict[str, Any], kind: type[Scaling], max_position_embeddings: int | None
) -> None:
    """Fill in what follows from the length that the configuration allows, and compare with it."""
    if kind is DynamicNTKScaling:
        if max_position_embeddings is None:
            raise ValueError(
                "max_position_embeddings: expected an int >= 1 for rope_type 'dynamic', got None"
            )
        settings[ORIGINAL] = max_position_embeddings
        return
    if kind in (LinearScaling, ProportionalScaling) or max_position_embeddings is None:
        return
    if ORIGINAL not in settings:
        if "factor" in settings:
            settings[ORIGINAL] = max_position_embeddings
        return
    check_count(settings[ORIGINAL], ORIGINAL)
    if settings[ORIGINAL] > max_position_embeddings:
        raise ValueError(
            f"{ORIGINAL}: expected at most max_position_embeddings = {max_position_embeddings}, "
            f"got {settings[ORIGINAL]}"
        )
    if kind in (YarnScaling, LongRopeScaling):
        settings.setdefault("factor", max_position_embeddings / settings[ORIGINAL])


def _key(field: str) -> str:
    """The configuration's name of a scaling's field."""
    return ORIGINAL if field == "original_max_position" else field


def _field(key: str) -> str:
    return "original_max_position" if key == ORIGINAL else key


def _listed(keys: Any) -> str:
    return ", ".join(map(repr, keys)) or "no setting"
