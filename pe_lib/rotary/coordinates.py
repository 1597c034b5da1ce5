"""Rotation by any number of coordinates: time, row, column, or real places on a picture."""

from collections.abc import Iterable, Sequence

import torch
from jaxtyping import Float, Shaped
from torch import Tensor

from pe_lib.common._checks import check_dim, check_floating, check_sequence
from pe_lib.common.positions import check_positions
from pe_lib.rotary.apply import rotary_cos_sin


def nd_rotary_cos_sin(
    coordinates: Shaped[Tensor, "*positions axes"],
    dims: Sequence[int],
    theta: float = 10000.0,
    *,
    dtype: torch.dtype = torch.float32,
) -> tuple[Float[Tensor, "*positions pairs"], Float[Tensor, "*positions pairs"]]:
    """Cosines and sines that rotate by several coordinates at once (axial RoPE in n dimensions).

    Every axis has features of its own and turns them as ``rotary_cos_sin`` does with a position:
    pair ``i`` of axis ``a`` by ``coordinates[..., a] * theta ** (-2i / dims[a])`` radians. The
    pairs of the first axis come first, then those of the second, and so on. The score of two
    rotated tokens depends on the difference of their coordinates alone.

    What some models give, with ``dim`` features in a head (half-split where nothing is said):

    - FLUX.1: (0, row, column), the text (0, 0, 0); ``dims=(16, 56, 56)``, interleaved.
    - CogVideoX: (time, row, column); ``dims=(dim // 4, 3 * dim // 8, 3 * dim // 8)``, interleaved.
      Its text is not rotated at all.
    - The vision part of MiniMax-M3: (time, row, column); ``dims=(26, 26, 26)`` of 80.
    - The vision parts of Qwen2-VL, Qwen2.5-VL and Qwen3-VL: (row, column);
      ``dims=(dim // 2, dim // 2)``, as all that follow.
    - Pixtral: (row, column * theta ** (-2 / dim)), as its columns have other frequencies than its
      rows, each between two of theirs.
    - The vision part of Llama 4: (column + 1, row + 1), the class token (0, 0); interleaved.
    - DINOv3: (y, x) of the patch's middle, on a picture from -1 to 1, times 2 pi: its periods are
      ``theta ** (2i / dims[a])``, with ``theta=100``.

    Args:
        coordinates: (..., axes), integer or real, negative numbers too.
        dims: number of features that each axis rotates, even.
        theta: base of the frequencies, on every axis.
        dtype: floating point dtype of the result.

    Returns:
        cos, sin: each (..., sum(dims) / 2) of ``dtype`` on the coordinates' device, as
        ``apply_rotary`` takes them. Where dims sum to less than the width of a head, the features
        after them stay as they are.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a number is out of range, ``coordinates`` has no axis, or ``dims`` not one
            number for each.

    Source:
        Su et al. 2021, "RoFormer", arXiv 2104.09864, equation 15, on every axis; Heo et al. 2024,
        "Rotary Position Embedding for Vision Transformer", arXiv 2403.13298, section 3 (axial). The
        models: their code in huggingface/diffusers (FLUX.1, CogVideoX) and in Hugging Face
        transformers 5.23; Siméoni et al. 2025, "DINOv3", arXiv 2508.10104.

    Example:
        >>> time_row_column = torch.tensor([[0, 0, 0], [2, 1, 3]])
        >>> cos, sin = nd_rotary_cos_sin(time_row_column, dims=(2, 2, 4))
        >>> torch.atan2(sin, cos)  # radians: time, row, and two pairs for the column
        tensor([[0.0000, 0.0000, 0.0000, 0.0000],
                [2.0000, 1.0000, 3.0000, 0.0300]])
    """
    check_floating(dtype)
    _check_coordinates(coordinates)
    _check_dims(dims, coordinates.shape[-1])
    axes = zip(coordinates.unbind(-1), dims, strict=True)
    return side_by_side(rotary_cos_sin(axis, dim, theta, dtype=dtype) for axis, dim in axes)


def side_by_side(tables: Iterable[tuple[Tensor, Tensor]]) -> tuple[Tensor, Tensor]:
    """Cosines and sines of all axes, the pairs of one after those of the other.

    Example:
        >>> time, row = (rotary_cos_sin(5, dim) for dim in (2, 4))
        >>> side_by_side((time, row))[0].shape
        torch.Size([5, 3])
    """
    cos, sin = zip(*tables, strict=True)
    return torch.cat(cos, dim=-1), torch.cat(sin, dim=-1)


def _check_coordinates(coordinates: Tensor) -> None:
    expected = "a real tensor (..., axes) with at least one axis"
    check_positions(coordinates, "coordinates", expected)
    if coordinates.ndim < 1 or coordinates.shape[-1] < 1:
        raise ValueError(f"coordinates: expected {expected}, got shape {tuple(coordinates.shape)}")


def _check_dims(dims: Sequence[int], axes: int) -> None:
    expected = f"an even int >= 2 for each of the {axes} coordinates"
    check_sequence(dims, "dims", expected, length=axes)
    for dim in dims:
        check_dim(dim, "dims")
