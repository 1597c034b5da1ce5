"""Rotation in two dimensions along directions that are learned (RoPE-Mixed)."""

import math

import torch
from jaxtyping import Float
from torch import Tensor, nn

from pe_lib.common._checks import check_count, check_floating
from pe_lib.common._grid import check_dim_2d, patch_positions
from pe_lib.common.frequencies import inverse_frequencies
from pe_lib.common.positions import cos_sin, in_float64


class MixedRotary2D(nn.Module):
    """Cosines and sines for image patches with learned frequencies, for every head its own.

    Pair ``i`` of a head turns by ``x * fx[i] + y * fy[i]``: along any direction, where axial
    rotation knows rows and columns. The score of two patches depends on ``(dx, dy)`` alone.

    ``frequencies`` is a Parameter (2, num_heads, dim/2): fx, then fy. The angles that are made of
    it are float64. At first every head holds the axial frequencies ``theta ** (-2i / (dim/2))``
    turned by an angle of its own, drawn from ``[0, 2 pi)`` by torch's CPU generator: the first half
    of the pairs looks along that angle, the second half at right angles to it. Angle 0 is
    ``axial_rotary_cos_sin``.

    Args:
        dim: features per head, divisible by 4.
        num_heads: number of heads.
        theta: base of the first frequencies: small, since a picture has few rows.

    Raises:
        TypeError, ValueError: an argument has the wrong type, or is out of range.

    Source:
        Heo et al. 2024, "Rotary Position Embedding for Vision Transformer", arXiv 2403.13298,
        section 3, "mixed learnable frequency" (theta = 10 at first).

    Example:
        >>> from pe_lib import apply_rotary
        >>> cos, sin = MixedRotary2D(dim=8, num_heads=2)(height=3, width=5)
        >>> cos.shape
        torch.Size([1, 2, 15, 4])
        >>> apply_rotary(torch.ones(7, 2, 15, 8), cos, sin).shape  # (batch, heads, patches, dim)
        torch.Size([7, 2, 15, 8])
    """

    def __init__(self, dim: int, num_heads: int, theta: float = 10.0) -> None:
        super().__init__()
        check_dim_2d(dim)
        check_count(num_heads, "num_heads")
        inverse_frequencies(dim // 2, theta)  # refuses a wrong theta
        self.dim, self.num_heads, self.theta = dim, num_heads, theta
        self.frequencies = nn.Parameter(torch.empty(2, num_heads, dim // 2))
        self.reset_parameters()

    @torch.no_grad()
    def reset_parameters(self) -> None:
        """Draw every head's angle and set its frequencies."""
        angle = 2 * math.pi * torch.rand(self.num_heads, 1, dtype=torch.float64, device="cpu")
        across = angle + math.pi / 2
        size = inverse_frequencies(self.dim // 2, self.theta)
        fx = torch.cat((size * angle.cos(), size * across.cos()), dim=-1)
        fy = torch.cat((size * angle.sin(), size * across.sin()), dim=-1)
        self.frequencies.copy_(torch.stack((fx, fy)))

    def forward(
        self,
        height: int,
        width: int,
        *,
        offset: tuple[float, float] = (0, 0),
        scale: tuple[float, float] = (1.0, 1.0),
        dtype: torch.dtype = torch.float32,
    ) -> tuple[Float[Tensor, "1 heads patches pairs"], Float[Tensor, "1 heads patches pairs"]]:
        """Cosine and sine of every patch, pair and head; gradients reach the frequencies.

        The arguments are those of ``axial_rotary_cos_sin``.

        Returns:
            cos, sin: each (1, num_heads, height * width, dim/2) of ``dtype``, on the frequencies'
            device, the patches row by row: for an x of shape (batch, heads, patches, dim).

        Raises:
            TypeError, ValueError: an argument has the wrong type, or a number is out of range.
        """
        check_floating(dtype)
        fx, fy = in_float64(self.frequencies)[:, None, :, None]  # each (1, heads, 1, pairs)
        y, x = (
            axis.to(fx.device)[:, None] for axis in patch_positions(height, width, offset, scale)
        )
        return cos_sin(x * fx + y * fy, dtype, self.frequencies.device)

    def extra_repr(self) -> str:
        return f"dim={self.dim}, num_heads={self.num_heads}, theta={self.theta}"
