"""Exercises of chapter 09, all encodings compared by measurement."""
