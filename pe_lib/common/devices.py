"""Which devices are really there, and on which one a result belongs."""

import torch
from torch import Tensor


def available_devices() -> list[str]:
    """Names of the devices that torch can compute on here: "cpu", then "cuda" and "mps" if present.

    Example:
        >>> available_devices()[0]
        'cpu'
    """
    present = ["cpu"]
    if torch.cuda.is_available():
        present.append("cuda")
    if torch.backends.mps.is_available():
        present.append("mps")
    return present


def default_device() -> str:
    """The device to use where nobody chose one: a GPU if there is one, else the CPU.

    Example:
        >>> default_device() in available_devices()
        True
    """
    return available_devices()[-1]


def result_device(given: object) -> torch.device:
    """Where a result belongs: with the tensor that was given, or on torch's default device."""
    # torch.get_default_device() would break a fullgraph compilation.
    return given.device if isinstance(given, Tensor) else torch.empty(0).device
