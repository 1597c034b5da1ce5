"""Which rotation a configuration gives to which of its layers."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pe_lib._checks import check_int
from pe_lib.rotary.config.conventions import (
    LOCAL_THETAS,
    ONLY_FULL_STRETCHED,
    ONLY_WINDOWS_ROTATE,
    UNROTATED_INTERVALS,
)
from pe_lib.rotary.config.source import LAYERS, LOCAL_THETA, THETA, Source, first

WINDOW, CHUNK, FULL = "sliding_attention", "chunked_attention", "full_attention"
EVERY = "every layer"  # where the configuration has one dict for all of them

# Layers that do not compare queries with keys have nothing to rotate.
WITHOUT_SCORES = {"linear_attention", "conv", "mamba", "mamba2", "recurrent"}
# DeepSeek-V4 has three types of layers and two dicts.
LABELS = {
    WINDOW: "main",
    "compressed_sparse_attention": "compress",
    "heavily_compressed_attention": "compress",
}

Parameters = Mapping[str, Any]


def layer_parameters(source: Source, kind: str, layer: str | int | None) -> Parameters | None:
    """The rotary dict of the layer with this type or number; None where it does not rotate.

    Without a layer it is that of all layers that rotate, if they rotate alike.
    """
    by_type = _by_type(source, kind)
    if layer is not None and not isinstance(layer, str):
        return _of_number(source, kind, by_type, layer)
    if layer is not None:
        parameters = _of_type(source, kind, by_type, layer)
    elif len(by_type) > 1:
        raise ValueError(
            f"layer_type: expected one of {_listed(by_type)}, as they do not rotate alike, got None"
        )
    else:
        (parameters,) = by_type.values()
    return _with_its_theta(source, parameters, layer)


def _with_its_theta(
    source: Source, parameters: Parameters | None, layer: str | None
) -> Parameters | None:
    """The parameters with the base of all layers of this type, where every layer has its own."""
    thetas = source.get("layer_rope_theta") or ()
    if parameters is None or not thetas:
        return parameters
    types = source.get("layer_types") or [layer] * len(thetas)
    # 0 stands for a layer that does not rotate; without a type the ones that do are meant.
    own = {theta or 0 for theta, name in zip(thetas, types, strict=False) if layer in (None, name)}
    if layer is None:
        own = own - {0} or {0}
    if len(own) != 1:
        raise ValueError(
            "layer_type: expected the number of a layer, as layer_rope_theta has "
            f"{len(own)} values for them, got {layer!r}"
        )
    (theta,) = own
    return {**parameters, "rope_theta": theta} if theta else None


def _by_type(source: Source, kind: str) -> dict[str, Parameters | None]:
    """The rotary dict of each type of layer, or one for every layer."""
    given = _given(source)
    types = source.get("layer_types") or ()
    if any(isinstance(value, Mapping) for value in given.values()):
        own = {key for key, value in given.items() if isinstance(value, Mapping) or key in types}
        # What stands beside the dicts is for all of them, but not the rest of an older form.
        shared = {key: given[key] for key in given.keys() - own - {"rope_type", "type", *THETA}}
        return {key: given[key] and {**shared, **given[key]} for key in given if key in own}
    theta = first(source, *THETA)
    if isinstance(theta, list | tuple):
        return _by_lists(source, given, theta)
    if "compress_rope_theta" in source:
        stretched = {**given, "rope_theta": source["compress_rope_theta"]}
        if given:  # its code leaves cos and sin as they are
            stretched.setdefault("attention_factor", 1.0)
        return {"main": {}, "compress": stretched}
    local_theta = first(source, *LOCAL_THETA) or LOCAL_THETAS.get(kind)
    if local_theta is not None:
        return {WINDOW: {"rope_theta": local_theta}, FULL: given}
    if kind in ONLY_FULL_STRETCHED and given:
        return {WINDOW: {}, FULL: given}
    return {EVERY: given}


def _by_lists(
    source: Source, given: Parameters, thetas: Sequence[float]
) -> dict[str, Parameters | None]:
    """The same where base and share are lists with a number for every layer (Step 3.5)."""
    shares = source.get("partial_rotary_factors") or [None] * len(thetas)
    found: dict[str, Parameters | None] = {}
    for name, theta, share in zip(source.get("layer_types") or (), thetas, shares, strict=False):
        own = {"rope_theta": theta, "partial_rotary_factor": share}
        if name == FULL:  # the scaling is for these
            own = {**given, **own}
        if found.setdefault(name, own) != own:
            raise ValueError(
                f"config: expected one rope_theta and share for all layers of type {name!r}, got "
                f"{found[name]} and {own}"
            )
    if not found:
        raise ValueError(
            f"config: expected layer_types beside the list rope_theta, got {thetas} without"
        )
    return found


def _given(source: Source) -> Parameters:
    """The configuration's rotary dict under its new or its old name, empty where it has none."""
    found: dict[str, Parameters] = {
        name: source[name] for name in ("rope_parameters", "rope_scaling") if source.get(name)
    }
    for name, value in found.items():
        if not isinstance(value, Mapping):
            raise TypeError(f"config: expected {name} to be a dict or None, got {value!r}")
    either, other = [*found.values(), {}, {}][:2]
    if other and either != other:
        raise ValueError(
            "config: expected rope_parameters and rope_scaling, its older name, to be the same, "
            f"got {either} and {other}"
        )
    return either


def _of_type(
    source: Source,
    kind: str,
    by_type: Mapping[str, Parameters | None],
    name: str,
) -> Parameters | None:
    windows = first(source, "sliding_window", "attention_chunk_size") is not None
    if name in WITHOUT_SCORES or (name == FULL and windows and kind in ONLY_WINDOWS_ROTATE):
        return None
    if name in by_type:
        return by_type[name]
    types = set(source.get("layer_types") or ())
    if kind in ONLY_WINDOWS_ROTATE:
        types |= {WINDOW, CHUNK, FULL}
    if name in types and LABELS.get(name) in by_type:
        return by_type[LABELS[name]]
    if name in types and EVERY in by_type:
        return by_type[EVERY]
    known = (by_type.keys() | types) - {EVERY}
    expected = f"one of {_listed(known)}" if known else "None, as all layers rotate alike"
    raise ValueError(f"layer_type: expected {expected}, got {name!r}")


def _of_number(
    source: Source,
    kind: str,
    by_type: Mapping[str, Parameters | None],
    number: int,
) -> Parameters | None:
    expected = "the type of a layer (a str) or its number (an int)"
    check_int(number, "layer_type", expected)
    types = source.get("layer_types")
    thetas = source.get("layer_rope_theta")
    # 1 stands for a layer that rotates, in spite of the name.
    rotates = source.get("no_rope_layers") or thetas
    counts = [first(source, *LAYERS), *(len(each) for each in (types, rotates) if each)]
    count = min((count for count in counts if count is not None), default=None)
    if number < 0 or (count is not None and number >= count):
        layers = "on" if count is None else f"to {count - 1}"
        raise ValueError(f"layer_type: expected a layer from 0 {layers}, got {number}")
    if not rotates and kind in UNROTATED_INTERVALS:
        interval = (
            first(source, "no_rope_layer_interval", "nope_layer_interval")
            or UNROTATED_INTERVALS[kind]
        )
        rotates = [(i + 1) % interval for i in range(number + 1)]
    if rotates and not rotates[number]:
        return None
    if types:
        parameters = _of_type(source, kind, by_type, types[number])
    elif EVERY in by_type:
        parameters = by_type[EVERY]
    else:
        raise ValueError(
            f"config: expected layer_types, to know the type of layer {number}, got None"
        )
    if parameters is None or not thetas:
        return parameters
    return {**parameters, "rope_theta": thetas[number]}


def layer_source(source: Source, layer: str | int | None) -> Source:
    """The settings as this layer has them: some models' layers have heads of another width."""
    types = list(source.get("layer_types") or ())
    if isinstance(layer, str):
        name, number = layer, types.index(layer) if layer in types else None
    else:
        name, number = types[layer] if types and layer is not None else "", layer
    changes: Mapping[str, Source] = source.get("per_layer_config") or {}
    own = {int(key): change for key, change in changes.items()}
    source = {**source, **(own.get(number, {}) if number is not None else {})}
    own_width = source.get({FULL: "global_head_dim", WINDOW: "swa_head_dim"}.get(name, ""))
    return {**source, "head_dim": own_width} if own_width else source


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(repr, sorted(names)))
