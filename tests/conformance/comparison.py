"""rotary_from_config beside transformers: frequencies, attention factors, layouts of pairs."""

import inspect
import math
import re
from typing import Any

import torch
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

from pe_lib import RotarySettings, apply_rotary, inverse_frequencies
from pe_lib.rotary.scaling.base import UNSCALED
from tests.conformance.rotary_classes import RotaryClass

HEADS, SEQ = 2, 5
APPLY_2D = ("apply_rotary_pos_emb_2d", "apply_rotary_pos_emb_2d_self_attn")


def frequencies_of(settings: RotarySettings) -> torch.Tensor:
    """The frequencies in the order in which transformers keeps them."""
    if settings.widths is not None:
        scales = settings.coordinate_scale or (1.0,) * len(settings.widths)
        # DINOv3's are counted in turns there, and its coordinates multiplied by 2 pi later.
        scales = [1.0 if scale == 2 * math.pi else scale for scale in scales]
        axes = zip(settings.widths, scales, strict=True)
        return torch.cat([inverse_frequencies(w, settings.theta) * scale for w, scale in axes])
    scaling = settings.scaling or UNSCALED
    frequencies = scaling.inverse_frequencies(settings.dim, settings.theta)
    if settings.pair_axes is None:
        return frequencies
    axes = torch.tensor(settings.pair_axes)
    return torch.cat([frequencies[axes == axis] for axis in (1, 2, 0)])


def largest_difference(settings: RotarySettings, theirs: torch.Tensor, factor: float) -> float:
    """Between the frequencies and between the attention factors, relative to theirs."""
    ours = frequencies_of(settings)
    if settings.widths is not None and len(theirs) == settings.widths[0] // 2:
        ours = ours[: len(theirs)]  # there one axis's serve all
    if ours.shape != theirs.shape:
        raise AssertionError(f"{len(ours)} frequencies, theirs are {len(theirs)}")
    still = theirs == 0
    assert torch.equal(ours == 0, still)
    differences = (ours - theirs.double()).abs()[~still] / theirs.double().abs()[~still]
    attention = (settings.scaling or UNSCALED).attention_scaling_for() - factor
    return max([abs(attention) / factor, *differences.tolist()])


def largest_difference_by_length(settings: RotarySettings, config: Any) -> float:
    """Between the frequencies for texts up to, just past and far past the trained length.

    0 where the scaling does not look at the length.
    """
    scaling = settings.scaling
    if scaling is None or not scaling.needs_seq_len:
        return 0.0
    compute = ROPE_INIT_FUNCTIONS[config.rope_parameters["rope_type"]]
    trained = scaling.original_max_position
    differences = []
    for length in (trained - 1, trained, trained + 1, 3 * trained):
        theirs, _ = compute(config, "cpu", seq_len=length)
        ours = scaling.inverse_frequencies(settings.dim, settings.theta, length)
        differences.append(((ours - theirs.double()).abs() / ours).max().item())
    return max(differences)


def largest_score_difference(
    kind: RotaryClass, rotary: torch.nn.Module, settings: RotarySettings, layer: str | None
) -> float | None:
    """Between scores of queries and keys rotated by their code and by ours; None without theirs."""
    apply = _their_function(kind, settings)
    if apply is None or settings.interleaved is None:
        return None
    if getattr(rotary, "mrope_section", ()) is None:
        return None  # Hunyuan-VL's is for sections alone
    generator = torch.Generator().manual_seed(0)
    q, k = torch.randn(2, 1, HEADS, SEQ, settings.dim, generator=generator)
    if settings.widths is not None:
        positions = torch.randint(9, (SEQ, len(settings.widths)), generator=generator)
        theirs = _applied_to_patches(apply, q, k, rotary(q, positions))
    else:
        positions = 3 * torch.arange(SEQ)[None]
        axes = re.search(r"position_ids.expand\((\d)", inspect.getsource(type(rotary)))
        ids = positions.expand(int(axes[1]), 1, SEQ) if axes else positions
        theirs = _applied(apply, q, k, rotary(q, ids) if layer is None else rotary(q, ids, layer))
    ours = [
        apply_rotary(x, *settings.cos_sin(positions), interleaved=settings.interleaved)
        for x in (q, k)
    ]
    return (_scores(*theirs) - _scores(*ours)).abs().max().item()


def _their_function(kind: RotaryClass, settings: RotarySettings) -> Any:
    names = ["apply_rotary_pos_emb", "apply_rotary_emb"]
    if settings.widths is not None:
        names = ["apply_rotary_pos_emb_vision", *APPLY_2D]
    elif "Audio" not in kind.name:  # dots3_note's parts have one of these each
        names.insert(0, "apply_rotary_pos_emb_interleave")
    return next((getattr(kind.code, name) for name in names if hasattr(kind.code, name)), None)


def _applied(apply: Any, q: torch.Tensor, k: torch.Tensor, tables: Any) -> list[torch.Tensor]:
    if next(iter(inspect.signature(apply).parameters)) == "x":
        return [apply(q, *tables), apply(k, *tables)]
    if isinstance(tables, tuple):
        return apply(q, k, *tables)
    if "unsqueeze(1)" in inspect.getsource(apply):
        return apply(q, k, tables)
    # Llama 4 has complex tables, and its heads after the positions.
    return [x.transpose(1, 2) for x in apply(q.transpose(1, 2), k.transpose(1, 2), tables)]


def _applied_to_patches(
    apply: Any, q: torch.Tensor, k: torch.Tensor, tables: Any
) -> list[torch.Tensor]:
    if apply.__name__ in APPLY_2D:
        return apply(q, k, *tables)
    # Without a batch, and heads after the positions.
    turned = apply(q[0].transpose(0, 1), k[0].transpose(0, 1), *tables)
    return [x.transpose(0, 1)[None] for x in turned]


def _scores(q: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
    return q @ k.mT
