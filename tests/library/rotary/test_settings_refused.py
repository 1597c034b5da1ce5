"""RotarySettings that contradict themselves, and positions that do not fit them."""

import math

import pytest
import torch

from pe_lib import LinearScaling, RotarySettings, YarnScaling

YARN = YarnScaling(4.0, 16)
BESIDE = "widths: expected None beside a scaling or sections, which they are not for, got (4, 4)"
AXES = "pair_axes: expected None or the axes {} of sections or widths in another order, got "


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"widths": (4, 4), "scaling": YARN}, BESIDE),
        ({"widths": (4, 4), "sections": (2, 1, 1)}, BESIDE),
        ({"pair_axes": (0, 1, 2, 0)}, AXES.format([]) + "(0, 1, 2, 0)"),
        (
            {"pair_axes": (0, 1, 3, 0), "sections": (2, 1, 1)},
            AXES.format([0, 0, 1, 2]) + "(0, 1, 3, 0)",
        ),
        (
            {"pair_axes": (0, 0, 1, 0), "widths": (4, 4)},
            AXES.format([0, 0, 1, 1]) + "(0, 0, 1, 0)",
        ),
        (
            {"widths": (4, 4), "coordinate_scale": (1.0, math.nan)},
            "coordinate_scale: expected a number for each of the 2 axes of widths, got nan",
        ),
        (
            {"widths": (4, 4), "coordinate_scale": (1.0,)},
            "coordinate_scale: expected a number for each of the 2 axes of widths, "
            "got (1.0,) (tuple)",
        ),
        (
            {"sections": (0, 2, 2), "sections_interleaved": True},
            "sections: expected at most 1 pairs for the height and 1 for the width, which have "
            "every third of 4 interleaved pairs, got (0, 2, 2)",
        ),
        (
            {"temperature_beta": 0.1, "scaling": LinearScaling(2.0)},
            "temperature_beta: expected 0 beside sections, and without a scaling that has "
            "original_max_position, got 0.1",
        ),
    ],
)
@pytest.mark.usefixtures("without_shape_checks")
def test_settings_that_contradict_each_other(settings, message):
    with pytest.raises(ValueError) as caught:
        RotarySettings(8, **settings)
    assert str(caught.value) == message


SEES = RotarySettings(8, sections=(2, 1, 1))
FLAT = RotarySettings(8, widths=(4, 4))
TWO = "a real tensor (..., 2), a number for each axis"


@pytest.mark.parametrize(
    ("settings", "positions", "error", "expected", "got"),
    [
        (
            SEES,
            torch.zeros(2, 1, 5),
            ValueError,
            "a real tensor (3, batch, seq)",
            "shape (2, 1, 5)",
        ),
        (
            SEES,
            torch.zeros(4, 1, 5),
            ValueError,
            "a real tensor (3, batch, seq)",
            "shape (4, 1, 5)",
        ),
        (
            SEES,
            torch.ones(3, 1, 5) > 0,
            TypeError,
            "a real tensor (3, batch, seq)",
            "dtype torch.bool",
        ),
        (SEES, [0, 1], TypeError, "an int n >= 0 or a real tensor", "[0, 1] (list)"),
        (FLAT, 5, TypeError, TWO, "5 (int)"),
        (FLAT, torch.ones(5, 2) > 0, TypeError, TWO, "dtype torch.bool"),
        (FLAT, torch.zeros(5, 1), ValueError, TWO, "shape (5, 1)"),
        (FLAT, torch.zeros(5, 3), ValueError, TWO, "shape (5, 3)"),
        (FLAT, torch.tensor(1.0), ValueError, TWO, "shape ()"),
    ],
)
@pytest.mark.usefixtures("without_shape_checks")
def test_positions_that_do_not_fit(settings, positions, error, expected, got):
    with pytest.raises(error) as caught:
        settings.cos_sin(positions)
    assert str(caught.value) == f"positions: expected {expected}, got {got}"


@pytest.mark.parametrize("settings", [SEES, FLAT, RotarySettings(8)], ids=str)
@pytest.mark.usefixtures("without_shape_checks")
def test_a_wrong_dtype_of_the_tables(settings):
    with pytest.raises(TypeError) as caught:
        settings.cos_sin(torch.zeros(3, 1, 2), dtype=torch.int64)
    assert str(caught.value) == "dtype: expected a floating point torch.dtype, got torch.int64"
