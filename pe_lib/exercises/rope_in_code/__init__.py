"""Exercises of chapter 05, rotary encoding in code."""
