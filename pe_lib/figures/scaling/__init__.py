"""Figures on texts longer than those of training."""
