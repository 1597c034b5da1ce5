"""Which layers a model has, and which rotation a configuration gives to which of them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from types import NoneType
from typing import Any

from pe_lib.common._checks import check_count, check_int, describe
from pe_lib.rotary.config.conventions import (
    FULL_INTERVALS,
    LOCAL_THETAS,
    ONLY_FULL_STRETCHED,
    ONLY_WINDOWS_ROTATE,
    UNROTATED_INTERVALS,
    Source,
    named,
)

WINDOW, CHUNK, FULL = "sliding_attention", "chunked_attention", "full_attention"
# Layers that do not compare queries with keys have nothing to rotate.
WITHOUT_SCORES = {"linear_attention", "conv", "mamba", "mamba2", "recurrent"}
# DeepSeek-V4 has three types of layers and two dicts.
LABELS = {
    WINDOW: "main",
    "compressed_sparse_attention": "compress",
    "heavily_compressed_attention": "compress",
}
# What a single layer may have of its own, beside a rotary dict; the rest is not about positions.
OF_POSITIONS = {
    *("head_dim", "partial_rotary_factor", "qk_rope_head_dim", "rope_theta", "rotary_dim")
}

Parameters = Mapping[str, Any]  # a rotary dict
ByType = Mapping[str | None, Parameters | None]  # None: one dict for layers of every type


@dataclass(frozen=True)
class Layers:
    """How many layers there are, of which types, and which of them rotate; None: it is not said.

    ``own``: what single layers have of their own, by their numbers.
    """

    count: int | None
    types: tuple[str, ...] | None
    rotate: tuple[bool, ...] | None
    own: Mapping[int, Source]


def settings_of_layers(source: Source, asked: str | int | None) -> tuple[Parameters, Source] | None:
    """The rotary dict of the layers asked for, and the settings as they have them.

    Asked for by a type, a number, or None for all of them; those that rotate have to be alike.
    None where none of them rotates.
    """
    layers = layers_of(source)
    by_type = _by_type(source, layers.types or ())
    if asked is None and len(by_type) > 1:
        raise ValueError(
            f"layer_type: expected one of {_listed(by_type)}, as they do not rotate alike, got None"
        )
    found: list[tuple[Parameters, Source]] = []
    for name, number in _meant(source, layers, by_type, asked):
        one = _of_layer(source, layers, by_type, name, number)
        if one is not None and one not in found:
            found.append(one)
    if len(found) > 1:
        raise ValueError(
            "layer_type: expected the number of a layer, as these layers do not rotate alike, "
            f"got {asked!r}"
        )
    return found[0] if found else None


def layers_of(source: Source) -> Layers:
    """What a configuration says of its layers."""
    count = source.get("num_hidden_layers")
    if count is not None:
        check_count(count, "num_hidden_layers")
    types, rotate = _types(source, count), _rotating(source, count)
    own = source.get("per_layer_config") or {}
    if not isinstance(own, Mapping) or not all(
        str(key).isdecimal() and isinstance(value, Mapping) for key, value in own.items()
    ):
        raise TypeError(
            f"per_layer_config: expected a dict for each number of a layer, got {describe(own)}"
        )
    own = {int(key): value for key, value in own.items()}
    each = types or rotate
    return Layers(len(each) if count is None and each else count, types, rotate, own)


def _types(source: Source, count: int | None) -> tuple[str, ...] | None:
    given = source.get("layer_types")
    if given is not None:
        if not _is_list(given) or not all(isinstance(name, str) for name in given):
            raise TypeError(f"layer_types: expected a list of strings, got {describe(given)}")
        return tuple(_of_every_layer(given, "layer_types", count)) or None
    if (ratios := source.get("compress_ratios")) is not None:  # DeepSeek-V4
        words = {0: WINDOW, 4: "compressed_sparse_attention", 128: "heavily_compressed_attention"}
        return _translated(ratios, "compress_ratios", words, count)
    if (windows := source.get("hybrid_layer_pattern")) is not None:  # MiMo-V2
        return _translated(windows, "hybrid_layer_pattern", {0: FULL, 1: WINDOW}, count)
    pattern = source.get("sliding_window_pattern")
    if isinstance(pattern, str):  # EXAONE 4: LLLG
        letters = {"L": WINDOW, "G": FULL}
        types = _translated(tuple(pattern), "sliding_window_pattern", letters, None)
        return types if count is None else tuple(islice(cycle(types), count))
    # A number n: every n-th layer sees the whole text.
    for name, others, first in (
        ("sliding_window_pattern", WINDOW, 1),
        ("full_attention_interval", "linear_attention", 1),
        ("global_attn_every_n_layers", WINDOW, 0),  # ModernBERT counts from the first
    ):
        interval = source.get(name, FULL_INTERVALS.get((source["model_type"], name)))
        if interval is not None and count is not None:
            check_count(interval, name)
            return tuple(others if (i + first) % interval else FULL for i in range(count))
    return None


def _translated(
    given: Sequence[Any], name: str, words: Mapping[Any, str], count: int | None
) -> tuple[str, ...]:
    if not _is_list(given) or not set(given) <= words.keys():
        raise ValueError(f"{name}: expected only {', '.join(map(repr, words))}, got {given!r}")
    return tuple(words[each] for each in _of_every_layer(given, name, count))


def _rotating(source: Source, count: int | None) -> tuple[bool, ...] | None:
    # In no_rope_layers 1 stands for a layer that rotates, in spite of the name; a base of 0 for
    # one that does not.
    for name in ("no_rope_layers", "layer_rope_theta"):
        if given := source.get(name):
            if not _is_list(given) or not all(isinstance(x, (int, float, NoneType)) for x in given):
                raise TypeError(f"{name}: expected a list of numbers, got {describe(given)}")
            return tuple(bool(number) for number in _of_every_layer(given, name, count))
    interval = UNROTATED_INTERVALS.get(source["model_type"])
    if interval is None or count is None:
        return None
    interval = source.get("no_rope_layer_interval", interval)
    check_count(interval, "no_rope_layer_interval")
    return tuple((i + 1) % interval != 0 for i in range(count))


def _of_every_layer(given: Sequence[Any], name: str, count: int | None) -> Sequence[Any]:
    """As many as there are layers; what is left over is for others than these."""
    if count is not None and given and len(given) < count:
        raise ValueError(f"{name}: expected one for each of the {count} layers, got {len(given)}")
    return given[:count]


def _is_list(given: object) -> bool:
    return isinstance(given, Sequence) and not isinstance(given, (str, bytes, Mapping))


def _by_type(source: Source, types: Sequence[str]) -> ByType:
    """The rotary dict of each type of layer, or one for every type under None."""
    given = _rotary_dict(source)
    if any(isinstance(value, Mapping) for value in given.values()):
        own = {key for key, value in given.items() if isinstance(value, Mapping) or key in types}
        # What stands beside the dicts is for all of them, but not the rest of an older form.
        older = {"rope_type", "type", "rope_theta"}
        shared = {key: given[key] for key in given.keys() - own - older}
        return {key: given[key] and {**shared, **given[key]} for key in given if key in own}
    theta = source.get("rope_theta")
    if isinstance(theta, (list, tuple)):
        return _by_lists(source, given, theta, types)
    if "compress_rope_theta" in source:
        stretched = {**given, "rope_theta": source["compress_rope_theta"]}
        if given:  # its code leaves cos and sin as they are
            stretched.setdefault("attention_factor", 1.0)
        return {"main": {}, "compress": stretched}
    local_theta = source.get("rope_local_base_freq") or LOCAL_THETAS.get(source["model_type"])
    if local_theta is not None:
        return {WINDOW: {"rope_theta": local_theta}, FULL: given}
    if source["model_type"] in ONLY_FULL_STRETCHED and given:
        return {WINDOW: {}, FULL: given}
    return {None: given}


def _rotary_dict(source: Source) -> Parameters:
    """The configuration's rotary dict under its new or its old name, empty where it has none."""
    found: list[Parameters] = []
    for name in ("rope_parameters", "rope_scaling"):
        value = source.get(name, {})
        if not isinstance(value, Mapping):
            raise TypeError(f"config: expected {name} to be a dict or None, got {describe(value)}")
        if value:
            found.append(value)
    if len(found) == 2 and found[0] != found[1]:
        raise ValueError(
            "config: expected rope_parameters and rope_scaling, its older name, to be the same, "
            f"got {found[0]} and {found[1]}"
        )
    return found[0] if found else {}


def _by_lists(
    source: Source, given: Parameters, thetas: Sequence[float], types: Sequence[str]
) -> ByType:
    """The same where base and share are lists with a number for every layer (Step 3.5)."""
    shares = source.get("partial_rotary_factors") or [None] * len(thetas)
    if not types or len(thetas) < len(types) or len(shares) < len(types):
        raise ValueError(
            "config: expected layer_types, and as many numbers in rope_theta and "
            f"partial_rotary_factors, got {len(types)}, {len(thetas)} and {len(shares)}"
        )
    found: dict[str | None, Parameters | None] = {}
    for name, theta, share in zip(types, thetas, shares, strict=False):
        own = {"rope_theta": theta, "partial_rotary_factor": share}
        if name == FULL:  # the scaling is for these
            own = {**given, **own}
        if found.setdefault(name, own) != own:
            raise ValueError(
                f"config: expected one rope_theta and share for all layers of type {name!r}, got "
                f"{found[name]} and {own}"
            )
    return found


def _meant(
    source: Source, layers: Layers, by_type: ByType, asked: str | int | None
) -> list[tuple[str | None, int | None]]:
    """Type and number of each layer that is asked for, as far as they are known."""
    count, types = layers.count, layers.types
    only_windows = source["model_type"] in ONLY_WINDOWS_ROTATE
    if asked is None:
        unsaid = only_windows and types is None and layers.rotate is None
        if not count or unsaid:
            return [(next(iter(by_type)), None)]
        return list(zip(types or (None,) * count, range(count), strict=True))
    if isinstance(asked, str):
        known = {*by_type, *(types or ()), *((WINDOW, CHUNK, FULL) if only_windows else ())}
        if asked not in known:
            names = _listed(known)
            expected = f"one of {names}" if names else "None, as all layers rotate alike"
            raise ValueError(f"layer_type: expected {expected}, got {asked!r}")
        numbers = [i for i, name in enumerate(types or ()) if name == asked]
        return [(asked, i) for i in numbers] or [(asked, None)]
    check_int(asked, "layer_type", "the type of a layer (a str) or its number (an int)")
    if asked < 0 or (count is not None and asked >= count):
        expected = "on" if count is None else f"to {count - 1}"
        raise ValueError(f"layer_type: expected a layer from 0 {expected}, got {asked}")
    return [(types[asked] if types else None, asked)]


def _of_layer(
    source: Source, layers: Layers, by_type: ByType, name: str | None, number: int | None
) -> tuple[Parameters, Source] | None:
    """What the layer of this type and number has; None where it does not rotate."""
    if number is not None and layers.rotate is not None and not layers.rotate[number]:
        return None
    only_windows = source["model_type"] in ONLY_WINDOWS_ROTATE
    windows = "sliding_window" in source or "attention_chunk_size" in source
    if name in WITHOUT_SCORES or (name == FULL and only_windows and windows):
        return None
    unsaid = only_windows and number is not None and layers.rotate is None
    if name is None and (None not in by_type or unsaid):
        raise ValueError(
            f"config: expected layer_types, to know the type of layer {number}, got None"
        )
    for label in (name, LABELS.get(name or ""), None):
        if label in by_type:
            parameters = by_type[label]
            break
    else:
        raise ValueError(
            f"config: expected a rotary dict for layers of type {name!r} too, "
            f"got only {_listed(by_type)}"
        )
    own: dict[str, Any] = {}
    if number is not None and (given := layers.own.get(number)):
        parameters = given.get("rope_parameters", parameters)
        own = {key: value for key, value in named(given).items() if key in OF_POSITIONS}
    if width := source.get({FULL: "global_head_dim", WINDOW: "swa_head_dim"}.get(name or "", "")):
        own["head_dim"] = width
    if parameters is None:
        return None
    parameters = {key: value for key, value in parameters.items() if value is not None}
    if number is not None:
        if thetas := source.get("layer_rope_theta"):
            parameters["rope_theta"] = thetas[number]
        if number not in source.get("rope_scaling_layers", (number,)):  # Molmo 2 stretches some
            parameters = {key: parameters[key] for key in parameters.keys() & {"rope_theta"}}
    return parameters, {**source, **own}


def _listed(names: Iterable[str | None]) -> str:
    return ", ".join(repr(name) for name in sorted(filter(None, names)))
