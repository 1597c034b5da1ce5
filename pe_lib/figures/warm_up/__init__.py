"""Figures of chapter 00: where order can enter a Transformer."""
