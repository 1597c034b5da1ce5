"""The page's language model gives what pe_lib's gives: in Node, with all kinds and rules."""

import base64
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from pe_lib.experiments.extrapolation.reading import attention_of, read
from pe_lib.experiments.extrapolation.trained import KINDS, file_of, trained_model
from pe_lib.figures.base import HERE as FIGURES
from pe_lib.figures.scripts import joined
from tests.figures.language_model.support import IN_THE_PAGE, NEAR, TEXT, in_torch
from tests.helpers import cannot_run

pytestmark = pytest.mark.usefixtures("without_shape_checks")
HERE = Path(__file__).parent
SCRIPT = FIGURES / "page" / "language_model" / "reading.js"
WAYS = [(kind, "as is") for kind in KINDS] + [("rope", rule) for rule in IN_THE_PAGE]


def ask(file: bytes, *questions: dict[str, Any]) -> list[dict[str, Any]]:
    """The answers of the page's model with these weights."""
    node = shutil.which("node")
    if node is None:
        cannot_run("Node is not installed (on Debian and Ubuntu: apt install nodejs)")
    program = (HERE / "in_node.js").read_text("utf-8")
    weights = base64.b64encode(file).decode()
    asked = json.dumps({"script": joined(SCRIPT), "file": weights, "questions": questions})
    command = [node, "--input-type=module", "--eval", program]
    run = subprocess.run(command, input=asked, capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


def numbers(text: str, dtype: torch.dtype = torch.float32) -> Tensor:
    return torch.frombuffer(bytearray(base64.b64decode(text)), dtype=dtype)


def question(what: str, rule: str = "as is", **more: Any) -> dict[str, Any]:
    whole = {"bytes": list(TEXT), "parts": [[0, 512]], "rule": rule, "length": 512}
    return {"what": what, **whole, **more}


@pytest.mark.parametrize(("kind", "rule"), WAYS)
def test_logits_of_512_bytes(kind: str, rule: str) -> None:
    parts = [[0, 100], [100, 101], [101, 500], [300, 302], [302, 512]]
    whole, grown = ask(
        file_of(kind).read_bytes(),
        question("logits", rule),
        question("logits", rule, parts=parts),
    )
    with torch.no_grad():
        expected = in_torch(kind, rule, 512)(torch.tensor([list(TEXT)]))[0]  # (512, 256)
    found = numbers(whole["answer"]).view(512, 256)
    assert (found - expected).abs().max() < NEAR
    assert (numbers(grown["answer"]).view(512, 256) - found).abs().max() < 1e-4


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("only_the_end", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_what_a_figure_shows(kind: str, only_the_end: bool) -> None:
    positions, model = [0, 63, 64, 191, 192, 399], trained_model(kind)
    text = TEXT[:400]
    asked = {"bytes": list(text), "positions": positions, "onlyTheEnd": only_the_end}
    parts = [[0, 130], [130, 131], [131, 350], [129, 192], [64, 400]]
    answers = ask(
        file_of(kind).read_bytes(),
        question("reading", **asked, parts=[[0, 400]]),
        question("reading", **asked, parts=parts),
    )
    expected = read(model, text, only_the_end=only_the_end)
    for one in (answer["answer"] for answer in answers):
        losses = numbers(one["losses"])
        assert losses[0].isnan() and expected.losses[0].isnan()
        assert (losses - expected.losses)[1:].abs().max() < NEAR
        assert (numbers(one["probabilities"]) - expected.probabilities.flatten()).abs().max() < NEAR
        named = numbers(one["likeliest"], torch.uint8).view(400, 5)
        # Where two are equally likely, either may come first.
        apart = -expected.probabilities.diff(dim=1).min(dim=1).values > 1e-5
        assert torch.equal(named[apart], expected.likeliest.to(torch.uint8)[apart])
        for position, weights in zip(positions, one["attention"], strict=True):
            where = attention_of(model, text, position, only_the_end=only_the_end)
            assert (numbers(weights).view_as(where) - where).abs().max() < 1e-4, position


def test_only_the_end_are_the_strided_windows() -> None:
    """The same numbers as in the tables: of each window, alone, the second half."""
    model, tokens = trained_model(), torch.tensor([list(TEXT)])
    found = read(model, TEXT, only_the_end=True).losses
    for start in range(0, 512 - 128, 64):
        with torch.no_grad():
            logits = model(tokens[:, start : start + 128])[0]
        losses = torch.nn.functional.cross_entropy(
            logits[64:-1], tokens[0, start + 65 : start + 128], reduction="none"
        )
        assert torch.allclose(found[start + 65 : start + 128], losses, atol=1e-4)


def test_a_file_that_is_no_model_is_refused() -> None:
    whole = file_of("rope").read_bytes()
    for bad in (b"", b"12345678", whole[:5000], whole[:-1], whole + b"\0", b"<!DOCTYPE html>" * 9):
        [answer] = ask(bad, question("logits"))
        expected = "weights: expected a whole safetensors file"
        assert answer == {"error": f"{expected}, got {len(bad)} bytes that are none"}
    [answer] = ask(whole.replace(b'"I8"', b'"U8"', 1), question("logits"))
    assert "as 16384 numbers of dtype F32 or I8, got 16384 of U8" in answer["error"]


def test_rules_and_positions_that_there_are_not() -> None:
    rules = "as is, interpolation, NTK, YaRN, Llama 3"
    rope, far = ask(
        file_of("rope").read_bytes(),
        question("logits", "longrope"),
        question("reading", parts=[[0, 9]], positions=[9]),
    )
    [alibi] = ask(file_of("alibi").read_bytes(), question("logits", "YaRN"))
    assert rope == {"error": f"rule: expected one of {rules} for rope, got longrope"}
    assert alibi == {"error": "rule: expected one of as is for alibi, got YaRN"}
    assert far == {"error": "position: expected 0 to 8, got 9"}
