"""The frequencies that a RotaryEmbedding starts from."""

import math

import pytest
import torch

from pe_lib import inverse_frequencies
from pe_lib.rotary.embedding.frequencies import initial_frequencies
from tests.helpers import F64


def initial(dim=8, custom=None, kind="lang", theta=10_000, max_freq=10, count=1, rescale=1.0):
    return initial_frequencies(dim, custom, kind, theta, max_freq, count, rescale)


def test_for_text_they_are_the_usual_ones():
    assert torch.equal(initial(), inverse_frequencies(8))
    assert torch.equal(initial(theta=500), inverse_frequencies(8, 500))


def test_for_pictures_they_are_steps_of_pi():
    assert (initial(kind="pixel", max_freq=14) / math.pi).tolist() == [1, 3, 5, 7]


def test_constant_ones_are_one():
    assert initial(kind="constant", count=3).tolist() == [1, 1, 1]


def test_your_own_are_copied():
    own = torch.tensor([1.0, 0.5])
    copy = initial(custom=own)
    own.zero_()
    assert copy.tolist() == [1, 0.5]
    assert copy.dtype == F64


def test_rescaled_the_longest_wavelength_is_so_many_times_longer():
    slowed = initial() / initial(rescale=4.0)
    assert slowed[0] == 1
    assert slowed[-1].item() == pytest.approx(4, rel=1e-14)
    assert initial(dim=2).tolist() == [1]
    with pytest.raises(ValueError, match=r"^theta_rescale_factor: expected 1 where dim = 2"):
        initial(dim=2, rescale=4.0)
