"""How each public name is called: twice, with other sizes and other numbers the second time."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn

import pe_lib
from pe_lib.model.positions.picture import PictureKind
from pe_lib.model.positions.text import TextKind

SMALL, LARGE = (torch.randn(2, 4, n, 8, generator=torch.manual_seed(n)) for n in (10, 14))
FEW, MANY = torch.arange(5), torch.arange(9)
TEXTS = torch.zeros(2, 5, dtype=torch.long), torch.ones(3, 9, dtype=torch.long)
PICTURES = torch.ones(2, 1, 8, 8), torch.ones(3, 1, 12, 16)


@dataclass(frozen=True)
class Case:
    """Something to call: what ``make`` gives, with each of the ``inputs``."""

    make: Callable[[], Callable[..., Any]]
    inputs: tuple[tuple[Any, ...], ...]


class Calls(nn.Module):
    """A module whose ``forward`` is ``call``, with ``module`` before its other arguments."""

    def __init__(self, module: nn.Module, call: Callable[..., Any]) -> None:
        super().__init__()
        self.module, self.call = module, call

    def forward(self, *inputs: Any) -> Any:
        return self.call(self.module, *inputs)


def function(name: str, *inputs: tuple[Any, ...], **settings: Any) -> Case:
    return Case(lambda: partial(getattr(pe_lib, name), **settings), inputs)


def module(make: Callable[[], nn.Module], *inputs: tuple[Any, ...]) -> Case:
    return Case(make, inputs)


def rotated(x: Tensor, theta: float) -> Tensor:
    return pe_lib.apply_rotary(x, *pe_lib.rotary_cos_sin(x.shape[-2], 8, theta))


def rotated_as_complex_numbers(x: Tensor, theta: float) -> Tensor:
    return pe_lib.apply_rotary_complex(x, pe_lib.rotary_freqs_cis(x.shape[-2], 8, theta))


def scaled(scaling: Any) -> Case:
    def tables(positions: Tensor, theta: float) -> tuple[Tensor, Tensor]:
        return pe_lib.rotary_cos_sin(positions, 8, theta, scaling=scaling, seq_len=100)

    return Case(lambda: tables, ((FEW, 100.0), (MANY, 500.0)))


def sections(positions: Tensor, theta: float) -> tuple[Tensor, Tensor]:
    return pe_lib.mrope_cos_sin(positions.expand(3, 2, -1), 8, (2, 1, 1), theta)


def both(rotary: Any, x: Tensor) -> Any:
    return rotary.rotate_queries_and_keys(x, x)


def later(rotary: Any, x: Tensor, offset: int) -> Any:
    return rotary.rotate_queries_or_keys(x, offset=offset)


def twice(rotary: Any, x: Tensor, offset: int) -> Any:
    return rotary(x, x, offset=offset)


def all_layers(rotary: Any, x: Tensor, offset: int) -> Any:
    positions = torch.arange(x.shape[-2], device=x.device) + offset
    tables = rotary.tables(positions)
    return (*rotary(x, x, tables=tables), *rotary(x, x.flip(-2), tables=tables))


def moved(x: Tensor, theta: float) -> Tensor:
    cos, sin = pe_lib.rotary_cos_sin(2 * x.shape[-2], 8, theta)
    old, new = ((t[: len(t) // 2], t[len(t) // 2 :]) for t in (cos, sin))
    return pe_lib.rerotate(x, old[0], new[0], old[1], new[1])


def with_keys(relative: Any, x: Tensor) -> Any:
    return relative(x, x)


def language_model(position: str) -> Case:
    make = partial(pe_lib.TransformerLM, 20, 16, 1, 2, max_len=64, position=position)
    return Case(make, tuple((ids,) for ids in TEXTS))


def vision_transformer(position: str) -> Case:
    sizes = {"image_size": 8, "patch_size": 2, "position": position}
    make = partial(pe_lib.VisionTransformer, 3, 16, 1, 2, **sizes)
    resized = partial(Calls, call=lambda model, images: model(images, resized=True))
    return Case(lambda: resized(make()), tuple((images,) for images in PICTURES))


LENGTHS = ((3, 4), (5, 6))
BOTH = ((SMALL,), (LARGE,))
OFFSETS = ((SMALL, 0), (LARGE, 5), (LARGE, 100_000))
TABLES = ((torch.arange(80.0).view(10, 8),), (torch.arange(112.0).view(14, 8),))
WAVES = tuple((pe_lib.sinusoidal_encoding(n, 4, 4.0),) for n in (40, 60))

CASES = {
    "inverse_frequencies": function("inverse_frequencies", (8, 100.0), (8, 500.0)),
    "wavelengths": function("wavelengths", (8, 100.0), (8, 500.0)),
    "sinusoidal_encoding": function("sinusoidal_encoding", (FEW, 8, 100.0), (MANY, 8, 500.0)),
    "sinusoidal_encoding_2d": function("sinusoidal_encoding_2d", (3, 4, 8), (5, 6, 8)),
    "shift_matrix": function("shift_matrix", (1.5, 8, 100.0), (2.5, 8, 500.0)),
    "rotary_cos_sin": function("rotary_cos_sin", (FEW, 8, 100.0), (MANY, 8, 500.0)),
    "apply_rotary": Case(lambda: rotated, ((SMALL, 100.0), (LARGE, 500.0))),
    "rerotate": Case(lambda: moved, ((SMALL, 100.0), (LARGE, 500.0))),
    "apply_rotary_complex": Case(
        lambda: rotated_as_complex_numbers, ((SMALL, 100.0), (LARGE, 500.0))
    ),
    "rotary_freqs_cis": function("rotary_freqs_cis", (FEW, 8, 100.0), (MANY, 8, 500.0)),
    "rotate_half": function("rotate_half", *BOTH),
    "interleaved_to_half": function("interleaved_to_half", *BOTH),
    "half_to_interleaved": function("half_to_interleaved", *BOTH),
    "LinearScaling": scaled(pe_lib.LinearScaling(2.0)),
    "NTKScaling": scaled(pe_lib.NTKScaling(2.0)),
    "DynamicNTKScaling": scaled(pe_lib.DynamicNTKScaling(2.0, 8)),
    "YarnScaling": scaled(pe_lib.YarnScaling(4.0, 64)),
    "LongRopeScaling": scaled(pe_lib.LongRopeScaling([1.0] * 4, [2.0] * 4, 64)),
    "Llama3Scaling": scaled(pe_lib.Llama3Scaling(8.0, 1.0, 4.0, 64)),
    "ProportionalScaling": scaled(pe_lib.ProportionalScaling(0.5)),
    "xpos_scale": function("xpos_scale", (FEW, 8, 100.0), (MANY, 8, 500.0)),
    "axial_rotary_cos_sin": function("axial_rotary_cos_sin", (3, 4, 8, 100.0), (5, 6, 8, 500.0)),
    "nd_rotary_cos_sin": function(
        "nd_rotary_cos_sin", (FEW[:, None].expand(-1, 2), (4, 4)), (MANY[:, None] + FEW[:2], (4, 4))
    ),
    "mrope_cos_sin": Case(lambda: sections, ((FEW, 100.0), (MANY, 500.0))),
    "positions_from_mask": function(
        "positions_from_mask", *[(x[..., 0] > 0,) for x in (SMALL[0], LARGE[0])]
    ),
    "positions_from_cu_seqlens": Case(
        lambda: lambda ends, total: pe_lib.positions_from_cu_seqlens(ends, total=total),
        ((torch.tensor([0, 3, 5]), 6), (torch.tensor([0, 2, 7, 8]), 9)),
    ),
    "zigzag_positions": function("zigzag_positions", (8, 1, 2), (16, 1, 2)),
    "query_temperature": function("query_temperature", (FEW, 4, 0.1), (MANY, 4, 0.2)),
    "alibi_slopes": function("alibi_slopes", (4,), (6,)),
    "alibi_bias": function("alibi_bias", (4, 3, 4), (4, 5, 6)),
    "relative_positions": function("relative_positions", *LENGTHS),
    "relative_position_index": function("relative_position_index", *LENGTHS, max_distance=3),
    "t5_relative_bucket": function("t5_relative_bucket", (FEW,), (MANY,), bidirectional=True),
    "attention": function("attention", (SMALL,) * 3, (LARGE,) * 3, causal=True),
    "attention_weights": function("attention_weights", (SMALL,) * 2, (LARGE,) * 2),
    "slice_at_dim": function("slice_at_dim", *BOTH, dim_slice=slice(2, None), dim=-2),
    "apply_rotary_emb": function("apply_rotary_emb", (SMALL[0, 0], SMALL), (LARGE[0, 0], LARGE)),
    "neighbour_distances": function("neighbour_distances", *TABLES),
    "off_diagonal": function("off_diagonal", *[(table @ table.T,) for (table,) in TABLES]),
    "measured_wavelengths": function("measured_wavelengths", *WAVES),
    "score_by_offset": function("score_by_offset", *[(x @ x.T,) for (x,) in TABLES]),
    "similarity_matrix": function("similarity_matrix", *TABLES),
    "similarity_by_offset": function("similarity_by_offset", *TABLES),
    "SinusoidalPositionalEncoding": module(
        lambda: pe_lib.SinusoidalPositionalEncoding(8), *OFFSETS
    ),
    "LearnedPositionalEmbedding": module(
        lambda: pe_lib.LearnedPositionalEmbedding(64, 8), (SMALL, 0), (LARGE, 5)
    ),
    "RotaryEmbedding": module(lambda: Calls(pe_lib.RotaryEmbedding(8), later), *OFFSETS),
    "RotaryEmbedding, learned": module(
        lambda: Calls(pe_lib.RotaryEmbedding(8, learned_freq=True), later), *OFFSETS
    ),
    "RotaryEmbedding, xPos": module(
        lambda: Calls(pe_lib.RotaryEmbedding(8, use_xpos=True), both), *BOTH
    ),
    "RotaryPositionalEmbedding": module(
        lambda: Calls(pe_lib.RotaryPositionalEmbedding(8), twice), *OFFSETS
    ),
    "RotaryTables": module(
        lambda: Calls(pe_lib.RotaryPositionalEmbedding(8, rotates_last=True), all_layers), *OFFSETS
    ),
    "TransformersRotary": module(
        lambda: pe_lib.TransformersRotary({"model_type": "llama", "head_dim": 8}),
        *[(x, torch.arange(x.shape[-2])[None]) for x in (SMALL[0], LARGE[0])],
    ),
    "MixedRotary2D": module(lambda: pe_lib.MixedRotary2D(8, 2), *LENGTHS),
    "ShawRelativePosition": module(lambda: pe_lib.ShawRelativePosition(8, 5), *BOTH),
    "T5RelativeBias": module(lambda: pe_lib.T5RelativeBias(4), *LENGTHS),
    "TransformerXLRelativePosition": module(
        lambda: Calls(pe_lib.TransformerXLRelativePosition(32, 4), with_keys), *BOTH
    ),
    "KerpleBias": module(lambda: pe_lib.KerpleBias(4), *LENGTHS),
    "FireBias": module(lambda: pe_lib.FireBias(4), *LENGTHS),
    "ContextualPosition": module(
        lambda: pe_lib.ContextualPosition(8, 6), *[(x, x @ x.mT) for x in (SMALL, LARGE)]
    ),
    "MultiHeadAttention": module(lambda: pe_lib.MultiHeadAttention(8, 2), (SMALL[0],), (LARGE[0],)),
    "TransformerBlock": module(lambda: pe_lib.TransformerBlock(8, 2), (SMALL[0],), (LARGE[0],)),
    **{f"TransformerLM, {kind}": language_model(kind) for kind in TextKind.kinds},
    **{f"VisionTransformer, {kind}": vision_transformer(kind) for kind in PictureKind.kinds},
}

# What is no computation on tensors, or is one that other tests compile.
LEFT_OUT = {
    "RotarySettings": "the settings of a published model; rotary_cos_sin computes with them",
    "Scaling": "what the scalings have in common; they are called here",
    "mrope_position_ids": "counts the tokens of lists, before there are tensors",
    "alibi_score_mod": "compiled with flex_attention in test_alibi_compiled.py",
    "ascii_map": "gives text",
    "available_devices": "asks the machine",
    "default_device": "asks the machine",
    "rotary_from_config": "reads a configuration",
    "scaling_from_config": "reads a configuration",
}
