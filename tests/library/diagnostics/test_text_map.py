"""The map in characters."""

import math

import torch

from pe_lib import ascii_map, sinusoidal_encoding
from tests.helpers import F64


def test_levels_of_the_map():
    values = [-1, -0.5, -0.499, -0.001, 0, 0.001, 0.5, 0.501, 1, math.nan]
    table = torch.tensor([values, values[::-1]], dtype=F64)
    assert ascii_map(table) == "  ░░░▓▓██ \n ██▓▓░░░  "


def test_positions_are_lines():
    lines = ascii_map(sinusoidal_encoding(20, 6)).splitlines()
    assert [len(line) for line in lines] == [6] * 20
    assert lines[0] == "░█░█░█"
    columns = ascii_map(sinusoidal_encoding(20, 6).T).splitlines()
    assert columns == ["".join(column) for column in zip(*lines, strict=True)]
