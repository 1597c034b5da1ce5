"""Exercises of chapter 02, the sinusoidal encoding."""
