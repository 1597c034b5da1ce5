"""Rotary frequencies for texts longer than the ones a model was trained on."""

from pe_lib.scaling.base import Scaling
from pe_lib.scaling.config import scaling_from_config
from pe_lib.scaling.dynamic_ntk import DynamicNTKScaling
from pe_lib.scaling.linear import LinearScaling
from pe_lib.scaling.llama3 import Llama3Scaling
from pe_lib.scaling.longrope import LongRopeScaling
from pe_lib.scaling.ntk import NTKScaling
from pe_lib.scaling.proportional import ProportionalScaling
from pe_lib.scaling.yarn import YarnScaling

__all__ = [
    "DynamicNTKScaling",
    "LinearScaling",
    "Llama3Scaling",
    "LongRopeScaling",
    "NTKScaling",
    "ProportionalScaling",
    "Scaling",
    "YarnScaling",
    "scaling_from_config",
]
