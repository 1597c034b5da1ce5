"""What the attention of one layer compares, with all that positions do to it."""

from jaxtyping import Float
from torch import Tensor

from pe_lib.model import MultiHeadAttention
from pe_lib.model.positions.coordinates import TextPositions


def compared(
    layer: MultiHeadAttention, x: Float[Tensor, "1 seq dim"], positions: TextPositions
) -> tuple[Tensor, Tensor, Tensor | None]:
    """The queries and keys of a layer, turned, and the bias of their scores.

    Args:
        layer: a layer without a window.
        x: (1, seq, dim), what it reads.
        positions: where these tokens stand.

    Returns:
        Queries and keys, (1, heads, seq, head_dim) each; the bias, which broadcasts to
        (1, heads, seq, seq), or None.
    """
    q, k = (
        project(x).unflatten(-1, (layer.num_heads, -1)).transpose(-2, -3)
        for project in (layer.queries, layer.keys)
    )  # (1, heads, seq, head_dim)
    q, k = layer.position.at_q_and_k(q, k, positions)  # shapes as before
    return q, k, layer.position.at_the_score(q, k, positions)
