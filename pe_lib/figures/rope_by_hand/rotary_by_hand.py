"""The worked query and key, turned by their positions: what the score sees of it."""

import torch
from jaxtyping import Float
from torch import Tensor

from pe_lib.common.frequencies import inverse_frequencies
from pe_lib.course.five_tokens import KEY, QUERY
from pe_lib.figures.base import Figure, exact_dtype
from pe_lib.figures.controls import choice, slider
from pe_lib.rotary.apply import apply_rotary, rotary_cos_sin
from pe_lib.rotary.layouts import interleaved_to_half

DIM = len(QUERY)
LAST = 100  # the query's last position
FARTHEST = 12  # the largest offset, forward and back
FINE = 10  # points of the curve from one offset to the next


class RotaryByHand(Figure):
    """Three dials, one a pair: the hands of q and k, and the angle between them.

    A hand points to (a, b), the pair's two features: a to the right, b upwards. A positive
    position turns it counter-clockwise.

    Args:
        position: the query's position m, fractions too.
        offset: where the key stands from the query, n - m. At a position below 0 the hands turn
            the other way.
        pairs: ``"half-split"`` pairs the features (0,3), (1,4), (2,5); ``"interleaved"`` (0,1),
            (2,3), (4,5); ``"permuted"`` is half-split code whose q and k were put from the
            interleaved into the half-split order.
        theta: base of the wavelengths.

    Example:
        >>> RotaryByHand(offset=-2, pairs="interleaved")
        RotaryByHand(position=1.0, offset=-2.0, pairs='interleaved', theta=10000.0)
    """

    question = "Move both tokens, or one alone: when does the score change?"
    summary = (
        "Three dials, one for each pair of features, with a hand for the query and one for the "
        "key. When both tokens move together every hand turns, but the angle between the two "
        "hands stays in every dial, and so does the score. When one moves alone, it changes."
    )

    asks = True

    position = slider(1.0, 0, LAST, label="position m", more=True)
    offset = slider(2.0, -FARTHEST, FARTHEST, label="offset", unit="tokens", more=True)
    pairs = choice(
        "half-split",
        {"half-split": "half-split", "interleaved": "interleaved", "permuted": "permuted"},
        label="pairs",
        more=True,
    )
    theta = slider(10000.0, 10.0, 1e6, log=True, label="theta", more=True)

    @staticmethod
    def compute(
        device: str, *, position: float, offset: float, pairs: str, theta: float
    ) -> dict[str, Tensor | float]:
        """q and k (2, 6) before and after the turn; for each of the 3 pairs the angle between its
        hands in radians and its part of the score; the score q' · k', and the scores of a key at
        every offset from -FARTHEST to FARTHEST, FINE of them for each token; and the frequency of
        each pair, in radians a token.
        """
        dtype = exact_dtype(device)
        interleaved = pairs == "interleaved"

        def turned(x: Float[Tensor, "seq 6"], positions: Tensor) -> Float[Tensor, "seq 6"]:
            tables = rotary_cos_sin(positions.to(device), DIM, theta, dtype=dtype)
            return apply_rotary(x, *tables, interleaved=interleaved)

        before = torch.stack((QUERY, KEY)).to(device, dtype)
        if pairs == "permuted":
            before = interleaved_to_half(before)
        after = turned(before, torch.tensor([position, position + offset], dtype=dtype))
        # The hands, each (pairs, 2).
        q, k = after.unflatten(-1, (3, 2)) if interleaved else after.unflatten(-1, (2, 3)).mT
        along = (q * k).sum(-1)
        across = q[:, 0] * k[:, 1] - q[:, 1] * k[:, 0]
        offsets = torch.arange(-FARTHEST * FINE, FARTHEST * FINE + 1, dtype=dtype) / FINE
        keys = turned(before[1].expand(len(offsets), DIM), position + offsets)
        return {
            "before": before,
            "after": after,
            "angles": torch.atan2(across.abs(), along),
            "parts": along,
            "score": along.sum().item(),
            "curve": keys @ after[0],
            "frequencies": inverse_frequencies(DIM, theta),
        }
