"""Exercises of chapter 08, relative positions and ALiBi."""
