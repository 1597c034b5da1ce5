"""What PrecisionLoss computes, checked against formulas written out here."""

import math
import random

import pytest
import torch
from playwright.sync_api import Browser

from pe_lib.figures import PrecisionLoss
from pe_lib.figures.rope_in_code.precision_loss import BINS, DTYPES, FIRST, LAST, WHERE

BITS = {"bfloat16": 8, "float16": 11, "float32": 24}  # that a number of each dtype has
SETTINGS = {
    "position": 257,
    "pair": 0,
    "dtype": "bfloat16",
    "where": "positions",
    "dim": 128,
    "theta": 10000.0,
}


def compute(**changed) -> dict:
    return PrecisionLoss.compute("cpu", **(SETTINGS | changed))


def near(x: float, dtype: str) -> float:
    """The nearest number of so many bits, ties to even: Python's round does that too."""
    step = 2.0 ** (math.frexp(x)[1] - BITS[dtype])
    return round(x / step) * step


def frequency(pair: int) -> float:
    return 10000 ** (-2 * pair / 128)


def low_hand(position: int, pair: int, dtype: str, where: str) -> list[float]:
    """The low-precision hand, written out."""
    if where == "positions":
        angle = near(position, dtype) * frequency(pair)
    elif where == "frequencies":
        angle = position * near(frequency(pair), dtype)
    else:
        angle = position * frequency(pair)
    if where == "angles":
        angle = near(angle, dtype)
    hand = [math.cos(angle), math.sin(angle)]
    return [near(x, dtype) for x in hand] if where == "tables" else hand


@pytest.mark.parametrize("where", WHERE)
@pytest.mark.parametrize("dtype", DTYPES)
def test_hands(dtype, where):
    for position, pair in ((32, 0), (257, 0), (4099, 7), (50001, 24), (LAST, 63)):
        if dtype == "float16" and position > 65504 and where == "positions":
            continue
        values = compute(position=position, pair=pair, dtype=dtype, where=where)
        angle = position * frequency(pair)
        exact = [math.cos(angle), math.sin(angle)]
        low = low_hand(position, pair, dtype, where)
        assert values["exact"].tolist() == pytest.approx(exact, abs=1e-9)
        assert values["low"].tolist() == pytest.approx(low, abs=1e-9)


def test_of_another_head_the_pair_that_it_has():
    values = compute(position=300, pair=9, dim=8, theta=100.0, where="frequencies")
    exact, low = 100 ** (-6 / 8), near(100 ** (-6 / 8), "bfloat16")
    assert values["wavelength"].item() == pytest.approx(2 * math.pi / exact)
    assert values["rounding"].tolist() == pytest.approx([exact, low])
    assert values["exact"].tolist() == pytest.approx([math.cos(300 * exact), math.sin(300 * exact)])
    assert values["low"].tolist() == pytest.approx([math.cos(300 * low), math.sin(300 * low)])


def test_what_is_rounded_is_said():
    for where, before in {
        "positions": 4099,
        "frequencies": frequency(7),
        "angles": 4099 * frequency(7),
        "tables": math.cos(4099 * frequency(7)),
    }.items():
        values = compute(position=4099, pair=7, where=where)
        given, became = values["rounding"].tolist()
        assert given == pytest.approx(before)
        assert became == near(before, "bfloat16")


@pytest.mark.parametrize(
    ("dtype", "position", "left"),
    [
        ("bfloat16", 256, 256),
        ("bfloat16", 600, 407),
        ("bfloat16", 4096, 769),
        ("bfloat16", LAST, 1409),
        ("float16", 2049, 2049),
        ("float16", 4096, 3073),
        ("float32", LAST, LAST),
    ],
)
def test_how_many_positions_are_left(dtype, position, left):
    """What the chapter says about the figure."""
    assert compute(dtype=dtype, position=position)["different"] == left
    others = len({near(p, dtype) for p in range(1, position)} | {0.0})
    assert left == others


def test_angles_merge_as_positions_do_and_the_others_never():
    assert compute(position=4096, where="angles")["different"] == 769  # pair 0: angle = position
    angles = {near(p * frequency(8), "bfloat16") for p in range(1, 4096)} | {0.0}
    assert compute(position=4096, pair=8, where="angles")["different"] == len(angles) < 1000
    for where in ("frequencies", "tables"):
        assert compute(position=4096, where=where)["different"] == 4096


@pytest.mark.parametrize(
    ("position", "shared"),
    [(255, [255, 255]), (256, [256, 257]), (257, [256, 257]), (258, [258, 258]), (260, [259, 261])],
)
def test_a_hand_stands_still_and_then_jumps(position, shared):
    assert compute(position=position)["shared"].tolist() == shared


@pytest.mark.parametrize("position", [32, 255, 4097, 70000, LAST])
def test_the_strip_shows_what_is_shared(position):
    for where in WHERE:
        values = compute(position=position, pair=5, where=where)
        first, last = values["shared"].int().tolist()
        start = next(s for s in range(8, LAST + 1, 16) if s <= position < s + 16)
        strip, now = values["strip"], values["strip"][position - start]
        inside = [start + n for n in (strip == now).nonzero().flatten().tolist()]
        assert inside == [p for p in range(start, start + 16) if first <= p <= last]


def test_the_last_position_shares_its_hand_with_later_ones():
    """The scan must reach to the end of every group."""
    for pair in (0, 5, 40):
        for where in ("positions", "angles"):
            _, last = compute(position=LAST, pair=pair, where=where)["shared"].int().tolist()
            assert LAST < last < LAST + 1023


@pytest.mark.parametrize("where", list(WHERE))
def test_errors_are_those_of_single_positions(where):
    errors = compute(pair=3, where=where)["errors"][list(WHERE).index(where)]
    for octave in (0, 3, 5):
        start = FIRST * 2**octave
        end = math.ceil(start * 2 ** (1 / BINS))
        missed = []
        for p in range(start, end):
            exact = [math.cos(p * frequency(3)), math.sin(p * frequency(3))]
            missed.append(math.dist(low_hand(p, 3, "bfloat16", where), exact))
        assert errors[octave * BINS].item() == pytest.approx(max(missed), abs=1e-9)


def test_only_the_last_step_may_be_rounded():
    """What the chapter says about the figure."""
    for dtype, bits in BITS.items():
        positions, frequencies, angles, tables = compute(pair=5, dtype=dtype)["errors"]
        assert tables.max() <= math.sqrt(2) * 2 ** -(bits + 1)  # half a step in both directions
        assert tables.max() < 3 * tables.min()
        for rows in (frequencies, angles):
            assert rows.nan_to_num(2).max() > 500 * tables.max()
        if dtype == "float32":
            assert positions.max() == 0
        else:
            known = 2 ** BITS[dtype]
            bins = round(math.log2(known / FIRST) * BINS)
            assert positions[:bins].max() == 0
            assert positions[bins:].nan_to_num(2).min() > 0.3


def test_float16_ends():
    assert compute(position=65519, dtype="float16")["rounding"].tolist() == [65519, 65504]
    values = compute(position=65520, dtype="float16")
    assert values["rounding"].tolist() == [65520, math.inf]
    assert values["low"].isnan().all()


@pytest.mark.browser
def test_the_page_rounds_as_torch_does(browser: Browser):
    """Bit for bit: ties, the ends of the range, and everything between."""
    chance = random.Random(5)
    numbers = [0.0, 257.0, 259.0, 2049.0, 65519.999, 65520.0, 1e300, 3.4e38, 3.39e38, 2.0**-25]
    numbers += [2.0**-24 * 1.5, 2.0**-133, 2.0**-134, 2.0**-149, 1e-50]
    numbers += [(1 + n / 2**12) * 2.0**e for n in range(1, 64, 2) for e in (-20, -15, 0, 9, 15)]
    numbers += [chance.uniform(1, 2) * 2.0 ** chance.randint(-150, 130) for _ in range(5000)]
    numbers += [-x for x in numbers]
    page = browser.new_page()
    source = PrecisionLoss._esm + "\nexport { rounded, FORMATS };"
    for dtype in DTYPES:
        found = page.evaluate(
            """async ([source, dtype, numbers]) => {
              const blob = new Blob([source], { type: "text/javascript" });
              const { rounded, FORMATS } = await import(URL.createObjectURL(blob));
              return numbers.map((x) => String(rounded(x, FORMATS[dtype])));
            }""",
            [source, dtype, numbers],
        )
        low = getattr(torch, dtype)
        expected = torch.tensor(numbers, dtype=torch.float64).to(low).double()
        got = torch.tensor(
            [float(x.replace("Infinity", "inf")) for x in found], dtype=torch.float64
        )
        assert torch.equal(got, expected), dtype
    page.close()
