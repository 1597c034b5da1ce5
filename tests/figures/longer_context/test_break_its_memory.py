"""What BreakItsMemory computes: against the model itself, and the page against torch."""

import itertools
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch
from playwright.sync_api import Browser, Page
from torch import Tensor

import pe_lib
from pe_lib.experiments.extrapolation import trained_model
from pe_lib.experiments.text import training_text
from pe_lib.figures import BreakItsMemory
from pe_lib.figures.longer_context.break_its_memory import (
    ALL_HEADS,
    HEADS,
    RULES,
    STRETCHING,
    WRITTEN,
    bytes_of,
)
from tests.figures.comparing import Numbers, in_torch, unpacked
from tests.figures.conftest import ADDRESS, answer

KINDS = ("rope", "none", "sinusoidal", "alibi", "t5")
NEAR = 1e-3  # between what a page reads and what torch reads, both in single precision
TEXTS = [
    BreakItsMemory().text,
    "The cat sat on the mat. " * 30,
    "사과 “naïve” Ωmega 😀 👩‍🚀 ß İ 42\r\n\t" * 9,
    "\x00\x7f\ud83d",  # the last is half a character
    "a",
]
SCALINGS = {
    "as is": lambda factor: None,
    "interpolation": lambda factor: pe_lib.LinearScaling(factor),
    "NTK": lambda factor: pe_lib.NTKScaling(factor),
    "YaRN": lambda factor: pe_lib.YarnScaling(factor, 128),
    "Llama 3": lambda factor: pe_lib.Llama3Scaling(factor, 1.0, 4.0, 128),
}


def compute(**changed: object) -> Numbers:
    return in_torch(BreakItsMemory, "cpu", BreakItsMemory().inputs | changed)


@torch.no_grad()
def costs(text: bytes, **how: object) -> Tensor:
    """What each byte but the first costs, written out: minus the log of its probability."""
    tokens = torch.tensor(list(text))
    probabilities = trained_model(**how)(tokens[None])[0].softmax(-1)
    return -probabilities[range(len(text) - 1), tokens[1:]].log().double()


def test_the_text_is_of_no_training() -> None:
    assert BreakItsMemory().text[:60].encode() not in bytes(training_text().tolist())
    assert len(BreakItsMemory().text.encode()) == 512


@pytest.mark.parametrize("rule", SCALINGS)
@pytest.mark.parametrize(("length", "factor"), [(512, 4.0), (385, 4.0), (384, 3.0), (100, 1.0)])
def test_a_rule_stretches_to_the_next_multiple(rule: str, length: int, factor: float) -> None:
    found = compute(rule=rule, length=length)["losses"]
    assert found[0].isnan()
    text = BreakItsMemory().text.encode()[:length]
    expected = costs(text, scaling=SCALINGS[rule](factor))
    torch.testing.assert_close(found[1:], expected, atol=1e-4, rtol=0)


@pytest.mark.parametrize("kind", KINDS)
def test_only_the_end_is_64_to_128_bytes(kind: str) -> None:
    found = compute(encoding=kind, rule="only the end")["losses"]
    text = BreakItsMemory().text.encode()
    torch.testing.assert_close(found[1:128], costs(text[:128], kind=kind), atol=1e-4, rtol=0)
    for start in (64, 192, 384):
        window = costs(text[start : start + 129], kind=kind)
        torch.testing.assert_close(found[start + 65 : start + 129], window[64:], atol=1e-4, rtol=0)


@pytest.mark.parametrize("kind", KINDS[1:])
def test_what_turns_nothing_is_not_stretched(kind: str) -> None:
    as_it_is = compute(encoding=kind)
    for rule in STRETCHING:
        for name, value in compute(encoding=kind, rule=rule).items():
            torch.testing.assert_close(value, as_it_is[name], equal_nan=True)


def test_the_byte_that_is_read() -> None:
    found = compute(byte=92)
    text = BreakItsMemory().text.encode()
    with torch.no_grad():
        chances = trained_model()(torch.tensor(list(text[:93]))[None])[0, -1].softmax(0)
    assert found["likeliest"].tolist() == chances.argsort(descending=True)[:5].tolist()
    expected = chances[found["likeliest"].long()].double()
    torch.testing.assert_close(found["chances"], expected, atol=1e-5, rtol=0)
    beyond = compute(byte=400, length=100)
    assert torch.equal(beyond["likeliest"], compute(byte=99, length=100)["likeliest"])


@pytest.mark.parametrize("rule", ["as is", "YaRN", "only the end"])
def test_attention_is_spread_over_what_came_before(rule: str) -> None:
    found = {head: compute(rule=rule, byte=300, head=head)["attention"] for head in HEADS}
    every = torch.stack(list(found.values()))
    torch.testing.assert_close(every.sum(1), torch.ones(16).double(), atol=1e-5, rtol=0)
    assert (every[:, 301:] == 0).all()
    assert (every[:, :192] == 0).all() == (rule == "only the end")
    together = compute(rule=rule, byte=300)["attention"]
    torch.testing.assert_close(together, every.mean(0), atol=1e-6, rtol=0)


def test_going_on_is_what_the_model_generates() -> None:
    read = BreakItsMemory().text.encode()[:60]
    found = compute(length=60, go_on=True)["written"]
    generated = trained_model().generate(torch.tensor(list(read))[None], WRITTEN)[0, 60:]
    assert found.tolist() == generated.tolist()
    assert compute()["written"].tolist() == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("né", b"n\xc3\xa9"),
        ("\ud83d!", b"\xef\xbf\xbd!"),
        ("😀" * 200, "😀".encode() * 128),
        ("x" * 511 + "é", b"x" * 511 + b"\xc3"),
    ],
)
def test_the_bytes_of_a_text(text: str, expected: bytes) -> None:
    assert bytes_of(text) == expected


def test_an_empty_text_is_refused() -> None:
    with pytest.raises(ValueError, match="text: expected at least one byte, got none"):
        compute(text="")


@pytest.fixture(scope="module")
def in_page(browser: Browser) -> Iterator[Callable[[dict], Numbers]]:
    """What the figure's script computes in a page that has the weights."""
    page: Page = browser.new_page()
    page.route(f"{ADDRESS}**", answer)
    page.goto(ADDRESS)
    page.set_content("<html data-content_root=./>")
    page.add_script_tag(path=Path(__file__).parents[1] / "page_compute.js")
    page.evaluate("a => loadForTest(...a)", ["BreakItsMemory", BreakItsMemory._esm])
    yield lambda inputs: unpacked(page.evaluate("a => computeInPage(...a)", [NAME, inputs]))
    page.close()


NAME = BreakItsMemory.__name__


def settings() -> list[dict]:
    """Every kind with every rule, and with each whatever chance gives of the rest."""
    chance = random.Random(NAME)
    rest = {
        "text": lambda: chance.choice(TEXTS),
        "length": lambda: chance.choice([1, 2, 128, 129, 300, 512]),
        "byte": lambda: chance.randrange(512),
        "head": lambda: chance.choice([ALL_HEADS, *HEADS]),
        "go_on": lambda: False,
    }
    pairs = itertools.product(KINDS, RULES)
    return [
        {"rule": rule, "encoding": kind} | {name: draw() for name, draw in rest.items()}
        for kind, rule in pairs
    ]


@pytest.mark.browser
def test_page_equals_torch(in_page: Callable[[dict], Numbers]) -> None:
    for inputs in settings():
        got, expected = in_page(inputs), in_torch(BreakItsMemory, "cpu", inputs)
        assert list(got) == list(expected)
        for name in ("losses", "chances", "attention", "written"):
            torch.testing.assert_close(
                got[name], expected[name], atol=NEAR, rtol=0, equal_nan=True, msg=f"{inputs}"
            )
        # Two bytes with nearly the same chance may change places.
        chances = dict(zip(expected["likeliest"].tolist(), expected["chances"], strict=True))
        least = expected["chances"][-1]
        for byte, chance in zip(got["likeliest"].tolist(), got["chances"], strict=True):
            assert abs(chances.get(byte, least) - chance) <= NEAR, inputs


@pytest.mark.browser
@pytest.mark.parametrize("rule", ["as is", "YaRN", "only the end"])
def test_page_goes_on_as_torch_does(rule: str, in_page: Callable[[dict], Numbers]) -> None:
    inputs = BreakItsMemory().inputs | {"length": 100, "go_on": True, "rule": rule}
    expected = in_torch(BreakItsMemory, "cpu", inputs)["written"]
    assert in_page(inputs)["written"].tolist() == expected.tolist()
