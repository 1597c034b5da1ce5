"""Figures of chapter 05: RoPE with a cache, and in low precision."""
