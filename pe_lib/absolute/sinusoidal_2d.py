"""The sinusoidal encoding of pictures: sines and cosines of a patch's column and of its row."""

import torch
from jaxtyping import Float
from torch import Tensor

from pe_lib.common._checks import check_floating
from pe_lib.common._grid import check_dim_2d, patch_positions
from pe_lib.common.devices import result_device
from pe_lib.common.frequencies import inverse_frequencies
from pe_lib.common.positions import position_angles


def sinusoidal_encoding_2d(
    height: int,
    width: int,
    dim: int,
    theta: float = 10000.0,
    *,
    offset: tuple[float, float] = (0, 0),
    scale: tuple[float, float] = (1.0, 1.0),
    dtype: torch.dtype = torch.float32,
) -> Float[Tensor, "patches dim"]:
    """The sinusoidal encoding of image patches, to be added to them (not a rotation).

    Four blocks of dim/4 columns: ``sin x | cos x | sin y | cos y``, with the column ``x``, the row
    ``y`` and the frequencies ``theta ** (-2i / (dim/2))``: the order in the code of masked
    autoencoders (MAE); some libraries put the blocks of ``y`` first. It is sometimes called 2D
    RoPE, but nothing is rotated: for that, see ``axial_rotary_cos_sin``.

    Args:
        height, width: rows of patches and patches in a row, at least 1.
        dim: number of features, divisible by 4.
        theta: base of the wavelengths.
        offset: (row, column) of the first patch, counted in patches.
        scale: (vertical, horizontal) distance between neighbours, in positions: row ``r`` is at
            ``y = (r + offset[0]) * scale[0]``, as in ``axial_rotary_cos_sin``.
        dtype: floating point dtype of the result.

    Returns:
        (height * width, dim) of ``dtype`` on torch's default device, the patches row by row.

    Raises:
        TypeError, ValueError: an argument has the wrong type, or a number is out of range.

    Source:
        He et al. 2021, "Masked Autoencoders", arXiv 2111.06377, appendix A.1 ("sine-cosine
        version").

    Example:
        >>> sinusoidal_encoding_2d(height=2, width=2, dim=4)
        tensor([[0.0000, 1.0000, 0.0000, 1.0000],
                [0.8415, 0.5403, 0.0000, 1.0000],
                [0.0000, 1.0000, 0.8415, 0.5403],
                [0.8415, 0.5403, 0.8415, 0.5403]])
    """
    check_floating(dtype)
    check_dim_2d(dim)
    y, x = patch_positions(height, width, offset, scale)
    frequencies = inverse_frequencies(dim // 2, theta)
    angles = (position_angles(axis, frequencies) for axis in (x, y))
    blocks = [block for angle in angles for block in (angle.sin(), angle.cos())]
    return torch.cat(blocks, dim=-1).to(dtype).to(result_device(height))
