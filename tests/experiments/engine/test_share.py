"""Which part of a plan a process does, and where."""

import argparse
import itertools

import pytest

from pe_lib.experiments.engine import share
from pe_lib.experiments.engine.runs import Run, Setting
from pe_lib.experiments.engine.share import Share

TINY = Setting("tiny", 8, 1, 2, batch=2, steps=6)


@pytest.mark.parametrize("count", range(1, 6))
def test_shares_are_all_runs_each_once_and_of_one_size(count):
    runs = [Run(TINY, "none", None, 4e-3, seed) for seed in range(12)]
    shares = [Share(index, count).of(runs) for index in range(count)]
    assert sorted(itertools.chain(*shares), key=lambda run: run.seed) == runs
    assert max(map(len, shares)) - min(map(len, shares)) <= 1


@pytest.mark.parametrize("text", ["0/2", "3/2", "1", "a/b", "1/0", "-1/2", "1/2/3"])
def test_a_share_that_is_none_is_refused(text):
    with pytest.raises(argparse.ArgumentTypeError, match="expected K/N with 1 <= K <= N"):
        share.share(text)


def test_processes_of_one_machine_take_its_gpus_in_turn(monkeypatch):
    monkeypatch.setattr(share.torch.cuda, "device_count", lambda: 2)
    monkeypatch.delenv("LOCAL_RANK", raising=False)
    assert share.device_of("cuda") == "cuda"
    for rank, device in (("0", "cuda:0"), ("1", "cuda:1"), ("2", "cuda:0")):
        monkeypatch.setenv("LOCAL_RANK", rank)
        assert share.device_of("cuda") == device
        assert share.device_of("cpu") == "cpu"


def test_the_share_comes_from_the_environment(monkeypatch):
    for name in ("RANK", "WORLD_SIZE"):
        monkeypatch.delenv(name, raising=False)
    assert share.share_of_environment() == Share(0, 1)
    monkeypatch.setenv("RANK", "2")
    monkeypatch.setenv("WORLD_SIZE", "4")
    assert share.share_of_environment() == Share(2, 4) == share.share("3/4")
    monkeypatch.setenv("RANK", "4")
    with pytest.raises(argparse.ArgumentTypeError, match="expected K/N with 1 <= K <= N"):
        share.share_of_environment()
    monkeypatch.setenv("RANK", "x")
    with pytest.raises(SystemExit, match="RANK and WORLD_SIZE: expected numbers, got 'x' and '4'"):
        share.share_of_environment()
