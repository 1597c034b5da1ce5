"""Exercises of chapter 04, RoPE by hand."""
