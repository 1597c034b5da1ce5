"""Figures on rotary encoding."""
