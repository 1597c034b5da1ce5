"""Exercises of chapter 07, positions in two dimensions and more."""
