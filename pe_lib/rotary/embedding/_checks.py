"""Checks of the arguments that only ``RotaryEmbedding`` takes."""

from collections.abc import Sequence

import torch
from torch import Tensor

from pe_lib.common._checks import check_int, check_numbers, check_real_tensor, check_type, describe
from pe_lib.common.positions import check_positions as check_counting


def check_positions(t: Tensor, seq_len: int | None, offset: int) -> None:
    """Raise unless ``t`` is a real tensor with ``seq_len`` (or None) positions on its last axis."""
    check_counting(t, "t", "a real tensor of positions")
    check_int(offset, "offset")
    if seq_len is not None:
        check_int(seq_len, "seq_len", "an int or None")
        if t.shape[-1:] != (seq_len,):
            raise ValueError(
                f"seq_len: expected the number of positions in t (shape {tuple(t.shape)}), "
                f"got {seq_len}"
            )


def check_offsets(offsets: Sequence[float] | Tensor, axes: int) -> None:
    """Raise unless ``offsets`` holds a number for each of so many axes."""
    expected = f"{axes} finite numbers, one for each axis"
    if not isinstance(offsets, Tensor):
        return check_numbers(offsets, "offsets", expected, axes)
    check_real_tensor(offsets, "offsets", expected)
    if offsets.shape != (axes,):
        raise ValueError(f"offsets: expected {expected}, got {describe(offsets)}")


def checked_device(device: torch.device | str) -> torch.device:
    """The device that ``device`` names."""
    check_type(device, "device", (torch.device, str), "a torch.device or its name")
    try:
        return torch.device(device)
    except RuntimeError:
        raise ValueError(f"device: expected a device of torch, got {device!r}") from None
