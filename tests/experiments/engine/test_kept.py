"""What a run leaves in its folder, broken in every way: each is named, with what to do."""

import json
import pickle
from pathlib import Path

import pytest
import torch

from pe_lib.experiments.engine.kept import (
    BEGIN_AGAIN,
    DO_AGAIN,
    Damaged,
    read_checkpoint,
    read_result,
    write_checkpoint,
    write_result,
)

STATE = {
    "identity": {"seed": 0},
    "made_with": {"device": "cpu"},
    "model": {"weight": torch.linspace(0, 1, 5000)},
    "optimizer": {"state": {}},
    "step": 3,
    "seconds": 1.5,
}
RESULT = {"run": "small-rope", "identity": {"seed": 0}, "losses": {128: [1.5, 1.25]}}


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    path = tmp_path / "trained" / "small-rope.pt"
    write_checkpoint(path, STATE)
    return path


@pytest.fixture
def result(tmp_path: Path) -> Path:
    path = tmp_path / "seeds" / "small-rope.json"
    write_result(path, RESULT)
    return path


def test_what_is_written_is_read(checkpoint, result):
    found = read_checkpoint(checkpoint)
    assert torch.equal(found.pop("model")["weight"], STATE["model"]["weight"])
    assert found == {name: value for name, value in STATE.items() if name != "model"}
    assert read_result(result) == json.loads(json.dumps(RESULT))


def refused(read, path: Path, remedy: str) -> str:
    with pytest.raises(Damaged) as caught:
        read(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: expected ") and message.endswith(f"({remedy})")
    return message


@pytest.mark.parametrize("kept", [0, 1, 100, 0.5, -1])
def test_a_checkpoint_that_is_cut_off_is_named(checkpoint, kept):
    whole = checkpoint.read_bytes()
    checkpoint.write_bytes(whole[: int(kept * len(whole)) if isinstance(kept, float) else kept])
    message = refused(read_checkpoint, checkpoint, BEGIN_AGAIN)
    assert "cut off, or another file" in message


def test_every_flipped_bit_of_the_weights_is_found(checkpoint):
    whole = bytearray(checkpoint.read_bytes())
    weights = STATE["model"]["weight"].numpy().tobytes()
    first = bytes(whole).index(weights)
    for place in range(first, first + len(weights), 997):
        whole[place] ^= 1
        checkpoint.write_bytes(whole)
        assert "changed in" in refused(read_checkpoint, checkpoint, BEGIN_AGAIN)
        whole[place] ^= 1


@pytest.mark.parametrize(
    "other", [b"not a checkpoint", pickle.dumps(STATE["identity"]), b"PK\x03\x04", b"{}"]
)
def test_another_file_in_the_place_of_a_checkpoint_is_named(checkpoint, other):
    checkpoint.write_bytes(other)
    assert f"{len(other)} bytes that are none" in refused(read_checkpoint, checkpoint, BEGIN_AGAIN)


def test_a_checkpoint_of_another_form_is_named(checkpoint):
    for name in STATE:
        write_checkpoint(checkpoint, {key: value for key, value in STATE.items() if key != name})
        assert f"a checkpoint with {name!r}" in refused(read_checkpoint, checkpoint, BEGIN_AGAIN)
    write_checkpoint(checkpoint, STATE | {"made_with": {}})
    assert "with 'device'" in refused(read_checkpoint, checkpoint, BEGIN_AGAIN)
    torch.save([1, 2], checkpoint)
    assert "got a list" in refused(read_checkpoint, checkpoint, BEGIN_AGAIN)
    torch.save(torch.nn.Linear(2, 2), checkpoint)  # which could hold any code
    assert "another file" in refused(read_checkpoint, checkpoint, BEGIN_AGAIN)


@pytest.mark.parametrize("text", ["", "{", "[1]", "null", "{}", '{"run": "small-rope"}'])
def test_a_result_that_is_cut_off_or_of_another_form_is_named(result, text):
    result.write_text(text)
    refused(read_result, result, DO_AGAIN)


def test_a_result_that_was_changed_is_named(result):
    text = result.read_text("utf-8")
    for old, new in (("1.5", "1.4"), ("128", "129"), ("rope", "nope")):
        result.write_text(text.replace(old, new), "utf-8")
        assert "changed later" in refused(read_result, result, DO_AGAIN)
    result.write_bytes(text.encode().replace(b"rope", b"\xff\xfe\xfd\xfc"))
    assert "no JSON" in refused(read_result, result, DO_AGAIN)


def test_a_result_without_end_is_not_written(tmp_path):
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_result(tmp_path / "a.json", RESULT | {"losses": [float("nan")]})
    assert list(tmp_path.iterdir()) == []
