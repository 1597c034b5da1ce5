"""vLLM: its rotary tables for pictures and video.

github.com/vllm-project/vllm, vllm/model_executor/layers/rotary_embedding/: mrope.py at 055e47c,
llama4_vision_rope.py at 10760a0.

- With "yarn", mrope.py takes for the trained length four times the length that the configuration
  has: it makes the table that much longer for videos and uses the table's length for the blend too.
- "xdrope" (four axes) and openPangu's order of the axes have no counterpart in pe_lib.
"""

import math

import pytest
import torch

from pe_lib import (
    YarnScaling,
    apply_rotary,
    axial_rotary_cos_sin,
    mrope_cos_sin,
    nd_rotary_cos_sin,
)
from tests.conformance.reference import (
    close,
    frequencies,
    same_table,
    turned,
    yarn_frequencies,
)
from tests.helpers import F64, randn

# Five tokens of text, a picture of 4 x 6 patches and five tokens more, of two samples.
TEXT, PATCHES = torch.arange(5), torch.arange(24)
IDS = torch.stack([
    torch.cat((TEXT, axis + 5, TEXT + 11)) for axis in (0 * PATCHES, PATCHES // 6, PATCHES % 6)
])  # fmt: skip
IDS = torch.stack((IDS, IDS + 1000), dim=1)  # (3, batch, seq)


def by_sections(angles, sections):
    """Sections one after the other: time, height, width; ``angles`` (3, batch, seq, pairs)."""
    parts = angles.split(sections, dim=-1)
    return torch.cat([part[axis] for axis, part in enumerate(parts)], dim=-1)


def in_turn(angles, sections):
    """Height is every third pair from the second on, width from the third, the rest is time."""
    pair = torch.arange(angles.shape[-1])
    height = (pair % 3 == 1) & (pair < 3 * sections[1])
    width = (pair % 3 == 2) & (pair < 3 * sections[2])
    return torch.where(width, angles[2], torch.where(height, angles[1], angles[0]))


@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize(
    ("chosen", "sections"),
    [(by_sections, (16, 24, 24)), (in_turn, (24, 20, 20)), (in_turn, (30, 20, 14))],
)
def test_mrope(chosen, sections, scaled):
    """Qwen2-VL's order of sections and Qwen3-VL's, alone and with YaRN; the last sections, all
    different, are no model's."""
    trained = 32_768
    own = yarn_frequencies(128, 1e6, 4, 4 * trained) if scaled else frequencies(128, 1e6)
    theirs = chosen(IDS.double()[..., None] * own, sections)
    table = mrope_cos_sin(
        IDS,
        128,
        sections,
        1e6,
        sections_interleaved=chosen is in_turn,
        scaling=YarnScaling(4, 4 * trained) if scaled else None,
        dtype=F64,
    )
    same_table(table, theirs, 0.1 * math.log(4) + 1 if scaled else 1)
    query = randn(2, 3, 34, 128)
    expected = turned(query / 2, theirs[:, None], interleaved=False, factor=2)
    if not scaled:
        close(apply_rotary(query, *table), expected)


def test_llama_4_vision():
    """Columns, then rows, counted from 1; the class token, the last, is not turned; interleaved."""
    side, head = 4, 88
    patch = torch.arange(side**2)
    own = frequencies(head // 2)
    theirs = torch.cat([(axis + 1).double()[:, None] * own for axis in (patch % 4, patch // 4)], -1)
    same_table(axial_rotary_cos_sin(side, side, head, offset=(1, 1), dtype=F64), theirs)
    # With coordinates (0, 0) the class token is a row of the table like the others.
    coordinates = torch.stack((patch % side, patch // side), dim=-1) + 1
    coordinates = torch.cat((coordinates, torch.zeros(1, 2, dtype=torch.int64)))
    table = nd_rotary_cos_sin(coordinates, (head // 2, head // 2), dtype=F64)
    same_table(table, torch.cat((theirs, torch.zeros(1, head // 2, dtype=F64))))
    query = randn(2, side**2 + 1, 3, head)  # (batch, patches, heads, dim)
    result = apply_rotary(query, *table, interleaved=True, seq_dim=-3)
    assert result[:, -1].equal(query[:, -1])
    close(result[:, :-1], turned(query[:, :-1], theirs[:, None], interleaved=True))
