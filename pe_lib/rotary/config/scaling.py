"""Reads the scaling out of the rotary dict of a Hugging Face configuration."""

from collections.abc import Iterable, Mapping, Set
from dataclasses import MISSING, fields
from typing import Any

from pe_lib.common._checks import check_count, check_type, describe
from pe_lib.rotary.scaling.base import Scaling
from pe_lib.rotary.scaling.dynamic_ntk import DynamicNTKScaling
from pe_lib.rotary.scaling.linear import LinearScaling
from pe_lib.rotary.scaling.llama3 import Llama3Scaling
from pe_lib.rotary.scaling.longrope import LongRopeScaling
from pe_lib.rotary.scaling.ntk import NTKScaling
from pe_lib.rotary.scaling.proportional import ProportionalScaling
from pe_lib.rotary.scaling.yarn import YarnScaling

CLASSES: dict[str, type[Scaling]] = {
    "default": Scaling,  # it changes nothing
    "linear": LinearScaling,
    "dynamic": DynamicNTKScaling,
    "yarn": YarnScaling,
    "longrope": LongRopeScaling,
    "llama3": Llama3Scaling,
    "proportional": ProportionalScaling,
}
# Other names of the same: the first Phi-3's, the multimodal models', DeepSeek's in vLLM. What is
# multimodal or axial about a rotation are its positions, not its frequencies.
ALIASES = {
    "su": "longrope",
    "mrope": "default",
    "axial": "default",
    "xdrope": "dynamic",
    "deepseek_yarn": "yarn",
}

ORIGINAL, LONGEST = "original_max_position_embeddings", "max_position_embeddings"
# The scalings' arguments that have another name in a configuration.
NAMES = {"original_max_position": ORIGINAL, "long_attention_factor": "long_mscale"}

# What the dict says about other things than the scaling: ``rotary_from_config`` reads the first
# ones; that a model was finetuned with its scaling changes nothing.
OTHER_SETTINGS = {
    "rope_theta",
    "partial_rotary_factor",
    "mrope_section",
    "mrope_interleaved",
    "interleaved",
    "llama_4_scaling_beta",
    LONGEST,
    "finetuned",
}


def scaling_from_config(
    rope_parameters: Mapping[str, Any] | None, max_position_embeddings: float | None = None
) -> Scaling | None:
    """The scaling that a Hugging Face configuration asks for.

    Reads ``config.rope_parameters``, and ``config.rope_scaling`` as it was called before; the type
    stands under ``rope_type`` or, in older files, under ``type``. A key whose value is None counts
    as absent. ``rotary_from_config`` reads a whole configuration; what the dict says beside the
    scaling (``rope_theta``, ``partial_rotary_factor``, ``mrope_section`` and so on) is left to it.

    As in transformers, ``mscale`` and ``mscale_all_dim`` count only where both are given and not 0.

    Args:
        rope_parameters: the dict, or None where the configuration has none. Of a configuration with
            one dict a layer type, one of these.
        max_position_embeddings: the configuration's number of this name, a whole number. "dynamic"
            needs it. For "yarn" and "longrope" without ``factor`` it gives the factor, for types
            without ``original_max_position_embeddings`` it is the trained length.

    Returns:
        The scaling; None where nothing is scaled: for "default", "mrope", "axial" and no dict.

    Raises:
        TypeError: an argument or a setting has the wrong type.
        ValueError: a key is unknown or missing, a setting is out of range, or two contradict each
            other.

    Source:
        The settings of Hugging Face transformers 5.23. Each scaling names its own paper: "linear"
        is Chen et al. 2023, arXiv 2306.15595. ``alpha`` beside "dynamic" is ``NTKScaling``'s factor
        (Tencent's Hunyuan).

    Example:
        >>> scaling_from_config({"type": "linear", "factor": 2.0})
        LinearScaling(factor=2.0)
        >>> config = {"rope_type": "yarn", "rope_theta": 1e6, "factor": 4.0}
        >>> scaling_from_config(config, max_position_embeddings=32768).original_max_position
        32768
    """
    longest = _whole(max_position_embeddings, LONGEST)
    if rope_parameters is None:
        return None
    check_type(rope_parameters, "rope_parameters", Mapping, "a dict or None")
    settings = {key: value for key, value in rope_parameters.items() if value is not None}
    rope_type = _pop_rope_type(settings)
    longest = longest or _whole(settings.get(LONGEST), LONGEST)
    if rope_type == "default":
        _check_keys(settings, {ORIGINAL}, rope_type)  # some have it, where it means nothing
        return None
    if rope_type == "dynamic" and "alpha" in settings:
        return NTKScaling(settings["alpha"])  # its code looks at nothing else
    scaling_class = CLASSES[rope_type]
    # The scaling's own settings, by the configuration's names for them.
    own = {NAMES.get(field.name, field.name): field for field in fields(scaling_class)}
    if "short_mscale" in settings:
        settings["attention_factor"] = settings.pop("short_mscale")
    # For "dynamic" the original length has always been max_position_embeddings.
    _check_keys(settings, own.keys() - ({ORIGINAL} if rope_type == "dynamic" else set()), rope_type)
    settings = {key: value for key, value in settings.items() if key in own}
    if not (settings.get("mscale") and settings.get("mscale_all_dim")):
        settings.pop("mscale", None)
        settings.pop("mscale_all_dim", None)
    if ORIGINAL in own:
        _use_lengths(settings, rope_type, longest)
    required = {key for key, field in own.items() if field.default is MISSING}
    if rope_type == "longrope" and "attention_factor" not in settings:
        required.add("factor")
    if missing := sorted(required - settings.keys()):
        raise ValueError(
            f"rope_parameters: expected {_listed(missing)} too, which rope_type {rope_type!r} "
            f"needs, got {_listed(settings) or 'no setting'}"
        )
    return scaling_class(**{own[key].name: value for key, value in settings.items()})


def _pop_rope_type(settings: dict[str, Any]) -> str:
    """Take the type out of the settings, under its new or its old name."""
    named = [settings.pop(key) for key in ("rope_type", "type") if key in settings] or ["default"]
    for name in named:
        if not isinstance(name, str) or name not in CLASSES.keys() | ALIASES.keys():
            raise ValueError(
                f"rope_parameters: expected a rope_type out of {', '.join((*CLASSES, *ALIASES))}, "
                f"got {describe(name)}"
            )
    types = [ALIASES.get(name, name) for name in named]
    if types[0] != types[-1]:
        raise ValueError(
            "rope_parameters: expected rope_type and type to be the same, "
            f"got {named[0]!r} and {named[1]!r}"
        )
    # The first Phi-3 said "yarn" for it too.
    return "longrope" if types[0] == "yarn" and "short_factor" in settings else types[0]


def _check_keys(settings: Mapping[str, Any], own: Set[str], rope_type: str) -> None:
    for key, value in settings.items():
        if key in own or key in OTHER_SETTINGS:
            continue
        if isinstance(value, Mapping):
            raise ValueError(
                "rope_parameters: expected the dict of one layer type, "
                f"got a dict of dicts with the key {key!r}"
            )
        raise ValueError(
            f"rope_parameters: expected only keys that rope_type {rope_type!r} has "
            f"({', '.join(sorted(own))}), got {key!r}"
        )


def _whole(length: float | None, name: str) -> int | None:
    """The length as an int: some published files have 131072.0."""
    if length is None:
        return None
    whole = int(length) if isinstance(length, float) and length.is_integer() else length
    check_count(whole, name)  # type: ignore[arg-type]  # refuses what is still a float
    return int(whole)


def _use_lengths(settings: dict[str, Any], rope_type: str, longest: int | None) -> None:
    """Fill in what follows from the longest text that is allowed, and compare with it."""
    original = _whole(settings.get(ORIGINAL), ORIGINAL)
    if original is not None:
        settings[ORIGINAL] = original
    if longest is None:
        if rope_type == "dynamic":
            raise ValueError(f"{LONGEST}: expected an int >= 1 for rope_type 'dynamic', got None")
    elif original is not None:
        if rope_type in ("yarn", "longrope") and "factor" not in settings:
            if original > longest:  # elsewhere a model is only served shorter texts
                expected = f"at most max_position_embeddings = {longest}, to compute the factor"
                raise ValueError(f"{ORIGINAL}: expected {expected}, got {original}")
            settings["factor"] = longest / original
    elif rope_type == "dynamic" or "factor" in settings:
        settings[ORIGINAL] = longest


def _listed(keys: Iterable[str]) -> str:
    return ", ".join(map(repr, keys))
