"""A user's type checker sees the types in pe_lib's signatures."""

import subprocess
import sys

import pytest

from tests.helpers import ROOT

USER = """
import torch
from pe_lib import MixedRotary2D, axial_rotary_cos_sin

cos, sin = axial_rotary_cos_sin(2, 3, 8)
reveal_type(cos)
axial_rotary_cos_sin(2, 3, "8")
MixedRotary2D(8)
"""


@pytest.mark.slow
def test_mypy_sees_a_user_s_mistakes(tmp_path):
    (tmp_path / "user.py").write_text(USER)
    mypy = [sys.executable, "-m", "mypy", "--cache-dir", ROOT / ".mypy_cache"]
    run = subprocess.run([*mypy, tmp_path / "user.py"], cwd=ROOT, capture_output=True, text=True)
    notes = [line.split(": ", 1)[1] for line in run.stdout.splitlines() if "user.py" in line]
    assert [note.split(":")[0] for note in notes] == ["note", "error", "error"]
    assert "Tensor" in notes[0]
    assert '"str"; expected "int"' in notes[1]
    assert 'Missing positional argument "num_heads"' in notes[2]
