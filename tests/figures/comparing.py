"""A figure's numbers, by torch and by its script, and how near the two have to be."""

import base64

import torch
from torch import Tensor

from pe_lib.figures import Figure

Numbers = dict[str, Tensor]


def in_torch(figure: type[Figure], device: str, inputs: dict) -> Numbers:
    """What the figure computes with pe_lib."""
    values = figure.compute(device, **inputs)
    return {name: torch.as_tensor(value).double().cpu() for name, value in values.items()}


def unpacked(answer: dict[str, float | dict]) -> Numbers:
    """A script's numbers, whose arrays have travelled as base64."""
    return {name: _tensor(value) for name, value in answer.items()}


def _tensor(value: float | dict) -> Tensor:
    if not isinstance(value, dict):
        return torch.tensor(value, dtype=torch.float64)
    data = bytearray(base64.b64decode(value["data"]))
    numbers = torch.frombuffer(data, dtype=torch.float64) if data else torch.empty(0).double()
    return numbers.view(value["shape"])


def assert_same_numbers(got: Numbers, expected: Numbers, inputs: dict) -> None:
    """Every number to within 1e-6 of the largest of its kind."""
    assert list(got) == list(expected)
    for name, value in expected.items():
        assert got[name].shape == value.shape, (name, inputs)
        assert torch.equal(got[name].isnan(), value.isnan()), (name, inputs)
        difference = (got[name] - value).abs().nan_to_num(0)
        largest = value.abs().nan_to_num(0).max()
        assert difference.max() <= 1e-6 * largest, (name, inputs)
