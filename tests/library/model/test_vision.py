"""VisionTransformer: bags of patches, grids, and pictures of other sizes."""

import copy
import pickle
import re

import pytest
import torch
from torch.nn import functional as F

from pe_lib import (
    VisionTransformer,
    available_devices,
)
from tests.helpers import compiled

TOLD = ["learned", "sinusoidal2d", "rope1d", "rope2d", "mixed"]
KINDS = ["none", *TOLD]
SIZES = {"dim": 24, "num_layers": 2, "num_heads": 3, "image_size": 8, "patch_size": 2}


def vit(position, seed=0, **options):
    """A small model whose positions have been drawn at random, as if they had been trained."""
    torch.manual_seed(seed)
    model = VisionTransformer(10, **(SIZES | options), position=position)
    for name, parameter in model.named_parameters():
        if "position" in name:
            parameter.data += 0.5 * torch.randn_like(parameter)
    return model


def images(height=8, width=8, channels=1):
    return torch.rand(3, channels, height, width, generator=torch.Generator().manual_seed(1))


def close(result, expected, atol=1e-5):
    torch.testing.assert_close(result, expected, rtol=0, atol=atol)


def swapped(pictures):
    """The same patches of 2 x 2 pixels, two of them swapped."""
    other = pictures.clone()
    other[..., 0:2, 0:2], other[..., 4:6, 2:4] = pictures[..., 4:6, 2:4], pictures[..., 0:2, 0:2]
    return other


def test_all_kinds_are_tested():
    with pytest.raises(ValueError) as caught:
        vit("no such kind")
    assert sorted(re.findall(r"'(\w+)'", str(caught.value))) == sorted(KINDS)


@pytest.mark.parametrize("position", KINDS)
def test_one_seed_gives_the_same_weights_but_for_the_positions(position):
    torch.manual_seed(0)
    none = VisionTransformer(10, **SIZES)
    torch.manual_seed(0)
    weights = VisionTransformer(10, **SIZES, position=position).state_dict()
    for name, weight in none.state_dict().items():
        assert torch.equal(weights.pop(name), weight)
    assert all("position" in name for name in weights)
    assert bool(weights) == (position in ["learned", "mixed"])


def test_patches_are_cut_row_by_row_and_their_mean_is_classified():
    model, pictures = vit("none", channels=3), images(channels=3)
    rows = []
    for top in range(0, 8, 2):
        for left in range(0, 8, 2):
            patch = pictures[:, :, top : top + 2, left : left + 2]
            rows.append(model.embedding(patch.flatten(1)))
    x = torch.stack(rows, dim=1)
    for block in model.blocks:
        x = block(x)
    x = F.layer_norm(x, (24,)).mean(dim=1)
    close(model(pictures), x @ model.head.weight.T + model.head.bias, atol=1e-6)
    assert not any(block.attention.causal for block in model.blocks)


@pytest.mark.parametrize("position", KINDS)
def test_a_bag_of_patches_unless_it_is_told_where_they_are(position):
    model, pictures = vit(position), images()
    difference = (model(swapped(pictures)) - model(pictures)).abs().max()
    if position == "none":
        assert difference <= 1e-6
    else:
        assert difference > 1e-4


@pytest.mark.parametrize("position", KINDS)
def test_no_pictures_have_no_classes(position):
    assert vit(position)(images()[:0]).shape == (0, 10)


@pytest.mark.parametrize("position", KINDS)
@pytest.mark.parametrize("size", [(12, 8), (16, 16), (2, 4)], ids=str)
def test_pictures_of_other_sizes(position, size):
    model, pictures = vit(position), images(*size)
    if position != "learned":
        assert model(pictures).isfinite().all()
        return
    with pytest.raises(ValueError) as caught:
        model(pictures)
    came = size[0] // 2, size[1] // 2
    expected = "(4, 4) patches (position='learned'), or resized=True"
    assert str(caught.value) == f"images: expected {expected}, got {came}"


@pytest.mark.parametrize("position", KINDS)
def test_at_its_own_size_a_resized_picture_is_the_picture(position):
    model, pictures = vit(position), images()
    assert torch.equal(model(pictures, resized=True), model(pictures))


@pytest.mark.parametrize("position", KINDS)
@pytest.mark.parametrize("size", [(16, 16), (12, 8), (8, 10), (4, 6)], ids=str)
def test_a_resized_picture_has_other_positions(position, size):
    model, pictures = vit(position), images(*size)
    resized = model(pictures, resized=True)
    assert resized.isfinite().all()
    if position == "none":
        assert torch.equal(resized, model(pictures))
    elif position != "learned":
        assert (resized - model(pictures)).abs().max() > 1e-5


@pytest.mark.parametrize("position", ["none", "rope2d", "mixed", "sinusoidal2d"])
def test_an_even_picture_is_the_same_at_every_resolution_when_resized(position):
    """Its positions then reach from edge to edge of the grid of the training, and not beyond."""
    model, black = vit(position), torch.ones(1, 1, 8, 8)
    expected = model(black)
    larger = torch.ones(1, 1, 64, 64)
    resized, continued = model(larger, resized=True), model(larger)
    assert (resized - expected).abs().max() < 0.1 * max((continued - expected).abs().max(), 1e-4)


@pytest.mark.parametrize("position", KINDS)
def test_gradients_reach_every_parameter(position):
    model = vit(position)
    F.cross_entropy(model(images()), torch.tensor([1, 2, 3])).backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad.isfinite().all(), name
        assert parameter.grad.any(), name


@pytest.mark.parametrize("position", KINDS)
def test_half_precision_copies_and_devices(position):
    model, pictures = vit(position), images()
    expected = model(pictures)
    finer = images(16, 12)
    for other in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert torch.equal(other(pictures), expected)
    for device in [*available_devices(), "meta"]:
        result = copy.deepcopy(model).to(device)(pictures.to(device))
        assert (result.device.type, result.shape) == (device, (3, 10))
        result = copy.deepcopy(model).to(device)(finer.to(device), resized=True)
        assert (result.device.type, result.shape) == (device, (3, 10))
    half = copy.deepcopy(model).to(torch.bfloat16)(pictures.bfloat16())
    assert half.dtype == torch.bfloat16
    assert (half - expected).abs().mean() < 0.02
    half = copy.deepcopy(model).to(torch.bfloat16)(finer.bfloat16(), resized=True)
    assert (half - model(finer, resized=True)).abs().mean() < 0.02
    close(copy.deepcopy(model).double()(pictures.double()), expected.double())


@pytest.mark.usefixtures("without_shape_checks")
@pytest.mark.parametrize("position", KINDS)
def test_compiles_to_one_graph_at_its_own_size(position):
    """At other sizes too: see tests/library/modes."""
    model, pictures = vit(position, num_layers=1), images()
    close(compiled(model)(pictures), model(pictures), atol=1e-6)


@pytest.mark.parametrize(
    ("position", "dim", "heads", "width", "parts"),
    [
        ("sinusoidal2d", 18, 3, 18, 4),
        ("rope1d", 9, 3, 3, 2),
        ("rope2d", 18, 3, 6, 4),
        ("mixed", 20, 2, 10, 4),
    ],
)
def test_features_have_to_be_shared_out(position, dim, heads, width, parts):
    sizes = SIZES | {"dim": dim, "num_heads": heads}
    VisionTransformer(10, **sizes)
    with pytest.raises(ValueError) as caught:
        VisionTransformer(10, **sizes, position=position)
    assert str(caught.value) == (
        f"dim: expected features divisible by {parts} for position='{position}', got {width} "
        f"(dim = {dim}, num_heads = {heads})"
    )
