"""How long rotations take, beside copying the same numbers."""

from collections.abc import Sequence

from matplotlib.figure import Figure

from pe_lib.course.palette import CATEGORICAL, THEMES
from pe_lib.experiments.rotary_speed.record import Speed
from pe_lib.plots._canvas import GRID, INK, MUTED, in_style, new_figure


@in_style
def speeds_beside_copying(speeds: Sequence[Speed]) -> Figure:
    """A row for each speed, as a multiple of what it is compared with; pe_lib in orange.

    The bar ends at the median, and a thin line reaches from the lower to the upper quarter of the
    rounds. The axis is logarithmic; at 1 a rotation takes as long as copying.

    Args:
        speeds: what to show, at least one; they are sorted by their ratio.

    Returns:
        A closed figure with one axes, narrow enough for a phone.

    Raises:
        ValueError: there are none.

    Example:
        >>> from pe_lib.experiments.rotary_speed import read_speeds
        >>> figure = speeds_beside_copying(read_speeds("ready"))
        >>> figure.axes[0].get_xscale()
        'log'
    """
    if not speeds:
        raise ValueError("speeds: expected at least one, got none")
    rows = sorted(speeds, key=lambda speed: speed.ratio)
    libraries, dtypes = ({getattr(s, name) for s in rows} for name in ("library", "dtype"))
    figure, (ax,) = new_figure(0.8 + 0.28 * len(rows))
    for y, speed in enumerate(rows):
        colour = CATEGORICAL[1] if speed.library == "pe_lib" else THEMES["light"]["edge"]
        ax.plot((1, speed.ratio), (y, y), color=colour, linewidth=9, solid_capstyle="butt")
        ax.plot((speed.low, speed.high), (y, y), color=INK, linewidth=1.2)
        end = max(speed.high, 1) * 1.06
        ax.text(end, y, f"{speed.ratio:.2f}", color=INK, va="center")
    names = [
        ", ".join(
            part
            for part, told in (
                (speed.library, len(libraries) > 1 or len(rows) == 1),
                (speed.layout, True),
                (speed.dtype, len(dtypes) > 1),
            )
            if told
        )
        for speed in rows
    ]
    ax.axvline(1, color=MUTED, linewidth=1)
    ax.set_xscale("log")
    farthest = max(speed.high for speed in rows)
    ticks = [t for t in (0.5, 1, 2, 3, 5, 10, 20) if t <= farthest]
    ax.set_xticks(ticks, [f"{t:g} x" for t in ticks])
    ax.minorticks_off()
    ax.set_xlim(min(0.9, *(speed.low * 0.95 for speed in rows)), farthest * 1.35)
    ax.set(xlabel="time, in copies of the same numbers", ylim=(len(rows) - 0.5, -0.5))
    ax.set_yticks(range(len(rows)), names, color=INK)
    ax.grid(axis="x", color=GRID, linewidth=0.6)
    ax.set_axisbelow(True)
    ax.tick_params(axis="y", length=0)
    ax.spines[["top", "right", "left"]].set_visible(False)
    return figure
