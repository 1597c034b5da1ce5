"""Turning a large tensor by way of small copies, in the precision of its tables.

The copies are cut so small that PyTorch leaves each to one thread, and all of them stay in that
thread's cache. Threads take the next ones until none is left, and meet only once: on a machine that
is busy with other things, every pass of all threads over a tensor ends in milliseconds of waiting.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import torch
from torch import Tensor

# Numbers that PyTorch leaves to one thread.
SMALL = 2**15
# Pieces of that size that a thread takes at a time, in calls that keep Python's lock for a moment.
AT_A_TIME = 16


def turn_by_pieces(result: Tensor, x: Tensor, *tables: Tensor) -> None:
    """Write ``x``, turned, to ``result``; tables: complex, or doubled cosines and sines."""
    along = (table.expand(*x.shape[:-1], -1) for table in tables)
    pieces = _pieces((result, x, *along))
    shares = iter(lambda: list(islice(pieces, AT_A_TIME)), [])
    # What watches operations, a counter say, sees those of its own thread.
    threads = 1 if torch._C._len_torch_dispatch_stack() else torch.get_num_threads()
    if threads == 1:
        for share in shares:
            _turn_share(share)
        return
    with ThreadPoolExecutor(threads) as pool:
        for _ in pool.map(_turn_share, shares):  # hands on what went wrong
            pass


def _pieces(tensors: tuple[Tensor, ...], axis: int = 0) -> Iterator[tuple[Tensor, ...]]:
    """The same parts of all, of at most SMALL numbers each unless a row has more."""
    first = tensors[0]
    if first.numel() <= SMALL or axis == first.ndim - 1:
        yield tensors
        return
    rows = max(SMALL * first.shape[axis] // first.numel(), 1)
    for parts in zip(*(tensor.split(rows, axis) for tensor in tensors), strict=True):
        yield from _pieces(parts, axis + 1)


@torch.inference_mode()  # threads do not know the mode that they were made in
def _turn_share(pieces: list[tuple[Tensor, ...]]) -> None:
    """Turn some pieces, each (result, x, tables ...), in few calls for all of them."""
    results, xs, cosines, *sines = map(list, zip(*pieces, strict=True))
    exact = cosines[0].dtype.to_real()
    contiguous = torch.contiguous_format
    numbers = [torch.empty_like(x, dtype=exact, memory_format=contiguous) for x in xs]
    torch._foreach_copy_(numbers, xs)
    if not sines:
        torch._foreach_mul_([piece.view(cosines[0].dtype) for piece in numbers], cosines)
    else:
        a, b = zip(*(piece.chunk(2, dim=-1) for piece in numbers), strict=True)
        numbers = list(torch._foreach_mul(numbers, cosines))
        first, second = zip(*(piece.chunk(2, dim=-1) for piece in numbers), strict=True)
        torch._foreach_addcmul_(first, b, sines[0], value=-1)
        torch._foreach_addcmul_(second, a, sines[0])
    torch._foreach_copy_(results, numbers)
