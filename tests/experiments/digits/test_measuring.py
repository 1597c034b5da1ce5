"""How well a model reads pictures: against the plainest way to count the same."""

import math

import pytest
import torch

from pe_lib.experiments.digits import measuring
from pe_lib.experiments.digits.measuring import WAYS, measure, read, ways_of
from pe_lib.experiments.digits.setting import POSITIONS, SIZES
from pe_lib.experiments.pictures import enlarged, unseen_pictures
from pe_lib.model import VisionTransformer
from tests.experiments.digits.conftest import EXPERIMENT


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
def test_every_size_is_measured_in_every_way(run_of, position):
    model = EXPERIMENT.new_model(run_of(position))
    found = measure(model, position)
    assert tuple(found) == ways_of(position)
    assert all(tuple(by_size) == SIZES for by_size in found.values())
    images, labels = (part[:5] for part in unseen_pictures())
    for way, by_size in found.items():
        logits = model(enlarged(images, 12), resized=way == "resized")
        right = (logits.argmax(1) == labels).sum().item() / 5
        loss = torch.nn.functional.cross_entropy(logits, labels).item()
        assert by_size[12] == pytest.approx((right, loss), abs=1e-5)


def test_a_learned_table_cannot_be_counted_on(run_of):
    assert [p for p in POSITIONS if ways_of(p) != WAYS] == ["learned"]
    with pytest.raises(ValueError, match="position='learned'"):
        EXPERIMENT.new_model(run_of("learned"))(torch.zeros(1, 1, 12, 12))
