"""Which rotation a configuration gives to which of its layers."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pe_lib.common._checks import check_int, describe
from pe_lib.rotary.config.conventions import LOCAL_THETAS, ONLY_FULL_STRETCHED, ONLY_WINDOWS_ROTATE
from pe_lib.rotary.config.layer_types import (
    CHUNK,
    FULL,
    WINDOW,
    WITHOUT_SCORES,
    Layers,
    layers_of,
    only_windows_rotate,
)
from pe_lib.rotary.config.source import (
    HEAD_DIM,
    LOCAL_THETA,
    ROTATED,
    SHARE,
    THETA,
    Source,
    first,
)

# DeepSeek-V4 has three types of layers and two dicts.
LABELS = {
    WINDOW: "main",
    "compressed_sparse_attention": "compress",
    "heavily_compressed_attention": "compress",
}

# What a single layer may have of its own; the rest of its settings is not about positions.
OF_POSITIONS = {*HEAD_DIM, *ROTATED, *SHARE, *THETA, "rope_parameters"}

Parameters = Mapping[str, Any]
ByType = Mapping[str | None, Parameters | None]  # None: one dict for layers of every type
OfLayer = tuple[Parameters, Mapping[str, Any]]  # its rotary dict, and settings of its own


def of_layers(
    source: Source, kind: str, asked: str | int | None
) -> tuple[Parameters, Source] | None:
    """The rotary dict of the layers asked for, and the settings as they have them.

    Asked for by a type, a number, or None for all of them; those that rotate have to be alike.
    None where none of them rotates.
    """
    layers = layers_of(source, kind)
    by_type = _by_type(source, kind, layers)
    if asked is None and len(by_type) > 1:
        raise ValueError(
            f"layer_type: expected one of {_listed(by_type)}, as they do not rotate alike, got None"
        )
    found: list[OfLayer] = []
    for name, number in _meant(kind, layers, by_type, asked):
        one = _of_layer(source, kind, layers, by_type, name, number)
        if one is not None and one not in found:
            found.append(one)
    if len(found) > 1:
        raise ValueError(
            "layer_type: expected the number of a layer, as these layers do not rotate alike, "
            f"got {asked!r}"
        )
    if not found:
        return None
    ((parameters, own),) = found
    return parameters, {**source, **own}


def _meant(
    kind: str, layers: Layers, by_type: ByType, asked: str | int | None
) -> list[tuple[str | None, int | None]]:
    """Type and number of each layer that is asked for, as far as they are known."""
    count, types = layers.count, layers.types
    if asked is None:
        unsaid = kind in ONLY_WINDOWS_ROTATE and types is None and layers.rotate is None
        if not count or unsaid:
            return [(next(iter(by_type)), None)]
        return list(zip(types or (None,) * count, range(count), strict=True))
    if isinstance(asked, str):
        known = {*by_type, *(types or ())}
        if kind in ONLY_WINDOWS_ROTATE:
            known |= {WINDOW, CHUNK, FULL}
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
    source: Source,
    kind: str,
    layers: Layers,
    by_type: ByType,
    name: str | None,
    number: int | None,
) -> OfLayer | None:
    """What the layer of this type and number has; None where it does not rotate."""
    if number is not None and layers.rotate is not None and not layers.rotate[number]:
        return None
    if name in WITHOUT_SCORES or (name == FULL and only_windows_rotate(source, kind)):
        return None
    own = dict(_changes(source).get(number, {})) if number is not None else {}
    width = source.get({FULL: "global_head_dim", WINDOW: "swa_head_dim"}.get(name or "", ""))
    if width:
        own["head_dim"] = width
    unsaid = kind in ONLY_WINDOWS_ROTATE and number is not None and layers.rotate is None
    if name is None and (None not in by_type or unsaid):
        raise ValueError(
            f"config: expected layer_types, to know the type of layer {number}, got None"
        )
    keys = (name, LABELS.get(name or ""), None)
    key = next((key for key in keys if key in by_type), "")
    if key == "":
        raise ValueError(
            f"config: expected a rotary dict for layers of type {name!r} too, "
            f"got only {_listed(by_type)}"
        )
    parameters = own.pop("rope_parameters", by_type[key])
    if parameters is None:
        return None
    if number is not None and source.get("layer_rope_theta"):
        parameters = {**parameters, "rope_theta": source["layer_rope_theta"][number]}
    stretched = source.get("rope_scaling_layers")  # Molmo 2
    if number is not None and stretched is not None and number not in stretched:
        parameters = {key: parameters[key] for key in parameters.keys() & {*THETA}}
    return parameters, own


def _changes(source: Source) -> Mapping[int, Mapping[str, Any]]:
    """Settings that single layers have of their own, by their numbers."""
    given = source.get("per_layer_config") or {}
    if not isinstance(given, Mapping) or not all(
        str(key).isdecimal() and isinstance(own, Mapping) for key, own in given.items()
    ):
        raise TypeError(
            f"per_layer_config: expected a dict for each number of a layer, got {describe(given)}"
        )
    return {
        int(key): {name: own[name] for name in own.keys() & OF_POSITIONS}
        for key, own in given.items()
    }


def _by_type(source: Source, kind: str, layers: Layers) -> ByType:
    """The rotary dict of each type of layer, or one for every type under None."""
    given = _given(source)
    types = layers.types or ()
    if any(isinstance(value, Mapping) for value in given.values()):
        own = {key for key, value in given.items() if isinstance(value, Mapping) or key in types}
        # What stands beside the dicts is for all of them, but not the rest of an older form.
        shared = {key: given[key] for key in given.keys() - own - {"rope_type", "type", *THETA}}
        return {key: given[key] and {**shared, **given[key]} for key in given if key in own}
    theta = first(source, *THETA)
    if isinstance(theta, (list, tuple)):
        return _by_lists(source, given, theta, types)
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
    return {None: given}


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


def _given(source: Source) -> Parameters:
    """The configuration's rotary dict under its new or its old name, empty where it has none."""
    found: list[Parameters] = []
    for name in ("rope_parameters", "rope_scaling"):
        value = source.get(name)
        if value is not None and not isinstance(value, Mapping):
            raise TypeError(f"config: expected {name} to be a dict or None, got {describe(value)}")
        if value:
            found.append(value)
    if len(found) == 2 and found[0] != found[1]:
        raise ValueError(
            "config: expected rope_parameters and rope_scaling, its older name, to be the same, "
            f"got {found[0]} and {found[1]}"
        )
    return found[0] if found else {}


def _listed(names: Iterable[str | None]) -> str:
    return ", ".join(repr(name) for name in sorted(filter(None, names)))
