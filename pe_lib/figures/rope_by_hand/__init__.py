"""Figures of chapter 04: RoPE in six dimensions, for five tokens."""
