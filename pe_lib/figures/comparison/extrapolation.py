"""What a byte costs trained models in texts longer than those of their training, as recorded."""

import math

import torch
from jaxtyping import Float64
from torch import Tensor

from pe_lib.course.encodings import NAMES
from pe_lib.experiments.extrapolation.measuring import WAYS
from pe_lib.experiments.extrapolation.records import curves
from pe_lib.experiments.extrapolation.setting import POSITIONS, SMALL
from pe_lib.figures.base import Figure, exact_dtype
from pe_lib.figures.controls import choice, several

MEASURED = {way: curves(way) for way in WAYS}
LENGTHS, _recorded = MEASURED["last bytes"]  # the first is the training's
LOSSES = {way: losses for way, (_, losses) in MEASURED.items()}  # of each kind (seeds, lengths)
SCORED = SMALL.scored

MEASURED_NAMES = {kind: NAMES[kind] for kind in sorted(_recorded, key=POSITIONS.index)}
MOST = 4  # more bands than that hide each other


def _mean(kind: str, place: int) -> float:
    return LOSSES["last bytes"][kind].mean(0)[place].item()


class Extrapolation(Figure):
    """The measured losses of small language models at growing lengths, with bands over their seeds.

    All were trained on windows of 128 bytes and are alike but for their positions
    (:mod:`pe_lib.experiments.extrapolation`). The reader first draws a guess of the first curve.

    Args:
        encodings: one to four encodings that have records, with spaces between them.
        way: which bytes are scored: ``"non-overlapping"``, ``"strided"`` or ``"last bytes"``.
        metric: ``"nats"`` or ``"bits"`` a byte, or ``"perplexity"``, which is exp(nats).

    Example:
        >>> Extrapolation(encodings="t5 alibi none")
        Extrapolation(encodings='t5 alibi none', way='last bytes', metric='nats')
    """

    question = "Does a model keep reading past its trained length?"
    summary = (
        f"Curves of the loss against the length of the text, for models trained on {LENGTHS[0]} "
        "bytes, with bands from the lowest seed to the highest. Scored on the same last bytes at "
        f"every length, RoPE rises from {_mean('rope', 0):.2f} nats per byte to "
        f"{_mean('rope', -1):.2f} at {LENGTHS[-1]:,} bytes; ALiBi stays level, "
        f"{_mean('alibi', 0):.2f} and {_mean('alibi', -1):.2f}: late positions do it no harm, and "
        "more context does it no good."
    )

    asks = True

    encodings = several("rope alibi", MEASURED_NAMES, most=MOST, label=f"encodings, up to {MOST}")
    way = choice("last bytes", {way: way for way in WAYS}, label="scored")
    metric = choice(
        "nats",
        {"nats": "nats", "bits": "bits", "perplexity": "perplexity"},
        label="metric",
        more=True,
    )

    @staticmethod
    def compute(device: str, *, encodings: str, way: str, metric: str) -> dict[str, Tensor]:
        """In the metric, over the seeds: the ``mean``, the lowest and the highest (encodings,
        lengths); by how much the mean has ``grown`` from the first length to the last, in every way
        of scoring (ways, encodings), and in the chosen way the ``least`` and the ``most`` of any
        seed (encodings,).
        """
        dtype = exact_dtype(device)

        def measured(in_way: str) -> list[Tensor]:
            tables = (LOSSES[in_way][name].to(device, dtype) for name in encodings.split(" "))
            return [in_metric(table, metric) for table in tables]

        def growth(table: Tensor) -> Tensor:
            return table[:, -1] - table[:, 0]

        chosen = measured(way)
        means = [[growth(table).mean() for table in measured(each)] for each in WAYS]
        return {
            "mean": torch.stack([table.mean(0) for table in chosen]),
            "low": torch.stack([table.amin(0) for table in chosen]),
            "high": torch.stack([table.amax(0) for table in chosen]),
            "grown": torch.stack([torch.stack(row) for row in means]),
            "least": torch.stack([growth(table).min() for table in chosen]),
            "most": torch.stack([growth(table).max() for table in chosen]),
        }


def in_metric(losses: Float64[Tensor, "seeds lengths"], metric: str) -> Tensor:
    """Losses in nats, in a metric."""
    if metric == "perplexity":
        return losses.exp()
    return losses / math.log(2) if metric == "bits" else losses
