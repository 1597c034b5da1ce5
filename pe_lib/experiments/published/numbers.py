"""The numbers of the papers, from the table beside this file."""

from pathlib import Path

import torch
from jaxtyping import Float64
from torch import Tensor

from pe_lib.experiments.engine import tables
from pe_lib.experiments.engine.tables import Row
from pe_lib.experiments.published.papers import PAPERS

HERE = Path(__file__).parent


def published(
    paper: str, metric: str | None = None
) -> tuple[list[int], dict[str, Float64[Tensor, " lengths"]]]:
    """What a paper measured with each method, at each length.

    All are perplexities, where less is better (their logarithm is a loss in nats a token), but for
    the mean reciprocal rank, where more is better.

    Args:
        paper: a name in ``PAPERS``.
        metric: what was measured, the first of these if none is named.

            - Press 2021: ``"non-overlapping"`` and ``"strided"``, as ``curves`` names the ways
            - Haviv 2022: ``"125M"``, ``"350M"``, ``"760M"``, ``"1.3B"``, models of these sizes,
              each read at the length of its own training; ``"WikiText-103"``; ``"masked"``, where
              both sides of a token are seen
            - Kazemnejad 2023: ``"mean reciprocal rank"`` over tasks, at the longest length that was
              tested; ``"last tokens"``, the same ones at every length
            - Chen 2023: ``"strided"``
            - Peng 2023: ``"strided"``; ``"Mistral 7B"``, another model, strided too

    Returns:
        The lengths in tokens, and for each method the values at these lengths; nan where the paper
        has no number. Encodings are named as in ``TransformerLM``, ways to stretch them as
        in ``stretched_curves``.

    Raises:
        ValueError: there is no such paper, or it has no such metric.

    Example:
        >>> lengths, perplexity = published("Press 2021", "non-overlapping")
        >>> at = lengths.index(8512)
        >>> sorted(perplexity, key=lambda kind: perplexity[kind][at])
        ['alibi', 't5', 'rope', 'sinusoidal']
    """
    rows = _rows(paper, metric)
    lengths = sorted({int(row["length"]) for row in rows})
    values: dict[str, Float64[Tensor, " lengths"]] = {}
    for row in rows:
        blank = torch.full((len(lengths),), torch.nan, dtype=torch.float64)
        own = values.setdefault(row["method"], blank)
        own[lengths.index(int(row["length"]))] = float(row["value"])
    return lengths, values


def source(paper: str, metric: str | None = None) -> str:
    """Where in the paper the numbers stand, and what they are of.

    Args:
        paper, metric: as in ``published``.

    Raises:
        ValueError: there is no such paper, or it has no such metric.

    Example:
        >>> source("Press 2021", "non-overlapping")
        'Press 2021, Table 2, page 16: 247M, WikiText-103, trained at 512'
    """
    rows = _rows(paper, metric)
    where = sorted({row["where"] for row in rows})
    of = dict.fromkeys(row["of"] for row in rows)
    return f"{paper}, {'; '.join(where)}: {'; '.join(of)}"


def _rows(paper: str, metric: str | None) -> list[Row]:
    _check_one_of(paper, "paper", list(PAPERS))
    rows = [row for row in tables.read("numbers", HERE) if row["paper"] == paper]
    metrics = list(dict.fromkeys(row["metric"] for row in rows))
    chosen = metrics[0] if metric is None else metric
    _check_one_of(chosen, "metric", metrics)
    return [row for row in rows if row["metric"] == chosen]


def _check_one_of(value: str, name: str, known: list[str]) -> None:
    if value not in known:
        raise ValueError(f"{name}: expected one of {', '.join(map(repr, known))}, got {value!r}")
