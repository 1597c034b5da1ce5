"""Turning pairs of features: exactly, and on a CPU at the speed of memory.

A pair (a, b) becomes (a cos - b sin, b cos + a sin): four products, which a processor has done
before the next pair has come from memory. What costs time is every pass over a large tensor, and
above all every new one, whose pages the system has to hand out. So a large tensor is turned

- straight into the result, with nothing else on the way that is as large;
- in as few passes as PyTorch offers: interleaved, a pair is a complex number and its turn one
  product; half-split, one product with the cosines and an ``addcmul_`` for each half;
- where that is more than one pass, a slice of the positions at a time: the first pass fetches it
  from memory, the others find it in the cache. Half precision is copied to float32 there, turned
  and copied back, so that it is rounded once.

For a small tensor the calls themselves cost most, and few of them are made. What others have to
see through, a compiler, vmap or a gradient of the tables, is the plain formula. The forms differ by
a last bit at most, where a product and a sum are rounded as one.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

# Numbers that PyTorch leaves to one thread.
SMALL = 2**15
# Numbers that each thread turns at a time: 1 MB of float32, as much as a core's own cache holds.
SLICE = 2**18

COMPLEX = {torch.float32: torch.complex64, torch.float64: torch.complex128}


def turned(
    x: Tensor,
    cos: Tensor,
    sin: Tensor,
    *,
    interleaved: bool,
    seq_dim: int,
    out: Tensor | None = None,
) -> Tensor:
    """``x`` with its first pairs turned, one for each column of ``cos``, and the others kept.

    ``cos`` and ``sin`` have x's axes, each as long as x's or 1, with the positions on ``seq_dim``.
    All of that is checked already.
    """
    # Half precision would round four times.
    if cos.dtype != torch.float32 or x.dtype == torch.float64:
        exact = torch.promote_types(torch.promote_types(x.dtype, cos.dtype), torch.float32)
        cos, sin = cos.to(exact), sin.to(exact)
    if torch.compiler.is_compiling() and not interleaved and out is None:
        result = _one_loop(x, cos, sin)
    elif torch.compiler.is_compiling():
        result = _formula(x, cos, sin, interleaved)
    elif x.numel() <= SMALL and not interleaved:
        result = _small_halves(x, cos, sin)
    elif _needs_formula(x, cos, sin):
        result = _formula(x, cos, sin, interleaved)
    elif torch.is_grad_enabled() and x.requires_grad:
        result = _Turn.apply(x, cos, sin, interleaved, seq_dim)  # type: ignore[no-untyped-call]
    elif x.numel() <= SMALL:
        result = _small_numbers(x, cos, sin)
    else:
        result = _memory(x, cos, out)
        _turn_into(result, x, cos, sin, interleaved, seq_dim)
    # Written only now, when nothing can go wrong and nothing is read any more: out may lie on x.
    return result if out is None or out is result else out.copy_(result)


class _Turn(torch.autograd.Function):
    """A rotation that is differentiated: the gradient of x is turned back."""

    @staticmethod
    def forward(
        ctx: Any, x: Tensor, cos: Tensor, sin: Tensor, interleaved: bool, seq_dim: int
    ) -> Tensor:
        ctx.save_for_backward(cos, sin)
        ctx.options = {"interleaved": interleaved, "seq_dim": seq_dim}
        return turned(x, cos, sin, **ctx.options)  # without gradients here

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        (gradient,), (cos, sin) = gradients, ctx.saved_tensors
        return turned(gradient, cos, -sin, **ctx.options), None, None, None, None


def _needs_formula(x: Tensor, cos: Tensor, sin: Tensor) -> bool:
    """True where more than the numbers of x is asked for, or they are not in the CPU's memory."""
    tables_learn = torch.is_grad_enabled() and (cos.requires_grad or sin.requires_grad)
    return (
        tables_learn
        or x.device.type != "cpu"
        or not cos.numel()
        or torch.autograd.forward_ad._current_level >= 0
        or torch.jit.is_tracing()  # type: ignore[attr-defined, no-untyped-call]
        or not (_is_memory(x) and _is_memory(cos) and _is_memory(sin))
    )


def _is_memory(tensor: Tensor) -> bool:
    """True where a tensor is what lies in its memory.

    It is not where vmap and its like hand it on, nor, perhaps, where it is of a kind of its own.
    """
    return (
        type(tensor) in (Tensor, nn.Parameter)
        and torch._C._has_storage(tensor)
        and not torch._is_functional_tensor(tensor)
    )


def _formula(x: Tensor, cos: Tensor, sin: Tensor, interleaved: bool) -> Tensor:
    """The rotation in operations that PyTorch compiles, maps and differentiates."""
    first, pairs = _first(x, cos), cos.shape[-1]
    shape, axis = ((pairs, 2), -1) if interleaved else ((2, pairs), -2)
    a, b = first.reshape(*first.shape[:-1], *shape).unbind(axis)
    result = torch.stack((a * cos - b * sin, b * cos + a * sin), dim=axis)
    return _with_rest(result.reshape(first.shape), x)


def _one_loop(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """(a, b) cos + (b, a) (-sin, sin), which a compiler makes one loop of, without a case in it.

    Not where the result goes back into x: torch 2.5 then writes what the loop still has to read.
    """
    first, pairs = _first(x, cos), cos.shape[-1]
    halves = first.reshape(*first.shape[:-1], 2, pairs)
    signed = torch.stack((-sin, sin), dim=-2)
    result = torch.addcmul(halves * cos.unsqueeze(-2), halves.flip(-2), signed)
    return _with_rest(result.reshape(first.shape), x)


def _small_halves(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """The formula once more, in the fewest calls."""
    first = _first(x, cos)
    doubled, signed = torch.cat((cos, cos), dim=-1), torch.cat((-sin, sin), dim=-1)
    return _with_rest(torch.addcmul(first * doubled, first.roll(cos.shape[-1], -1), signed), x)


def _small_numbers(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    first, turns = _first(x, cos), torch.complex(cos, sin)
    if not _is_complex(first):
        first = first.clone(memory_format=torch.contiguous_format)
    return _with_rest((first.view(turns.dtype) * turns).view(cos.dtype), x)


def _first(x: Tensor, cos: Tensor) -> Tensor:
    """The features that are turned, in the precision of the tables."""
    width = 2 * cos.shape[-1]
    first = x if width == x.shape[-1] else x[..., :width]
    return first if x.dtype == cos.dtype else first.to(dtype=cos.dtype)


def _with_rest(turned: Tensor, x: Tensor) -> Tensor:
    """The turned features, in the precision of x, and those of x that come after them."""
    width = turned.shape[-1]
    turned = turned if turned.dtype == x.dtype else turned.to(dtype=x.dtype)
    return turned if width == x.shape[-1] else torch.cat((turned, x[..., width:]), dim=-1)


def _memory(x: Tensor, cos: Tensor, out: Tensor | None) -> Tensor:
    """Where the result is written: ``out``, unless writing there would change what is still read.

    ``x`` itself is fine, for each slice is read before it is written.
    """
    if out is not None and not (torch.is_grad_enabled() and out.requires_grad):
        if _same_memory(out, x):
            return out
        storage = out.untyped_storage().data_ptr()
        read = (x.untyped_storage().data_ptr(), cos.untyped_storage().data_ptr())
        if storage not in read and 0 not in out.stride():
            return out
    return torch.empty_like(x, memory_format=torch.contiguous_format)


def _same_memory(one: Tensor, other: Tensor) -> bool:
    return one.data_ptr() == other.data_ptr() and one.stride() == other.stride()


def _turn_into(
    result: Tensor, x: Tensor, cos: Tensor, sin: Tensor, interleaved: bool, seq_dim: int
) -> None:
    """Write the whole of ``result``, which has x's shape and dtype."""
    width = 2 * cos.shape[-1]
    in_place = _same_memory(result, x)
    if width < x.shape[-1]:
        if not in_place:
            result[..., width:] = x[..., width:]
        result, x = result[..., :width], x[..., :width]
    as_it_is = x.dtype == cos.dtype
    if interleaved:
        turn: Callable[..., None] = _turn_numbers
        tables: tuple[Tensor, ...] = (torch.complex(cos, sin),)
        readable, writable = as_it_is and _is_complex(x), as_it_is and _is_complex(result)
        if readable and writable:  # one pass, for which nothing need stay in the cache
            return turn(result, x, *tables)
    else:
        turn, tables = _turn_halves, (torch.cat((cos, cos), dim=-1), sin)
        readable, writable = as_it_is, as_it_is and not in_place

    rows = max(SLICE * torch.get_num_threads() * x.shape[seq_dim] // x.numel(), 1)
    slices = [tensor.split(rows, dim=seq_dim) for tensor in (result, x, *tables)]
    # Of two halves both are read until the end, but a number's turn may take the number's place.
    scratch = torch.empty(1 if interleaved else 2, *slices[1][0].shape, dtype=cos.dtype)
    for written, read, *table in zip(*slices, strict=True):
        here = scratch.narrow(seq_dim, 0, read.shape[seq_dim])
        source = read if readable else here[0].copy_(read)
        target = written if writable else here[-1]
        turn(target, source, *table)
        if not writable:
            written.copy_(target)


def _turn_halves(result: Tensor, x: Tensor, doubled: Tensor, sin: Tensor) -> None:
    """(a, b) cos, and then - b sin to the one and + a sin to the other."""
    torch.mul(x, doubled, out=result)
    (first, second), (a, b) = result.chunk(2, dim=-1), x.chunk(2, dim=-1)
    first.addcmul_(b, sin, value=-1)
    second.addcmul_(a, sin)


def _turn_numbers(result: Tensor, x: Tensor, turns: Tensor) -> None:
    """(a + ib) (cos + i sin)"""
    torch.mul(x.view(turns.dtype), turns, out=result.view(turns.dtype))


def _is_complex(x: Tensor) -> bool:
    """True where neighbours in memory can be taken for real and imaginary part."""
    even = all(step % 2 == 0 for step in (x.storage_offset(), *x.stride()[:-1]))
    return even and x.stride(-1) == 1 and not x.is_neg()
