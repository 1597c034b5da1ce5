"""Turning pairs of features: exactly, and on a CPU at the speed of memory.

A pair (a, b) becomes (a cos - b sin, b cos + a sin): four products, which a processor has done
before the next pair has come from memory. What costs time is every pass over a large tensor, above
all over a new one, whose pages the system has to hand out, and every meeting of all threads at the
end of a pass: where other programs keep the processors busy, each meeting takes milliseconds. So

- a large tensor in the precision of its tables is turned straight into the result, in as few passes
  as PyTorch offers: interleaved, a pair is a complex number and its turn one product; half-split,
  one product with the cosines and an ``addcmul_`` for each half;
- any other large one goes through small copies in that precision, which are rounded once;
- for a small tensor the calls themselves cost most, and few of them are made.

What others have to see through, a compiler, vmap or a gradient of the tables, is the plain formula.
The forms differ by a last bit at most, where a product and a sum are rounded as one.
"""

from typing import Any

import torch
from torch import Tensor, is_grad_enabled, nn
from torch._C import _are_functorch_transforms_active, _has_storage, _is_tracing
from torch.autograd import forward_ad
from torch.compiler import is_compiling

from pe_lib.rotary._memory import is_complex, meet, same_memory
from pe_lib.rotary._pieces import SMALL, turn_by_pieces


def rotate_pairs(
    x: Tensor, cos: Tensor, sin: Tensor, *, interleaved: bool, out: Tensor | None = None
) -> Tensor:
    """``x`` with its first pairs turned, one for each column of ``cos``, and the others kept.

    ``cos`` and ``sin`` broadcast with x's pairs. All of that is checked already.
    """
    if cos.dtype is not torch.float32 or x.dtype is torch.float64:
        # Half precision would round four times.
        exact = torch.promote_types(torch.promote_types(x.dtype, cos.dtype), torch.float32)
        cos, sin = cos.to(exact), sin.to(exact)
    if is_compiling():
        one_loop = not interleaved and out is None
        result = _one_loop(x, cos, sin) if one_loop else _formula(x, cos, sin, interleaved)
    elif not _are_plain_tensors(x, cos, sin) or (
        (learn := is_grad_enabled()) and (cos.requires_grad or sin.requires_grad)
    ):
        result = _formula(x, cos, sin, interleaved)
    elif learn and x.requires_grad:
        result = _Turn.apply(x, cos, sin, interleaved)  # type: ignore[no-untyped-call]
    elif x.numel() <= SMALL:
        result = _small(x, cos, sin, interleaved)
    elif _is_tracing() or not cos.numel():
        result = _formula(x, cos, sin, interleaved)
    else:
        result = _destination(x, cos, sin, out)
        _turn_into(result, x, cos, sin, interleaved)
    # Written only now, when nothing can go wrong and nothing is read any more: out may lie on x.
    return result if out is None or out is result else out.copy_(result)


class _Turn(torch.autograd.Function):
    """A rotation that is differentiated: the gradient of x is turned back."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, cos: Tensor, sin: Tensor, interleaved: bool) -> Tensor:
        ctx.save_for_backward(cos, sin)
        ctx.interleaved = interleaved
        return rotate_pairs(x, cos, sin, interleaved=interleaved)  # without gradients here

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        (gradient,), (cos, sin) = gradients, ctx.saved_tensors
        return rotate_pairs(gradient, cos, -sin, interleaved=ctx.interleaved), None, None, None


def _are_plain_tensors(x: Tensor, cos: Tensor, sin: Tensor) -> bool:
    """True where all three are what lies in the CPU's memory, and nothing more is asked for.

    They are not where vmap and its like hand them on, nor, perhaps, where they are of a kind of
    their own.
    """
    return (
        x.is_cpu
        and type(x) in _PLAIN
        and type(cos) in _PLAIN
        and type(sin) in _PLAIN
        and _has_storage(x)  # a batch of gradients has none
        and forward_ad._current_level < 0
        and not _are_functorch_transforms_active()
    )


_PLAIN = (Tensor, nn.Parameter)


def _formula(x: Tensor, cos: Tensor, sin: Tensor, interleaved: bool) -> Tensor:
    """The rotation in operations that PyTorch compiles, maps and differentiates."""
    part, pairs = _rotary_part(x, cos), cos.shape[-1]
    shape, axis = ((pairs, 2), -1) if interleaved else ((2, pairs), -2)
    a, b = part.reshape(*part.shape[:-1], *shape).unbind(axis)
    result = torch.stack((a * cos - b * sin, b * cos + a * sin), dim=axis)
    return _rejoined(result.reshape(part.shape), x)


def _one_loop(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """(a, b) cos + (b, a) (-sin, sin), which a compiler makes one loop of, without a case in it.

    Not where the result goes back into x: torch 2.5 then writes what the loop still has to read.
    """
    part, pairs = _rotary_part(x, cos), cos.shape[-1]
    halves = part.reshape(*part.shape[:-1], 2, pairs)
    signed = torch.stack((-sin, sin), dim=-2)
    result = torch.addcmul(halves * cos.unsqueeze(-2), halves.flip(-2), signed)
    return _rejoined(result.reshape(part.shape), x)


def _small(x: Tensor, cos: Tensor, sin: Tensor, interleaved: bool) -> Tensor:
    """The formula once more, in the fewest calls: in place on a copy."""
    pairs = cos.shape[-1]
    rest = x.shape[-1] - 2 * pairs
    part = x[..., :-rest] if rest else x
    as_it_is = x.dtype is cos.dtype
    numbers = part.clone() if as_it_is else part.type_as(cos)
    if interleaved and pairs:
        turns = torch.complex(cos, sin)
        if not is_complex(numbers):
            numbers = numbers.clone(memory_format=torch.contiguous_format)
        numbers.view(turns.dtype).mul_(turns)
    else:
        a, b = numbers.split_with_sizes((pairs, pairs), -1)
        b_sin = b * sin
        b.mul_(cos).addcmul_(a, sin)
        a.mul_(cos).sub_(b_sin)
    numbers = numbers if as_it_is else numbers.type_as(x)
    return torch.cat((numbers, x[..., -rest:]), dim=-1) if rest else numbers


def _rotary_part(x: Tensor, cos: Tensor) -> Tensor:
    """The features that are rotated, in the precision of the tables."""
    width = 2 * cos.shape[-1]
    part = x if width == x.shape[-1] else x[..., :width]
    return part if x.dtype == cos.dtype else part.to(dtype=cos.dtype)


def _rejoined(rotated: Tensor, x: Tensor) -> Tensor:
    """The rotated features, in the precision of x, and those of x that come after them."""
    width = rotated.shape[-1]
    rotated = rotated if rotated.dtype == x.dtype else rotated.to(dtype=x.dtype)
    return rotated if width == x.shape[-1] else torch.cat((rotated, x[..., width:]), dim=-1)


def _destination(x: Tensor, cos: Tensor, sin: Tensor, out: Tensor | None) -> Tensor:
    """Where the result is written: ``out``, unless writing there would change what is still read.

    ``x`` itself is fine, for each piece is read before it is written.
    """
    if out is not None and not (is_grad_enabled() and out.requires_grad) and not out.is_neg():
        read = (cos, sin) if same_memory(out, x) else (x, cos, sin)
        if not any(meet(out, tensor) for tensor in read):
            return out
    return torch.empty_like(x, memory_format=torch.contiguous_format)


def _turn_into(result: Tensor, x: Tensor, cos: Tensor, sin: Tensor, interleaved: bool) -> None:
    """Write the whole of ``result``, which has x's shape and dtype."""
    width = 2 * cos.shape[-1]
    in_place = same_memory(result, x)
    if width < x.shape[-1]:
        if not in_place:
            result[..., width:] = x[..., width:]
        result, x = result[..., :width], x[..., :width]
    as_it_is = x.dtype == cos.dtype
    if interleaved:
        turns = torch.complex(cos, sin)
        if as_it_is and is_complex(x) and is_complex(result):
            torch.mul(x.view(turns.dtype), turns, out=result.view(turns.dtype))
        else:
            turn_by_pieces(result, x, turns)
    else:
        doubled = torch.cat((cos, cos), dim=-1)
        if as_it_is and not in_place:
            torch.mul(x, doubled, out=result)
            (first, second), (a, b) = result.chunk(2, dim=-1), x.chunk(2, dim=-1)
            first.addcmul_(b, sin, value=-1)
            second.addcmul_(a, sin)
        else:
            turn_by_pieces(result, x, doubled, sin)
