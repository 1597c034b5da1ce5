"""From a model's configuration to the rotation of one of its layers."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from pe_lib.common._checks import (
    check_bool,
    check_count,
    check_finite,
    check_positive,
    check_sequence,
    describe,
)
from pe_lib.rotary.config import conventions
from pe_lib.rotary.config.conventions import Source
from pe_lib.rotary.config.layers import Parameters, settings_of_layers
from pe_lib.rotary.config.scaling import ORIGINAL, scaling_from_config
from pe_lib.rotary.settings import RotarySettings

# A model of several parts keeps its language model's configuration under one of these.
PARTS = ("text_config", "llm_config", "language_config", "thinker_config")


def rotary_from_config(
    config: Any, layer_type: str | int | None = None, *, strict: bool = False
) -> RotarySettings | None:
    """How a published model rotates its queries and keys, read from its configuration.

    Reads Hugging Face configurations of every age: ``rope_theta`` and ``rope_scaling``,
    ``rope_parameters``, one dict for each layer type, the older names that some models have. Of a
    model with several parts it reads the language model; give ``config.vision_config`` for the
    vision encoder.

    What stands in a model's code alone (that GLM's pairs are interleaved, say) is known by
    ``model_type``, for the models of transformers 5.23. Of a type that is not known there, the
    pairs are taken to be half-split and a base that is missing to be 10000, as nearly everywhere:
    ``settings.assumed`` names what was taken so. What cannot be read is named in the error.

    Args:
        config: a configuration object (with ``to_dict``), or its dict (``json.load`` of
            ``config.json``).
        layer_type: for models whose layers differ: the type as in the configuration
            (``"sliding_attention"``), or the number of a layer, from 0.
        strict: True refuses what would have to be assumed.

    Returns:
        The settings. ``cos_sin`` gives the tables; ``rotates_last`` says which features of a head
        they are for, ``score_scale`` what the scores are multiplied by besides. None where nothing
        is rotated: in models without rotation (BLOOM), in layers without it (every fourth of
        SmolLM3, to be asked for by number). Without ``layer_type`` they are those of the layers
        that rotate.

    Raises:
        TypeError: ``config`` is neither, or a setting has the wrong type.
        ValueError: a setting is missing, unknown or out of range; the layers asked for rotate
            differently, or there is none of them; with ``strict``, something would be assumed.

    Source:
        Su et al. 2021, "RoFormer", arXiv 2104.09864; the settings of Hugging Face transformers
        5.23.

    Example:
        >>> sizes = {"hidden_size": 4096, "num_attention_heads": 32, "rope_theta": 500000.0}
        >>> settings = rotary_from_config({"model_type": "llama", **sizes})
        >>> settings
        RotarySettings(dim=128, theta=500000.0)
        >>> cos, sin = settings.cos_sin(10)
        >>> cos.shape
        torch.Size([10, 64])
        >>> rotary_from_config({"model_type": "my_model", **sizes}).assumed
        ('dim', 'interleaved')
    """
    check_bool(strict, "strict")
    source = text_source(config)
    _check_settings(source)
    if not _rotates(source):
        return None
    found = settings_of_layers(source, layer_type)
    settings = None if found is None else _settings(*found)
    if strict and settings is not None and settings.assumed:
        raise ValueError(
            "config: expected a model_type whose code is known, or settings for all that it would "
            f"tell, got {source['model_type'] or None!r} and nothing of "
            f"{', '.join(settings.assumed)}"
        )
    return settings


def text_source(config: object) -> Source:
    """The settings of a configuration (its language model's, where it has several parts).

    They have the names of ``conventions.NAMES``, and none is None. ``model_type`` is the name in
    the tables of ``conventions``, or empty.
    """
    *_, source = parts_of(config)
    source = conventions.named(source)
    return {**source, "model_type": conventions.model_type_of(source)}


def parts_of(config: object) -> Iterator[Source]:
    """The settings of a configuration, of its part that holds the language model, and so on."""
    part: Any = config
    for _ in range(1 + len(PARTS)):  # a part may have parts, but not without end
        to_dict = getattr(part, "to_dict", None)  # as Hugging Face's configurations have it
        source = to_dict() if callable(to_dict) and not isinstance(part, type) else part
        if not isinstance(source, Mapping):
            raise TypeError(
                "config: expected a Hugging Face configuration or its dict (config.json), "
                f"got {describe(part)}"
            )
        # Where a model's attention has settings of its own they are the same ones (MPT, DBRX).
        of_attention = source.get("attn_config") or {}
        if not isinstance(of_attention, Mapping):
            raise TypeError(f"attn_config: expected a dict or None, got {describe(of_attention)}")
        source = {**source, **of_attention}
        yield source
        part = next((source[name] for name in PARTS if source.get(name)), None)
        if part is None:
            return


def _check_settings(source: Source) -> None:
    """Raise where the model, or one of its settings, has a rotation that is not read."""
    model_type = source["model_type"]
    if model_type in conventions.REFUSED and "rope_theta" not in source:
        raise ValueError(
            "config: expected a model whose rotation the encodings here describe, "
            f"got model_type {model_type!r}: {conventions.REFUSED[model_type]}"
        )
    for name, off in conventions.REFUSED_SETTINGS.items():
        if source.get(name, off) != off:
            raise ValueError(f"config: expected {name} to be {off}, got {source[name]!r}")
    rope = source.get("rope_parameters") or source.get("rope_scaling")
    rope = rope if isinstance(rope, Mapping) else {}
    for name, value in source.items():
        if not name.startswith(("rope_", "rotary_", "yarn_", "ntk_")) or name in conventions.READ:
            continue
        if name == "rope_type" and value in ("default", rope.get("rope_type") or rope.get("type")):
            continue
        off = value == 0 or (value == 1 and name.endswith(("factor", "scale")))  # 0 or False
        if not off:
            raise ValueError(
                "config: expected what changes a rotation in rope_parameters, under the names of "
                f"Hugging Face transformers, got {name} = {value!r} beside it"
            )


def _rotates(source: Source) -> bool:
    """Whether the model rotates at all; an error where nothing says so."""
    model_type = source["model_type"]
    if (
        model_type in conventions.UNROTATED
        or source.get("alibi")
        or source.get("use_rope") is False
    ):
        return bool(source.get("rope"))  # MPT can
    # "absolute" says nothing: ModernBERT's has it, and rotates.
    word = str(source.get("position_embedding_type")).lower()
    if word in ("alibi", "nope") or conventions.ROTATES_IF_SAID.get(model_type, word) != word:
        return False
    if model_type == "zamba2" and not source.get("use_mem_rope"):
        return False
    said = {"rope_theta", "rope_parameters", "rope_scaling"}
    said |= {"qk_rope_head_dim", "rotary_dim", "partial_rotary_factor"}
    if model_type in conventions.ROTATING or said & source.keys():
        return True
    raise ValueError(
        "config: expected rope_parameters, rope_theta or a model_type that is known to rotate "
        f"without them, got neither and model_type {model_type or None!r}"
    )


def _settings(parameters: Parameters, source: Source) -> RotarySettings | None:
    """The settings of a layer that has this rotary dict."""
    model_type = source["model_type"]
    rope_type = parameters.get("rope_type") or parameters.get("type")
    theta: Any = conventions.THETAS.get(model_type, 10000.0)
    theta = parameters.get("rope_theta", source.get("rope_theta", theta))
    check_positive(theta, "rope_theta")
    ratio = source.get("rope_ratio", 1)  # ChatGLM: so many times the base
    check_positive(ratio, "rope_ratio")
    theta = float(theta * ratio)
    head_dim, share, dim = _widths(source, parameters)
    neither = model_type in conventions.NEITHER_LAYOUT
    interleaved = None if neither else model_type in conventions.INTERLEAVED
    if rope_type == "axial" or model_type in conventions.AXES:
        if rope_type not in ("axial", "default", None):
            raise ValueError(
                f"config: expected no scaling in a vision encoder, got rope_type {rope_type!r}"
            )
        return _of_a_picture(model_type, head_dim, theta, interleaved)
    if "vocab_size" not in source and (sees := set(conventions.OF_PICTURES) & source.keys()):
        raise ValueError(
            "config: expected a vision encoder whose axes are known, got model_type "
            f"{model_type!r} with {min(sees)} and rope_type {rope_type!r}"
        )
    beside: dict[str, Any] = {}  # what belongs to the dict and stands beside it
    if rope_type == "proportional":  # what is not rotated are slow pairs, not the last features
        dim = head_dim
        beside["partial_rotary_factor"] = share
    if dim == 0:
        return None
    if rope_type in ("llama3", "yarn", "longrope", "su") and ORIGINAL in source:
        beside[ORIGINAL] = source[ORIGINAL]  # Phi-3's; of two it is the one that counts
    if rope_type == "yarn" and "truncate" in source and "truncate" not in parameters:
        beside["truncate"] = source["truncate"]
    parameters = {**parameters, **beside}
    apart = bool(source.get("qk_rope_head_dim"))  # a part of the head of its own, the last
    if interleaved is not None:
        # Without such a part it is an ordinary attention, though in a DeepSeek.
        ordinary = source.get("qk_rope_head_dim") == 0
        interleaved = source.get("rope_interleave", interleaved and not ordinary)
    return RotarySettings(
        dim=dim,
        theta=theta,
        scaling=scaling_from_config(parameters, source.get("max_position_embeddings")),
        interleaved=interleaved,
        temperature_beta=parameters.get("llama_4_scaling_beta", 0.0),
        rotates_last=apart or model_type in conventions.ROTATES_LAST,
        score_scale=_score_scale(model_type, parameters, rope_type) if apart else 1.0,
        assumed=_assumed(source, parameters, partial=dim < head_dim),
        **_sections(model_type, parameters, dim // 2),
    )


def _widths(source: Source, parameters: Parameters) -> tuple[int, float, int]:
    """Features of a head, the share of them that is rotated, and how many these are."""
    model_type = source["model_type"]
    # 0 says nothing, as in transformers (DeepSeek-VL2-tiny).
    head_dim: Any = source.get("head_dim") or conventions.HEAD_DIMS.get(model_type)
    if head_dim is None:
        width, heads = source.get("hidden_size"), source.get("num_attention_heads")
        if "memory_attention_hidden_size" in source:
            # SAM 2 rotates where it attends to what it has seen before.
            width = source["memory_attention_hidden_size"]
            rate = source.get("memory_attention_downsample_rate", 1)
            check_count(width, "memory_attention_hidden_size")
            check_count(rate, "memory_attention_downsample_rate")
            width, heads = width // rate, source.get("memory_attention_num_attention_heads")
        if width is None or heads is None:
            raise ValueError(
                "config: expected head_dim, or hidden_size and num_attention_heads, "
                f"got hidden_size {width} and num_attention_heads {heads}"
            )
        check_count(width, "hidden_size")
        check_count(heads, "num_attention_heads")
        head_dim = width // heads
    check_count(head_dim, "head_dim")
    said: Any = parameters.get("partial_rotary_factor", source.get("partial_rotary_factor"))
    rotated = source.get("qk_rope_head_dim", source.get("rotary_dim"))
    if said is None and rotated is None and model_type in conventions.ROTATED_APART:
        raise ValueError(
            f"config: expected qk_rope_head_dim, the number of rotated features of a head, which a "
            f"{model_type} has to say, got none"
        )
    share = conventions.SHARES.get(model_type, 1.0) if said is None else said
    check_finite(share, "partial_rotary_factor", "a number from 0 to 1", lambda x: 0 <= x <= 1)
    # 0: the same model without a part that is rotated apart (DeepSeek-VL2-tiny)
    dim = rotated or int(head_dim * share)
    check_count(dim, "rotary_dim", least=0)
    if dim > head_dim and not source.get("qk_rope_head_dim"):
        raise ValueError(f"rotary_dim: expected at most head_dim = {head_dim}, got {dim}")
    if dim % 2:
        raise ValueError(
            f"config: expected an even number of rotated features, got {dim} "
            f"(head_dim {head_dim}, partial_rotary_factor {share})"
        )
    return head_dim, share, dim


def _of_a_picture(
    model_type: str, head_dim: int, theta: float, interleaved: bool | None
) -> RotarySettings:
    """Settings of a vision encoder: every axis has its share of the head."""
    axes = conventions.AXES.get(model_type, 2)
    width = 2 * (head_dim // axes // 2)
    scale = None
    if model_type in conventions.IN_TURNS:
        scale = (2 * math.pi,) * axes
    elif model_type in conventions.COLUMNS_BETWEEN:
        scale = (1.0, theta ** (-2 / head_dim))
    order = None
    if model_type in conventions.COLUMN_FIRST:
        order = (1,) * (width // 2) + (0,) * (width // 2)
    elif model_type in conventions.COLUMN_AND_ROW_IN_TURN:
        order = (1, 0) * (width // 2)
    return RotarySettings(
        dim=axes * width,
        theta=theta,
        widths=(width,) * axes,
        coordinate_scale=scale,
        pair_axes=order,
        interleaved=interleaved,
    )


def _sections(model_type: str, parameters: Parameters, pairs: int) -> dict[str, Any]:
    """What the settings of a model with a vision encoder say of time, height and width."""
    given = parameters.get("mrope_section")
    if given is None and sum(conventions.SECTIONS.get(model_type, ())) == pairs:
        given = conventions.SECTIONS[model_type]
    elif given is None:
        return {}
    elif model_type in conventions.MIXED_PAIRS:
        raise ValueError(
            f"config: expected no mrope_section, as the code of {model_type!r} turns the two "
            f"features of a pair by different axes, which is no rotation, got {given}"
        )
    check_sequence(given, "mrope_section", "three numbers of pairs", 3)
    for section in given:
        check_count(section, "mrope_section", least=0)
    turns = None
    if model_type in conventions.TIME_LAST:
        height, width, time = given
        if height != width:
            raise ValueError(
                "mrope_section: expected as many pairs for the height as for the width, "
                f"got {given}"
            )
        # Height and width take turns in the fast pairs, the time has the slow ones.
        given, turns = (time, height, width), (1, 2) * height + (0,) * time
    interleaved = parameters.get("mrope_interleaved", parameters.get("interleaved"))
    if interleaved is None:
        interleaved = model_type in conventions.SECTIONS_INTERLEAVED
    return {"sections": tuple(given), "sections_interleaved": interleaved, "pair_axes": turns}


def _score_scale(model_type: str, parameters: Parameters, rope_type: str | None) -> float:
    """DeepSeek's mscale for all features of a head, squared for queries and keys."""
    weight, factor = parameters.get("mscale_all_dim"), parameters.get("factor", 1)
    scaled = model_type in conventions.SCORES_SCALED or model_type not in conventions.KNOWN
    if not scaled or not weight or rope_type in ("default", None) or factor <= 1:
        return 1.0
    return float((0.1 * weight * math.log(factor) + 1) ** 2)


def _assumed(source: Source, parameters: Parameters, *, partial: bool) -> tuple[str, ...]:
    """Names of the settings that neither the configuration says nor the code of a known model."""
    unknown = source["model_type"] not in conventions.KNOWN
    silent = unknown or source["model_type"] in conventions.GIVEN
    said = source.keys() | parameters.keys()
    guesses = {
        "dim": silent and not said & {"partial_rotary_factor", "qk_rope_head_dim", "rotary_dim"},
        "theta": silent and "rope_theta" not in said,
        "sections_interleaved": unknown
        and "mrope_section" in parameters
        and not parameters.keys() & {"mrope_interleaved", "interleaved"},
        "interleaved": unknown and "rope_interleave" not in source,
        "rotates_last": unknown and (partial or bool(source.get("qk_rope_head_dim"))),
        "score_scale": unknown and bool(parameters.get("mscale_all_dim")),
    }
    return tuple(name for name, guessed in guesses.items() if guessed)
