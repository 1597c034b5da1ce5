"""RotaryEmbedding is right after any other call, in half precision, and at its smallest sizes."""

import cmath

import pytest
import rotary_embedding_torch as other
import torch

import pe_lib
from pe_lib import RotaryEmbedding


def randn(*shape, seed=0, dtype=torch.float32):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=dtype)


def difference(a, b):
    return (a.double() - b.double()).abs().max().item()


def turned_by_hand(features, position, dim=6, theta=10000.0):
    """Features 2i and 2i + 1 as one complex number, multiplied by e^(i angle)."""
    result = []
    for i in range(dim // 2):
        pair = complex(features[2 * i], features[2 * i + 1])
        pair *= cmath.exp(1j * position * theta ** (-2 * i / dim))
        result += [pair.real, pair.imag]
    return torch.tensor(result, dtype=torch.float64)


def test_pairs_are_neighbours_and_the_rotation_is_exact():
    q = [0.5, 1.0, -0.5, 0.8, -1.2, 0.3]
    t = torch.tensor([q], dtype=torch.float64)
    for position in (0, 1, 3, 1_000_003):
        ours = RotaryEmbedding(6).rotate_queries_or_keys(t, offset=position)[0]
        assert difference(ours, turned_by_hand(q, position)) < 1e-15
    ours = RotaryEmbedding(6).rotate_queries_or_keys(t, offset=1)[0]
    golden = [-0.5713198319, 0.9610377983, -0.5365808668, 0.7759387691, -1.2006435449, 0.2974139841]
    assert difference(ours, torch.tensor(golden, dtype=torch.float64)) < 1e-10


def test_a_second_call_gives_the_same_as_the_first():
    rotary, t = RotaryEmbedding(8), randn(2, 5, 8)
    first = rotary.rotate_queries_or_keys(t)
    assert torch.equal(rotary.rotate_queries_or_keys(t), first)
    assert torch.equal(rotary.rotate_queries_or_keys(t[:, 2:], offset=2), first[:, 2:])


def test_no_call_leaves_anything_behind():
    """No table that a later call could read."""
    rotary = RotaryEmbedding(8, use_xpos=True)
    before = dict(vars(rotary))
    names = set(dir(rotary))
    for length, offset in ((4, 5), (100, 0), (50, 0), (150, 0), (9000, 0)):
        t = randn(1, length, 8)
        rotary.rotate_queries_or_keys(t, offset=offset, scale=2.0)
        rotary.rotate_queries_and_keys(t, t)
        rotary.get_axial_freqs(3, 4, offsets=(offset, 0))
    assert vars(rotary) == before
    assert set(dir(rotary)) == names
    assert list(rotary.state_dict()) == ["freqs"]


def test_calls_of_growing_length_are_what_a_new_module_gives():
    rotary = RotaryEmbedding(8)
    for length in (5, 3, 100, 9000, 7):
        t = randn(1, length, 8)
        fresh = RotaryEmbedding(8).rotate_queries_or_keys(t)
        assert torch.equal(rotary.rotate_queries_or_keys(t), fresh)


def test_forward_takes_the_positions_it_is_given_after_other_calls_too():
    rotary = RotaryEmbedding(8)
    rotary.rotate_queries_or_keys(randn(1, 10, 8))
    assert rotary.forward(torch.arange(4) + 100, seq_len=4)[0, 0] == 100


def doubled_in_place(rotary):
    with torch.no_grad():
        rotary.freqs.mul_(2)


def doubled_behind_the_scenes(rotary):
    rotary.freqs.data.mul_(2)


def loaded_doubled(rotary):
    rotary.load_state_dict({"freqs": rotary.freqs.detach() * 2})


@pytest.mark.parametrize("change", [doubled_in_place, doubled_behind_the_scenes, loaded_doubled])
def test_new_frequencies_count_from_the_next_call_on(change):
    t = randn(1, 50, 8)
    expected = RotaryEmbedding(8, custom_freqs=RotaryEmbedding(8).freqs * 2)
    expected = expected.rotate_queries_or_keys(t)
    rotary = RotaryEmbedding(8)
    before = rotary.rotate_queries_or_keys(t)
    change(rotary)
    assert torch.equal(rotary.rotate_queries_or_keys(t), expected)
    assert difference(before, expected) > 1


def test_axial_offsets_count_before_and_after_other_calls():
    rotary = RotaryEmbedding(6)
    first = rotary.get_axial_freqs(4, offsets=(10,))[0]
    right = [10.0, 10.0, 10 * 10000 ** (-1 / 3), 10 * 10000 ** (-1 / 3)]
    assert first[:4].tolist() == pytest.approx(right, rel=1e-15)
    t = randn(1, 4, 6)
    expected = RotaryEmbedding(6).rotate_queries_or_keys(t)
    assert torch.equal(rotary.rotate_queries_or_keys(t), expected)
    without_offset = rotary.get_axial_freqs(11)
    assert torch.equal(rotary.get_axial_freqs(4, offsets=(7,)), without_offset[7:])


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
def test_positions_are_exact_in_half_precision(dtype):
    """float16 itself holds no position 2049, and bfloat16 no 257."""
    length = 5000
    t = randn(1, length, 8).to(dtype)
    exact = RotaryEmbedding(8).rotate_queries_or_keys(t.double())
    ours = RotaryEmbedding(8).rotate_queries_or_keys(t)
    assert ours.dtype == dtype
    rounding = torch.finfo(dtype).eps / 2
    assert ((ours.double() - exact).abs() <= exact.abs() * rounding + 1e-6).all()


def test_a_half_precision_call_spoils_no_later_one():
    t = randn(1, 600, 8)
    right = RotaryEmbedding(8).rotate_queries_or_keys(t)
    rotary = RotaryEmbedding(8)
    rotary.rotate_queries_or_keys(t.bfloat16())
    assert torch.equal(rotary.rotate_queries_or_keys(t), right)


def test_half_of_the_module_rounds_no_frequency():
    t = randn(1, 600, 8)
    right = RotaryEmbedding(8).rotate_queries_or_keys(t)
    assert torch.equal(RotaryEmbedding(8).half().rotate_queries_or_keys(t), right)


@pytest.mark.parametrize("shape", [(3, 8), (2, 3, 8), (2, 4, 3, 8)])
def test_of_angles_given_by_hand_the_last_rows_count(shape):
    angles, t = RotaryEmbedding(8).forward(torch.arange(10)), randn(*shape)
    ours = pe_lib.apply_rotary_emb(angles, t)
    torch.testing.assert_close(ours, other.apply_rotary_emb(angles.float(), t))
    assert torch.equal(ours, pe_lib.apply_rotary_emb(angles[7:], t))


def test_of_no_positions_no_rows_are_taken():
    angles = RotaryEmbedding(8).forward(torch.arange(10))
    assert pe_lib.apply_rotary_emb(angles, randn(2, 0, 8)).shape == (2, 0, 8)


def test_a_single_pair_of_features_works():
    t = randn(1, 5, 2)
    positions = torch.arange(5.0)
    x, y = t[0].unbind(-1)
    expected = torch.stack(
        (
            x * positions.cos() - y * positions.sin(),
            x * positions.sin() + y * positions.cos(),
        ),
        dim=-1,
    )
    torch.testing.assert_close(RotaryEmbedding(2).rotate_queries_or_keys(t)[0], expected)
    message = "^theta_rescale_factor: expected 1 where dim = 2, got 2.0$"
    with pytest.raises(ValueError, match=message):
        RotaryEmbedding(2, theta_rescale_factor=2.0)


@pytest.mark.parametrize(
    "options", [{"freqs_for": "constant", "num_freqs": 3}, {"custom_freqs": torch.rand(3)}]
)
def test_the_number_of_frequencies_is_free(options):
    """Twice as many features turn, however large ``dim`` is."""
    t = randn(1, 5, 16)
    ours = RotaryEmbedding(16, **options).rotate_queries_or_keys(t)
    assert difference(ours[0, 1:, :6], t[0, 1:, :6]) > 0.1
    assert torch.equal(ours[..., 6:], t[..., 6:])
    uncached = other.RotaryEmbedding(16, cache_if_possible=False, **options)
    torch.testing.assert_close(ours, uncached.rotate_queries_or_keys(t))


def test_odd_dims_and_shrinking_factors_are_refused_at_construction():
    with pytest.raises(ValueError, match=r"^dim: expected an even int >= 2 .* got 7$"):
        RotaryEmbedding(7)
    with pytest.raises(ValueError, match=r"^interpolate_factor: expected .* >= 1, got 0.5$"):
        RotaryEmbedding(8, interpolate_factor=0.5)


@pytest.mark.parametrize("use_xpos", [False, True])
def test_the_functional_form_is_on_every_module(use_xpos):
    rotary, t = RotaryEmbedding(8, use_xpos=use_xpos), randn(2, 5, 8)
    assert RotaryEmbedding.apply_rotary_emb is rotary.apply_rotary_emb is pe_lib.apply_rotary_emb
    positions = rotary.get_seq_pos(5)
    scale = rotary.get_scale(positions) if use_xpos else 1.0
    angles = rotary.forward(positions)
    for turned, factor in zip(
        rotary.rotate_queries_and_keys(t, t), (scale, 1 / scale), strict=True
    ):
        by_function = rotary.apply_rotary_emb(angles, t, scale=factor)
        torch.testing.assert_close(turned, by_function, rtol=0, atol=2e-7)


@pytest.mark.parametrize("factor", [1.1, 4.0])
def test_theta_rescale_stretches_the_longest_wavelength_by_the_factor(factor):
    before = RotaryEmbedding(512).freqs
    after = RotaryEmbedding(512, theta_rescale_factor=factor).freqs
    assert after[0] == before[0] == 1
    assert (before[-1] / after[-1]).item() == pytest.approx(factor, rel=1e-13)
    theirs = other.RotaryEmbedding(512, theta_rescale_factor=factor).freqs
    torch.testing.assert_close(theirs.double(), after, rtol=1e-6, atol=0)
