"""Exercises of chapter 06, longer context."""
