"""What `make bench` says of the rotary tables' accuracy, and that it can tell good from bad."""

import pytest

from benchmarks import accuracy


@pytest.fixture(scope="module")
def ours():
    return accuracy.ours()


@pytest.mark.parametrize("position", accuracy.POSITIONS)
def test_the_table_is_exact_far_out(ours, position):
    assert accuracy.table_error(ours, position) <= 2**-24


def test_a_bfloat16_rotation_is_within_one_rounding(ours):
    """And nearly always the exact result rounded; near a tie, either neighbour may come."""
    largest, within, right = accuracy.rotation_error(ours, accuracy.ROTATED)
    assert largest <= 2**-6 * (1 + 1e-6)  # half the distance of bfloat16 numbers from 4 to 8
    assert within > 0.9999  # the rest is where the two products nearly cancel
    assert right > 0.999


@pytest.mark.filterwarnings("ignore:.torch.jit.script. is deprecated:DeprecationWarning")
@pytest.mark.parametrize("name", [name for name in accuracy.LIBRARIES if name != "pe_lib"])
def test_the_others_are_measured_with_their_own_layout(name):
    """Near position 0 all are right: what the table shows is accuracy, not another convention."""
    library = accuracy.LIBRARIES[name]()
    assert accuracy.table_error(library, 0) < 1e-5
    assert accuracy.rotation_error(library, 0)[0] < 0.05


def test_a_rotation_in_the_other_layout_is_noticed(ours):
    wrong = accuracy.Library(ours.table, ours.rotate, interleaved=True)
    assert accuracy.rotation_error(wrong, accuracy.ROTATED)[0] > 1


def test_the_table_is_printed(capsys):
    accuracy.main()
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[2:]] == list(accuracy.LIBRARIES)
    assert "100,000" in lines[0]
