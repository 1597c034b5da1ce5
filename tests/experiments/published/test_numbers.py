"""The numbers of the papers: what is asked for comes out, and says what chapters say of it."""

import re

import pytest
import torch

from pe_lib.experiments.engine import tables
from pe_lib.experiments.extrapolation.setting import AT_ALL_SEEDS
from pe_lib.experiments.extrapolation.stretched import RULES
from pe_lib.experiments.published import PAPERS, published, source
from pe_lib.experiments.published.numbers import HERE

ROWS = tables.read("numbers", HERE)
METRICS = dict.fromkeys((row["paper"], row["metric"]) for row in ROWS)


def order(paper: str, metric: str, length: int) -> list[str]:
    """The methods with a number there, the lowest first."""
    lengths, values = published(paper, metric)
    at = {method: own[lengths.index(length)].item() for method, own in values.items()}
    return sorted((method for method in at if at[method] == at[method]), key=at.__getitem__)


def value(paper: str, metric: str, method: str, length: int) -> float:
    lengths, values = published(paper, metric)
    return values[method][lengths.index(length)].item()


def test_every_row_is_whole_and_comes_out_once():
    assert {row["paper"] for row in ROWS} == set(PAPERS)
    found = 0
    for paper, metric in METRICS:
        lengths, values = published(paper, metric)
        assert lengths == sorted(set(lengths)) and all(type(n) is int for n in lengths)
        for own in values.values():
            assert own.shape == (len(lengths),) and own.dtype == torch.float64
            found += int(own.isfinite().sum())
    assert found == len(ROWS)
    for row in ROWS:
        assert all(row.values()), row
        assert re.fullmatch(r"(Table|Figure) \d+( and its data)?, page \d+", row["where"])
        assert float(row["value"]) > 0 and int(row["length"]) > 0


def test_methods_have_the_names_that_ours_have():
    methods = {row["method"] for row in ROWS}
    assert methods - set(RULES) - {"fine-tuned"} == set(AT_ALL_SEEDS)


def test_every_metric_is_explained():
    for paper, metric in METRICS:
        (own,) = (line for line in str(published.__doc__).split("- ") if line.startswith(paper))
        assert f'"{metric}"' in own
    assert len(re.findall('``"', str(published.__doc__))) == len(METRICS)


def test_the_first_metric_is_meant_where_none_is_named():
    lengths, values = published("Press 2021")
    expected = published("Press 2021", "non-overlapping")
    assert lengths == expected[0]
    torch.testing.assert_close(values, expected[1], equal_nan=True)


def test_numbers_are_those_that_the_papers_print():
    for length, printed in {
        512: (20.05, 20.07, 19.65, 19.73),
        1012: (43.54, 21.37, 18.79, 18.73),
        2512: (132.41, 31.58, 20.41, 18.41),
        8512: (305.65, 54.98, 43.08, 18.34),
    }.items():
        for kind, number in zip(("sinusoidal", "rope", "t5", "alibi"), printed, strict=True):
            assert value("Press 2021", "non-overlapping", kind, length) == number
    for kind, *printed in (("sinusoidal", 18.35, 360.12), ("t5", 17.92, 30.77)):
        assert [value("Press 2021", "strided", kind, n) for n in (512, 3072)] == printed
    ranks = {"none": 0.69, "t5": 0.55, "alibi": 0.5, "rope": 0.33, "sinusoidal": 0.22}
    lengths, found = published("Kazemnejad 2023", "mean reciprocal rank")
    assert lengths == [40]
    assert {kind: own.item() for kind, own in found.items()} == ranks
    assert value("Haviv 2022", "masked", "none", 128) == 147.18
    assert value("Chen 2023", "strided", "interpolation", 8192) == 6.95
    assert value("Peng 2023", "strided", "interpolation", 10240) == 8.07


class TestWhatChaptersSay:
    def test_order_of_kinds_far_past_the_training(self):
        expected = ["alibi", "t5", "rope", "sinusoidal"]
        assert order("Press 2021", "non-overlapping", 8512) == expected
        assert order("Press 2021", "non-overlapping", 1012)[0] == "alibi"
        assert order("Press 2021", "non-overlapping", 512)[0] == "t5"

    def test_alibi_gains_only_where_windows_do_not_overlap(self):
        lengths, apart = published("Press 2021", "non-overlapping")
        assert apart["alibi"][lengths.index(8512)] < apart["alibi"][0] - 1
        lengths, strided = published("Press 2021", "strided")
        assert lengths == [512, 1024, 1536, 2048, 3072]
        assert strided["alibi"][-1] > strided["alibi"][0]

    def test_sinusoids_rise_at_every_length_from_a_little_past_the_training(self):
        lengths, values = published("Press 2021", "non-overlapping")
        past = values["sinusoidal"][lengths.index(562) :]
        assert (past.diff() > 0).all()

    def test_t5_ran_out_of_memory(self):
        lengths, values = published("Press 2021", "non-overlapping")
        without = [n for n, own in zip(lengths, values["t5"].isnan(), strict=True) if own]
        assert without == [13512, 14512, 15512]

    def test_no_positions_is_best_at_tasks_and_between_in_code(self):
        _, ranks = published("Kazemnejad 2023", "mean reciprocal rank")
        assert max(ranks, key=lambda kind: ranks[kind].item()) == "none"
        assert order("Kazemnejad 2023", "last tokens", 1024)[0] == "rope"
        assert order("Kazemnejad 2023", "last tokens", 1400) == ["none", "alibi", "rope"]
        assert order("Kazemnejad 2023", "last tokens", 2048) == ["alibi", "none", "rope"]

    def test_alibi_on_code_costs_eighteen_times_as_much_at_twice_the_training(self):
        lengths, values = published("Kazemnejad 2023", "last tokens")
        ratio = values["alibi"][lengths.index(2048)] / values["alibi"][lengths.index(1024)]
        assert 17 < ratio < 18.5

    def test_without_positions_only_masked_models_fail(self):
        for metric in ("125M", "350M", "760M", "WikiText-103"):
            (length,), _ = published("Haviv 2022", metric)
            expected = ["alibi", "sinusoidal", "learned", "none"]
            assert order("Haviv 2022", metric, length) == expected
        _, masked = published("Haviv 2022", "masked")
        assert masked["none"] > 30 * masked["learned"]

    def test_larger_models_need_positions_less(self):
        gaps = []
        for metric in ("125M", "350M", "760M", "1.3B"):
            lengths, values = published("Haviv 2022", metric)
            at = lengths.index(1024)
            gaps.append((values["none"][at] / values["alibi"][at]).item())
        assert gaps == sorted(gaps, reverse=True)

    def test_plain_rope_fails_soon_past_its_training(self):
        lengths, values = published("Peng 2023", "Mistral 7B")
        rope, yarn = (values[method] for method in ("rope", "YaRN"))
        assert lengths[rope.argmin()] == 8192, "what it was trained at"
        assert rope[lengths.index(2 * 8192)] > 10 * rope.min()
        assert (yarn.diff() < 0).all()


def test_a_source_names_each_table_once():
    assert source("Press 2021", "strided") == (
        "Press 2021, Table 13, page 25; Table 14, page 25; Table 15, page 25: "
        "247M, WikiText-103, trained at 512, stride 1"
    )
    assert source("Kazemnejad 2023").startswith("Kazemnejad 2023, Figure 1, page 2: 107M, ten task")


@pytest.mark.parametrize("function", [published, source])
@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (
            ("Press",),
            "paper: expected one of 'Press 2021', 'Haviv 2022', 'Kazemnejad 2023', 'Chen 2023', "
            "'Peng 2023', got 'Press'",
        ),
        (
            ("Press 2021", "last bytes"),
            "metric: expected one of 'non-overlapping', 'strided', got 'last bytes'",
        ),
        (("Chen 2023", "Mistral 7B"), "metric: expected one of 'strided', got 'Mistral 7B'"),
    ],
)
def test_what_is_unknown_is_refused(function, asked, message):
    with pytest.raises(ValueError, match=re.escape(message) + "$"):
        function(*asked)
