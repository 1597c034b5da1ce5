"""Figures on positions in a picture."""
