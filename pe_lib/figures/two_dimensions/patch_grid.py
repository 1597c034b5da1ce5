"""Which patches of a picture a rotary encoding takes for near ones, in one dimension and in two."""

import math

import torch
from jaxtyping import Float, Float64
from torch import Tensor

from pe_lib.common.frequencies import inverse_frequencies
from pe_lib.figures.base import Figure, exact_dtype
from pe_lib.figures.controls import choice, slider
from pe_lib.rotary.apply import apply_rotary, rotary_cos_sin
from pe_lib.rotary.axial import axial_rotary_cos_sin
from pe_lib.rotary.mixed import MixedRotary2D

SIDE = 8  # patches in a row, and rows, in training
WIDEST = 256  # features
LIT = 0.8  # patches with at least this score, in two digits, are framed
GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))


class PatchGrid(Figure):
    """Score of every patch of a picture with one of them, the query, which has 1 with itself.

    The same vector, all ones, stands in every patch, so that the scores show positions alone.

    Args:
        way: what turns the features. ``"1d"``: the number of the patch, counted row by row;
            ``"axial"``: half of the pairs turns with the column x, half with the row y;
            ``"mixed"``: every pair turns along a direction of its own, with the frequencies of
            ``"axial"``.
        row, column: the query's place among 8 x 8 patches, counted from 0.
        patches: ``"8"``: 8 x 8 patches, as in training; ``"16"``: 16 x 16 of the same picture,
            continued; ``"stretched"``: these, with all positions divided so that the picture has
            the extent of training, the numbers of ``"1d"`` by 4, x and y by 2. A patch is four new
            ones then, and the query the one nearest to the picture's corner.
        theta: base of the frequencies.
        dim: number of features, for two axes a multiple of 4.

    Example:
        >>> PatchGrid(way="axial").column
        7
    """

    question = "Which patches does attention treat as near?"
    summary = (
        "A picture in 8 x 8 patches, with the same vector in each; the last patch of row 3 is the "
        "query. If 1D RoPE rotates each patch by its number on the line, the first patch of row 4, "
        "on the opposite side of the picture, gets a score of 0.94, and the patch right below the "
        "query only 0.43. If axial RoPE rotates it by column and row, the patch right below gets "
        "0.97 and the first of row 4 gets 0.69."
    )

    asks = True

    way = choice(
        "1d",
        {
            "1d": "1D: number of the patch",
            "axial": "axial: x and y",
            "mixed": "mixed: own directions",
        },
        label="rotate by",
    )
    patches = choice(
        "8",
        {"8": "8 × 8", "16": "16 × 16", "stretched": "16 × 16 stretched to 8 × 8"},
        label="patches",
    )
    row = slider(3, 0, SIDE - 1, label="row", more=True)
    column = slider(7, 0, SIDE - 1, label="column", more=True)
    theta = slider(100.0, 10.0, 1e6, log=True, label="theta", more=True)
    dim = slider(64, 4, WIDEST, step=4, label="dim", unit="features", more=True)

    @staticmethod
    def compute(
        device: str, *, way: str, patches: str, row: int, column: int, theta: float, dim: int
    ) -> dict[str, Tensor]:
        """The ``scores`` of all patches with the query (side, side), and those of the 8 x 8 that
        were ``trained`` (8, 8).
        """
        trained = scores(device, way, SIDE, 1.0, (row, column), theta, dim)
        if patches == "8":
            return {"scores": trained, "trained": trained}
        scale = 0.5 if patches == "stretched" else 1.0
        query = outermost(row), outermost(column)
        return {
            "scores": scores(device, way, 2 * SIDE, scale, query, theta, dim),
            "trained": trained,
        }


def outermost(place: int) -> int:
    """A row's or column's half, of two, that is nearer to the picture's edge.

    Example:
        >>> [outermost(place) for place in range(8)]
        [0, 2, 4, 6, 9, 11, 13, 15]
    """
    return 2 * place + (place >= SIDE // 2)


def scores(
    device: str,
    way: str,
    side: int,
    scale: float,
    query: tuple[int, int],
    theta: float,
    dim: int,
) -> Float[Tensor, "side side"]:
    """Every patch's score with the query's, over the query's with itself; patches are ``scale``
    apart, on a line ``scale ** 2``.
    """
    dtype = exact_dtype(device)
    step = (scale, scale)
    if way == "1d":
        numbers = torch.arange(side**2, dtype=torch.float64) * scale**2
        cos, sin = rotary_cos_sin(numbers, dim, theta, dtype=dtype)
    elif way == "axial":
        cos, sin = axial_rotary_cos_sin(side, side, dim, theta, scale=step, dtype=dtype)
    else:
        with torch.random.fork_rng(devices=()):  # it draws directions, which are replaced
            rotary = MixedRotary2D(dim, 1, theta).double()  # its numbers are exact
        with torch.no_grad():
            rotary.frequencies.copy_(own_directions(theta, dim)[:, None])
            cos, sin = (table[0, 0] for table in rotary(side, side, scale=step, dtype=dtype))
    ones = torch.ones(side**2, dim, dtype=dtype, device=device)
    turned = apply_rotary(ones, cos.to(device), sin.to(device))
    row, column = query
    return (turned @ turned[row * side + column] / dim).view(side, side)


def own_directions(theta: float, dim: int) -> Float64[Tensor, "2 pairs"]:
    """fx and fy of every pair, which look in all directions, as training may make them.

    Each axial frequency has two pairs at right angles, as where training begins (Heo et al. 2024,
    arXiv 2403.13298); from one frequency to the next they are turned by the golden angle.
    """
    size = inverse_frequencies(dim // 2, theta)
    along = GOLDEN_ANGLE * torch.arange(dim // 4, dtype=torch.float64)
    angle = torch.cat((along, along + math.pi / 2))
    return torch.stack((angle.cos(), angle.sin())) * size.repeat(2)
