"""Rotary frequencies for texts longer than the ones a model was trained on."""
