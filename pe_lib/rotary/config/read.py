"""From a model's configuration to the rotation of one of its layers."""

import math
from typing import Any

from pe_lib.common._checks import check_bool, check_count, check_finite, check_positive
from pe_lib.rotary.config import conventions as known
from pe_lib.rotary.config.layers import Parameters, of_layers
from pe_lib.rotary.config.pictures import of_a_picture, sections_of
from pe_lib.rotary.config.scaling import ORIGINAL, scaling_from_config
from pe_lib.rotary.config.source import (
    HEAD_DIM,
    HEADS,
    LAYOUT,
    LONGEST,
    ROTATED,
    SHARE,
    THETA,
    WIDTH,
    Source,
    either,
    first,
    text_source,
)
from pe_lib.rotary.settings import RotarySettings


def rotary_from_config(
    config: Any, layer_type: str | int | None = None, *, strict: bool = False
) -> RotarySettings | None:
    """How a published model rotates its queries and keys, read from its configuration.

    Reads Hugging Face configurations of every age: ``rope_theta`` and ``rope_scaling``,
    ``rope_parameters``, one dict for each layer type, the older names that some models have. Of a
    model with several parts it reads the language model; give ``config.vision_config`` for the
    part that sees.

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
    kind = known.kind_of(source)
    if kind in known.REFUSED and first(source, *THETA) is None:
        raise ValueError(
            "config: expected a model whose rotation the encodings here describe, "
            f"got model_type {kind!r}: {known.REFUSED[kind]}"
        )
    known.check_settings(source)
    if not _rotates(source, kind):
        return None
    found = of_layers(source, kind, layer_type)
    if found is None:
        return None
    parameters, source = found
    settings = _settings(source, kind, parameters)
    if strict and settings is not None and settings.assumed:
        raise ValueError(
            "config: expected a model_type whose code is known, or settings for all that it would "
            f"tell, got {source.get('model_type')!r} and nothing of {', '.join(settings.assumed)}"
        )
    return settings


def _rotates(source: Source, kind: str) -> bool:
    """Whether the model rotates at all; an error where nothing says so."""
    if kind in known.UNROTATED or source.get("alibi") or source.get("use_rope") is False:
        return bool(source.get("rope"))  # MPT can
    # "absolute" says nothing: ModernBERT's has it, and rotates.
    names = ("position_embedding_type", "position_embeddings_type", "pos_embedding_type")
    word = str(first(source, *names)).lower()
    if word in ("alibi", "nope") or known.ROTATES_IF_SAID.get(kind, word) != word:
        return False
    if kind == "zamba2" and not source.get("use_mem_rope"):
        return False
    said = (*THETA, *ROTATED, *SHARE, "rope_parameters", "rope_scaling")
    if kind in known.ROTATING or first(source, *said) is not None:
        return True
    raise ValueError(
        "config: expected rope_parameters, rope_theta or a model_type that is known to rotate "
        f"without them, got neither and model_type {source.get('model_type')!r}"
    )


def _settings(source: Source, kind: str, parameters: Parameters) -> RotarySettings | None:
    """The settings of a layer that has these ``parameters``."""
    rope_type = parameters.get("rope_type") or parameters.get("type")
    theta = _theta(source, kind, parameters)
    head_dim, share, dim = _widths(source, kind, parameters)
    if rope_type == "axial" or kind in known.AXES:
        if rope_type not in ("axial", "default", None):
            raise ValueError(
                f"config: expected no scaling in a part that sees, got rope_type {rope_type!r}"
            )
        return of_a_picture(kind, head_dim, theta)
    if "vocab_size" not in source and (sees := set(known.OF_PICTURES) & source.keys()):
        raise ValueError(
            f"config: expected a part that sees whose axes are known, got model_type {kind!r} "
            f"with {min(sees)} and rope_type {rope_type!r}"
        )
    if rope_type == "proportional":  # what is not rotated are slow pairs, not the last features
        dim = head_dim
        parameters = {**parameters, "partial_rotary_factor": share}
    if dim == 0:
        return None
    scaling = scaling_from_config(
        _with_lengths(source, parameters, rope_type), first(source, *LONGEST)
    )
    apart = bool(source.get("qk_rope_head_dim"))  # a part of the head of its own, the last
    interleaved = known.interleaved_of(kind)
    if source.get("qk_rope_head_dim") == 0:
        interleaved = False  # an ordinary attention, though in a DeepSeek
    said = first(source, *LAYOUT)
    interleaved = said if interleaved is not None and said is not None else interleaved
    return RotarySettings(
        dim=dim,
        theta=theta,
        scaling=scaling,
        interleaved=interleaved,
        temperature_beta=parameters.get("llama_4_scaling_beta") or 0.0,
        rotates_last=apart or kind in known.ROTATES_LAST,
        score_scale=_score_scale(kind, parameters, rope_type) if apart else 1.0,
        assumed=_assumed(source, kind, parameters, partial=dim < head_dim),
        **sections_of(kind, parameters, dim // 2),
    )


def _score_scale(kind: str, parameters: Parameters, rope_type: str | None) -> float:
    """DeepSeek's mscale for all features of a head, squared for queries and keys."""
    weight = parameters.get("mscale_all_dim")
    factor = parameters.get("factor")
    scaled = kind in known.SCORES_SCALED or kind not in known.KNOWN
    if not scaled or not weight or rope_type in ("default", None) or factor is None or factor <= 1:
        return 1.0
    return float((0.1 * weight * math.log(factor) + 1) ** 2)


def _assumed(
    source: Source, kind: str, parameters: Parameters, *, partial: bool
) -> tuple[str, ...]:
    """Names of the settings that neither the configuration says nor the code of a known model."""
    unknown = kind not in known.KNOWN
    silent = unknown or kind in known.GIVEN
    theta_given = either(parameters.get("rope_theta"), first(source, *THETA)) is not None
    dim_given = either(first(parameters, *SHARE), first(source, *SHARE, *ROTATED)) is not None
    sections = parameters.get("mrope_section") is not None
    turns_given = first(parameters, "mrope_interleaved", "interleaved") is not None
    guesses = {
        "dim": silent and not dim_given,
        "theta": silent and not theta_given,
        "sections_interleaved": unknown and sections and not turns_given,
        "interleaved": unknown and first(source, *LAYOUT) is None,
        "rotates_last": unknown and (partial or bool(source.get("qk_rope_head_dim"))),
        "score_scale": unknown and bool(parameters.get("mscale_all_dim")),
    }
    return tuple(name for name, guessed in guesses.items() if guessed)


def _theta(source: Source, kind: str, parameters: Parameters) -> float:
    theta = either(
        parameters.get("rope_theta"), first(source, *THETA), known.THETAS.get(kind, 10000.0)
    )
    check_positive(theta, "rope_theta")
    ratio = either(source.get("rope_ratio"), 1)  # ChatGLM: so many times the base
    check_positive(ratio, "rope_ratio")
    return float(theta * ratio)


def _widths(source: Source, kind: str, parameters: Parameters) -> tuple[int, float, int]:
    """Features of a head, the share of them that is rotated, and how many these are."""
    # 0 says nothing, as in transformers (DeepSeek-VL2-tiny).
    head_dim: Any = first(source, *HEAD_DIM) or known.HEAD_DIMS.get(kind)
    if head_dim is None:
        width, heads = _width_and_heads(source)
        if width is None or heads is None:
            raise ValueError(
                "config: expected head_dim, or hidden_size and num_attention_heads, "
                f"got hidden_size {width} and num_attention_heads {heads}"
            )
        check_count(width, "hidden_size")
        check_count(heads, "num_attention_heads")
        head_dim = width // heads
    check_count(head_dim, "head_dim")
    given = either(first(parameters, *SHARE), first(source, *SHARE))
    if given is None and first(source, *ROTATED) is None and kind in known.ROTATED_APART:
        raise ValueError(
            f"config: expected qk_rope_head_dim, the number of rotated features of a head, which a "
            f"{kind} has to say, got none"
        )
    share: Any = either(given, known.SHARES.get(kind, 1.0))
    check_finite(share, "partial_rotary_factor", "a number from 0 to 1", lambda x: 0 <= x <= 1)
    # 0: the same model without a part that is rotated apart (DeepSeek-VL2-tiny)
    dim = first(source, *ROTATED) or int(head_dim * share)
    check_count(dim, "rotary_dim", least=0)
    if dim > head_dim and not source.get("qk_rope_head_dim"):
        raise ValueError(f"rotary_dim: expected at most head_dim = {head_dim}, got {dim}")
    if dim % 2:
        raise ValueError(
            f"config: expected an even number of rotated features, got {dim} "
            f"(head_dim {head_dim}, partial_rotary_factor {share})"
        )
    return head_dim, share, dim


def _width_and_heads(source: Source) -> tuple[Any, Any]:
    # SAM 2 rotates where it attends to what it has seen before.
    of_memory = ("hidden_size", "downsample_rate", "num_attention_heads")
    width, rate, heads = (source.get(f"memory_attention_{name}") for name in of_memory)
    rate = 1 if rate is None else rate
    if width is None:
        return first(source, *WIDTH), first(source, *HEADS)
    check_count(width, "memory_attention_hidden_size")
    check_count(rate, "memory_attention_downsample_rate")
    return width // rate, heads


def _with_lengths(source: Source, parameters: Parameters, rope_type: str | None) -> Parameters:
    """The parameters with what some models keep beside them."""
    beside = {}
    if rope_type in ("llama3", "yarn", "longrope", "su") and source.get(ORIGINAL) is not None:
        beside[ORIGINAL] = source[ORIGINAL]  # Phi-3's; of two it is the one that counts
    if rope_type == "yarn" and source.get("truncate") is not None:
        beside["truncate"] = parameters.get("truncate", source["truncate"])
    return {**parameters, **beside}
