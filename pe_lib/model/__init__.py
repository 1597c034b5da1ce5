"""Small Transformers to compare positional encodings in: for texts, and for pictures."""

from pe_lib.model.attention import attention, attention_weights
from pe_lib.model.block import TransformerBlock
from pe_lib.model.language_model import TransformerLM
from pe_lib.model.multi_head import MultiHeadAttention
from pe_lib.model.vision import VisionTransformer

__all__ = [
    "MultiHeadAttention",
    "TransformerBlock",
    "TransformerLM",
    "VisionTransformer",
    "attention",
    "attention_weights",
]
