"""Figures on what order is, and where it can enter a Transformer."""
