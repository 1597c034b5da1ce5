"""Positional encodings for Transformers, as the course teaches them: exact, small, tested.

>>> import pe_lib
>>> pe_lib.sinusoidal_encoding(5, dim=6).shape
torch.Size([5, 6])
"""

from pe_lib.absolute.learned import LearnedPositionalEmbedding
from pe_lib.absolute.sinusoidal import (
    SinusoidalPositionalEncoding,
    shift_matrix,
    sinusoidal_encoding,
)
from pe_lib.absolute.sinusoidal_2d import sinusoidal_encoding_2d
from pe_lib.common.devices import available_devices, default_device
from pe_lib.common.frequencies import inverse_frequencies, wavelengths
from pe_lib.common.position_ids import (
    mrope_position_ids,
    positions_from_cu_seqlens,
    positions_from_mask,
    zigzag_positions,
)
from pe_lib.diagnostics import (
    ascii_map,
    measured_wavelengths,
    neighbour_distances,
    off_diagonal,
    score_by_offset,
    similarity_by_offset,
    similarity_matrix,
)
from pe_lib.model import (
    MultiHeadAttention,
    TransformerBlock,
    TransformerLM,
    VisionTransformer,
    attention,
    attention_weights,
)
from pe_lib.relative.alibi import alibi_bias, alibi_score_mod, alibi_slopes
from pe_lib.relative.cope import ContextualPosition
from pe_lib.relative.fire import FireBias
from pe_lib.relative.indices import relative_position_index, relative_positions
from pe_lib.relative.kerple import KerpleBias
from pe_lib.relative.shaw import ShawRelativePosition
from pe_lib.relative.t5 import T5RelativeBias, t5_relative_bucket
from pe_lib.relative.transformer_xl import TransformerXLRelativePosition
from pe_lib.rotary.apply import apply_rotary, rotary_cos_sin, rotate_half
from pe_lib.rotary.axial import axial_rotary_cos_sin
from pe_lib.rotary.complex import apply_rotary_complex, rotary_freqs_cis
from pe_lib.rotary.config.read import rotary_from_config
from pe_lib.rotary.config.scaling import scaling_from_config
from pe_lib.rotary.coordinates import nd_rotary_cos_sin
from pe_lib.rotary.embedding import RotaryEmbedding, apply_rotary_emb, slice_at_dim
from pe_lib.rotary.layouts import half_to_interleaved, interleaved_to_half
from pe_lib.rotary.mixed import MixedRotary2D
from pe_lib.rotary.module import RotaryPositionalEmbedding, RotaryTables
from pe_lib.rotary.multimodal import mrope_cos_sin
from pe_lib.rotary.rerotate import rerotate
from pe_lib.rotary.scaling.base import Scaling
from pe_lib.rotary.scaling.dynamic_ntk import DynamicNTKScaling
from pe_lib.rotary.scaling.linear import LinearScaling
from pe_lib.rotary.scaling.llama3 import Llama3Scaling
from pe_lib.rotary.scaling.longrope import LongRopeScaling
from pe_lib.rotary.scaling.ntk import NTKScaling
from pe_lib.rotary.scaling.proportional import ProportionalScaling
from pe_lib.rotary.scaling.yarn import YarnScaling
from pe_lib.rotary.settings import RotarySettings
from pe_lib.rotary.temperature import query_temperature
from pe_lib.rotary.transformers_rotary import TransformersRotary
from pe_lib.rotary.xpos import xpos_scale

__version__ = "0.1.0"

__all__ = [
    "ContextualPosition",
    "DynamicNTKScaling",
    "FireBias",
    "KerpleBias",
    "LearnedPositionalEmbedding",
    "LinearScaling",
    "Llama3Scaling",
    "LongRopeScaling",
    "MixedRotary2D",
    "MultiHeadAttention",
    "NTKScaling",
    "ProportionalScaling",
    "RotaryEmbedding",
    "RotaryPositionalEmbedding",
    "RotarySettings",
    "RotaryTables",
    "Scaling",
    "ShawRelativePosition",
    "SinusoidalPositionalEncoding",
    "T5RelativeBias",
    "TransformerBlock",
    "TransformerLM",
    "TransformerXLRelativePosition",
    "TransformersRotary",
    "VisionTransformer",
    "YarnScaling",
    "alibi_bias",
    "alibi_score_mod",
    "alibi_slopes",
    "apply_rotary",
    "apply_rotary_complex",
    "apply_rotary_emb",
    "ascii_map",
    "attention",
    "attention_weights",
    "available_devices",
    "axial_rotary_cos_sin",
    "default_device",
    "half_to_interleaved",
    "interleaved_to_half",
    "inverse_frequencies",
    "measured_wavelengths",
    "mrope_cos_sin",
    "mrope_position_ids",
    "nd_rotary_cos_sin",
    "neighbour_distances",
    "off_diagonal",
    "positions_from_cu_seqlens",
    "positions_from_mask",
    "query_temperature",
    "relative_position_index",
    "relative_positions",
    "rerotate",
    "rotary_cos_sin",
    "rotary_freqs_cis",
    "rotary_from_config",
    "rotate_half",
    "scaling_from_config",
    "score_by_offset",
    "shift_matrix",
    "similarity_by_offset",
    "similarity_matrix",
    "sinusoidal_encoding",
    "sinusoidal_encoding_2d",
    "slice_at_dim",
    "t5_relative_bucket",
    "wavelengths",
    "xpos_scale",
    "zigzag_positions",
]
