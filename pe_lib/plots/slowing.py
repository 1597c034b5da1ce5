"""By how much rules for longer texts slow the pairs of a rotary head."""

from collections.abc import Mapping

from matplotlib.figure import Figure

from pe_lib.common.frequencies import inverse_frequencies, wavelengths
from pe_lib.plots._canvas import INK, MUTED, in_style, legend_above, new_figure
from pe_lib.plots._rules import LOOKS, looks_of
from pe_lib.rotary.scaling.base import Scaling


@in_style
def slowed_pairs(
    rules: Mapping[str, Scaling | None], *, dim: int, theta: float = 10000.0, trained: int
) -> Figure:
    """For every rule, the old frequency of each pair divided by the new one.

    A dashed line parts the pairs that completed a turn in training from those that did not.

    Args:
        rules: name -> scaling, or None for the pairs as they were trained; 1 to 6 of them.
        dim: how many features are rotated, even, at least 2.
        theta: base of the frequencies.
        trained: number of positions seen in training.

    Returns:
        A closed figure with one axes, a line for each rule.

    Raises:
        ValueError: there are no rules, or more than six.

    Example:
        >>> from pe_lib import LinearScaling
        >>> slowed = slowed_pairs({"interpolation": LinearScaling(4.0)}, dim=8, trained=16)
        >>> slowed.axes[0].lines[0].get_ydata()
        array([4., 4., 4., 4.])
    """
    if not 1 <= len(rules) <= len(LOOKS):
        raise ValueError(f"rules: expected 1 to {len(LOOKS)}, got {len(rules)}")
    before = inverse_frequencies(dim, theta)
    figure, (ax,) = new_figure(3.4)
    for (name, rule), look in zip(rules.items(), looks_of(rules), strict=True):
        after = before if rule is None else rule.inverse_frequencies(dim, theta)
        ax.plot(
            (before / after).numpy(),
            color=look.colour,
            marker=look.marker,
            markersize=5,
            label=name,
        )
    completed = int((wavelengths(dim, theta) <= trained).sum())
    ax.axvline(completed - 0.5, color=INK, linestyle="--", linewidth=1)
    for x, words, side in ((completed - 0.7, "completed a turn", "right"),
                           (completed - 0.3, "did not", "left")):  # fmt: skip
        ax.text(x, 1.02, words, color=MUTED, ha=side, transform=ax.get_xaxis_transform())
    ax.set(xlabel="pair, the fastest first", ylabel="slowed by", ylim=(0, None))
    legend_above(figure, ax.lines[: len(rules)], list(rules))
    return figure
