"""How well a model reads pictures: against the plainest way to count the same."""

import math

import pytest
import torch

from pe_lib.experiments import digits, letters
from pe_lib.experiments.pictures import enlarged
from pe_lib.experiments.resolutions import measuring
from pe_lib.experiments.resolutions.measuring import WAYS, measure, pictures_for, read, ways_of
from pe_lib.experiments.resolutions.setting import POSITIONS, SIZES
from pe_lib.model import VisionTransformer
from tests.experiments.resolutions.conftest import EXPERIMENT


class Sure(VisionTransformer):
    """Says class 0 with probability 1/2 for pictures without resizing, class 1 with it."""

    def __init__(self) -> None:
        super().__init__(10, 2, 1, 1, image_size=8, patch_size=1)

    def forward(self, images, *, resized=False):
        logits = torch.full((len(images), 10), math.log(0.5 / 9))
        logits[:, int(resized)] = math.log(0.5)
        return logits


@pytest.mark.parametrize("count", [1, 4, 9])
def test_shares_and_losses_are_counted_over_all_pictures(count, monkeypatch):
    monkeypatch.setattr(measuring, "AT_ONCE", count)  # the last part may be smaller
    pictures = torch.zeros(9, 1, 8, 8), torch.tensor([0, 0, 1, 2, 0, 1, 0, 0, 9])
    for resized, right in ((False, 5), (True, 2)):
        accuracy, loss = read(Sure(), pictures, resized=resized)
        assert accuracy == pytest.approx(right / 9)
        expected = -(right * math.log(0.5) + (9 - right) * math.log(0.5 / 9)) / 9
        assert loss == pytest.approx(expected, abs=1e-6)


@pytest.mark.usefixtures("few_pictures")
@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("source", [digits, letters], ids=["digits", "letters"])
def test_every_size_is_measured_in_every_way(run_of, position, source):
    model = EXPERIMENT.new_model(run_of(position))
    found = measure(model, position, source)
    assert tuple(found) == ways_of(position, source)
    assert all(tuple(by_size) == SIZES for by_size in found.values())
    for way, by_size in found.items():
        images, labels = source.unseen_pictures(8 if way == "enlarged" else 12)
        logits = model(enlarged(images, 12), resized=way != "continued")
        right = (logits.argmax(1) == labels).sum().item() / 5
        loss = torch.nn.functional.cross_entropy(logits, labels).item()
        assert by_size[12] == pytest.approx((right, loss), abs=1e-5)


def test_a_learned_table_cannot_be_continued(run_of):
    assert [p for p in POSITIONS if ways_of(p, letters) != WAYS] == ["learned"]
    with pytest.raises(ValueError, match="position='learned'"):
        EXPERIMENT.new_model(run_of("learned"))(torch.zeros(1, 1, 12, 12))


def test_pictures_are_read_with_their_own_detail_or_without():
    small, labels = letters.unseen_pictures(8)
    for way, alike in (("resized", False), ("continued", False), ("enlarged", True)):
        large, same_labels = pictures_for(way, 24, letters)
        assert torch.equal(labels, same_labels)
        assert torch.equal(large, enlarged(small, 24)) is alike
    small, _ = digits.unseen_pictures(8)
    assert torch.equal(pictures_for("resized", 24, digits)[0], enlarged(small, 24))
