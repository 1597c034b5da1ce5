"""Two axes for image patches: half of the pairs turn with the column, half with the row."""

import torch
from jaxtyping import Float
from torch import Tensor

from pe_lib._checks import check_floating
from pe_lib._grid import check_dim_2d, patch_positions
from pe_lib.devices import result_device
from pe_lib.frequencies import inverse_frequencies
from pe_lib.positions import cos_sin, position_angles


def axial_rotary_cos_sin(
    height: int,
    width: int,
    dim: int,
    theta: float = 10000.0,
    *,
    offset: tuple[float, float] = (0, 0),
    scale: tuple[float, float] = (1.0, 1.0),
    dtype: torch.dtype = torch.float32,
) -> tuple[Float[Tensor, "patches pairs"], Float[Tensor, "patches pairs"]]:
    """Cosines and sines that rotate image patches in two dimensions (axial RoPE, 2D RoPE).

    The rotation is the direct sum of two: ``R(x, y) = R(x) ⊕ R(y)``. Pairs ``0 ... dim/4 - 1`` turn
    by ``x * theta ** (-2i / (dim/2))`` with the column ``x``, pairs ``dim/4 ... dim/2 - 1`` by
    ``y * theta ** (-2i / (dim/2))`` with the row ``y``. The score of two rotated patches depends on
    ``(dx, dy)`` alone.

    Args:
        height, width: rows of patches and patches in a row, at least 1.
        dim: number of features that are rotated, divisible by 4.
        theta: base of the frequencies.
        offset: (row, column) of the first patch, counted in patches: a crop at (2, 5), say.
        scale: (vertical, horizontal) distance between neighbours, in positions. Row ``r`` is at
            ``y = (r + offset[0]) * scale[0]``, so a model trained on 14 x 14 patches sees 28 x 28
            patches of the same picture with ``scale=(0.5, 0.5)``.
        dtype: floating point dtype of the result.

    Returns:
        cos, sin: each (height * width, dim/2) of ``dtype`` on torch's default device, the patches
        row by row, as ``apply_rotary`` takes them.

    Raises:
        TypeError, ValueError: an argument has the wrong type, or a number is out of range.

    Source:
        Heo et al. 2024, "Rotary Position Embedding for Vision Transformer", arXiv 2403.13298,
        section 3, "axial frequency" (there with theta = 100).

    Example:
        >>> cos, sin = axial_rotary_cos_sin(height=2, width=2, dim=4)
        >>> cos.acos()  # radians: (x, y) of every patch
        tensor([[0., 0.],
                [1., 0.],
                [0., 1.],
                [1., 1.]])
    """
    check_floating(dtype)
    check_dim_2d(dim)
    y, x = patch_positions(height, width, offset, scale)
    frequencies = inverse_frequencies(dim // 2, theta)
    angles = torch.cat((position_angles(x, frequencies), position_angles(y, frequencies)), dim=-1)
    return cos_sin(angles, dtype, result_device(height))
