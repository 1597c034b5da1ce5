"""What positions alone do in a trained model: by hand, by formula, and as recorded."""

import math

import pytest
import torch

from pe_lib.experiments.engine import tables
from pe_lib.experiments.engine.training import Training, resumed
from pe_lib.experiments.engine.work import Work
from pe_lib.experiments.extrapolation import records, trained_diagnostics
from pe_lib.experiments.extrapolation.diagnostics import (
    MEASURES,
    diagnostics,
    first_block,
    measure,
    spread_of,
)
from pe_lib.experiments.extrapolation.experiment import Extrapolation
from pe_lib.experiments.extrapolation.model import new_model
from pe_lib.experiments.extrapolation.setting import POSITIONS, SMALL, Run, seed_runs
from pe_lib.experiments.extrapolation.trained import file_of, trained_model, which_run
from pe_lib.model import TransformerLM
from tests.experiments.extrapolation.conftest import EXPERIMENT
from tests.experiments.extrapolation.test_command import give
from tests.experiments.extrapolation.test_records import a_result, put

__all__ = ["give"]  # a fixture

PLACES = 100
PAIRS = [(i, j) for i in range(PLACES) for j in range(i + 1)]


def model_of(position: str | list[str], dim: int = 8, heads: int = 2) -> TransformerLM:
    torch.manual_seed(0)
    return TransformerLM(256, dim, 2, heads, max_len=128, position=position).eval()


def deviation(values: list[float]) -> float:
    mean = math.fsum(values) / len(values)
    return math.sqrt(math.fsum((v - mean) ** 2 for v in values) / len(values))


@pytest.mark.parametrize("position", POSITIONS)
def test_the_scores_are_those_that_the_attention_makes_its_output_from(position):
    model = new_model(Run(SMALL, position, None, 1.0, seed=0)).eval()
    with torch.no_grad():
        for parameter in model.blocks[0].attention.position.parameters():
            parameter.add_(torch.randn_like(parameter) / 2)  # some are 0 before the training
    layer, seen = model.blocks[0].attention, {}
    model.blocks[0].register_forward_pre_hook(lambda _, given: seen.update(read=given[0]))
    layer.register_forward_hook(lambda _, given, output: seen.update(x=given[0], output=output))
    with torch.no_grad():
        model(torch.tensor([[32] * PLACES]))
        read, scores = first_block(model)
        place = torch.arange(PLACES)
        behind = place[:, None] - place
        hidden = (behind < 0) | (behind >= (layer.window or PLACES))
        weights = scores.masked_fill(hidden, -torch.inf).softmax(-1)[None]
        v = layer.values(seen["x"]).unflatten(-1, (4, -1)).transpose(1, 2)
        heads = layer.position.at_the_values(weights, v)
        output = layer.output(heads.transpose(1, 2).flatten(2))
    torch.testing.assert_close(read, seen["read"][0], atol=0, rtol=0)
    torch.testing.assert_close(output, seen["output"], atol=1e-5, rtol=1e-5)


def test_without_positions_nothing_moves():
    found = measure(model_of("none"))
    assert tuple(found) == MEASURES
    assert [found[name] for name in ("neighbour", "neighbour_std", "far")] == [0, 0, 0]
    assert found["strength"] < 1e-5
    assert math.isnan(found["by_offset"])


def test_the_strength_of_alibi_is_that_of_its_slopes():
    # Of n places, n - d pairs are d apart: a variance of (n - 1)(n + 2) / 18.
    of_distances = math.sqrt(99 * 102 / 18)
    model = model_of("alibi", heads=4)
    slopes = [2.0 ** -(2 * head) for head in range(1, 5)]
    expected = of_distances * sum(slopes) / 4
    for _ in range(2):  # what q and k say is the same everywhere: it does not count
        found = measure(model)
        assert found["strength"] == pytest.approx(expected, rel=1e-6)
        assert found["by_offset"] == pytest.approx(1, abs=1e-9)
        assert (found["neighbour"], found["far"]) == (0, 0)
        torch.nn.init.zeros_(model.blocks[0].attention.queries.weight)


def test_rope_moves_scores_as_cosines_of_the_offset():
    model = model_of("rope")  # two heads of two pairs, which turn by 1 and by 1/100 a place
    layer = model.blocks[0].attention
    with torch.no_grad():
        for project, row in ((layer.queries, (3.0, 1, 0, 0, 2, 0, 0, 1)), (layer.keys, (1.0,) * 8)):
            project.weight.zero_()
            project.weight[:, 0] = torch.tensor(row)
        model.blocks[0].attention_norm.weight.zero_()
        model.blocks[0].attention_norm.bias.fill_(1.0)
    found = measure(model)
    # The pairs are the features (0, 2) and (1, 3) of a head, here as complex numbers.
    strengths = []
    for fast, slow in ((3, 1), (2, 1j)):
        scores = []
        for i, j in PAIRS:
            turned = (
                complex(q) * complex(1, -1) * complex(math.cos(a), math.sin(a))
                for q, a in ((fast, i - j), (slow, (i - j) / 100))
            )
            scores.append(sum(z.real for z in turned) / 2)
        strengths.append(deviation(scores))
    assert found["strength"] == pytest.approx(sum(strengths) / 2, rel=1e-5)
    assert found["by_offset"] == pytest.approx(1, abs=1e-9)
    assert found["neighbour"] == found["neighbour_std"] == found["far"] == 0


def test_a_learned_table_s_own_distances_come_out():
    model = model_of("learned")
    steps = [1.0 + place % 2 for place in range(PLACES - 1)]  # 1, 2, 1, 2 ... 1
    with torch.no_grad():
        table = model.position.table.weight.zero_()
        table[1:PLACES, 3] = torch.tensor(steps).cumsum(0)
    found = measure(model)
    assert found["neighbour"] == pytest.approx(sum(steps) / 99, rel=1e-5)
    assert found["neighbour_std"] == pytest.approx(deviation(steps), rel=1e-4)
    assert found["far"] == pytest.approx(75, rel=1e-6)
    assert 0 < found["by_offset"] < 0.999


def test_neighbours_of_a_sinusoidal_table_are_equally_far_apart():
    model = model_of("sinusoidal", dim=128)
    found = measure(model)
    for name, apart in (("neighbour", 1), ("far", 50)):
        chords = [2 - 2 * math.cos(apart * 10000 ** (-i / 64)) for i in range(64)]
        assert found[name] == pytest.approx(math.sqrt(sum(chords)), rel=1e-6)
    assert found["neighbour_std"] == pytest.approx(0, abs=1e-6)
    assert 0 < found["by_offset"] < 0.999


def test_variance_and_share_are_those_of_the_pairs_up_to_each_query():
    torch.manual_seed(1)
    scores = torch.randn(3, 7, 7, dtype=torch.float64) + torch.arange(7.0)
    scores[2] = 5.0  # a head that sees no positions: no share, but it counts in the mean strength
    strengths, shares = [], []
    for head in scores.tolist():
        by_offset = [[head[i][i - d] for i in range(d, 7)] for d in range(7)]
        strengths.append(deviation([score for own in by_offset for score in own]))
        rest = sum(len(own) * deviation(own) ** 2 for own in by_offset) / 28
        if strengths[-1]:
            shares.append(1 - rest / strengths[-1] ** 2)
    assert len(shares) == 2
    future = torch.ones(7, 7).triu(1).bool()
    for ahead in (0.0, 1e6, -torch.inf):
        strength, by_offset = spread_of(scores.masked_fill(future, ahead))
        assert strength == pytest.approx(sum(strengths) / 3, rel=1e-12)
        assert by_offset == pytest.approx(sum(shares) / 2, rel=1e-12)


def test_a_score_of_the_query_s_place_alone_is_not_by_offset():
    of_query, of_offset = torch.arange(60.0)[:, None].expand(60, 60), torch.arange(60.0)
    assert spread_of(of_query[None])[1] == pytest.approx(0.25, abs=0.01)
    assert spread_of((of_offset - of_query)[None])[1] == 1


@pytest.fixture
def trained(run_of, tmp_path):
    """Two finished tiny trainings with long enough windows, and the folder that holds them."""
    runs = [run_of(position, steps=2, length=128, longest=128) for position in ("none", "learned")]
    for run in runs:
        training = Training(EXPERIMENT, run)
        while not training.finished:
            training.advance()
        training.save(Work(EXPERIMENT, "seeds", runs, tmp_path).saved(run))
    return runs, tmp_path


def test_rows_say_what_was_measured_and_with_what(trained):
    runs, folder = trained
    lines: list[str] = []
    rows = diagnostics(EXPERIMENT, runs, folder, lines.append)
    assert [row["run"] for row in rows] == sorted(run.name for run in runs)
    assert len(lines) == 2
    for row in rows:
        assert all(row[name] for name in ("date", "commit", "torch", "processor", "measured_with"))
    learned, none = rows
    model = resumed(
        EXPERIMENT, runs[1], Work(EXPERIMENT, "seeds", runs, folder).saved(runs[1])
    ).model
    assert {name: learned[name] for name in MEASURES} == {
        name: f"{value:.4f}" for name, value in measure(model).items()
    }
    assert [none[name] for name in MEASURES] == ["0.0000"] * 4 + [""]


def test_a_training_that_is_not_finished_is_refused(trained, run_of):
    runs, folder = trained
    begun, missing = run_of("rope", steps=2), run_of("alibi", steps=2)
    Training(EXPERIMENT, begun).save(Work(EXPERIMENT, "seeds", [begun], folder).saved(begun))
    message = (
        f"folder: expected 4 finished trainings in {folder}, "
        f"got 2 that are not: {begun.name}, {missing.name}"
    )
    with pytest.raises(ValueError) as refused:
        diagnostics(EXPERIMENT, [*runs, begun, missing], folder)
    assert str(refused.value) == message


def test_they_come_out_by_kind_and_seed(run_of, tmp_path):
    runs = [run_of(position, seed) for position in ("rope", "none") for seed in (2, 10)]
    nothing = {"losses": {}, "by_position": [], "stretched": {}}
    put(tmp_path, "seeds", *(a_result(run, 1.0, **nothing) for run in runs))
    Extrapolation(tmp_path).merge(tmp_path)
    rows = [
        {"run": run.name, "strength": f"{run.seed}.5", "by_offset": share}
        for run, share in zip(runs, ("1.0000", "1.0000", "", ""), strict=True)
    ]
    tables.write("diagnostics", rows, tmp_path)
    strength = trained_diagnostics("strength", "tiny", tmp_path)
    assert strength.keys() == {"none", "rope"}
    assert strength["none"].tolist() == strength["rope"].tolist() == [2.5, 10.5]
    by_offset = trained_diagnostics("by_offset", "tiny", tmp_path)
    assert by_offset["none"].isnan().all() and by_offset["rope"].tolist() == [1, 1]
    assert by_offset["none"].dtype == torch.float64


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("near", "small"),
            "what: expected one of neighbour, neighbour_std, far, strength, by_offset, got 'near'",
        ),
        (("far", "huge"), "setting: expected one that was measured, got 'huge'"),
    ],
)
def test_what_was_not_measured_is_refused(arguments, message):
    with pytest.raises(ValueError) as refused:
        trained_diagnostics(*arguments)
    assert str(refused.value) == message


class TestTheRecordsThatCameWithPeLib:
    """What is committed is of all runs, and what the model that is here gives."""

    def test_every_run_was_measured(self):
        names = [row["run"] for row in records.read("diagnostics")]
        assert names == sorted(run.name for run in seed_runs(EXPERIMENT.choices()))

    def test_they_are_those_of_the_model_that_came_along(self):
        (row,) = (
            row for row in records.read("diagnostics") if row["run"] == which_run(file_of("rope"))
        )
        for name, value in measure(trained_model()).items():  # of weights in eight bits
            assert value == pytest.approx(float(row[name]), rel=3e-3, abs=1e-4), name

    def test_models_and_measurements_are_of_code_that_can_be_had(self):
        runs = {row["run"]: row for row in records.read("runs")}
        for row in records.read("diagnostics"):
            assert "changed" not in row["commit"] + row["measured_with"]
            assert row["torch"] == runs[row["run"]]["torch"]

    def test_only_what_is_added_to_words_moves_them(self):
        for what in ("neighbour", "far"):
            found = trained_diagnostics(what)
            assert {kind for kind, own in found.items() if own.any()} == {"sinusoidal", "learned"}

    def test_only_what_is_added_to_words_has_more_than_the_offset(self):
        found = trained_diagnostics("by_offset")
        assert found.pop("none").isnan().all()
        assert {kind for kind, own in found.items() if own.min() < 0.999} == {
            "sinusoidal",
            "learned",
        }
