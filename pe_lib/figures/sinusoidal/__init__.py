"""Figures on the sinusoidal encoding."""
