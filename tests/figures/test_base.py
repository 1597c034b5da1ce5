"""What every live figure does alike, in Python."""

import json
import math
import re

import pytest
import torch
import traitlets
from torch import Tensor

from pe_lib.common.devices import available_devices
from pe_lib.figures import Figure, SinusoidalTable
from pe_lib.figures.base import pack
from pe_lib.figures.controls import check_input, choice, several, slider, toggle
from tests.figures.every import each_figure

VIEW = "application/vnd.jupyter.widget-view+json"


class Doubled(Figure):
    """A figure with one input of every kind.

    It counts how often it computes.
    """

    _esm = "export default {}"
    question = "Is 1 < 2 & 3?"
    summary = "A <number>, doubled."
    computed = 0

    size = slider(3, 1, 9, label="size", unit="things")
    share = slider(0.5, 0.0, 1.0, step=0.1, label="share")
    whole = toggle(True, label="whole")
    kind = choice("a", {"a": "first", "b": "second"}, label="kind")
    some = several("b a", {"a": "first", "b": "second", "c": "third"}, most=2, label="some")

    @staticmethod
    def compute(device: str, *, size: int, share: float, whole: bool, kind: str, some: str) -> dict:
        Doubled.computed += 1
        if size == 7:
            raise ValueError("size: expected no 7, got 7")
        return {"values": 2 * torch.arange(size, device=device), "share": 2 * share}


def unpack(value: dict | float) -> Tensor | float:
    """What the page reads out of one value of the message."""
    if not isinstance(value, dict):
        return value
    shape, data = value["shape"], bytearray(value["data"])
    dtype = torch.float32 if len(data) == 4 * math.prod(shape) else torch.float64
    return torch.frombuffer(data, dtype=dtype).view(shape).double()


@each_figure
def test_outputs_are_the_same_in_every_kernel(figure: type[Figure]) -> None:
    first, second = (figure()._repr_mimebundle_()[0] for _ in range(2))
    assert first["text/html"] == second["text/html"]
    assert first["text/plain"] == second["text/plain"]
    assert not re.search(r"0x|[0-9a-f]{16}|IPY", first["text/html"] + first["text/plain"])
    assert first[VIEW]["model_id"] != second[VIEW]["model_id"]


@each_figure
def test_the_page_finds_what_it_needs(figure: type[Figure]) -> None:
    shown = figure()
    place = shown.static_html()
    assert f'class="pe-figure" data-module="{figure.__name__}"' in place
    inputs = re.search(r'data-inputs="([^"]*)"', place)[1].replace("&quot;", '"')
    assert json.loads(inputs) == shown.inputs
    assert "export default figure(" in figure._esm
    assert ".pe-root" in figure._css


@each_figure
def test_it_is_written_as_it_is_made(figure: type[Figure]) -> None:
    shown = figure()
    assert eval(repr(shown), {figure.__name__: figure}).inputs == shown.inputs


@each_figure
def test_every_default_can_be_drawn(figure: type[Figure]) -> None:
    result = figure()._result
    assert "error" not in result
    for name, value in result["values"].items():
        packed = value if isinstance(value, dict) else {"shape": [], "data": bytes(8)}
        count = torch.Size(packed["shape"]).numel()
        assert len(packed["data"]) in (4 * count, 8 * count), name


@each_figure
def test_the_still_picture_is_drawn_with_inputs_of_the_figure(figure: type[Figure]) -> None:
    for name, value in figure.still.items():
        check_input(name, value, figure.controls()[name])


def test_html_is_escaped() -> None:
    place = Doubled().static_html()
    assert "Is 1 &lt; 2 &amp; 3?" in place
    assert "A &lt;number&gt;, doubled." in place


def test_controls_keep_their_order_and_a_subclass_adds_its_own() -> None:
    class More(Doubled):
        _esm = Doubled._esm
        extra = toggle(False, label="extra")

    assert list(Doubled.controls()) == ["size", "share", "whole", "kind", "some"]
    assert list(More.controls()) == ["size", "share", "whole", "kind", "some", "extra"]
    assert Doubled.controls()["size"]["unit"] == "things"


def test_the_module_stands_beside_the_class() -> None:
    assert "paintHeatMap(canvas, table" in SinusoidalTable._esm
    with pytest.raises(FileNotFoundError, match=r"test_base\.js"):

        class Nowhere(Figure):
            question = summary = ""


def test_a_figure_asks_where_its_class_says_so() -> None:
    class Asking(Doubled):
        _esm = Doubled._esm
        asks = True

    assert Asking()._asks
    assert not Doubled()._asks


def test_an_unknown_input_is_named() -> None:
    with pytest.raises(TypeError, match="Doubled has no input 'sise', only: size, share"):
        Doubled(sise=4)


def test_an_input_of_the_wrong_type_is_refused() -> None:
    with pytest.raises(traitlets.TraitError, match="size"):
        Doubled(size="many")


def test_inputs_are_traits() -> None:
    first, second = Doubled(size=2), Doubled()
    seen = []
    first.observe(lambda change: seen.append(change["new"]), "size")
    traitlets.link((first, "size"), (second, "size"))
    second.size = 5
    assert seen == [5]
    for shown in (first, second):
        assert shown._result["inputs"]["size"] == 5
        assert unpack(shown._result["values"]["values"]).tolist() == [0, 2, 4, 6, 8]


def test_one_message_with_several_inputs_computes_once() -> None:
    shown = Doubled()
    before = Doubled.computed
    shown.set_state({"size": 4, "share": 0.25, "whole": False})
    assert Doubled.computed == before + 1
    assert shown._result["inputs"] == {**shown.inputs, "device": "cpu"}
    assert shown._result["values"]["share"] == 0.5


def test_a_question_is_answered_with_the_numbers_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Doubled()
    sent: list[dict] = []
    monkeypatch.setattr(shown, "_send", lambda message, buffers=None: sent.append(message))
    question = {**shown.inputs, "size": 4, "share": 0.25, "device": "cpu"}
    before = Doubled.computed
    shown._handle_custom_msg({"inputs": question, "near": False}, [])
    assert Doubled.computed == before + 1
    assert [list(message["state"]) for message in sent] == [["_result"]]
    assert sent[0]["state"]["_result"]["inputs"] == question


def test_the_shortest_answer_is_not_held_back_on_its_way(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Doubled(size=2)
    sent: list[tuple[dict, int]] = []
    monkeypatch.setattr(
        shown, "_send", lambda m, buffers=None: sent.append((m, sum(map(len, buffers or []))))
    )
    for size, near in ((1, True), (2, False)):
        shown._handle_custom_msg({"inputs": {"size": size}, "near": near}, [])
    (answer, size), (fill, behind), (far, far_size) = sent
    assert "_result" in answer["state"] and size < 100
    assert fill["method"] == "custom"
    assert behind > 65483  # the most that a packet of the loopback network carries
    assert "_result" in far["state"] and far_size < 100, "to elsewhere goes nothing but the numbers"


@pytest.mark.parametrize(("large", "used"), [(False, 1), (True, 2)])
@pytest.mark.parametrize("fails", [False, True])
def test_small_tensors_wait_for_no_other_thread(
    monkeypatch: pytest.MonkeyPatch, large: bool, used: int, fails: bool
) -> None:
    threads = []

    def compute(device: str, **inputs: object) -> dict:
        threads.append(torch.get_num_threads())
        if fails:
            raise ValueError("size: expected another")
        return {"values": torch.zeros(1)}

    monkeypatch.setattr(Doubled, "compute", staticmethod(compute))
    monkeypatch.setattr(Doubled, "large", large)
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        Doubled()
        assert (threads, torch.get_num_threads()) == ([used], 2)
    finally:
        torch.set_num_threads(before)


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"size": 10}, "size: this figure draws 1 to 9, got 10"),
        ({"size": 0}, "size: this figure draws 1 to 9, got 0"),
        ({"share": 1.5}, "share: this figure draws 0 to 1, got 1.5"),
        ({"share": float("nan")}, "share: this figure draws 0 to 1, got nan"),
        ({"kind": "c"}, "kind: expected one of a, b, got c"),
        *(
            ({"some": some}, f"some: expected 1 to 2 of a, b, c, each once, got {some}")
            for some in ("", "d", "a d", "a a", "a b c", "a  b")
        ),
        ({"size": 7}, "size: expected no 7, got 7"),
        ({"device": "abacus"}, f"device: expected one of {', '.join(available_devices())}, "),
    ],
)
def test_impossible_settings_are_answered_with_words(inputs: dict, message: str) -> None:
    shown = Doubled(**inputs)
    assert shown._result["error"].startswith(message)
    assert "values" not in shown._result
    for name, value in {**Doubled().inputs, "device": "cpu"}.items():
        setattr(shown, name, value)
    assert "error" not in shown._result


def test_a_fault_of_the_figure_is_not_hidden() -> None:
    class Broken(Doubled):
        _esm = Doubled._esm

        @staticmethod
        def compute(device: str, **inputs: object) -> dict:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Broken()


def test_the_devices_to_choose_from_are_those_present() -> None:
    device = Doubled()._controls[-1]
    assert device["name"] == "device"
    assert list(device["options"]) == available_devices()


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.int64, torch.bool])
def test_numbers_arrive_as_they_were(dtype: torch.dtype) -> None:
    value = torch.tensor([[0.0, 1.0, -2.5], [3e-9, 0.1, 7.0]]).T.to(dtype)  # not contiguous
    packed = pack(value)
    assert packed["shape"] == [3, 2]
    assert len(packed["data"]) == 6 * (4 if dtype == torch.float32 else 8)
    assert torch.equal(unpack(packed), value.double())
    assert pack(3) == 3.0
    assert pack(value[1, 1]) == value[1, 1].item()


def test_check_input_takes_the_ends() -> None:
    control = Doubled.controls()["share"]
    for value in (0, 1, 0.0, 1.0):
        check_input("share", value, control)
