"""Figures on what trained models were measured to do."""
