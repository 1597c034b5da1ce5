"""Prints what rotary_from_config reads, beside transformers: ``python -m tests.conformance``."""

from collections.abc import Callable, Iterable

import transformers

from pe_lib import rotary_from_config
from tests.conformance.comparison import largest_difference, largest_difference_by_length
from tests.conformance.published import published_models, theirs
from tests.conformance.rotary_classes import computed, rotary_classes
from tests.conformance.test_published_models import BY_HAND, FACTORS, REFUSED_PARTS
from tests.conformance.test_transformers import OTHERWISE

# For one thing that is read: the largest relative differences, none where nothing rotates.
Differences = Callable[[], list[float]]


def of_model(name: str, config: dict) -> list[float]:
    if name in BY_HAND:
        assert rotary_from_config(config) == BY_HAND[name]
        return [0.0]
    found = []
    for peer in theirs(config):
        if peer.part in REFUSED_PARTS:
            continue
        settings = rotary_from_config(peer.config, peer.layer)
        factor = FACTORS.get(name, peer.factor)
        found.append(largest_difference(settings, peer.frequencies, factor))
        found.append(largest_difference_by_length(settings, peer.config))
    return found or ([] if rotary_from_config(config) is None else [float("nan")])


def of_class(kind) -> list[float]:
    config, rotary = kind.default()
    return [
        largest_difference(rotary_from_config(config, layer), frequencies, factor)
        for layer, (frequencies, factor) in computed(rotary).items()
    ]


def print_row(title: str, things: Iterable[tuple[str, Differences]], otherwise: dict) -> None:
    compared, unrotated, refused = {}, [], dict(otherwise)
    for name, differences in things:
        try:
            found = differences()
        except ValueError as error:
            refused[name] = str(error)
        else:
            if found:
                compared[name] = max(found)
            else:
                unrotated.append(name)
    total = len(compared) + len(unrotated) + len(refused)
    worst = max(compared.values())
    print(
        f"{title:24} {total:6} {len(compared):9} {len(unrotated):12} {len(refused):8} {worst:10.1e}"
    )
    for name, reason in refused.items():
        print(f"    {name}: {reason}")


def main() -> None:
    transformers.logging.set_verbosity_error()
    print(
        f"{'':24} {'things':>6} {'compared':>9} {'no rotation':>12} {'refused':>8} {'largest':>10}"
    )
    models = [(m.name, lambda m=m: of_model(m.name, m.config)) for m in published_models()]
    print_row("published models", models, {})
    classes = [
        (str(k), lambda k=k: of_class(k)) for k in rotary_classes() if str(k) not in OTHERWISE
    ]
    print_row("classes of transformers", classes, OTHERWISE)


if __name__ == "__main__":
    main()
