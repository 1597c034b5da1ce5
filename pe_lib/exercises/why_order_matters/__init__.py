"""Exercises of chapter 01, why order matters."""
