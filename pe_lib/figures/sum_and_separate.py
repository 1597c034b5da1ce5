"""Words plus positions as clouds of points, and the positions taken out again."""

import math

import torch
from jaxtyping import Float, Float64, Int64
from torch import Tensor

from pe_lib.figures.base import Figure, exact_dtype
from pe_lib.figures.controls import slider
from pe_lib.figures.fixed_random import hash32
from pe_lib.sinusoidal import sinusoidal_encoding

VOCABULARY = 64
DRAWN = 5  # the, cat, sat, on, mat
FIRST = 704  # where the random numbers start: a draw whose five words lie well apart in the plane
NEGLIGIBLE = (
    1e-6  # a direction that much weaker than the strongest is close to rounding: no direction
)
TIE = 1e-7  # scores that close, relative to the largest, are equal but for rounding


class SumAndSeparate(Figure):
    """Word + position as a cloud, and what is left when position directions are projected out.

    Sixty-four fixed random words of length about 1 (a usual initialisation) stand in for a
    vocabulary. Each is multiplied by ``scale`` and added to each of ``length`` rows of the
    sinusoidal table. The directions projected out are the table's strongest right singular
    vectors. Each sum is then compared with all words (multiplied by ``scale``) and with all rows,
    stripped of the same directions: the nearest of each, by plain distance, is what is found.
    Distance asks for no more than lying closest, and gives long vectors no advantage.

    Args:
        dim: number of features.
        theta: base of the wavelengths.
        length: number of positions, from 0.
        scale: factor on the words; the paper's is ``sqrt(dim)``.
        removed: number of the strongest position directions that are projected out. More than
            the positions fill removes them all.

    Example:
        >>> SumAndSeparate(length=16, removed=4)
        SumAndSeparate(dim=128, theta=10000.0, length=16, scale=1.0, removed=4)
    """

    question = "Once a word and a position are added, can they be taken apart again?"
    summary = (
        "Five words, each a cloud of points, one for every position. The clouds are the same curve "
        "at five places. They overlap while words are short, part when words are scaled by "
        "sqrt(dim), and shrink to one point each when the few directions that positions fill are "
        "projected out."
    )

    dim = slider(128, 16, 512, step=16, label="dim", unit="features")
    theta = slider(10000.0, 10.0, 1e6, log=True, label="theta")
    length = slider(32, 8, 64, label="length", unit="positions")
    scale = slider(1.0, 1.0, 24.0, log=True, label="scale", unit="× words")
    removed = slider(0, 0, 64, label="removed", unit="directions")

    @staticmethod
    def compute(
        device: str, *, dim: int, theta: float, length: int, scale: float, removed: int
    ) -> dict[str, Tensor | float]:
        """Points of the five drawn words, what is found for each, and shares over all 64 words.

        ``sums`` and ``cloud`` (5, length, 2) are the sums before and after directions are
        projected out, ``words`` (5, 2) the scaled words alone, all seen in one plane;
        ``nearest_word`` and ``nearest_position`` (5, length) are indices, -1 where nothing is left
        to compare; ``energy`` (length,) is the cumulative share of the table in its strongest
        directions, ``directions`` their number; ``word_found``, ``position_found`` and
        ``word_kept`` are shares from 0 to 1.
        """
        table = sinusoidal_encoding(length, dim, theta, dtype=torch.float64)
        strength, basis = torch.linalg.svd(table, full_matrices=False)[1:]
        energy = torch.nn.functional.pad(strength**2, (0, length - len(strength))).cumsum(0)
        directions = int((strength > NEGLIGIBLE * strength[0]).sum())
        words, table, basis = (
            tensor.to(device, exact_dtype(device))
            for tensor in (word_vectors(dim), table, basis[:directions])
        )

        # Coordinates along the directions: all that follows is made of inner products, in which
        # the sign of a direction does not matter.
        word, position = words @ basis.T, table @ basis.T
        out, left = slice(removed), slice(removed, None)
        gram = words @ words.T
        word_word = gram - word[:, out] @ word[:, out].T
        if min(removed, directions) == dim:
            word_word = torch.zeros_like(gram)  # nothing is left: no rounding errors either
        word_position = word[:, left] @ position[:, left].T
        position_position = position[:, left] @ position[:, left].T

        plane = drawing_plane(gram[:DRAWN, :DRAWN])
        alone = scale * gram[:DRAWN, :DRAWN] @ plane
        shrunk = scale * word_word[:DRAWN, :DRAWN] @ plane

        # The nearest y to x has the largest x.y - y.y/2. Scores are (word, position, candidate).
        size = word_word.diagonal()
        nearest_word = first_best(scale * (word_word - size / 2)[:, None] + word_position.T)
        near = position_position - position_position.diagonal() / 2
        nearest_position = first_best(scale * word_position[:, None] + near)
        word_right = nearest_word == torch.arange(VOCABULARY, device=device)[:, None]
        position_right = nearest_position == torch.arange(length, device=device)
        return {
            "words": alone,
            "sums": alone[:, None] + (position @ word[:DRAWN].T) @ plane,
            "cloud": shrunk[:, None] + word_position[:DRAWN].T @ plane,
            "nearest_word": nearest_word[:DRAWN],
            "nearest_position": nearest_position[:DRAWN],
            "energy": energy / energy[-1],
            "directions": directions,
            "word_found": word_right.sum().item() / word_right.numel(),
            "position_found": position_right.sum().item() / position_right.numel(),
            "word_kept": (size.clamp(min=0) / gram.diagonal()).sqrt().mean().item(),
        }


def word_vectors(dim: int) -> Float64[Tensor, "words dim"]:
    """Evenly distributed numbers with standard deviation ``dim ** -0.5``, the same everywhere.

    A word keeps its features when ``dim`` grows; they are only made smaller.
    """
    counters = 1024 * (FIRST + torch.arange(VOCABULARY))[:, None] + torch.arange(dim)
    return ((hash32(counters).double() + 0.5) / 2**31 - 1) * math.sqrt(3 / dim)


def drawing_plane(gram: Float[Tensor, "drawn drawn"]) -> Float[Tensor, "drawn 2"]:
    """Two orthonormal axes, as sums of the drawn words, that show the words as a pentagon.

    The axes are the cosine and the sine of each word's corner, made orthonormal (Gram-Schmidt).
    """
    corner = torch.arange(DRAWN, dtype=gram.dtype, device=gram.device) * (2 * math.pi / DRAWN)
    across, up = corner.sin(), corner.cos()
    across = across / (across @ gram @ across).sqrt()
    up = up - (up @ gram @ across) * across
    return torch.stack((across, up / (up @ gram @ up).sqrt()), dim=-1)


def first_best(
    scores: Float[Tensor, "words positions candidates"],
) -> Int64[Tensor, "words positions"]:
    """The first candidate whose score is the best but for rounding; -1 where all are exactly 0.

    Real ties exist: with one direction left, a table's rows mirror each other around its middle.
    """
    size = scores.abs().amax(-1, keepdim=True)
    worse = scores < scores.amax(-1, keepdim=True) - TIE * size
    first = worse.long().cumprod(-1).sum(-1)
    return torch.where(size.squeeze(-1) > 0, first, -1)
