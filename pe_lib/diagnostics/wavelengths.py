"""The wavelengths of a table's columns, measured."""

import math

import torch
from jaxtyping import Float, Float64
from torch import Tensor

from pe_lib.diagnostics._rows import float64_rows


def measured_wavelengths(table: Float[Tensor, "length dim"]) -> Float64[Tensor, " dim"]:
    """How many positions every column needs for one turn, measured on its values.

    A wave of frequency w bends back in proportion to its value, whatever its phase:
    ``x[p + 1] - 2 x[p] + x[p - 1] = -4 sin(w / 2) ** 2 x[p]``. This is the frequency that fits
    best, by least squares. It is exact for a column that is one wave, also if the table holds a
    small part of a turn, as long as rounding does not hide how it bends: a wavelength of 54,410
    needs a float64 table. Noise gives about 4.

    Args:
        table: (length, dim), one row a position, at least 3 of them.

    Returns:
        float64 tensor (dim,): positions per turn, from 2 upwards; inf for a column that does not
        bend back, such as a constant one; nan for a column that holds a nan.

    Raises:
        TypeError, ValueError: ``table`` is not such a tensor.

    Example:
        >>> from pe_lib import sinusoidal_encoding
        >>> table = sinusoidal_encoding(100, dim=6, dtype=torch.float64)
        >>> [round(w, 2) for w in measured_wavelengths(table).tolist()]
        [6.28, 6.28, 135.37, 135.37, 2916.4, 2916.4]
    """
    rows = float64_rows(table)
    if rows.shape[0] < 3:
        raise ValueError(
            f"table: expected at least 3 positions (length, dim), got shape {tuple(rows.shape)}"
        )
    middle = rows[1:-1]
    bend = -(middle * (rows[2:] - 2 * middle + rows[:-2])).sum(0)
    share = bend / middle.square().sum(0)  # 4 sin(w / 2) ** 2
    half_angle = (share.clamp(max=4).sqrt() / 2).asin()
    return torch.where(bend <= 0, math.inf, math.pi / half_angle)
