"""Rotation by time, height and width at once, for text, pictures and video (M-RoPE)."""

from collections.abc import Sequence

import torch
from jaxtyping import Float, Shaped
from torch import Tensor

from pe_lib.common._checks import (
    check_bool,
    check_count,
    check_dim,
    check_floating,
    check_sequence,
)
from pe_lib.common.positions import check_positions, cos_sin, real_positions
from pe_lib.rotary.apply import stretched_for
from pe_lib.rotary.scaling.base import Scaling


def mrope_cos_sin(
    position_ids: Shaped[Tensor, "3 batch seq"],
    dim: int,
    sections: Sequence[int],
    theta: float = 10000.0,
    *,
    sections_interleaved: bool = False,
    scaling: Scaling | None = None,
    seq_len: int | None = None,
    dtype: torch.dtype = torch.float32,
) -> tuple[Float[Tensor, "batch seq pairs"], Float[Tensor, "batch seq pairs"]]:
    """Cosines and sines of the multimodal rotary encoding of Qwen2-VL and Qwen3-VL.

    Every token has three positions: time, height and width. The frequencies are those of
    ``rotary_cos_sin``; ``sections`` says how many pairs turn with each of the three. In blocks
    (Qwen2-VL) the time has the fastest pairs and the width the slowest. Interleaved (Qwen3-VL) the
    three take turns from the fastest pair on, until height and width have theirs, and the time has
    what is left: each sees fast and slow pairs. A text token, whose three positions are one, is
    turned exactly as by ordinary RoPE in both.

    Args:
        position_ids: (3, batch, seq), integer or real: time, height, width.
        dim: number of features that are rotated, even.
        sections: numbers of pairs for time, height and width; their sum is dim/2.
        theta: base of the frequencies.
        sections_interleaved: False for blocks, True for turns.
        scaling: context extension, one of the ``...Scaling`` classes, as in ``rotary_cos_sin``.
        seq_len: length of the text, for the scalings that depend on it; by default the largest of
            all positions + 1.
        dtype: floating point dtype of the result.

    Returns:
        cos, sin: each (batch, seq, dim/2) of ``dtype`` on the positions' device, as
        ``apply_rotary`` takes them. Qwen2-VL's own code repeats them to (batch, seq, dim).

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a number is out of range, ``position_ids`` of another shape, or ``sections`` of
            another sum; interleaved, if height or width has more turns than there are.

    Source:
        Wang et al. 2024, "Qwen2-VL", arXiv 2409.12191, section 2.1, "Multimodal Rotary Position
        Embedding (M-RoPE)" (with dim 128, sections (16, 24, 24), theta 1,000,000); Huang et al.
        2025, "Revisiting Multimodal Positional Encoding", arXiv 2510.23095 (interleaved; Qwen3-VL
        has sections (24, 20, 20)).

    Example:
        >>> time, height, width = torch.tensor([[[0, 7]], [[1, 8]], [[2, 9]]])
        >>> cos, sin = mrope_cos_sin(torch.stack((time, height, width)), dim=8, sections=(2, 1, 1))
        >>> cos.shape
        torch.Size([1, 2, 4])
    """
    check_floating(dtype)
    check_dim(dim)
    check_position_ids(position_ids)
    check_bool(sections_interleaved, "sections_interleaved")
    check_sections(sections, dim // 2, sections_interleaved)
    axes = axes_of_pairs(sections, sections_interleaved)
    return cos_sin_by_axis(position_ids, axes, theta, scaling, seq_len, dtype)


def axes_of_pairs(sections: Sequence[int], interleaved: bool) -> list[int]:
    """Which of the positions (0 time, 1 height, 2 width) turns each pair.

    Example:
        >>> axes_of_pairs((3, 2, 1), interleaved=False), axes_of_pairs((3, 2, 1), interleaved=True)
        ([0, 0, 0, 1, 1, 2], [0, 1, 2, 0, 1, 0])
    """
    if not interleaved:
        return [axis for axis, pairs in enumerate(sections) for _ in range(pairs)]
    axes = [0] * sum(sections)
    for axis in (1, 2):
        for turn in range(sections[axis]):
            axes[3 * turn + axis] = axis
    return axes


def cos_sin_by_axis(
    position_ids: Shaped[Tensor, "axes batch seq"],
    axes: Sequence[int],
    theta: float,
    scaling: Scaling | None,
    seq_len: int | None,
    dtype: torch.dtype,
) -> tuple[Float[Tensor, "batch seq pairs"], Float[Tensor, "batch seq pairs"]]:
    """Cosines and sines where every pair is turned by the position that ``axes`` names for it."""
    frequencies, factor = stretched_for(
        position_ids, 2 * len(axes), theta, scaling, seq_len, name="position_ids"
    )
    positions = real_positions(position_ids)[list(axes)].movedim(0, -1)  # (batch, seq, pairs)
    angles = positions * frequencies.to(positions.device)
    return cos_sin(angles, dtype, position_ids.device, factor)


def check_position_ids(position_ids: Tensor, name: str = "position_ids") -> None:
    """Raise unless this is a real tensor (3, batch, seq)."""
    expected = "a real tensor (3, batch, seq)"
    check_positions(position_ids, name, expected)
    if position_ids.ndim != 3 or position_ids.shape[0] != 3:
        raise ValueError(f"{name}: expected {expected}, got shape {tuple(position_ids.shape)}")


def check_sections(sections: Sequence[int], pairs: int, interleaved: bool) -> None:
    """Raise unless these are three numbers of pairs with the sum ``pairs``, and take turns."""
    expected = "three numbers of pairs (time, height, width)"
    check_sequence(sections, "sections", expected, length=3)
    for section in sections:
        check_count(section, "sections", least=0)
    if sum(sections) != pairs:
        raise ValueError(
            f"sections: expected {expected} that sum to dim/2 = {pairs}, "
            f"got {tuple(sections)} with the sum {sum(sections)}"
        )
    # Of every three pairs one is the height's, the second, and one the width's, the third.
    turns = (pairs + 1) // 3, pairs // 3
    if interleaved and (sections[1] > turns[0] or sections[2] > turns[1]):
        raise ValueError(
            f"sections: expected at most {turns[0]} pairs for the height and {turns[1]} for the "
            f"width, which have every third of {pairs} interleaved pairs, got {tuple(sections)}"
        )
