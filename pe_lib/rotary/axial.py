"""Two axes for image patches: half of the pairs turn with the column, half with the row."""

import math

import torch
from jaxtyping import Float
from torch import Tensor

from pe_lib.common._checks import check_floating
from pe_lib.common._grid import check_dim_2d, patch_positions
from pe_lib.common.devices import result_device
from pe_lib.rotary.apply import rotary_cos_sin
from pe_lib.rotary.coordinates import side_by_side
from pe_lib.rotary.scaling.base import Scaling


def axial_rotary_cos_sin(
    height: int,
    width: int,
    dim: int,
    theta: float = 10000.0,
    *,
    offset: tuple[float, float] = (0, 0),
    scale: tuple[float, float] = (1.0, 1.0),
    scaling: Scaling | None = None,
    dtype: torch.dtype = torch.float32,
) -> tuple[Float[Tensor, "patches pairs"], Float[Tensor, "patches pairs"]]:
    """Cosines and sines that rotate image patches in two dimensions (axial RoPE, 2D RoPE).

    The grid form of ``nd_rotary_cos_sin``, with the coordinates (x, y) and ``dims=(dim/2, dim/2)``.
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
        scaling: context extension, one of the ``...Scaling`` classes. It sees each axis as a text
            of its own with dim/2 features: it changes their frequencies, and its attention factor
            multiplies their cosine and sine. The length that some scalings look at is the axis's
            largest position + 1, rounded down: where a picture is wider than those in training but
            not higher, only its columns are stretched.
        dtype: floating point dtype of the result.

    Returns:
        cos, sin: each (height * width, dim/2) of ``dtype`` on torch's default device, the patches
        row by row, as ``apply_rotary`` takes them.

    Raises:
        TypeError, ValueError: an argument has the wrong type, or a number is out of range.

    Source:
        Heo et al. 2024, "Rotary Position Embedding for Vision Transformer", arXiv 2403.13298,
        section 3, "axial frequency" (there with theta = 100). Height and width stretched each by
        its own length: Lu et al. 2024, "FiT", arXiv 2402.12376 (VisionNTK).

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
    # The lengths from the sizes: reading them from the positions would break a whole compilation.
    rows = _length(height, offset[0], scale[0])
    columns = _length(width, offset[1], scale[1])
    tables = (
        rotary_cos_sin(axis, dim // 2, theta, scaling=scaling, seq_len=length, dtype=dtype)
        for axis, length in ((x, columns), (y, rows))
    )
    cos, sin = side_by_side(tables)
    device = result_device(height)
    return cos.to(device), sin.to(device)


def _length(count: int, first: float, distance: float) -> int:
    """The largest of ``patch_positions``' positions on an axis + 1, rounded down."""
    return max(math.floor((count - 1 + first) * distance) + 1, 1)
