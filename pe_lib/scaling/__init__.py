"""Rotary frequencies for texts longer than the ones a model was trained on."""

from pe_lib.scaling.base import Scaling

__all__ = ["Scaling"]
