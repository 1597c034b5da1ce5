"""The class ``RotaryEmbedding``, for users of rotary-embedding-torch, and the functions beside it.

In the order in which they build on each other: ``frequencies`` makes the numbers that the class
starts from, ``angles`` turns positions into angles and scales, ``functional`` turns features by
given angles, ``module`` rotates queries and keys with all of it.
"""

from pe_lib.rotary.embedding.functional import apply_rotary_emb, slice_at_dim
from pe_lib.rotary.embedding.module import RotaryEmbedding

__all__ = ["RotaryEmbedding", "apply_rotary_emb", "slice_at_dim"]
