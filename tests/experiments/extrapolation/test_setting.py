"""Which runs there are, and in what they are alike."""

import itertools
import math

from pe_lib.experiments.extrapolation.setting import (
    AT_ALL_SEEDS,
    LEARNING_RATES,
    MIXED,
    POSITIONS,
    SEEDS,
    SMALL,
    SMOKE,
    Run,
    seed_runs,
    tuning_runs,
)
from pe_lib.model.positions.text import TextKind


def test_lengths_go_from_the_training_length_to_sixteen_times_it():
    assert SMALL.lengths[0] == SMALL.length
    assert SMALL.lengths[-1] == 16 * SMALL.length == SMALL.longest
    pairs = itertools.pairwise(SMALL.lengths)
    assert all(longer == 2 * shorter for shorter, longer in pairs)


def test_the_learning_rate_rises_and_falls():
    factors = [SMALL.rate_factor(step) for step in range(SMALL.steps)]
    top = factors.index(max(factors))
    assert SMALL.steps / 13 < top < SMALL.steps / 11
    assert factors[: top + 1] == sorted(factors[: top + 1])
    assert factors[top:] == sorted(factors[top:], reverse=True)
    assert 0 < factors[0] < 0.02 and 0 < factors[-1] < 1e-4 and 0.95 < factors[top] <= 1


def test_the_tuning_tries_every_learning_rate_for_every_kind():
    runs = tuning_runs(SMALL)
    assert len({run.name for run in runs}) == len(runs)
    for position in POSITIONS:
        own = [run for run in runs if run.position == position]
        stds = {0.02, 1.0} if position == "learned" else {None}
        tried = {(run.learning_rate, run.table_std) for run in own}
        assert tried == {(rate, std) for rate in LEARNING_RATES for std in stds}
    assert {run.seed for run in runs} == {SEEDS[0]}


def test_every_choice_is_trained_at_all_its_seeds():
    choices = {run.position: run for run in tuning_runs(SMALL)}
    runs = list(seed_runs(choices))
    places = {(run.position, run.seed) for run in runs}
    assert len({run.name for run in runs}) == len(runs) == len(places) == 6 * 5 + 7 * 3
    for position in POSITIONS:
        seeds = {seed for own, seed in places if own == position}
        assert seeds == {*(SEEDS if position in AT_ALL_SEEDS else SEEDS[:3])}
    for run in runs:
        choice = choices[run.position]
        assert run == Run(SMALL, run.position, choice.table_std, choice.learning_rate, run.seed)


def test_every_position_is_a_kind_or_a_mixture_of_kinds():
    assert {*TextKind.kinds} == {*POSITIONS} - {*MIXED}
    for how in MIXED.values():
        assert len(how["position"]) == len(how["window"]) == SMALL.num_layers


def test_settings_differ_in_their_names():
    assert SMOKE.name != SMALL.name
    assert math.log2(SMOKE.longest / SMOKE.length).is_integer()
