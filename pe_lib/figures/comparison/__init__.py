"""Figures of chapter 09: what trained models were measured to do."""
