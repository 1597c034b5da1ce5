"""Figures of chapter 06: texts longer than those of training."""
