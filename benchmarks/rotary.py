"""How fast queries and keys are rotated, by pe_lib, by three other libraries, and in slices.

    .venv/bin/python -m benchmarks.rotary pe_lib cpu    # a process that is asked by rounds.py

A case is "what dtype layout". Long texts are 32 heads of 128 features at 4,096 positions, compared
with copying them: with `clone()` where the result is new, with `copy_` where memory is ready for
it. A busy case is a fresh one while other processes keep the cores busy. A step is one new token's
queries and keys of 32 heads, a server's step those of 8 texts with a position each; both are
compared with the same step in transformers' eager form of Llama, which all processes carry. Slices
are a form that pe_lib once had, until every slice was seen to wait for busy neighbours.
"""

import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from benchmarks.rounds import serve

SEQ, HEADS, DIM = 4096, 32, 128
DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}
LAYOUTS = ("half-split", "interleaved")
KINDS = ("fresh", "busy", "ready", "in-place", "training", "compiled", "step", "server")
TEXTS = 8  # that a server writes at a time
STEPS = 200  # of one token, timed together


def all_cases(kinds: tuple[str, ...], layouts: tuple[str, ...] = LAYOUTS) -> list[str]:
    return [f"{kind} {dtype} {layout}" for kind in kinds for dtype in DTYPES for layout in layouts]


CASES = {
    "pe_lib": all_cases(KINDS),
    "transformers": all_cases(("fresh", "busy", "training", "step"))
    + all_cases(("compiled",), LAYOUTS[:1]),
    "rotary-embedding-torch": all_cases(("fresh", "busy", "training", "step"), LAYOUTS[1:]),
    "x-transformers": all_cases(("fresh", "busy", "training", "step"), LAYOUTS[1:]),
    "slices": [f"{kind} float32 half-split" for kind in ("fresh", "busy")],
}

Rotation = Callable[[Tensor, int], Tensor]  # of x (1, heads, seq, dim), from a position on


def pe_lib_rotation(layout: str, positions: int, dtype: torch.dtype, device: str) -> Any:
    from pe_lib import apply_rotary, rotary_cos_sin

    cos, sin = (table.to(device) for table in rotary_cos_sin(positions, DIM))
    interleaved = layout == "interleaved"
    return lambda x, **out: apply_rotary(x, cos, sin, interleaved=interleaved, **out)


def transformers_rotation(layout: str, positions: int, dtype: torch.dtype, device: str) -> Any:
    """Llama's function, or GPT-J's; both are given their tables ready in the model's dtype."""
    angles = torch.outer(torch.arange(positions), 10_000.0 ** -(torch.arange(0, DIM, 2) / DIM))
    cos, sin = (f(angles)[None].to(device, dtype) for f in (torch.cos, torch.sin))
    if layout == "interleaved":
        from transformers.models.gptj.modeling_gptj import apply_rotary_pos_emb as turn

        return lambda x: turn(x.transpose(1, 2), sin, cos).transpose(1, 2)
    from transformers.models.llama.modeling_llama import apply_rotary_pos_emb as turn_both

    cos, sin = (torch.cat((table, table), dim=-1) for table in (cos, sin))
    return lambda x: turn_both(x, x[:, :0], cos, sin)[0]


def rotary_embedding_torch_rotation(
    layout: str, positions: int, dtype: torch.dtype, device: str
) -> Any:
    from rotary_embedding_torch import RotaryEmbedding

    return RotaryEmbedding(DIM).to(device).rotate_queries_or_keys


def x_transformers_rotation(layout: str, positions: int, dtype: torch.dtype, device: str) -> Any:
    from x_transformers.x_transformers import RotaryEmbedding, apply_rotary_pos_emb

    freqs, scale = RotaryEmbedding(DIM).to(device)(torch.arange(positions, device=device))
    return lambda x: apply_rotary_pos_emb(x, freqs, scale)


def rotation_in_slices(layout: str, positions: int, dtype: torch.dtype, device: str) -> Any:
    """Straight into the result, 64 positions at a time, so that a slice stays in the cache."""
    from pe_lib import rotary_cos_sin

    cos, sin = (table.to(device) for table in rotary_cos_sin(positions, DIM))
    doubled = torch.cat((cos, cos), dim=-1)

    def turn(x: Tensor) -> Tensor:
        out = torch.empty_like(x)
        slices = (tensor.split(64, dim=-2) for tensor in (out, x, doubled, sin))
        for piece, numbers, cosines, sines in zip(*slices, strict=True):
            torch.mul(numbers, cosines, out=piece)
            (first, second), (a, b) = piece.chunk(2, dim=-1), numbers.chunk(2, dim=-1)
            first.addcmul_(b, sines, value=-1)
            second.addcmul_(a, sines)
        return out

    return turn


ROTATIONS = {
    "pe_lib": pe_lib_rotation,
    "transformers": transformers_rotation,
    "rotary-embedding-torch": rotary_embedding_torch_rotation,
    "x-transformers": x_transformers_rotation,
    "slices": rotation_in_slices,
}


def prepared(library: str, case: str, device: str) -> tuple[Callable, Callable, int]:
    """What to time, what to compare it with, and how many times in a row."""
    kind, dtype_name, layout = case.split()
    dtype = DTYPES[dtype_name]
    positions = 1 if kind == "step" else SEQ
    turn = ROTATIONS[library](layout, positions, dtype, device)
    x = torch.randn(1, HEADS, positions, DIM).to(device, dtype)
    ready = torch.empty_like(x)
    if kind in ("step", "server") and library == "pe_lib":
        x, both = pe_lib_step(layout, TEXTS if kind == "server" else 1, dtype, device)
        return both, transformers_step(x), STEPS
    if kind == "step":
        llama = transformers_step(x)
        if library == "transformers" and layout == "half-split":
            return llama, llama, STEPS
        return lambda: (turn(x), turn(x)), llama, STEPS
    if kind == "training":
        x.requires_grad_()
        back = torch.randn_like(x)
        return (
            lambda: torch.autograd.grad(turn(x), x, back),
            lambda: (x.detach().clone(), back.clone()),
            1,
        )
    if kind == "compiled":
        turn = torch.compile(turn)
    if kind == "ready":
        return lambda: turn(x, out=ready), lambda: ready.copy_(x), 1
    if kind == "in-place":
        return lambda: turn(x, out=x), lambda: ready.copy_(x), 1
    return lambda: turn(x), lambda: x.clone(), 1  # fresh, and busy: rotary_speed.py sees to it


def pe_lib_step(
    layout: str, texts: int, dtype: torch.dtype, device: str
) -> tuple[Tensor, Callable]:
    """One token of each of several texts at a position of its own, and what turns it."""
    from pe_lib import apply_rotary, rotary_cos_sin

    x = torch.randn(texts, HEADS, 1, DIM).to(device, dtype)
    own = torch.arange(texts, device=device)[:, None]
    cos, sin = rotary_cos_sin(own if texts > 1 else 1, DIM)  # (texts, 1, DIM/2), or (1, DIM/2)
    if layout == "interleaved":
        return x, lambda: (
            apply_rotary(x, cos, sin, interleaved=True),
            apply_rotary(x, cos, sin, interleaved=True),
        )
    return x, lambda: (apply_rotary(x, cos, sin), apply_rotary(x, cos, sin))


def transformers_step(x: Tensor) -> Callable:
    """One token's queries and keys by transformers' eager Llama."""
    from transformers.models.llama.modeling_llama import apply_rotary_pos_emb

    table = torch.ones(len(x), 1, DIM, dtype=x.dtype, device=x.device)
    return lambda: apply_rotary_pos_emb(x, x, table, table)


def seconds(run: Callable, times: int, device: str) -> float:
    """How long one run takes, the mean over some in a row."""
    if device == "cuda":
        torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(times):
        run()
    if device == "cuda":
        torch.cuda.synchronize()
    return (time.perf_counter() - start) / times


def main() -> None:
    library, device = sys.argv[1:]
    warnings.simplefilter("ignore")
    cases: dict[str, tuple[Callable, Callable, int]] = {}

    def times(case: str) -> list[float]:
        if case not in cases:
            cases[case] = prepared(library, case, device)
        run, measure, in_a_row = cases[case]
        with torch.set_grad_enabled(case.startswith("training")):
            return [seconds(what, in_a_row, device) for what in (run, measure)]

    serve(times)


if __name__ == "__main__":
    main()
