"""The class ``RotaryEmbedding``, for users of rotary-embedding-torch, and its two functions."""

from pe_lib.rotary.embedding.functional import apply_rotary_emb, slice_at_dim
from pe_lib.rotary.embedding.rotary_embedding import RotaryEmbedding

__all__ = ["RotaryEmbedding", "apply_rotary_emb", "slice_at_dim"]
