"""Figures on learned positions."""
