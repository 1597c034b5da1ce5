"""Where the numbers of tensors lie: what may be written while something else is still read."""

import torch
from torch import Tensor


def same_memory(one: Tensor, other: Tensor) -> bool:
    """True where two tensors of one shape and dtype are the same numbers, in the same order."""
    return one.data_ptr() == other.data_ptr() and one.stride() == other.stride()


def meet(one: Tensor, other: Tensor) -> bool:
    """True where two tensors may share memory: they do from the first number to the last.

    Addresses decide, not storages: those of a NumPy array's parts do not know each other.
    """
    (start, end), (other_start, other_end) = _span(one), _span(other)
    return start < other_end and other_start < end


def _span(tensor: Tensor) -> tuple[int, int]:
    axes = zip(tensor.shape, tensor.stride(), strict=True)
    numbers = 1 + sum((size - 1) * step for size, step in axes)
    return tensor.data_ptr(), tensor.data_ptr() + numbers * tensor.element_size()


def is_folded(tensor: Tensor) -> bool:
    """True where two numbers of a tensor share one place, as in an expanded one.

    Example:
        >>> windows = torch.zeros(10).as_strided((3, 4), (2, 1))
        >>> is_folded(windows), is_folded(windows.clone())
        (True, False)
    """
    axes = zip(tensor.stride(), tensor.shape, strict=True)
    steps = sorted((step, size) for step, size in axes if size > 1)
    reach = 0
    for step, size in steps:
        if step <= reach:  # it may lead back among the numbers before it: they have to be compared
            places = torch.zeros(1, dtype=torch.int64, device="cpu")
            for each, along in steps:
                places = places[..., None] + each * torch.arange(along, device="cpu")
            return len(places.unique()) < places.numel()
        reach += (size - 1) * step
    return False


def is_complex(x: Tensor) -> bool:
    """True where neighbours on the last axis can be taken for real and imaginary part."""
    even = all(step % 2 == 0 for step in (x.storage_offset(), *x.stride()[:-1]))
    return even and x.stride(-1) == 1 and not x.is_neg()
