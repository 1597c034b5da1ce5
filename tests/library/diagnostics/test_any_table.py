"""What holds for every diagnostic, whatever comes in."""

import pytest
import torch

from pe_lib import (
    ascii_map,
    available_devices,
    measured_wavelengths,
    neighbour_distances,
    off_diagonal,
    score_by_offset,
    similarity_by_offset,
    similarity_matrix,
    sinusoidal_encoding,
)
from tests.helpers import F64, FLOATS, randn

ALL = [
    similarity_matrix,
    off_diagonal,
    score_by_offset,
    similarity_by_offset,
    neighbour_distances,
    measured_wavelengths,
]


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("function", ALL)
def test_any_dtype_in_float64_out(function, dtype):
    """Also with a gradient, as a learned table has one."""
    table = randn(6, 6, dtype=dtype)
    for result, exact in zip(
        torch.utils._pytree.tree_leaves(function(table.requires_grad_())),
        torch.utils._pytree.tree_leaves(function(table.detach().double())),
        strict=True,
    ):
        assert result.dtype in (F64, torch.int64)
        assert not result.requires_grad
        assert torch.equal(result, exact)


@pytest.mark.parametrize("device", available_devices())
@pytest.mark.parametrize("function", [*ALL, ascii_map])
def test_results_are_on_the_cpu(function, device):
    with torch.device(device):
        result = function(sinusoidal_encoding(6, 6))
    for tensor in torch.utils._pytree.tree_leaves(result):
        assert isinstance(tensor, str) or tensor.device.type == "cpu"
