"""Rotation by coordinates, as published models for pictures and video do it.

Where Hugging Face transformers has the model, its own code is the other side, at the model's own
sizes; FLUX.1 and CogVideoX, which it lacks, are written anew from what their code does. Missing on
purpose is V-JEPA 2: as shipped, it turns the pairs (0, 1), (2, 3), ... with angles laid out for
half-split pairs, so the two features of a pair turn by different angles, and that is no rotation.
"""

import math
from importlib import import_module

import numpy as np
import pytest
import torch
import transformers
from transformers.vision_utils import get_vision_position_ids

from pe_lib import apply_rotary, axial_rotary_cos_sin, nd_rotary_cos_sin
from tests.helpers import randn

# The models' angles are float32: at most 40 positions, each angle wrong by some 2^-24 of it.
TABLES = {"rtol": 0, "atol": 5e-6}
ROTATED = {"rtol": 0, "atol": 2e-5}


def modeling(name):
    return import_module(f"transformers.models.{name}.modeling_{name}")


def grid(*axes):
    """All coordinates of a grid, (places, axes), the last axis fastest."""
    axes = [torch.as_tensor(axis, dtype=torch.float64) for axis in axes]
    return torch.stack(torch.meshgrid(*axes, indexing="ij"), dim=-1).flatten(0, -2)


def assert_same_tables(ours, theirs):
    for own, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(own, other, **TABLES)


def queries_and_keys(*shape):
    return randn(2, *shape, dtype=torch.float32).unbind(0)


def assert_same_rotation(ours, theirs):
    for own, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(own, other, **ROTATED)


def test_pixtral():
    """The model itself says where the patches of two pictures are; columns turn at odd steps."""
    pixtral = modeling("pixtral")
    config = transformers.PixtralVisionConfig(num_hidden_layers=0)
    model, seen = pixtral.PixtralVisionModel(config).eval(), []
    model.patch_positional_embedding.register_forward_hook(
        lambda module, given, tables: seen.append((*given, *tables))
    )
    with torch.no_grad():
        model(torch.zeros(2, 3, 80, 144), image_sizes=torch.tensor([[80, 144], [48, 32]]))
    [(_, places, cos, sin)] = seen
    expected = torch.cat((grid(range(5), range(9)), grid(range(3), range(2))))
    assert torch.equal(places.double(), expected)

    dim, theta = config.head_dim, config.rope_parameters["rope_theta"]
    coordinates = expected * torch.tensor([1, theta ** (-2 / dim)])
    tables = nd_rotary_cos_sin(coordinates, (dim // 2, dim // 2), theta)
    assert_same_tables(tables, (cos[:, : dim // 2], sin[:, : dim // 2]))
    q, k = queries_and_keys(1, 16, len(expected), dim)
    theirs = pixtral.apply_rotary_pos_emb(q, k, cos, sin, unsqueeze_dim=0)
    assert_same_rotation((apply_rotary(x, *tables) for x in (q, k)), theirs)


@pytest.mark.parametrize("name", ["qwen2_vl", "qwen2_5_vl", "qwen3_vl"])
def test_the_vision_parts_of_qwen(name):
    """A video of 2 frames and a picture, in the models' order: by blocks of 2 x 2 patches."""
    qwen, kind = modeling(name), {"qwen2_vl": "Qwen2VL", "qwen2_5_vl": "Qwen2_5_VL"}
    kind = kind.get(name, "Qwen3VL")
    peer = getattr(qwen, f"{kind}VisionRotaryEmbedding")(getattr(qwen, f"{kind}VisionConfig")())
    places = get_vision_position_ids(torch.tensor([[2, 6, 8], [1, 4, 40]]), 2)
    assert places[:5].tolist() == [[0, 0], [0, 1], [1, 0], [1, 1], [0, 2]]  # (row, column)
    width = 2 * len(peer.inv_freq)
    tables = nd_rotary_cos_sin(places, (width, width))
    q, k = queries_and_keys(len(places), 16, 2 * width)
    their_cos, their_sin = peer(q, places)
    assert_same_tables(tables, (their_cos[:, :width], their_sin[:, :width]))
    theirs = qwen.apply_rotary_pos_emb_vision(q, k, their_cos, their_sin)
    assert_same_rotation((apply_rotary(x, *tables, seq_dim=-3) for x in (q, k)), theirs)


@pytest.mark.parametrize(("rows", "columns"), [(14, 14), (3, 40)])
def test_dinov3(rows, columns):
    """Its coordinates go from -1 to 1 whatever the picture's size; 5 tokens before stay as is."""
    dinov3, config = modeling("dinov3_vit"), transformers.DINOv3ViTConfig()
    pixels = torch.zeros(1, 3, 16 * rows, 16 * columns)
    their_cos, their_sin = dinov3.DINOv3ViTRopePositionEmbedding(config).eval()(pixels)
    y, x = ((2 * torch.arange(n).double() + 1) / n - 1 for n in (rows, columns))
    coordinates = 2 * math.pi * grid(y, x)
    tables = nd_rotary_cos_sin(coordinates, (32, 32), config.rope_theta)
    assert_same_tables(tables, (their_cos[:, :32], their_sin[:, :32]))
    q, k = queries_and_keys(1, 6, 5 + rows * columns, 64)
    theirs = dinov3.apply_rotary_pos_emb(q, k, their_cos, their_sin)
    ours = (torch.cat((x[..., :5, :], apply_rotary(x[..., 5:, :], *tables)), -2) for x in (q, k))
    assert_same_rotation(ours, theirs)


def test_the_vision_part_of_llama_4():
    """Column before row, counted from 1; the class token, which comes last, stands still."""
    llama4, config = modeling("llama4"), transformers.Llama4VisionConfig()
    freqs_cis = llama4.Llama4VisionRotaryEmbedding(config)(torch.zeros(1))
    side, dim = config.image_size // config.patch_size, 48
    theta = config.rope_parameters["rope_theta"]
    coordinates = torch.cat((grid(range(side), range(side)).flip(-1) + 1, torch.zeros(1, 2)))
    tables = nd_rotary_cos_sin(coordinates, (dim // 2, dim // 2), theta)
    assert_same_tables(tables, (freqs_cis[:, 0].real, freqs_cis[:, 0].imag))
    q, k = queries_and_keys(1, side**2 + 1, 16, dim)
    theirs = llama4.vision_apply_rotary_emb(q, k, freqs_cis)
    ours = (apply_rotary(x, *tables, interleaved=True, seq_dim=-3) for x in (q, k))
    assert_same_rotation(ours, theirs)
    as_a_grid = axial_rotary_cos_sin(side, side, dim, theta, offset=(1, 1))
    assert_same_tables(as_a_grid, (table[:-1] for table in tables))


def test_the_vision_part_of_gemma_4():
    """Column before row, and each axis is half-split within its own half of the head."""
    gemma, config = modeling("gemma4"), transformers.Gemma4VisionConfig()
    places = grid(range(40), range(3)).flip(-1)[None]
    q, k = queries_and_keys(1, 120, 4, config.head_dim)
    half, theta = config.head_dim // 2, config.rope_parameters["rope_theta"]
    their_cos, their_sin = gemma.Gemma4VisionRotaryEmbedding(config)(q, places)
    theirs = [gemma.apply_multidimensional_rope(x, their_cos, their_sin, places) for x in (q, k)]
    cos, sin = nd_rotary_cos_sin(places, (half, half), theta)
    tables = list(zip(cos.chunk(2, -1), sin.chunk(2, -1), strict=True))

    def rotated(x):
        parts = zip(x.chunk(2, -1), tables, strict=True)
        return torch.cat([apply_rotary(part, *own, seq_dim=-3) for part, own in parts], -1)

    assert_same_rotation(map(rotated, (q, k)), theirs)


def test_the_vision_part_of_minimax_m3():
    """Time, row and column, 26 features each of 80: the last two stay as they are."""
    minimax = modeling("minimax_m3_vl")
    peer = minimax.MiniMaxM3VLVisionRotaryEmbedding(minimax.MiniMaxM3VLVisionConfig())
    places = get_vision_position_ids(torch.tensor([[5, 6, 8], [1, 4, 40]]), 2, True)
    q, k = queries_and_keys(len(places), 16, 80)
    their_cos, their_sin = peer(q, places)
    tables = nd_rotary_cos_sin(places, (26, 26, 26))
    assert_same_tables(tables, (their_cos[:, :39], their_sin[:, :39]))
    theirs = minimax.apply_rotary_pos_emb_vision(q, k, their_cos, their_sin)
    assert_same_rotation((apply_rotary(x, *tables, seq_dim=-3) for x in (q, k)), theirs)


def turned(x, coordinates, dims):
    """Neighbouring features as complex numbers, times exp(i angle), one axis after the other."""
    pairs = x[..., 0::2] + 1j * x[..., 1::2]
    angles = np.concatenate(
        [
            np.outer(coordinates[:, axis], 10_000.0 ** (-np.arange(0, width, 2) / width))
            for axis, width in enumerate(dims)
        ],
        axis=-1,
    )
    pairs = pairs * np.exp(1j * angles)
    return np.stack((pairs.real, pairs.imag), axis=-1).reshape(x.shape)


def assert_turned(coordinates, dims):
    x = randn(2, 3, len(coordinates), sum(dims))  # (batch, heads, tokens, features)
    tables = nd_rotary_cos_sin(torch.as_tensor(coordinates), dims, dtype=torch.float64)
    ours = apply_rotary(x, *tables, interleaved=True)
    expected = torch.from_numpy(turned(x.numpy(), np.asarray(coordinates), dims))
    torch.testing.assert_close(ours, expected, rtol=0, atol=1e-12)


def test_flux():
    """The source: FluxPosEmbed and _prepare_latent_image_ids in huggingface/diffusers, which follow
    EmbedND in black-forest-labs/flux. Seven tokens of text come before the picture."""
    text = np.zeros((7, 3), dtype=int)
    picture = [(0, row, column) for row in range(9) for column in range(12)]
    assert_turned(np.concatenate((text, picture)), (16, 56, 56))


@pytest.mark.parametrize(("rows", "columns"), [(9, 12), (5, 12), (9, 7)])
def test_cogvideox(rows, columns):
    """The source: get_3d_rotary_pos_embed and get_resize_crop_region_for_grid in
    huggingface/diffusers. CogVideoX 1.0 lays a picture of another shape into the grid of training
    (here 9 x 12) as large as it fits, so that places are real numbers; 1.5 counts patches."""
    dims = (64 // 4, 64 * 3 // 8, 64 * 3 // 8)
    assert sum(dims) == 64
    frames = range(4)
    zoom = min(9 / rows, 12 / columns)
    height, width = round(zoom * rows), round(zoom * columns)
    top, left = round((9 - height) / 2), round((12 - width) / 2)
    # From the first place to one step before the end, counted from 0 and not from the beginning.
    y = np.linspace(top, (top + height) * (rows - 1) / rows, rows)
    x = np.linspace(left, (left + width) * (columns - 1) / columns, columns)
    for places in ((y, x), (range(rows), range(columns))):
        assert_turned(grid(frames, *places), dims)
