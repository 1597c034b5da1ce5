"""Exercises of chapter 00, the warm-up."""
