"""How exact the rotary tables of pe_lib and of three other libraries are, far out in a text.

The truth is 40-digit arithmetic. The cosines and sines are in float32; the rotation is of bfloat16
vectors, as models do it, with each library's own functions and settings. Every number is the
largest error in a window of 64 positions.
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass

import torch
from mpmath import mp, mpf
from torch import Tensor

from pe_lib import apply_rotary, rotary_cos_sin

DIM, THETA, WINDOW, HEADS = 128, 10_000, 64, 16
POSITIONS = (4096, 131_072, 1_000_000)
ROTATED = 100_000


@dataclass(frozen=True)
class Library:
    """``table(first)``: cos and sin, each (WINDOW, DIM/2), of the positions from ``first`` on.
    ``rotate(x, first)``: x (1, HEADS, WINDOW, DIM), rotated as at those positions."""

    table: Callable[[int], tuple[Tensor, Tensor]]
    rotate: Callable[[Tensor, int], Tensor]
    interleaved: bool = False


def window(first: int) -> Tensor:
    return torch.arange(first, first + WINDOW)


def ours() -> Library:
    def table(first: int) -> tuple[Tensor, Tensor]:
        return rotary_cos_sin(window(first), DIM, THETA)

    return Library(table, lambda x, first: apply_rotary(x, *table(first)))


def transformers() -> Library:
    from transformers import LlamaConfig
    from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding, apply_rotary_pos_emb

    rope = {"rope_type": "default", "rope_theta": float(THETA)}
    rotary = LlamaRotaryEmbedding(
        LlamaConfig(hidden_size=DIM, num_attention_heads=1, rope_parameters=rope)
    )

    def table(first: int) -> tuple[Tensor, Tensor]:
        cos, sin = rotary(torch.zeros(1), window(first)[None])
        return cos[0, :, : DIM // 2], sin[0, :, : DIM // 2]

    def rotate(x: Tensor, first: int) -> Tensor:
        cos, sin = rotary(x, window(first)[None])
        return apply_rotary_pos_emb(x, x, cos, sin)[0]

    return Library(table, rotate)


def rotary_embedding_torch() -> Library:
    from rotary_embedding_torch import RotaryEmbedding

    rotary = RotaryEmbedding(DIM, theta=THETA)

    def table(first: int) -> tuple[Tensor, Tensor]:
        angles = rotary(window(first).float())[:, 0::2].detach()
        return angles.cos(), angles.sin()

    def rotate(x: Tensor, first: int) -> Tensor:
        return rotary.rotate_queries_or_keys(x, offset=first).detach()

    return Library(table, rotate, interleaved=True)


def x_transformers() -> Library:
    from x_transformers.x_transformers import RotaryEmbedding, apply_rotary_pos_emb

    rotary = RotaryEmbedding(DIM, base=THETA)

    def table(first: int) -> tuple[Tensor, Tensor]:
        angles = rotary(window(first))[0][0, :, 0::2]
        return angles.cos(), angles.sin()

    def rotate(x: Tensor, first: int) -> Tensor:
        return apply_rotary_pos_emb(x, *rotary(window(first)))

    return Library(table, rotate, interleaved=True)


LIBRARIES = {
    "pe_lib": ours,
    "transformers": transformers,
    "rotary-embedding-torch": rotary_embedding_torch,
    "x-transformers": x_transformers,
}


def exact_table(first: int) -> tuple[Tensor, Tensor]:
    """Cosine and sine from 40 digits, each (WINDOW, DIM/2), rounded to float64 at the end."""
    with mp.workdps(40):
        frequencies = [mpf(THETA) ** (-mpf(2 * i) / DIM) for i in range(DIM // 2)]
        angles = [[p * w for w in frequencies] for p in window(first).tolist()]
        cos, sin = (
            torch.tensor([[float(f(a)) for a in row] for row in angles], dtype=torch.float64)
            for f in (mp.cos, mp.sin)
        )
    return cos, sin


def exact_rotation(x: Tensor, first: int, interleaved: bool) -> Tensor:
    """x rotated in float64, written out so as not to lean on what is measured."""
    cos, sin = exact_table(first)
    features = torch.arange(DIM)
    a, b = (features[0::2], features[1::2]) if interleaved else features.chunk(2)
    result = x.double()
    result[..., a] = x[..., a].double() * cos - x[..., b].double() * sin
    result[..., b] = x[..., b].double() * cos + x[..., a].double() * sin
    return result


def table_error(library: Library, first: int) -> float:
    pairs = zip(library.table(first), exact_table(first), strict=True)
    return max((found.double() - exact).abs().max().item() for found, exact in pairs)


def rotation_error(library: Library, first: int) -> tuple[float, float, float]:
    """The largest error of a bfloat16 rotation; the share of numbers within one rounding of the
    exact result, that is one of the two bfloat16 numbers around it; the share of the closer one."""
    x = torch.randn(1, HEADS, WINDOW, DIM, generator=torch.Generator().manual_seed(0)).bfloat16()
    exact = exact_rotation(x, first, library.interleaved)
    found = library.rotate(x, first)
    assert found.dtype == torch.bfloat16
    error = (found.double() - exact).abs()
    unit = torch.ldexp(torch.ones_like(exact), exact.frexp().exponent - 8)
    within = (error <= unit).double().mean().item()
    right = (found == exact.bfloat16()).double().mean().item()
    return error.max().item(), within, right


def main() -> None:
    columns = " ".join(f"{position:>9,}" for position in POSITIONS)
    print(f"  {'':22} cos and sin, float32, at       bfloat16 rotation at {ROTATED:,}")
    print(f"  {'':22} {columns}   {'error':>7}  {'within 1 rounding':>17}  {'exact, rounded':>14}")
    for name, make in LIBRARIES.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            library = make()
            errors = " ".join(f"{table_error(library, first):9.1e}" for first in POSITIONS)
            wrong, within, right = rotation_error(library, ROTATED)
        print(f"  {name:22} {errors}   {wrong:7.1e}  {within:17.3%}  {right:14.3%}")
