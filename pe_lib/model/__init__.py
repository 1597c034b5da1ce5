"""A small Transformer to compare positional encodings in: attention, blocks, a language model."""

from pe_lib.model.attention import attention, attention_weights
from pe_lib.model.block import TransformerBlock
from pe_lib.model.language_model import TransformerLM
from pe_lib.model.multi_head import MultiHeadAttention

__all__ = [
    "MultiHeadAttention",
    "TransformerBlock",
    "TransformerLM",
    "attention",
    "attention_weights",
]
