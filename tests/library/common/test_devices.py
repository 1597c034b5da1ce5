"""Which devices torch can use here."""

import pytest
import torch

import pe_lib


@pytest.mark.parametrize(
    ("cuda", "mps", "devices"),
    [
        (False, False, ["cpu"]),
        (True, False, ["cpu", "cuda"]),
        (False, True, ["cpu", "mps"]),
    ],
)
def test_devices_are_those_that_torch_can_use(monkeypatch, cuda, mps, devices):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: mps)
    assert pe_lib.available_devices() == devices
    assert pe_lib.default_device() == devices[-1]


def test_the_devices_named_here_compute():
    for device in pe_lib.available_devices():
        assert torch.ones(2, device=device).sum().item() == 2
