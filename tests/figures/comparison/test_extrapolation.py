"""What Extrapolation computes, checked against the records as they stand in their files."""

import csv
import json
import math
from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from pe_lib.experiments.extrapolation import records
from pe_lib.experiments.extrapolation.setting import SMALL
from pe_lib.figures import Extrapolation
from pe_lib.figures.comparison.extrapolation import LENGTHS, MEASURED_NAMES, WAYS

METRICS: dict[str, Callable[[float], float]] = {
    "nats": lambda nats: nats,
    "bits": math.log2(math.e).__mul__,
    "perplexity": math.exp,
}


def rows(table: str) -> list[dict[str, str]]:
    with (records.HERE / f"{table}.csv").open() as lines:
        return list(csv.DictReader(lines))


def from_file(kind: str, way: str) -> list[list[float]]:
    """The losses of a kind's seeds, at each length."""
    runs = [
        run["run"] for run in rows("runs") if (run["setting"], run["position"]) == ("small", kind)
    ]
    losses = {(row["run"], row["way"], int(row["length"])): row["loss"] for row in rows("losses")}
    return [[float(losses[run, way, length]) for length in LENGTHS] for run in runs]


def compute(encodings: str, way: str = "last bytes", metric: str = "nats") -> dict[str, Tensor]:
    return Extrapolation.compute("cpu", encodings=encodings, way=way, metric=metric)


def exact(values: list) -> Tensor:
    return torch.tensor(values, dtype=torch.float64)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", MEASURED_NAMES)
def test_curves_and_bands_are_those_of_the_seeds(kind: str, way: str, metric: str) -> None:
    seeds = [[METRICS[metric](nats) for nats in seed] for seed in from_file(kind, way)]
    places = list(zip(*seeds, strict=True))
    values = compute(kind, way, metric)
    torch.testing.assert_close(values["mean"], exact([[sum(p) / len(p) for p in places]]))
    torch.testing.assert_close(values["low"], exact([[min(p) for p in places]]))
    torch.testing.assert_close(values["high"], exact([[max(p) for p in places]]))
    growth = [seed[-1] - seed[0] for seed in seeds]
    torch.testing.assert_close(values["least"], exact([min(growth)]))
    torch.testing.assert_close(values["most"], exact([max(growth)]))


def test_growth_is_told_for_every_way() -> None:
    expected = []
    for way in WAYS:
        seeds = [from_file(kind, way) for kind in ("alibi", "rope")]
        expected.append([sum(s[-1] - s[0] for s in own) / len(own) for own in seeds])
    torch.testing.assert_close(compute("alibi rope")["grown"], exact(expected))


def test_encodings_stand_in_the_order_in_which_they_were_chosen() -> None:
    both, rope = compute("t5 rope"), compute("rope")
    assert torch.equal(both["mean"][1], rope["mean"][0])
    assert torch.equal(both["most"][1:], rope["most"])


def test_all_that_was_measured_can_be_chosen_and_nothing_else() -> None:
    measured = {run["position"] for run in rows("runs") if run["setting"] == "small"}
    assert set(Extrapolation.controls()["encodings"]["options"]) == measured
    assert tuple(LENGTHS) == SMALL.lengths
    assert {row["way"] for row in rows("losses")} == set(WAYS)


def test_what_the_summary_says_holds() -> None:
    mean = compute("rope alibi")["mean"]
    for value in mean[:, [0, -1]].flatten().tolist():
        assert f"{value:.2f}" in Extrapolation.summary
    assert mean[0, -1] > 2 * mean[0, 0]
    assert (mean[1, -1] - mean[1, 0]).abs() < 0.02


def test_the_page_carries_the_numbers_and_they_are_light() -> None:
    carried = Extrapolation._esm.split('"LOSSES":', 1)[1]
    losses, end = json.JSONDecoder().raw_decode(carried)
    assert losses == {way: {kind: from_file(kind, way) for kind in MEASURED_NAMES} for way in WAYS}
    assert end < 15_000
