"""What type each layer of a model is, and whether it rotates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from types import NoneType
from typing import Any

from pe_lib.common._checks import check_count, describe
from pe_lib.rotary.config.conventions import (
    FULL_INTERVALS,
    ONLY_WINDOWS_ROTATE,
    UNROTATED_INTERVALS,
)
from pe_lib.rotary.config.source import LAYERS, Source, first

WINDOW, CHUNK, FULL = "sliding_attention", "chunked_attention", "full_attention"
# Layers that do not compare queries with keys have nothing to rotate.
WITHOUT_SCORES = {"linear_attention", "conv", "mamba", "mamba2", "recurrent"}


@dataclass(frozen=True)
class Layers:
    """How many layers there are, of which types, and which of them rotate; None: it is not said."""

    count: int | None
    types: tuple[str, ...] | None
    rotate: tuple[bool, ...] | None


def layers_of(source: Source, kind: str) -> Layers:
    """What a configuration says of its layers."""
    count = first(source, *LAYERS)
    if count is not None:
        check_count(count, "num_hidden_layers")
    types = _types(source, kind, count)
    rotate = _rotate(source, kind, count)
    each = types or rotate
    return Layers(len(each) if count is None and each else count, types, rotate)


def _types(source: Source, kind: str, count: int | None) -> tuple[str, ...] | None:
    given = first(source, "layer_types", "layers_block_type")
    if given is not None:
        if not _is_list(given) or not all(isinstance(name, str) for name in given):
            raise TypeError(f"layer_types: expected a list of strings, got {describe(given)}")
        return tuple(_of_every_layer(given, "layer_types", count)) or None
    if (ratios := source.get("compress_ratios")) is not None:  # DeepSeek-V4
        kinds = {0: WINDOW, 4: "compressed_sparse_attention", 128: "heavily_compressed_attention"}
        return _translated(ratios, "compress_ratios", kinds, count)
    if (windows := source.get("hybrid_layer_pattern")) is not None:  # MiMo-V2
        return _translated(windows, "hybrid_layer_pattern", {0: FULL, 1: WINDOW}, count)
    pattern = source.get("sliding_window_pattern")
    if isinstance(pattern, str):  # EXAONE 4: LLLG
        named = _translated(
            tuple(pattern), "sliding_window_pattern", {"L": WINDOW, "G": FULL}, None
        )
        return named if count is None else tuple(islice(cycle(named), count))
    return _every_nth_is_full(source, kind, count)


def _every_nth_is_full(source: Source, kind: str, count: int | None) -> tuple[str, ...] | None:
    """The types where a number n says that every n-th layer sees the whole text."""
    for names, others, first_one in (
        (("sliding_window_pattern", "_sliding_window_pattern"), WINDOW, 1),
        (("full_attention_interval",), "linear_attention", 1),
        (("global_attn_every_n_layers",), WINDOW, 0),  # ModernBERT counts from the first
    ):
        interval = first(source, *names)
        interval = FULL_INTERVALS.get((kind, names[0])) if interval is None else interval
        if interval is None or count is None:
            continue
        check_count(interval, names[0])
        return tuple(others if (i + first_one) % interval else FULL for i in range(count))
    return None


def _translated(
    given: Sequence[Any], name: str, words: Mapping[Any, str], count: int | None
) -> tuple[str, ...]:
    if not _is_list(given) or not set(given) <= words.keys():
        raise ValueError(f"{name}: expected only {', '.join(map(repr, words))}, got {given!r}")
    return tuple(words[each] for each in _of_every_layer(given, name, count))


def _rotate(source: Source, kind: str, count: int | None) -> tuple[bool, ...] | None:
    # In no_rope_layers 1 stands for a layer that rotates, in spite of the name; a base of 0 for
    # one that does not.
    for name in ("no_rope_layers", "layer_rope_theta"):
        if given := source.get(name):
            if not _is_list(given) or not all(isinstance(x, (int, float, NoneType)) for x in given):
                raise TypeError(f"{name}: expected a list of numbers, got {describe(given)}")
            return tuple(bool(number) for number in _of_every_layer(given, name, count))
    if kind not in UNROTATED_INTERVALS or count is None:
        return None
    interval = first(source, "no_rope_layer_interval", "nope_layer_interval")
    interval = UNROTATED_INTERVALS[kind] if interval is None else interval
    check_count(interval, "no_rope_layer_interval")
    return tuple((i + 1) % interval != 0 for i in range(count))


def _of_every_layer(given: Sequence[Any], name: str, count: int | None) -> Sequence[Any]:
    """As many as there are layers; what is left over is for others than these."""
    if count is not None and given and len(given) < count:
        raise ValueError(f"{name}: expected one for each of the {count} layers, got {len(given)}")
    return given[:count]


def _is_list(given: object) -> bool:
    return isinstance(given, Sequence) and not isinstance(given, (str, bytes, Mapping))


def only_windows_rotate(source: Source, kind: str) -> bool:
    """Whether layers that see the whole text do not rotate, beside others that have a window."""
    window = first(source, "sliding_window", "attention_chunk_size")
    return kind in ONLY_WINDOWS_ROTATE and window is not None
