"""Figures on relative positions."""
