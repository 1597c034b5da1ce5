"""RotaryEmbedding gives the numbers of rotary-embedding-torch's class, and takes its place.

The other class is fed our frequencies and works in float64, so both have to agree to the last
digits.
"""

import math
from inspect import signature

import pytest
import rotary_embedding_torch as other
import torch

import pe_lib
from pe_lib import RotaryEmbedding

CUSTOM = torch.tensor([0.3, 2.0, 0.0], dtype=torch.float64)
OPTIONS = [
    {"dim": 8},
    {"dim": 8, "theta": 500},
    {"dim": 8, "interpolate_factor": 4.0},
    {"dim": 8, "theta_rescale_factor": 8.0},
    {"dim": 8, "theta_rescale_factor": 0.5},
    {"dim": 4, "learned_freq": True},
    {"dim": 6, "freqs_for": "pixel"},
    {"dim": 8, "freqs_for": "pixel", "max_freq": 256},
    {"dim": 8, "freqs_for": "constant"},
    {"dim": 8, "freqs_for": "constant", "num_freqs": 3},
    {"dim": 6, "custom_freqs": CUSTOM},
    {"dim": 10, "custom_freqs": CUSTOM, "freqs_for": "pixel"},
    {"dim": 8, "cache_if_possible": False, "cache_max_seq_len": 0},
]

ATTRIBUTES = ["freqs_for", "learned_freq", "use_xpos", "scale_base", "interpolate_factor"]
ATTRIBUTES += ["seq_before_head_dim", "default_seq_dim", "cache_if_possible", "cache_max_seq_len"]
ATTRIBUTES += ["device"]
METHODS = ["__init__", "forward", "get_seq_pos", "get_scale", "get_axial_freqs"]
METHODS += ["rotate_queries_or_keys", "rotate_queries_and_keys", "rotate_queries_with_cached_keys"]


def arguments(function):
    return [(p.name, p.kind, p.default) for p in signature(function).parameters.values()]


def randn(*shape, seed=0, dtype=torch.float64):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=dtype)


def both(**options):
    """Ours, and the other one in float64 and with our frequencies, without its cache."""
    ours = RotaryEmbedding(**options).double()
    theirs = other.RotaryEmbedding(**options | {"cache_if_possible": False}).double()
    torch.testing.assert_close(ours.freqs.data, theirs.freqs.data, rtol=3e-6, atol=0)
    theirs.freqs.data.copy_(ours.freqs.data)
    return ours, theirs


def close(ours, theirs, atol=1e-12):
    torch.testing.assert_close(ours, theirs, rtol=0, atol=atol)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
class TestAgreement:
    @pytest.mark.parametrize("shape", [(5, 16), (2, 5, 16), (2, 3, 5, 16), (2, 1, 3, 5, 16)])
    def test_rotation(self, options, shape):
        ours, theirs = both(**options)
        t = randn(*shape)
        for offset in (0, 3, 1000):
            expected = theirs.rotate_queries_or_keys(t, offset=offset)
            close(ours.rotate_queries_or_keys(t, offset=offset), expected, 1e-9)
            expected = theirs.rotate_queries_or_keys(t, offset=offset, scale=0.5)
            close(ours.rotate_queries_or_keys(t, offset=offset, scale=0.5), expected, 1e-9)

    @pytest.mark.parametrize("how", ["module", "call"])
    def test_rotation_where_heads_come_after_positions(self, options, how):
        ours, theirs = both(**options, seq_before_head_dim=how == "module")
        seq_dim = -3 if how == "call" else None
        t = randn(2, 5, 3, 16)
        expected = theirs.rotate_queries_or_keys(t, seq_dim)
        close(ours.rotate_queries_or_keys(t, seq_dim), expected)
        close(
            expected.transpose(1, 2),
            RotaryEmbedding(**options).rotate_queries_or_keys(t.transpose(1, 2)),
        )

    def test_cached_keys(self, options):
        ours, theirs = both(**options)
        q, k = randn(2, 3, 2, 16), randn(2, 3, 7, 16, seed=1)
        for mine, expected in zip(
            ours.rotate_queries_with_cached_keys(q, k),
            theirs.rotate_queries_with_cached_keys(q, k),
            strict=True,
        ):
            close(mine, expected)

    def test_angles(self, options):
        ours, theirs = both(**options)
        for t in (torch.arange(7), randn(2, 3), torch.tensor(-2.5)):
            close(ours.forward(t), theirs.forward(t))
            assert ours(t).dtype == torch.float64
        positions = ours.get_seq_pos(5, offset=2)
        close(positions, theirs.get_seq_pos(5, offset=2))
        close(ours.forward(positions, seq_len=5, offset=2), theirs.forward(positions))

    @pytest.mark.parametrize("dims", [(4,), (3, 4), (2, 3, 4), (1, 5)])
    def test_axial(self, options, dims):
        ours, theirs = both(**options)
        theirs.float()  # it makes float32 coordinates, which in float64 would be other ones
        theirs.freqs.data = ours.freqs.data.float()
        size = 1e-5 * ours.freqs.abs().max().item()
        for offsets in (None, (2,) * len(dims), (0.25,) * len(dims), torch.full((len(dims),), 3)):
            mine = ours.get_axial_freqs(*dims, offsets=offsets)
            assert mine.dtype == torch.float64
            close(mine.float(), theirs.get_axial_freqs(*dims, offsets=offsets), size)


@pytest.mark.parametrize("scale_base", [512, 16])
@pytest.mark.parametrize("seq_before_head_dim", [False, True])
def test_xpos_agrees(seq_before_head_dim, scale_base):
    ours, theirs = both(
        dim=8,
        use_xpos=True,
        xpos_scale_base=scale_base,
        seq_before_head_dim=seq_before_head_dim,
        interpolate_factor=2.0,
    )
    theirs.scale = theirs.scale.new_tensor([(2 * i + 3.2) / 11.2 for i in range(4)])
    q, k = randn(2, 5, 6, 16)[..., :8], randn(2, 5, 6, 16, seed=1)[..., :8]
    for mine, expected in zip(
        ours.rotate_queries_and_keys(q, k), theirs.rotate_queries_and_keys(q, k), strict=True
    ):
        close(mine, expected)
    positions = ours.get_seq_pos(6)
    close(ours.get_scale(positions, seq_len=6), theirs.get_scale(positions))


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_wrong_theta_is_refused_where_it_is_not_used_too(options):
    with pytest.raises(ValueError, match=r"^theta: expected a finite number > 0, got -1$"):
        RotaryEmbedding(**options | {"theta": -1})


def test_xpos_is_refused_where_it_does_not_fit():
    message = r"^use_xpos: expected False, or dim/2 = 4 frequencies, got 3$"
    with pytest.raises(ValueError, match=message):
        RotaryEmbedding(8, custom_freqs=CUSTOM, use_xpos=True)
    with pytest.raises(ValueError, match=r"^use_xpos: expected True for get_scale, got False$"):
        RotaryEmbedding(8).get_scale(torch.arange(3))


def test_frequencies_of_every_kind():
    assert torch.equal(RotaryEmbedding(8).freqs, pe_lib.inverse_frequencies(8))
    ntk = pe_lib.inverse_frequencies(8, 100 * 3 ** (8 / 6))
    assert torch.equal(RotaryEmbedding(8, theta=100, theta_rescale_factor=3).freqs, ntk)
    pixel = RotaryEmbedding(8, freqs_for="pixel", max_freq=14).freqs / math.pi
    close(pixel.detach(), torch.tensor([1.0, 3, 5, 7]).double(), 1e-15)
    assert RotaryEmbedding(8, freqs_for="constant", num_freqs=3).freqs.tolist() == [1.0] * 3
    custom = CUSTOM.clone()
    rotary = RotaryEmbedding(8, custom_freqs=custom)
    custom.zero_()
    assert torch.equal(rotary.freqs, CUSTOM)  # copied
    assert RotaryEmbedding(8, custom_freqs=CUSTOM.half()).freqs.dtype == torch.float64


def test_the_attributes_of_the_other_class():
    options = {"dim": 8, "freqs_for": "pixel", "use_xpos": True, "xpos_scale_base": 64}
    for more in (
        {},
        {"learned_freq": True, "seq_before_head_dim": True, "cache_if_possible": False},
    ):
        ours, theirs = RotaryEmbedding(**options, **more), other.RotaryEmbedding(**options, **more)
        for name in ATTRIBUTES:
            assert getattr(ours, name) == getattr(theirs, name), name
        assert ours.freqs.requires_grad == theirs.freqs.requires_grad
        assert ours.state_dict().keys() == theirs.state_dict().keys()
        ours.load_state_dict(theirs.state_dict())
        theirs.load_state_dict(ours.state_dict())
    assert repr(RotaryEmbedding(8)) == "RotaryEmbedding(dim=8, freqs_for='lang')"


def test_the_arguments_are_those_of_the_other_class():
    for ours, theirs, names in (
        (RotaryEmbedding, other.RotaryEmbedding, METHODS),
        (pe_lib, other.rotary_embedding_torch, ["apply_rotary_emb", "slice_at_dim"]),
    ):
        for name in names:
            assert arguments(getattr(ours, name)) == arguments(getattr(theirs, name)), name


def test_positions_of_a_sequence():
    rotary = RotaryEmbedding(8, interpolate_factor=4.0)
    positions = rotary.get_seq_pos(3, offset=16_777_217)
    assert positions.dtype == torch.float64
    assert (positions * 4).tolist() == [16_777_217, 16_777_218, 16_777_219]
    assert rotary.get_seq_pos(3, dtype=torch.bfloat16).tolist() == [0, 0.25, 0.5]
    assert rotary.get_seq_pos(3, dtype=torch.bfloat16).dtype == torch.bfloat16
    for device in ("meta", torch.device("meta")):
        assert rotary.get_seq_pos(3, device).device.type == "meta"
        assert rotary.get_seq_pos(3, device, torch.float16).device.type == "meta"
    assert rotary.get_seq_pos(0).shape == (0,)
    # MPS has no float64: exact positions stay on the CPU.
    assert rotary.get_seq_pos(3, "mps").device.type == "cpu"


def test_axial_angles_put_the_axes_side_by_side():
    rotary = RotaryEmbedding(4)
    angles = rotary.get_axial_freqs(2, 3, offsets=[5, 0.5])
    assert angles.shape == (2, 3, 8)
    for row in range(2):
        for column in range(3):
            expected = [rotary(torch.tensor(row + 5)), rotary(torch.tensor(column + 0.5))]
            assert torch.equal(angles[row, column], torch.cat(expected))
    assert rotary.get_axial_freqs(2, 0).shape == (2, 0, 8)
    exact = rotary.get_axial_freqs(1, offsets=(0.1,))[0, 0].item()
    assert exact == 0.1  # not its float32 neighbour


def test_every_query_may_have_its_own_heads():
    """Grouped queries: fewer heads for keys."""
    rotary = RotaryEmbedding(8)
    q, k = randn(2, 8, 5, 16), randn(2, 2, 5, 16, seed=1)
    rotated_q, rotated_k = rotary.rotate_queries_and_keys(q, k)
    assert torch.equal(rotated_q, rotary.rotate_queries_or_keys(q))
    assert torch.equal(rotated_k, rotary.rotate_queries_or_keys(k))
