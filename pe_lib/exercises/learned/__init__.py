"""Exercises of chapter 03, learned position embeddings."""
