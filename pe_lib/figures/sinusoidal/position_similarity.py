"""How alike two positions are, by offset; and what W_q and W_k make of it."""

import math

import torch
from jaxtyping import Float
from torch import Tensor

from pe_lib.absolute.sinusoidal import sinusoidal_encoding
from pe_lib.common.frequencies import inverse_frequencies
from pe_lib.common.positions import position_angles
from pe_lib.figures.base import Figure, exact_dtype
from pe_lib.figures.controls import choice, slider, toggle
from pe_lib.figures.fixed_random import fixed_uniform

OTHERS = (0, 7, 100, 1000)  # anchors drawn beside the chosen one
HEAD_DIM = 16
LAST = 200  # the last position that is drawn


class PositionSimilarity(Figure):
    """Dot product or distance of PE(p) and PE(p+k) by offset k, for several anchors p.

    Args:
        dim: number of features.
        theta: base of the wavelengths.
        anchor: the position p that is compared with the others.
        measure: ``"dot"``, in units of dim/2, which every position has with itself; or
            ``"distance"``, in units of sqrt(dim/2), the length of every position's vector.
        projected: compare W_q PE(p) with W_k PE(p+k), for fixed random matrices: the dot product
            over sqrt(16) as in attention, or the plain distance.

    Example:
        >>> PositionSimilarity(dim=8, projected=True).measure
        'dot'
    """

    question = "How alike are two positions, and does it depend on where they are?"
    summary = (
        "A curve over the positions: the dot product of PE(p) with each of them is largest at p "
        "itself, falls on both sides and stays above 0. The curve of another p has the same shape. "
        "Through random matrices W_q and W_k every p has a curve of its own."
    )

    asks = True

    anchor = slider(20, 0, LAST, label="anchor p")
    dim = slider(64, 2, 128, step=2, label="dim", unit="features")
    projected = toggle(False, label="through W_q, W_k")
    measure = choice(
        "dot", {"dot": "dot product", "distance": "distance"}, label="compare by", more=True
    )
    theta = slider(10000.0, 10.0, 1e6, log=True, label="theta", more=True)

    @staticmethod
    def compute(
        device: str,
        *,
        dim: int,
        theta: float,
        anchor: int,
        measure: str,
        projected: bool,
    ) -> dict[str, Tensor]:
        """The curves (1 + other anchors, 2 * LAST + 1) over offsets -LAST ... LAST, and what
        the formula says of unprojected ones (2 * LAST + 1,): it knows the offset alone.
        """
        dtype = exact_dtype(device)
        anchors = torch.tensor([anchor, *OTHERS], device=device)
        offsets = torch.arange(-LAST, LAST + 1, device=device)
        queries = sinusoidal_encoding(anchors[:, None], dim, theta, dtype=dtype)
        keys = sinusoidal_encoding(anchors[:, None] + offsets, dim, theta, dtype=dtype)
        if projected:
            w_q, w_k = random_weights(dim).to(device, dtype)
            queries, keys = queries @ w_q, keys @ w_k
        angles = position_angles(offsets, inverse_frequencies(dim, theta))
        if measure == "dot":
            unit = math.sqrt(HEAD_DIM) if projected else dim / 2
            curves = (queries * keys).sum(-1) / unit
            formula = angles.cos().mean(-1)
        else:
            unit = 1 if projected else math.sqrt(dim / 2)
            curves = (keys - queries).norm(dim=-1) / unit
            formula = 2 * (angles / 2).sin().square().mean(-1).sqrt()
        return {"curves": curves, "formula": formula}


def random_weights(dim: int) -> Float[Tensor, "2 dim head_dim"]:
    """W_q and W_k: uniform with variance 1/dim, the same numbers wherever they are made."""
    counters = torch.arange(HEAD_DIM * dim) + torch.tensor([[1], [1 << 16]])
    return (fixed_uniform(counters) * math.sqrt(3 / dim)).view(2, dim, HEAD_DIM)
