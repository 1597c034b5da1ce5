"""Rotation by time, height and width at once, for text, pictures and video (M-RoPE)."""

from collections.abc import Sequence

import torch
from jaxtyping import Float, Shaped
from torch import Tensor

from pe_lib._checks import (
    check_count,
    check_dim,
    check_floating,
    check_real_tensor,
    check_sequence,
)
from pe_lib.frequencies import inverse_frequencies
from pe_lib.positions import cos_sin, position_angles


def mrope_cos_sin(
    position_ids: Shaped[Tensor, "3 batch seq"],
    dim: int,
    sections: Sequence[int],
    theta: float = 10000.0,
    *,
    dtype: torch.dtype = torch.float32,
) -> tuple[Float[Tensor, "batch seq pairs"], Float[Tensor, "batch seq pairs"]]:
    """Cosines and sines of the multimodal rotary encoding of Qwen2-VL.

    Every token has three positions: time, height and width. The frequencies are those of
    ``rotary_cos_sin``; the first ``sections[0]`` pairs turn with the time, the next ``sections[1]``
    with the height, the last ``sections[2]`` with the width. A text token, whose three positions
    are one, is turned exactly as by ordinary RoPE.

    Args:
        position_ids: (3, batch, seq), integer or real: time, height, width.
        dim: number of features that are rotated, even.
        sections: numbers of pairs for time, height and width; their sum is dim/2.
        theta: base of the frequencies.
        dtype: floating point dtype of the result.

    Returns:
        cos, sin: each (batch, seq, dim/2) of ``dtype`` on the positions' device, as
        ``apply_rotary`` takes them. Qwen2-VL's own code repeats them to (batch, seq, dim).

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a number is out of range, ``position_ids`` of another shape, or ``sections`` of
            another sum.

    Source:
        Wang et al. 2024, "Qwen2-VL", arXiv 2409.12191, section 2.1, "Multimodal Rotary Position
        Embedding (M-RoPE)" (with dim 128, sections (16, 24, 24), theta 1,000,000).

    Example:
        >>> time, height, width = torch.tensor([[[0, 7]], [[1, 8]], [[2, 9]]])
        >>> cos, sin = mrope_cos_sin(torch.stack((time, height, width)), dim=8, sections=(2, 1, 1))
        >>> cos.shape
        torch.Size([1, 2, 4])
    """
    check_floating(dtype)
    check_dim(dim)
    _check_position_ids(position_ids)
    _check_sections(sections, dim // 2)
    angles = position_angles(position_ids, inverse_frequencies(dim, theta))
    parts = angles.split(list(sections), dim=-1)  # each (3, batch, seq, pairs of the section)
    chosen = torch.cat([part[axis] for axis, part in enumerate(parts)], dim=-1)
    return cos_sin(chosen, dtype, position_ids.device)


def _check_position_ids(position_ids: Tensor) -> None:
    expected = "a real tensor (3, batch, seq)"
    check_real_tensor(position_ids, "position_ids", expected)
    if position_ids.ndim != 3 or position_ids.shape[0] != 3:
        raise ValueError(
            f"position_ids: expected {expected}, got shape {tuple(position_ids.shape)}"
        )


def _check_sections(sections: Sequence[int], pairs: int) -> None:
    expected = "three numbers of pairs (time, height, width)"
    check_sequence(sections, "sections", expected, length=3)
    for section in sections:
        check_count(section, "sections", least=0)
    if sum(sections) != pairs:
        raise ValueError(
            f"sections: expected {expected} that sum to dim/2 = {pairs}, "
            f"got {tuple(sections)} with the sum {sum(sections)}"
        )
