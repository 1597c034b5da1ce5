"""What `make bench` times as a rotation is one, by every library."""

import sys

import pytest
import torch

from benchmarks import rotary
from benchmarks.rounds import Runner, busy_neighbours, ratios

POSITIONS = 5


@pytest.mark.filterwarnings("ignore:.torch.jit.script. is deprecated:DeprecationWarning")
@pytest.mark.parametrize("layout", rotary.LAYOUTS)
@pytest.mark.parametrize("library", rotary.ROTATIONS)
def test_all_rotate_alike(library, layout):
    if not any(case.endswith(layout) for case in rotary.CASES[library]):
        return
    x = torch.randn(1, 4, POSITIONS, rotary.DIM, generator=torch.Generator().manual_seed(0))
    ours, theirs = (
        rotary.ROTATIONS[name](layout, POSITIONS, torch.float32, "cpu")
        for name in ("pe_lib", library)
    )
    torch.testing.assert_close(theirs(x), ours(x), rtol=0, atol=2e-6)


STANDIN = """
import sys
from benchmarks.rounds import serve
serve(lambda case: [float(case) * float(sys.argv[1]), 2.0])
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    (tmp_path / "standin.py").write_text(STANDIN, "utf-8")
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{':'.join(sys.path)}")
    return "standin"


def test_the_ratio_is_taken_in_one_process(module):
    found = ratios(module, {"3": ["1", "2"], "5": ["2"]}, rounds=3)
    assert {pair: ratio.median for pair, ratio in found.items()} == {
        ("3", "1"): 1.5,
        ("3", "2"): 3.0,
        ("5", "2"): 5.0,
    }
    assert all(ratio.low == ratio.median == ratio.high for ratio in found.values())
    assert found["3", "1"].seconds == 3.0


def test_neighbours_are_busy_as_long_as_they_are_wanted():
    import psutil

    def loops():
        return [p for p in psutil.Process().children() if "while True: pass" in p.cmdline()]

    with busy_neighbours(2):
        assert len(loops()) == 2
    assert not loops()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_process_that_ends_is_an_error(module):
    with (
        Runner(module, "1") as runner,
        pytest.raises(RuntimeError, match="ended over the case none"),
    ):
        runner.ask("none")
