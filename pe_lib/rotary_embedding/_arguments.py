"""Checks of the arguments that only ``RotaryEmbedding`` takes."""

import torch
from torch import Tensor

from pe_lib._checks import check_count, check_finite, check_int, describe
from pe_lib.positions import real_positions


def check_positions(t: object, seq_len: object, offset: object) -> None:
    """Raise unless ``t`` is a real tensor with ``seq_len`` (or None) positions on its last axis."""
    if not isinstance(t, Tensor):
        raise TypeError(f"t: expected a real tensor of positions, got {describe(t)}")
    if t.dtype.is_complex or t.dtype == torch.bool:
        raise TypeError(f"t: expected a real tensor of positions, got dtype {t.dtype}")
    check_int(offset, "offset")
    if seq_len is not None:
        check_int(seq_len, "seq_len", "an int or None")
        if t.shape[-1:] != (seq_len,):
            raise ValueError(
                f"seq_len: expected the number of positions in t (shape {tuple(t.shape)}), "
                f"got {seq_len}"
            )


def checked_device(device: object) -> torch.device:
    """The device that ``device`` names."""
    if isinstance(device, torch.device):
        return device
    if not isinstance(device, str):
        raise TypeError(f"device: expected a torch.device or its name, got {describe(device)}")
    try:
        return torch.device(device)
    except RuntimeError:
        raise ValueError(f"device: expected a device of torch, got {device!r}") from None


def checked_offsets(
    offsets: object, dims: tuple[int, ...], device: torch.device
) -> list[float] | Tensor:
    """An offset for each of the axes ``dims``, 0 where ``offsets`` is None."""
    if not dims:
        raise ValueError("dims: expected the length of at least one axis, got none")
    for length in dims:
        check_count(length, "dims", least=0)
    if offsets is None:
        return [0.0] * len(dims)
    expected = f"offsets: expected {len(dims)} finite numbers, one for each axis"
    if isinstance(offsets, Tensor):
        if offsets.dtype.is_complex or offsets.dtype == torch.bool:
            raise TypeError(f"{expected}, got dtype {offsets.dtype}")
        if offsets.shape != (len(dims),):
            raise ValueError(f"{expected}, got {describe(offsets)}")
        return real_positions(offsets).to(device)
    if not isinstance(offsets, tuple | list):
        raise TypeError(f"{expected}, got {describe(offsets)}")
    if len(offsets) != len(dims):
        raise ValueError(f"{expected}, got {describe(offsets)}")
    for offset in offsets:
        check_finite(offset, "offsets", expected.removeprefix("offsets: expected "))
    return [float(offset) for offset in offsets]
