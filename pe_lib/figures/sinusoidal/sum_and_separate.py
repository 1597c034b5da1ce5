"""Words plus positions as clouds of points, and the positions taken out again."""

import math

import torch
from jaxtyping import Float, Float64, Int64
from torch import Tensor

from pe_lib.absolute.sinusoidal import sinusoidal_encoding
from pe_lib.figures.base import Figure, exact_dtype
from pe_lib.figures.controls import slider
from pe_lib.figures.fixed_random import fixed_uniform

SENTENCE = ("the", "cat", "sat", "on", "mat")  # the words that are drawn
DRAWN = len(SENTENCE)
# fmt: off
WORDS = (
    *SENTENCE,
    "apple", "bird", "boat", "book", "bread", "bridge", "candle", "chair", "cloud", "coat", "coin",
    "corn", "cup", "dog", "door", "drum", "egg", "fire", "fish", "flag", "fox", "garden", "glass",
    "gold", "hand", "hat", "horse", "house", "ink", "iron", "island", "key", "lake", "lamp", "leaf",
    "milk", "moon", "night", "ocean", "oven", "paper", "pear", "pen", "piano", "queen", "rain",
    "ring", "river", "road", "salt", "ship", "shoe", "snow", "spoon", "star", "stone", "tree",
    "window", "wolf",
)
# fmt: on
VOCABULARY = len(WORDS)
HIGHEST_SCALE = 24.0
FIRST = 704  # where the random numbers start: a draw whose five words lie well apart in the plane
NEGLIGIBLE = 1e-4  # a direction that much weaker than the strongest is not counted


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

    question = "From the sum of a word and its position, can one tell the word?"
    summary = (
        "Five words, each with a cloud of sums, one for every position. One cloud is looked at, "
        "and a red line leads from each of its sums that is taken for another word. The clouds "
        "overlap while words are short, part when words are scaled by sqrt(dim), and shrink to one "
        "point each when the few directions that positions fill are projected out."
    )

    asks = True

    dim = slider(128, 16, 512, step=16, label="dim", unit="features", more=True)
    theta = slider(10000.0, 10.0, 1e6, log=True, label="theta", more=True)
    length = slider(32, 8, 64, label="length", unit="positions", more=True)
    scale = slider(1.0, 1.0, HIGHEST_SCALE, log=True, label="scale", unit="× words")
    removed = slider(0, 0, 32, label="removed", unit="directions")

    @staticmethod
    def compute(
        device: str, *, dim: int, theta: float, length: int, scale: float, removed: int
    ) -> dict[str, Tensor | float]:
        """Points of the five drawn words, what is found for each, and shares over all 64 words.

        ``words`` (5, 2) and ``positions`` (length, 2) are what a sum is made of, seen in one
        plane; ``words_left`` (64, 2) and ``positions_left`` are all words and the positions after
        directions are projected out.
        ``nearest_word`` and ``nearest_position`` (5, length) are indices, -1 where nothing is left
        to compare. ``own_distance`` (5, length) is how far a sum is from its word, and
        ``rival_distance`` how far it is from the nearest other word, ``rival``.
        ``energy`` (length,) is the cumulative share of the table in its strongest directions,
        ``directions`` their number; ``word_found``, ``position_found`` and ``word_kept`` are shares
        from 0 to 1.
        """
        words = word_vectors(dim)
        table = sinusoidal_encoding(length, dim, theta, dtype=torch.float64)
        strength, basis = torch.linalg.svd(table, full_matrices=False)[1:]
        directions = int((strength > NEGLIGIBLE * strength[0]).sum())
        out = min(removed, directions)
        word, axis = slice(VOCABULARY), slice(VOCABULARY, VOCABULARY + 2)
        position = slice(VOCABULARY + 2, None)

        # From here on, inner products of scaled words, axes of the picture and positions.
        vectors = torch.cat((scale * words, drawing_plane(words[:DRAWN]), table))
        vectors, basis = (x.to(device, exact_dtype(device)) for x in (vectors, basis))
        along = vectors @ basis[:out].T
        before = vectors @ vectors.T
        after = before - along @ along.T
        if out == directions:  # what is left of the positions is next to nothing
            after[position], after[:, position] = 0, 0
        if out == dim:
            after = torch.zeros_like(after)

        # The nearest y to x has the largest x.y - y.y/2. Scores are (word, position, candidate).
        scores = after[word, None] + after[position] - after.diagonal() / 2
        nearest_word, nearest_position = nearest(scores[..., word]), nearest(scores[..., position])
        # How far each sum of a drawn word is from every word.
        own = torch.arange(DRAWN, device=device)
        squares = after.diagonal()
        sums = squares[own, None] + squares[position] + 2 * after[:DRAWN, position]
        distances = (sums[..., None] - 2 * scores[:DRAWN, :, word]).clamp(min=0).sqrt()
        own_distance = distances[own, :, own]
        distances[own, :, own] = math.inf
        rival_distance, rival = distances.min(-1)

        word_right = nearest_word == torch.arange(VOCABULARY, device=device)[:, None]
        position_right = nearest_position == torch.arange(length, device=device)
        size = after.diagonal()[word].clamp(min=0) / before.diagonal()[word]
        energy = torch.nn.functional.pad(strength**2, (0, length - len(strength))).cumsum(0)
        return {
            "words": before[:DRAWN, axis],
            "positions": before[position, axis],
            "words_left": after[word, axis],
            "positions_left": after[position, axis],
            "nearest_word": nearest_word[:DRAWN],
            "nearest_position": nearest_position[:DRAWN],
            "own_distance": own_distance,
            "rival": rival,
            "rival_distance": rival_distance,
            "energy": energy / energy[-1],
            "directions": directions,
            "word_found": word_right.double().mean().item(),
            "position_found": position_right.double().mean().item(),
            "word_kept": size.sqrt().mean().item(),
        }


def word_vectors(dim: int) -> Float64[Tensor, "words dim"]:
    """Evenly distributed numbers with standard deviation ``dim ** -0.5``, the same everywhere.

    A word keeps its features when ``dim`` grows; they are only made smaller.
    """
    counters = 1024 * (FIRST + torch.arange(VOCABULARY))[:, None] + torch.arange(dim)
    return fixed_uniform(counters) * math.sqrt(3 / dim)


def drawing_plane(words: Float[Tensor, "drawn dim"]) -> Float[Tensor, "2 dim"]:
    """Two orthonormal axes among the drawn words that show them as a pentagon.

    They are the words' sums by the sine and the cosine of each word's corner, made orthonormal
    (Gram-Schmidt).
    """
    corner = torch.arange(len(words), dtype=words.dtype) * (2 * math.pi / len(words))
    across, up = corner.sin() @ words, corner.cos() @ words
    across = across / across.norm()
    up = up - (up @ across) * across
    return torch.stack((across, up / up.norm()))


def nearest(
    scores: Float[Tensor, "words positions candidates"],
) -> Int64[Tensor, "words positions"]:
    """The candidate with the best score; -1 where none is better than another."""
    return torch.where(scores.amax(-1) > scores.amin(-1), scores.argmax(-1), -1)
