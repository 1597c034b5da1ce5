"""Which position the words of padded and packed rows get."""

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from pe_lib.course.palette import CATEGORICAL, THEMES
from pe_lib.plots._canvas import INK, MUTED, in_style, new_figure

PAD = THEMES["light"]["raised"]


@in_style
def positions_in_rows(rows: Mapping[str, Sequence[Sequence[str]]]) -> Figure:
    """The words of each row in their slots, and two ways to count them.

    Under the words stand their positions, counted by slot, and counted anew in each document
    without its pads (which has no number for a pad: a dash). A document has one colour.

    Args:
        rows: name -> documents, each a list of words; "" is a pad. All rows have equally many
            slots, and at most four documents.

    Returns:
        A closed figure with one axes.

    Raises:
        ValueError: there are no rows, they are not equally long, or have more than four documents.

    Example:
        >>> figure = positions_in_rows({"padded": [["", "the", "cat"]]})
        >>> [text.get_text() for text in figure.axes[0].texts]
        ['pad', '0', '–', 'the', '1', '0', 'cat', '2', '1']
    """
    lengths = sorted({sum(map(len, documents)) for documents in rows.values()})
    most = max(map(len, rows.values()), default=0)
    if len(lengths) != 1 or not lengths[0]:
        raise ValueError(f"rows: expected one or more, equally long, got lengths {lengths}")
    if most > len(CATEGORICAL):
        raise ValueError(f"rows: expected at most {len(CATEGORICAL)} documents, got {most}")
    figure, (ax,) = new_figure(0.2 + 1.35 * len(rows))
    marks: dict[float, str] = {}
    for number, (name, documents) in enumerate(rows.items()):
        top = 3.4 * number
        padded = any("" in words for words in documents)
        anew = "by mask" if padded else "by document"
        marks |= {top: name, top + 1: "by slot", top + 2: anew}
        slot = 0
        for colour, words in zip(CATEGORICAL, documents, strict=False):
            count = 0
            for word in words:
                back, ink = (colour, "white") if word else (PAD, MUTED)
                ax.add_patch(Rectangle((slot - 0.46, top - 0.43), 0.92, 0.86, color=back))
                lines = [(word or "pad", ink), (str(slot), INK), (str(count) if word else "–", INK)]
                for row, (text, shade) in enumerate(lines):
                    ax.text(slot, top + row, text, ha="center", va="center", color=shade)
                count += bool(word)
                slot += 1
    ax.set(xlim=(-0.6, lengths[0] - 0.4), ylim=(max(marks) + 0.5, -0.6), xticks=[])
    ax.set_yticks([*marks], [*marks.values()], color=INK)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    return figure
