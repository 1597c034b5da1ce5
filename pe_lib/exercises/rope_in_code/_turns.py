"""Right and wrong ways to turn x of shape (batch, heads, seq, head_dim) by its positions."""

from collections.abc import Callable

import torch
from torch import Tensor

from pe_lib.exercises.rope_in_code._common import angles_of, turned
from pe_lib.frequencies import inverse_frequencies


def angles_at(x: Tensor, offset: int = 0, interleaved: bool = False) -> Tensor:
    return angles_of(places(x, offset), inverse_frequencies(x.shape[-1]), interleaved)


def interleaved(x: Tensor, offset: int = 0) -> Tensor:
    return turned(x, angles_at(x, offset, interleaved=True), interleaved=True)


def places(x: Tensor, offset: int) -> Tensor:
    return torch.arange(offset, offset + x.shape[-2])


def rope(x: Tensor, offset: int = 0) -> Tensor:
    return turned(x, angles_at(x, offset))


def along(axis: int) -> Callable[..., Tensor]:
    """Turned by the places along another axis than that of the words."""

    def turn(x: Tensor, offset: int = 0) -> Tensor:
        return rope(x.transpose(axis, -2), offset).transpose(axis, -2)

    return turn


def with_exponents(exponents: Callable[[Tensor, int], Tensor]) -> Callable[..., Tensor]:
    """Frequencies from an exponent of one's own, a function of the pair's index and head_dim."""

    def turn(x: Tensor, offset: int = 0) -> Tensor:
        head_dim = x.shape[-1]
        pair = torch.arange(head_dim // 2, dtype=torch.float64)
        frequencies = 10000.0 ** exponents(pair, head_dim)
        return turned(x, angles_of(places(x, offset), frequencies))

    return turn


def model_wide(x: Tensor, offset: int = 0) -> Tensor:
    """The frequencies of the whole model's width, as many of them as a head needs."""
    heads, head_dim = x.shape[1], x.shape[-1]
    frequencies = inverse_frequencies(heads * head_dim)[: head_dim // 2]
    return turned(x, angles_of(places(x, offset), frequencies))


def with_quarter(
    quarter: Callable[[Tensor, Tensor], tuple[Tensor, Tensor]],
) -> Callable[..., Tensor]:
    """What is multiplied by the sine, as a function of the two halves."""

    def turn(x: Tensor, offset: int = 0) -> Tensor:
        angles = angles_at(x, offset)
        return x * angles.cos() + torch.cat(quarter(*x.chunk(2, dim=-1)), dim=-1) * angles.sin()

    return turn


def with_second_half(second: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """The first half turned as it should be, the second one a function of halves and tables."""

    def turn(x: Tensor, offset: int = 0) -> Tensor:
        first, _ = rope(x, offset).chunk(2, dim=-1)
        angles, _ = angles_at(x, offset).chunk(2, dim=-1)
        return torch.cat((first, second(*x.chunk(2, dim=-1), angles.cos(), angles.sin())), dim=-1)

    return turn


def cosines_then_sines(x: Tensor, offset: int) -> Tensor:
    """One table, the cosines of all pairs beside the sines of all pairs."""
    angles, _ = angles_at(x, offset).chunk(2, dim=-1)
    return torch.cat((angles.cos(), angles.sin()), dim=-1)


def heads_together(x: Tensor, offset: int = 0) -> Tensor:
    """All heads turned as one long vector."""
    together = rope(x.transpose(1, 2).flatten(2), offset)
    return together.view(x.transpose(1, 2).shape).transpose(1, 2)


def by_feature(factor: int) -> Callable[..., Tensor]:
    """A frequency for each feature instead of each pair."""

    def turn(x: Tensor, offset: int = 0) -> Tensor:
        exponents = torch.arange(x.shape[-1], dtype=torch.float64) / x.shape[-1]
        angles = places(x, offset)[:, None] * 10000.0 ** (-factor * exponents)
        return turned(x, angles)

    return turn
