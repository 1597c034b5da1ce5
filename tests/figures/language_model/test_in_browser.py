"""The page's language model in a page that is opened from disk: its worker, and what it loads."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from playwright.sync_api import Browser, Page
from torch import Tensor

from book.pe_book.language_model import script
from pe_lib.experiments.extrapolation.reading import attention_of, go_on, read
from pe_lib.experiments.extrapolation.trained import KINDS
from pe_lib.figures.base import HERE as FIGURES
from pe_lib.figures.scripts import joined
from tests.figures.language_model.support import IN_THE_PAGE, NEAR, TEXT, in_torch

pytestmark = pytest.mark.usefixtures("without_shape_checks")
SOURCE = (
    joined(FIGURES / "page" / "language_model" / "reader.js")
    + "\nexport { Reader, loadWeights };\n"
    + "export const { LanguageModel } = page_language_model_model;\n"
)
# As a page of the book has it: a module from a blob address, and where the book's files are.
HTML = """<!doctype html><html data-content_root="./"><meta charset="utf-8">{head}<script>
const blob = new Blob([{source}], {{ type: "text/javascript" }});
const loaded = import(URL.createObjectURL(blob));
const plain = (value) =>
  value?.buffer ? [...value] : value instanceof Object
    ? Object.fromEntries(Object.entries(value).map(([name, own]) => [name, plain(own)])) : value;
async function run(work, given) {{
  try {{
    return {{ answer: plain(await work(await loaded, given)) }};
  }} catch (error) {{
    return {{ error: error.message }};
  }}
}}
</script></html>"""
READ = """({ Reader }, { asked }) => {
  window.reader ??= new Reader();
  return window.reader.read({ ...asked, bytes: Uint8Array.from(asked.bytes) });
}"""
Run = Callable[..., Any]


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., tuple[Page, Run]]]:
    """A page from disk with the reader's script, and a function that runs JavaScript in it."""
    (tmp_path / "_static").mkdir()
    for kind in KINDS:
        (tmp_path / "_static" / f"pe-weights-{kind}.js").write_text(script(kind))
    page = browser.new_page()

    def open_it(head: str = "") -> tuple[Page, Run]:
        written = HTML.format(head=head, source=json.dumps(SOURCE).replace("</", "<\\/"))
        (tmp_path / "index.html").write_text(written, "utf-8")
        page.goto((tmp_path / "index.html").as_uri())
        return page, lambda work, **given: page.evaluate(f"(given) => run({work}, given)", given)

    yield open_it
    page.close()


def asked(kind: str = "rope", rule: str = "as is", text: bytes = TEXT, **more: Any) -> dict:
    whole = {"kind": kind, "rule": rule, "onlyTheEnd": False, "length": 512, "bytes": list(text)}
    return {"asked": whole | more}


def assert_as_in_torch(answer: dict[str, Any], kind: str, rule: str, text: bytes) -> None:
    expected = read(in_torch(kind, rule, 512), text)
    found = torch.tensor(answer["losses"][1:])
    assert (found - expected.losses[1:]).abs().max() < NEAR
    probabilities = torch.tensor(answer["likeliest"]["probabilities"])
    assert (probabilities - expected.probabilities.flatten()).abs().max() < NEAR


@pytest.mark.slow  # the same code in Node is compared in test_in_node.py
def test_logits_of_512_bytes(opened) -> None:
    _, run = opened()
    ways = [(kind, "as is") for kind in KINDS] + [("rope", rule) for rule in IN_THE_PAGE]
    work = """async ({ LanguageModel, loadWeights }, { kind, rule, bytes }) =>
      new LanguageModel(await loadWeights(kind), { rule, length: 512 }).extend(
        Uint8Array.from(bytes))"""
    for kind, rule in ways:
        found = run(work, kind=kind, rule=rule, bytes=list(TEXT))["answer"]
        with torch.no_grad():
            expected: Tensor = in_torch(kind, rule, 512)(torch.tensor([list(TEXT)]))[0]
        assert (torch.tensor(found).view(512, 256) - expected).abs().max() < NEAR, (kind, rule)


def test_a_worker_reads_and_weights_come_once_when_they_are_needed(opened) -> None:
    page, run = opened()
    requests: list[str] = []
    page.on("request", lambda request: requests.append(Path(request.url).name))
    run("() => 1")
    assert requests == []
    for rule in ("as is", "YaRN"):
        assert_as_in_torch(run(READ, **asked(rule=rule))["answer"], "rope", rule, TEXT)
    assert_as_in_torch(run(READ, **asked("alibi"))["answer"], "alibi", "as is", TEXT)
    weights = [name for name in requests if name.startswith("pe-")]
    assert weights == ["pe-weights-rope.js", "pe-weights-alibi.js"]
    assert len(page.workers) == 1
    model, text = in_torch("alibi", "as is", 512), TEXT
    where = run("() => window.reader.attention(200)")["answer"]
    expected = attention_of(model, text, 200)
    assert (torch.tensor(where).view_as(expected) - expected).abs().max() < 1e-4
    longer = run("() => window.reader.goOn(8, (now) => { window.newest = now.bytes.length; })")
    assert bytes(longer["answer"]["bytes"]) == text + go_on(model, text, 8)
    assert page.evaluate("window.newest") == len(text) + 8
    run("() => window.reader.close()")


@pytest.mark.parametrize(
    "head",
    [
        "<script>delete window.Worker</script>",
        """<meta http-equiv="Content-Security-Policy" content="worker-src 'none'">""",
        "<script>window.Worker = class { constructor() { throw Error('no') } }</script>",
    ],
    ids=["no workers", "refused", "forbidden"],
)
def test_without_a_worker_the_page_reads(opened, head: str) -> None:
    page, run = opened(head)
    assert_as_in_torch(run(READ, **asked(text=TEXT[:150]))["answer"], "rope", "as is", TEXT[:150])
    assert page.workers == []


def test_a_newer_question_overtakes_an_older_one(opened) -> None:
    _, run = opened()
    work = """async ({ Reader }, { questions }) => {
      const reader = new Reader();
      const seen = [];
      const all = questions.map((one, n) =>
        reader.read({ ...one, bytes: Uint8Array.from(one.bytes) }, () => seen.push(n)));
      const lengths = (await Promise.all(all)).map((one) => one && one.bytes.length);
      return { lengths, lastSeen: seen.at(-1) };
    }"""
    texts = [TEXT, TEXT[:300], TEXT[:40]]
    kinds = ["rope", "none", "rope"]
    questions = [asked(kind, text=text)["asked"] for kind, text in zip(kinds, texts, strict=True)]
    found = run(work, questions=questions)["answer"]
    assert found == {"lengths": {"0": None, "1": None, "2": 40}, "lastSeen": 2}


def test_weights_that_are_not_there_are_said_to_be_missing(opened, tmp_path: Path) -> None:
    _, run = opened()
    path = tmp_path / "_static" / "pe-weights-rope.js"
    path.rename(path.with_suffix(".away"))
    said = "The trained model could not be loaded. Check your connection, and try again."
    assert run(READ, **asked()) == {"error": said}
    path.with_suffix(".away").rename(path)
    text = TEXT[:50]
    assert_as_in_torch(run(READ, **asked(text=text))["answer"], "rope", "as is", text)
    run("() => { delete document.documentElement.dataset.content_root; }")
    assert "in a notebook" in run(READ, **asked("none"))["error"]
    refused = run(READ, **asked("alibi", "YaRN"))
    assert "in a notebook" in refused["error"]
