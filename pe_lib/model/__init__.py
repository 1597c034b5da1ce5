"""A small Transformer to compare positional encodings in: attention, blocks, a language model."""

from pe_lib.model.attention import attention, attention_weights

__all__ = ["attention", "attention_weights"]
