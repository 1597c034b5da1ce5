"""The digits of a binary counter, and the waves that turn as fast as they do."""

import numpy as np
from matplotlib.figure import Figure

from pe_lib.course.palette import CATEGORICAL
from pe_lib.plots._canvas import MUTED, in_style, legend_above, new_figure

LEVEL = 1.5  # from one digit down to the next, in heights of a digit


@in_style
def counter_made_smooth(length: int = 16) -> Figure:
    """Each binary digit as a line that jumps, and the wave of the same period over it.

    Dots mark what whole positions see of the waves. The fastest digit stands at the top.

    Args:
        length: number of positions, at least 2.

    Returns:
        A closed figure with one axes.

    Raises:
        ValueError: ``length`` is below 2.

    Example:
        >>> [label.get_text() for label in counter_made_smooth(4).axes[0].get_yticklabels()]
        ['2', '4']
    """
    if length < 2:
        raise ValueError(f"length: expected at least 2 positions, got {length}")
    positions = np.arange(length)
    between = np.linspace(-0.5, length - 0.5, 40 * length + 1)
    digits = (length - 1).bit_length()
    figure, (ax,) = new_figure(0.8 + 0.75 * digits)
    periods = [2 ** (digit + 1) for digit in range(digits)]
    levels = [-LEVEL * digit for digit in range(digits)]
    for digit, (period, level) in enumerate(zip(periods, levels, strict=True)):
        jumping = level + (positions >> digit) % 2
        ax.step(positions, jumping, where="mid", color=MUTED, linewidth=1.2)
        ax.plot(between, level + _wave(between, period), color=CATEGORICAL[0], linewidth=1.8)
        ax.plot(positions, level + _wave(positions, period), "o", color=CATEGORICAL[1])
    ax.set_xticks(positions)
    ax.set_yticks([level + 0.5 for level in levels], [str(period) for period in periods])
    ax.set(xlabel="position", ylabel="repeats after", xlim=(-0.6, length - 0.4))
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)
    names = "binary digit", "turning smoothly", "at whole positions"
    legend_above(figure, ax.lines[:3], names)
    return figure


def _wave(positions: np.ndarray, period: int) -> np.ndarray:
    """The wave from 0 to 1 that is below a half where the digit is 0, and above where it is 1."""
    return 0.5 - 0.5 * np.sin(2 * np.pi * (positions + 0.5) / period)
