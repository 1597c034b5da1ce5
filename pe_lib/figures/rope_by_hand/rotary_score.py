"""The score of one query and one key by their distance: what decays, what does not, what peaks."""

import torch
from jaxtyping import Float64, Int64
from torch import Tensor
from torch.nn import functional as F

from pe_lib.figures.base import Figure, exact_dtype
from pe_lib.figures.controls import choice, slider
from pe_lib.figures.fixed_random import fixed_uniform
from pe_lib.rotary.apply import apply_rotary, rotary_cos_sin

SAMPLE = 64  # random queries and keys that are averaged over
WIDEST = 256  # features
TUNED = 100  # the farthest distance to tune to
DIALS = 7  # pairs whose hands are drawn


class RotaryScore(Figure):
    """Score of a turned query and key by the distance m - n, in units of \\|q\\| \\|k\\|.

    Args:
        dim: number of features.
        theta: base of the wavelengths.
        reach: the largest distance drawn; the query stands after the key.
        vectors: ``"equal"``: q = k, with hands of one length; ``"random"``: q and k are
            independent; ``"tuned"``: k is a random q, turned so that all hands meet at a distance.
        tuned_to: that distance; with the other vectors it is only marked.
        draw: which of the fixed random vectors.

    Example:
        >>> RotaryScore(vectors="tuned").tuned_to
        37
    """

    question = "Does the score fall with distance?"
    summary = (
        "A curve over the distance from key to query. With q = k it falls from 1 to about 0.16 at "
        "distance 1000. With random q and k it wavers around 0 at every distance and does not "
        "fall. With k tuned to 37 it peaks 37 tokens back."
    )

    asks = True

    dim = slider(128, 2, WIDEST, step=2, label="dim", unit="features", more=True)
    theta = slider(10000.0, 10.0, 1e6, log=True, label="theta", more=True)
    reach = slider(1000, 100, 2000, label="reach", unit="tokens", more=True)
    vectors = choice(
        "equal", {"equal": "q = k", "random": "random q, k", "tuned": "tuned"}, label="vectors"
    )
    tuned_to = slider(37, 0, TUNED, label="tuned to", unit="tokens")
    draw = slider(0, 0, SAMPLE - 1, label="draw", more=True)

    @staticmethod
    def compute(
        device: str, *, dim: int, theta: float, reach: int, vectors: str, tuned_to: int, draw: int
    ) -> dict[str, Tensor]:
        """Over the distances 0 ... reach: the drawn vectors' scores, the mean size of the whole
        sample's, and the upper bound of Su et al. 2021 (arXiv 2104.09864, equation 37) for the
        drawn ones, all in units of \\|q\\| \\|k\\|; the drawn q and k at position 0 as hands
        (dim/2, 2); the pairs that have ``dials``, and their hands of q ``turned`` by every
        distance (reach + 1, dials, 2).
        """
        dtype = exact_dtype(device)
        drawn = draw if vectors == "random" else 0
        numbers = torch.arange(SAMPLE) if vectors == "random" else torch.tensor([draw])
        queries, keys = vectors_of(vectors, numbers, dim, theta, tuned_to).to(device, dtype)
        q, k = (x.unflatten(-1, (-1, 2)).unbind(-1) for x in (queries, keys))
        along = q[0] * k[0] + q[1] * k[1]
        across = q[0] * k[1] - q[1] * k[0]
        distances = torch.arange(reach + 1, device=device)
        cos, sin = rotary_cos_sin(distances, dim, theta, dtype=dtype)
        sizes = queries.norm(dim=-1) * keys.norm(dim=-1)
        scores = (along @ cos.mT + across @ sin.mT) / sizes[:, None]
        # Equation 37: the largest step from one h to the next, times the sum of all |S|.
        products = torch.stack((along, across))[:, drawn]
        largest = F.pad(products, (0, 1)).diff(dim=-1).norm(dim=0).max()
        sums = torch.hypot(cos.cumsum(-1), sin.cumsum(-1)).sum(-1)
        dials = dials_of(dim // 2)
        shown = queries[drawn].unflatten(-1, (-1, 2))[dials].flatten().expand(len(cos), -1)
        turned = apply_rotary(shown, cos[:, dials], sin[:, dials], interleaved=True)
        return {
            "curve": scores[drawn],
            "mean_size": scores.abs().mean(0),
            "bound": largest * sums / sizes[drawn],
            "query": torch.stack((q[0][drawn], q[1][drawn]), dim=-1),
            "key": torch.stack((k[0][drawn], k[1][drawn]), dim=-1),
            "dials": dials,
            "turned": turned.unflatten(-1, (-1, 2)),
        }


def dials_of(pairs: int) -> Int64[Tensor, " dials"]:
    """The pairs whose hands are drawn: evenly spread, from the fastest to the slowest.

    Example:
        >>> dials_of(64).tolist()
        [0, 11, 21, 32, 42, 53, 63]
    """
    count = min(DIALS, pairs)
    steps = torch.arange(count) * (pairs - 1) / max(count - 1, 1)
    return (steps + 0.5).floor().long()


def vectors_of(
    vectors: str, numbers: Tensor, dim: int, theta: float, tuned_to: int
) -> Float64[Tensor, "2 count dim"]:
    """The queries and keys of these numbers, pairs interleaved: the same wherever they are made."""
    features = 2 * WIDEST * numbers[:, None] + torch.arange(dim)
    q = fixed_uniform(features)
    if vectors == "random":
        return torch.stack((q, fixed_uniform(features + WIDEST)))
    if vectors == "equal":
        angles = torch.pi * q[:, ::2]
        q = torch.stack((angles.cos(), angles.sin()), dim=-1).flatten(-2)
        return torch.stack((q, q))
    there = rotary_cos_sin(torch.tensor([tuned_to]), dim, theta, dtype=torch.float64)
    return torch.stack((q, apply_rotary(q[:, None], *there, interleaved=True)[:, 0]))
