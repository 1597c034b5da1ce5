"""Figures of chapter 01: what becomes of a sentence whose words change places."""
