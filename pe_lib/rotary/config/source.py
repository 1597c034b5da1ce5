"""A configuration's settings, found under whichever of their names it uses."""

from collections.abc import Mapping
from typing import Any

from pe_lib.common._checks import describe

Source = Mapping[str, Any]

# The same setting has had several names; the first of a row is the one that errors speak of.
THETA = (
    "rope_theta",
    "global_rope_theta",
    "rotary_emb_base",
    "rotary_embedding_base",
    "rope_embedding_base",
)
LOCAL_THETA = ("rope_local_base_freq", "local_rope_theta", "swa_rope_theta")
HEAD_DIM = ("attention_head_dim", "head_dim", "kv_channels")
WIDTH = ("embed_dim", "hidden_size", "n_embd", "d_model")
HEADS = (
    "num_attention_heads",
    "num_heads",
    "n_head",
    "n_heads",
    "encoder_num_attention_heads",
)
LAYERS = ("num_hidden_layers", "num_layers", "n_layer", "n_layers", "depth")
# How many features are rotated, and which share of a head they are.
ROTATED = ("qk_rope_head_dim", "rotary_dim")
SHARE = ("partial_rotary_factor", "rotary_pct", "rope_pct", "rotary_emb_fraction")
# Whether a pair is two neighbours.
LAYOUT = ("rope_interleave", "rope_interleaved", "rotary_emb_interleaved")
LONGEST = ("max_position_embeddings", "n_positions", "max_sequence_length", "seq_length")

# A model of several parts keeps its language model's configuration under one of these.
PARTS = ("text_config", "llm_config", "language_config", "thinker_config")


def text_source(config: object) -> Source:
    """The settings of a configuration (its language model's, where it has several parts)."""
    source = _as_dict(config)
    for _ in range(len(PARTS)):  # a part may have parts, but not without end
        part = next((source[name] for name in PARTS if source.get(name)), None)
        if part is None:
            break
        source = _as_dict(part)
    return source


def _as_dict(config: object) -> Source:
    to_dict = getattr(config, "to_dict", None)  # as Hugging Face's configurations have it
    source = to_dict() if callable(to_dict) and not isinstance(config, type) else config
    if not isinstance(source, Mapping):
        raise TypeError(
            "config: expected a Hugging Face configuration or its dict (config.json), "
            f"got {describe(config)}"
        )
    # Where a model's attention has settings of its own they are the same ones (MPT, DBRX).
    of_attention = source.get("attn_config") or {}
    if not isinstance(of_attention, Mapping):
        raise TypeError(f"attn_config: expected a dict or None, got {describe(of_attention)}")
    return {**source, **of_attention}


def first(source: Source, *names: str) -> Any:
    """The first of these settings that is there and not None, or None."""
    return either(*map(source.get, names))


def either(*values: Any) -> Any:
    """The first of these values that is not None, or None: 0 is a value."""
    return next((value for value in values if value is not None), None)
