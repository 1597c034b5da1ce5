"""Every number that the two pages of chapter 04 compute by hand, from the first frequency to the
weights.

Compared are the pages' own variables and what their functions make of their vectors; and cell for
cell, digit for digit, what they print.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from mpmath import mp, mpf

from book.tools import notebooks
from pe_lib.course import five_tokens
from tests.chapters import golden_rotary
from tests.chapters.executed import names_after

CHAPTER, DEEPER = "04_rope_by_hand", "04_rope_by_hand_deeper"
DECIMAL, WHOLE = re.compile(r"-?\d+\.\d+(?![\de])"), re.compile(r"-?\d+")


def golden() -> dict[str, Any]:
    rows = (five_tokens.EMBEDDINGS, five_tokens.W_Q, five_tokens.W_K)
    exact = [[golden_rotary.exact(row) for row in matrix.tolist()] for matrix in rows]
    return {
        **golden_rotary.tables(),
        **golden_rotary.of_the_pair(),
        **golden_rotary.steps_by_hand(),
        **golden_rotary.lengths_and_angles(),
        **golden_rotary.small_turns(),
        **golden_rotary.bugs(),
        **golden_rotary.attention(*exact),
    }


GOLDEN = golden()

# What a cell prints, in its order. Numbers with a point, or all numbers where none has one.
PRINTED = {
    (CHAPTER, "powers"): ["powered_scores"],
    (CHAPTER, "idea-scores"): ["arrow_scores"],
    (CHAPTER, "frequencies"): ["ratios", "powers", "frequencies", "angles"],
    (CHAPTER, "queries"): ["q_1", "k_3", "plain_score"],
    (CHAPTER, "by-hand"): ["by_hand_q_0"],
    (CHAPTER, "score-sums"): [
        *("q_half", "k_half", "score_half"),
        *("q_inter", "k_inter", "score_inter"),
    ],
    (CHAPTER, "law"): ["A_half", "plain_score", "terms_half", "score_half"],
    (CHAPTER, "picture-law"): ["score_before"],
    (DEEPER, "complex"): ["q_inter", "q_inter"],
    (DEEPER, "complex-law"): ["A_inter", "B_inter", "score_inter", "score_inter"],
    (DEEPER, "quarter"): ["quarter_half", "quarter_inter"],
    (DEEPER, "lengths-angles"): ["heights", "degrees", "terms_half"],
    (DEEPER, "before-after-run"): ["parts"],
    (DEEPER, "six-frequencies"): ["six_frequencies", "frequencies"],
    (DEEPER, "powers-linspace"): ["ending_at_1", "powers", "score_ending_at_1", "score_half"],
    (DEEPER, "forty-five-wrong"): ["dropped_45"],
    (DEEPER, "forty-five"): ["cos_part", "sin_part", "turned_45", "squared_lengths"],
    (DEEPER, "by-hand-key"): ["by_hand_q", "by_hand_k"],
    (DEEPER, "five-weights"): ["weights_half"],
    (DEEPER, "mixed"): ["mixed_lengths", "mixed_scores"],
}
# Known from its output alone: the page keeps it in no variable.
ONLY_PRINTED = [
    *("powered_scores", "arrow_scores", "by_hand_q_0", "by_hand_q", "by_hand_k"),
    "parts",
    *("score_ending_at_1", "dropped_45", "score_before"),
]


def of_both(page: SimpleNamespace) -> dict[str, Any]:
    """What both pages have: their two vectors, and a function that turns."""
    q_1, k_3, turn = page.q_1, page.k_3, page.turn
    found = {"frequencies": page.frequencies, "q_1": q_1, "k_3": k_3, "plain_score": q_1 @ k_3}
    both = [(0, 2), (1, 3), (2, 4), (11, 13), (101, 103), (1001, 1003)]
    lengths = [q_1.norm()]
    for layout, pairs in (("half", page.HALF), ("inter", page.INTER)):
        q, k = turn(q_1, 1, pairs), turn(k_3, 3, pairs)
        lengths.append(q.norm())
        found |= {
            f"q_{layout}": q,
            f"k_{layout}": k,
            f"products_{layout}": q * k,
            f"score_{layout}": q @ k,
            f"scaled_{layout}": q @ k / 6**0.5,
            f"same_offset_{layout}": [turn(q_1, m, pairs) @ turn(k_3, n, pairs) for m, n in both],
            f"only_q_{layout}": [turn(q_1, m, pairs) @ k_3 for m in (1, 11)],
        }
    return found | {"lengths": lengths}


def of_the_chapter(page: SimpleNamespace) -> dict[str, Any]:
    names = ["ratios", "powers", "angles", "cos", "sin", "queries", "keys"]
    found = of_both(page) | {name: getattr(page, name) for name in names}
    found["weights_plain"] = page.weights(page.queries, page.keys)
    for layout, pairs in (("half", page.HALF), ("inter", page.INTER)):
        q, k = (page.turn(x, page.positions[:, None], pairs) for x in (page.queries, page.keys))
        found |= {
            f"A_{layout}": page.law(0, pairs),
            f"terms_{layout}": page.law(2, pairs),
            f"by_offset_{layout}": [page.law(offset, pairs).sum() for offset in range(-4, 5)],
            f"turned_queries_{layout}": q,
            f"turned_keys_{layout}": k,
            f"scores_{layout}": q @ k.mT / 6**0.5,
            f"weights_{layout}": page.weights(q, k),
        }
    return found


def of_the_deeper_page(page: SimpleNamespace) -> dict[str, Any]:
    layouts = {"half": page.HALF, "inter": page.INTER}
    return of_both(page) | {
        **{f"table_{name}": page.score_table(pairs) for name, pairs in layouts.items()},
        "cos_part": page.cos_part,
        "sin_part": page.sin_part,
        "turned_45": page.together,
        "squared_lengths": [page.before, page.after],
        "weights_half": page.five_weights,
        "q_inter": page.q_complex,
        "A_inter": page.at_rest.real,
        "B_inter": page.at_rest.imag,
        "terms_inter": page.product.real,
        "A_half": page.A,
        "B_half": page.B,
        "heights": page.height,
        "degrees": page.gamma.rad2deg(),
        "six_frequencies": page.six,
        "frequencies_of_12": page.of_12,
        "ending_at_1": 1 / page.wrong,
        "mixed_lengths": [page.q_1.norm(), page.mixed(page.q_1, 1).norm()],
        "mixed_scores": [page.mixed(page.q_1, m) @ page.mixed(page.k_3, m + 2) for m in (1, 11)],
        "quarter_half": page.quarter(page.counting, page.HALF),
        "quarter_inter": page.quarter(page.counting, page.INTER),
    }


@pytest.fixture(scope="module")
def computed() -> list[dict[str, Any]]:
    """What either page computes, under the names of GOLDEN."""
    pages = {CHAPTER: of_the_chapter, DEEPER: of_the_deeper_page}
    found = [values(SimpleNamespace(**names_after(stem))) for stem, values in pages.items()]
    unknown = {name for page in found for name in page} - GOLDEN.keys()
    assert not unknown
    return found


def numbers(value: Any) -> Iterator[Any]:
    """The numbers of a value one by one, in its order."""
    if isinstance(value, torch.Tensor):
        value = value.tolist()
    if isinstance(value, list):
        for part in value:
            yield from numbers(part)
    else:
        yield value


def shape(value: Any) -> list[int]:
    if isinstance(value, torch.Tensor):
        return list(value.shape)
    return [len(value), *shape(value[0])] if isinstance(value, list) else []


@pytest.mark.parametrize("name", [name for name in GOLDEN if name not in ONLY_PRINTED])
def test_a_page_computes_it(name: str, computed: list[dict[str, Any]]) -> None:
    found = [page[name] for page in computed if name in page]
    assert found, f"no page computes {name}"
    for value in found:
        assert shape(value) == shape(GOLDEN[name])
        for part in value if isinstance(value, list) else [value]:
            assert not isinstance(part, torch.Tensor) or part.dtype == torch.float64
        expected = [float(number) for number in numbers(GOLDEN[name])]
        assert list(map(float, numbers(value))) == pytest.approx(expected, rel=0, abs=1e-12)


@pytest.mark.parametrize(("stem", "cell"), PRINTED)
def test_a_page_prints_it(stem: str, cell: str) -> None:
    cells = notebooks.code_cells(notebooks.read(notebooks.ROOT / f"chapters/{stem}.ipynb"))
    outputs = next(one.outputs for one in cells if one.id == cell)
    text = "".join(output.get("text", "") for output in outputs)
    printed = DECIMAL.findall(text) or WHOLE.findall(text)
    expected = [number for name in PRINTED[stem, cell] for number in numbers(GOLDEN[name])]
    assert len(printed) == len(expected)
    assert printed == [rounded(*pair) for pair in zip(expected, printed, strict=True)]


def rounded(number: mpf, like: str) -> str:
    """The number with as many digits behind the point as that text has."""
    digits = len(like.partition(".")[2])
    return f"{Decimal(mp.nstr(number, 30)):.{digits}f}"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("frequencies", [1.0, 0.046415888336127795, 0.0021544346900318843]),
        ("plain_score", [-1.51]),
        ("score_half", [-0.7712011717267514]),
        ("score_inter", [-3.3293902955294636]),
        ("scaled_half", [-0.31484155996117436]),
        ("scaled_inter", [-1.3592178964368793]),
        ("A_half", [-0.83, -0.42, -0.26]),
        ("B_inter", [1.15, -0.02, -0.09]),
        ("only_q_half", [-0.8081082858586057, 0.17481328303072843]),
        ("only_q_inter", [-0.7955284036974117, -3.1323487277890605]),
        ("turned_45", [0.35355339059327384, 1.0606601717798212]),
    ],
)
def test_the_exact_numbers_are_those_computed_before(name: str, expected: list[float]) -> None:
    """Written down from an independent computation in double precision."""
    found = [float(number) for number in numbers(GOLDEN[name])]
    assert found == pytest.approx(expected, rel=1e-14, abs=0)
