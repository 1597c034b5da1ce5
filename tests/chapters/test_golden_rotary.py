"""Every number that chapter 04 computes by hand, from the first frequency to the weights.

The chapter's own variables are compared, under the names that it gives them; and what it prints has
to show them.
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest
import torch

from book.tools import notebooks
from pe_lib.course import five_tokens
from tests.chapters import golden_rotary
from tests.chapters.executed import names_after

CHAPTER = "04_rope_by_hand"
DECIMAL = re.compile(r"-?\d+\.\d+(?![\de])")
# Printed in part, as whole numbers or as a picture.
NOT_PRINTED = {"turn_back", "quarter_half", "quarter_inter", "queries", "keys", "weights_plain"}


def golden() -> dict[str, object]:
    rows = (five_tokens.EMBEDDINGS, five_tokens.W_Q, five_tokens.W_K)
    exact = [[golden_rotary.exact(row) for row in matrix.tolist()] for matrix in rows]
    return {
        **golden_rotary.tables(),
        **golden_rotary.of_the_pair(),
        **golden_rotary.small_turns(),
        **golden_rotary.attention(*exact),
    }


GOLDEN = golden()


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    return names_after(CHAPTER)


@pytest.fixture(scope="module")
def printed() -> set[str]:
    """Every decimal number in the stored outputs."""
    cells = notebooks.code_cells(notebooks.read(notebooks.ROOT / f"chapters/{CHAPTER}.ipynb"))
    text = "".join(output.get("text", "") for cell in cells for output in cell.outputs)
    return set(DECIMAL.findall(text))


def numbers(value: Any) -> Iterator[float]:
    """The numbers of a value one by one, in its order."""
    if isinstance(value, torch.Tensor):
        value = value.tolist()
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from numbers(part)
    else:
        yield float(value)


def form(value: Any) -> object:
    """The shape of a value, or the keys of a dict."""
    if isinstance(value, dict):
        return list(value)
    return list(torch.as_tensor(value).shape)


@pytest.mark.parametrize("name", GOLDEN)
def test_the_chapter_computes_it(name: str, names: dict[str, Any]) -> None:
    assert name in names, f"the chapter has no variable {name}"
    value, expected = names[name], GOLDEN[name]
    assert form(value) == form(expected if isinstance(expected, dict) else plain(expected))
    if isinstance(value, torch.Tensor):
        assert value.dtype == torch.float64
    assert list(numbers(value)) == pytest.approx(list(numbers(expected)), rel=0, abs=1e-12)


def plain(value: object) -> object:
    """The same lists, of Python's floats."""
    return [plain(part) for part in value] if isinstance(value, list) else float(value)


@pytest.mark.parametrize("name", [name for name in GOLDEN if name not in NOT_PRINTED])
def test_the_chapter_shows_it(name: str, printed: set[str]) -> None:
    missing = [number for number in numbers(GOLDEN[name]) if not shown(number, printed)]
    assert missing == [], f"no output shows these numbers of {name}"


def shown(number: float, printed: set[str]) -> bool:
    """True where the number is printed: exactly, or rounded to three digits that count or more."""
    for text in printed:
        digits = len(text.split(".")[1])
        counting = len(text.replace(".", "").lstrip("-0"))
        off = abs(number - float(text))
        if off < 1e-12 or (counting >= 3 and off < 0.501 * 10**-digits):
            return True
    return False


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("frequencies", [1.0, 0.046415888336127795, 0.0021544346900318843]),
        ("wavelengths", [6.283185307179586, 135.36712389686338, 2916.3962761324638]),
        ("plain_score", -1.51),
        ("score_half", -0.7712011717267514),
        ("score_inter", -3.3293902955294636),
        ("scaled_half", -0.31484155996117436),
        ("scaled_inter", -1.3592178964368793),
        ("A_half", [-0.83, -0.42, -0.26]),
        ("B_inter", [1.15, -0.02, -0.09]),
        ("only_q_half", {1: -0.8081082858586057, 11: 0.17481328303072843}),
        ("only_q_inter", {1: -0.7955284036974117, 11: -3.1323487277890605}),
        ("false_law", [0.628381723186185, -1.5034982784268471, -1.5099859824234105]),
        ("turned_45", [0.35355339059327384, 1.0606601717798212]),
    ],
)
def test_the_exact_numbers_are_those_computed_before(name: str, expected: object) -> None:
    """Written down from an independent computation in double precision."""
    found = pytest.approx(list(numbers(expected)), rel=1e-14, abs=0)
    assert list(numbers(GOLDEN[name])) == found
