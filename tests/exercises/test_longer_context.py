"""The right answers of chapter 06's exercises beside the functions that models are loaded with."""

import pytest
import torch

from pe_lib.common.frequencies import inverse_frequencies
from pe_lib.exercises import check
from tests.helpers import published_rotary


def calls(name):
    exercise = getattr(check, name)
    return [pytest.param(*each.args, id=str(each.args)) for each in exercise.calls]


def close(answer, published):
    other, attention = published
    assert attention == 1
    torch.testing.assert_close(answer, other, rtol=1e-5, atol=0)


@pytest.mark.parametrize(("trained", "dim", "theta", "ratio"), calls("ntk_factor"))
def test_ntk(trained, dim, theta, ratio):
    """At ``factor`` times the trained length the dynamic rule slows the pair by the ratio."""
    factor = check.ntk_factor.reference(trained, dim, theta, ratio)
    before, after = (
        published_rotary(dim, theta, 10**6, length, rope_type="dynamic", factor=1.0)[0]
        for length in (10**6, int(10**6 * factor))
    )
    pair = int((trained * before < 2 * torch.pi).nonzero()[0])
    assert (before / after)[pair].item() == pytest.approx(ratio, rel=1e-5)


@pytest.mark.parametrize(
    ("dim", "theta", "factor", "original", "fast", "slow"), calls("yarn_frequencies")
)
def test_yarn(dim, theta, factor, original, fast, slow):
    answer = check.yarn_frequencies.reference(dim, theta, factor, original, fast, slow)
    settings = {
        "factor": factor,
        "beta_fast": fast,
        "beta_slow": slow,
        "attention_factor": 1.0,
        "original_max_position_embeddings": original,
    }
    close(answer, published_rotary(dim, theta, 2 * original, rope_type="yarn", **settings))


@pytest.mark.parametrize(("length", "original", "dim", "theta", "factor"), calls("dynamic_theta"))
def test_dynamic(length, original, dim, theta, factor):
    answer = check.dynamic_theta.reference(length, original, dim, theta, factor)
    found = published_rotary(dim, theta, original, length, rope_type="dynamic", factor=factor)
    close(inverse_frequencies(dim, answer), found)


@pytest.mark.parametrize(("trained", "context", "dim", "theta"), calls("unseen_pairs"))
def test_unseen(trained, context, dim, theta):
    """Angle by angle: in training every pair's grew up to some largest one, or all the way round.
    A new one lies beyond, and is not yet round."""
    frequencies = inverse_frequencies(dim, theta)
    largest = (trained - 1) * frequencies
    later = torch.arange(trained, max(context, trained), dtype=torch.float64)
    angles = torch.outer(frequencies, later)
    new = ((angles > largest[:, None]) & (angles < 2 * torch.pi)).any(dim=1)
    answer = check.unseen_pairs.reference(trained, context, dim, theta)
    assert answer.tolist() == torch.nonzero(new).flatten().tolist()
