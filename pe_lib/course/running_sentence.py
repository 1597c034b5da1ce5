"""The sentence that runs through the whole course, and one small set of attention weights.

Eight features, one head, numbers with one decimal: small enough to check by hand. The numbers
were chosen so that, with no encoding at all, the attention map can be read at a glance: *cat* and
*sat* look at each other, *on* and *mat* likewise, and *the* looks at the two nouns.
"""

from collections.abc import Sequence

import torch
from jaxtyping import Float64
from torch import Tensor

WORDS = ("the", "cat", "sat", "on", "the", "mat")
TWIN = ("the", "mat", "sat", "on", "the", "cat")
DIM = 8  # features; one head

# fmt: off
VOCABULARY = {
    "the": [0.7, -0.6, 0.2, -0.8, -0.4, -0.2, -0.3, 0.1],
    "cat": [-0.4, -0.7, -0.8, -0.7, -0.6, 0.9, -1.0, 0.8],
    "sat": [0.5, -0.7, -0.2, 0.1, -0.6, -0.5, 1.0, 0.3],
    "on": [0.4, 0.8, 0.4, 0.4, -0.1, -0.7, -0.9, -0.4],
    "mat": [-0.9, 0.7, 0.2, -0.5, 1.0, 0.1, 0.6, 0.9],
}
W_Q = torch.tensor([
    [0.1, -0.2, 0.8, 0.4, -0.1, 0.0, 1.0, 0.0],
    [-0.7, 0.8, 0.4, 0.0, 0.1, -0.3, 0.7, 0.3],
    [0.9, -0.6, -0.5, -0.3, -1.0, -0.3, -0.5, 0.0],
    [-0.4, 0.5, -0.2, 0.3, 0.5, -0.1, -0.2, 0.0],
    [0.8, -0.2, 0.0, -0.1, 0.3, -0.6, 0.3, -0.8],
    [0.9, -0.5, -0.6, -0.3, 0.6, -0.4, 0.0, 0.2],
    [0.6, -0.4, 0.0, 0.5, 0.1, 0.4, 0.3, 0.3],
    [-0.6, 1.2, 1.0, 0.8, 0.3, 0.9, 0.7, -0.5],
], dtype=torch.float64)
W_K = torch.tensor([
    [0.1, -0.8, -0.6, -0.6, 0.5, -0.5, -1.0, 0.6],
    [-0.4, -0.2, 0.5, 0.0, -0.5, -0.6, 0.2, 0.3],
    [0.9, -0.3, -0.3, -0.5, -0.3, -1.0, 0.0, -0.3],
    [-0.3, 1.2, 0.8, 0.9, 0.9, 0.6, 0.5, 0.0],
    [0.5, 0.0, 0.1, -0.1, 0.3, -0.4, -0.3, 0.2],
    [-0.3, -1.0, -0.1, -0.1, -0.1, 0.0, -0.4, 0.2],
    [-1.0, -0.1, 0.2, -0.7, 0.0, 0.0, -0.7, -0.1],
    [-0.6, 0.0, 0.5, -0.2, -0.6, 0.3, -0.1, 0.0],
], dtype=torch.float64)
W_V = torch.tensor([
    [0.3, -0.5, -0.3, -0.4, -0.5, 0.7, 0.2, 0.4],
    [0.7, -0.1, -0.3, -0.3, 0.6, -0.6, -0.8, -0.3],
    [-0.3, -0.3, 0.5, 0.0, 0.3, -0.2, -0.9, -0.3],
    [0.7, -0.5, -0.6, -0.7, 0.1, 0.7, 0.6, 0.9],
    [-0.4, -0.1, 0.9, -0.9, -0.3, 0.4, -0.4, 0.1],
    [0.3, 0.0, 0.5, 0.6, 0.1, 0.0, -0.9, -0.9],
    [0.0, -0.7, 0.4, -0.7, 0.2, -0.6, -0.5, 0.1],
    [-0.7, 0.7, 0.0, -0.3, -0.6, 0.6, 0.7, -0.9],
], dtype=torch.float64)
# fmt: on


def embeddings(words: Sequence[str] = WORDS) -> Float64[Tensor, "seq 8"]:
    """One row of eight numbers for each word; a word's row is the same wherever it stands.

    Args:
        words: words of the running sentence, in any order and as many as you like.

    Returns:
        float64, (number of words, 8). ``embeddings(words) @ W_Q`` are the queries.

    Raises:
        ValueError: a word is not one of the five.

    Example:
        >>> embeddings(["the", "cat", "the"]).shape
        torch.Size([3, 8])
    """
    unknown = [word for word in words if word not in VOCABULARY]
    if unknown:
        known = ", ".join(VOCABULARY)
        raise ValueError(f"words: expected only {known}, got {unknown[0]!r}")
    return torch.tensor([VOCABULARY[word] for word in words], dtype=torch.float64).view(-1, DIM)
