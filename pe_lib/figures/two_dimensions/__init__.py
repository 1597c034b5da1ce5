"""Figures of chapter 07: positions in a picture."""
