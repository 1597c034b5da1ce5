"""RotaryPositionalEmbedding made of settings, with other axes, with tables that layers share."""

import pytest
import torch

from pe_lib import (
    DynamicNTKScaling,
    RotaryPositionalEmbedding,
    RotarySettings,
    TransformerLM,
    YarnScaling,
    apply_rotary,
    rotary_cos_sin,
)
from tests.helpers import randn

DIM, SEQ = 8, 6
SETTINGS = [
    RotarySettings(DIM),
    RotarySettings(DIM, 500.0, YarnScaling(4.0, 8), interleaved=True, rotates_last=True),
    RotarySettings(DIM, scaling=DynamicNTKScaling(2.0, 4)),
    RotarySettings(DIM, scaling=YarnScaling(4.0, 2), temperature_beta=0.1),
    RotarySettings(DIM, sections=(2, 1, 1), score_scale=1.5, assumed=("interleaved",)),
]
EACH = pytest.mark.parametrize("settings", SETTINGS, ids=str)


def queries(head_dim=DIM + 4):
    return randn(2, 4, SEQ, head_dim), randn(2, 2, SEQ, head_dim, seed=1)


def same(ours, expected):
    return all(map(torch.equal, ours, expected))


@EACH
def test_made_of_settings_it_has_them(settings):
    rotary = RotaryPositionalEmbedding.from_settings(settings)
    assert rotary.settings == settings
    assert rotary.settings.assumed == settings.assumed
    assert repr(rotary) == repr(settings).replace("RotarySettings", "RotaryPositionalEmbedding")


def test_every_setting_can_be_given():
    settings = SETTINGS[1]
    rotary = RotaryPositionalEmbedding(
        DIM, 500.0, scaling=settings.scaling, interleaved=True, rotates_last=True
    )
    assert rotary.settings == settings


@EACH
@pytest.mark.parametrize("positions", [None, torch.arange(SEQ) + 3], ids=["0", "3"])
def test_tables_made_once_are_those_of_each_layer(settings, positions):
    layers = [RotaryPositionalEmbedding.from_settings(settings) for _ in range(3)]
    tables = layers[0].tables(SEQ if positions is None else positions, dtype=torch.float64)
    for layer, seed in zip(layers, range(3), strict=True):
        q, k = randn(2, 4, SEQ, DIM, seed=seed), randn(2, 2, SEQ, DIM, seed=seed + 9)
        assert same(layer(q, k, tables=tables), layer(q, k, positions))


@EACH
def test_heads_behind_the_positions(settings):
    """(batch, seq, heads, head_dim), as flash-attention has them."""
    rotary = RotaryPositionalEmbedding.from_settings(settings)
    q, k = queries()
    other = rotary(q.transpose(1, 2), k.transpose(1, 2), offset=2, seq_dim=-3)
    assert same((x.transpose(1, 2) for x in other), rotary(q, k, offset=2))
    ids = torch.arange(SEQ) + torch.tensor([[2], [5]])
    other = rotary(q.transpose(1, 2), k.transpose(1, 2), ids, seq_dim=-3)
    assert same((x.transpose(1, 2) for x in other), rotary(q, k, ids))


def test_the_last_features():
    q, k = queries()
    rotary = RotaryPositionalEmbedding(DIM, rotates_last=True)
    tables = rotary_cos_sin(SEQ, DIM, dtype=torch.float64)
    for x, turned in zip((q, k), rotary(q, k), strict=True):
        assert torch.equal(turned[..., :4], x[..., :4])
        assert torch.equal(turned[..., 4:], apply_rotary(x[..., 4:], *tables))
    part = rotary(q[..., 4:], k[..., 4:])  # the part that turns, without the others
    assert same(part, (x[..., 4:] for x in rotary(q, k)))


def test_positions_are_the_third_argument():
    q, k = queries()
    rotary, ids = RotaryPositionalEmbedding(DIM), torch.arange(SEQ) + 7
    assert same(rotary(q, k, ids), rotary(q, k, offset=7))


@pytest.mark.usefixtures("without_shape_checks")
@pytest.mark.parametrize(
    ("other", "message"),
    [
        (
            {"positions": torch.arange(SEQ)},
            "positions: expected None beside tables, got a tensor of shape (6,) and dtype "
            "torch.int64",
        ),
        ({"seq_len": 9}, "seq_len: expected None beside tables, got 9 (int)"),
        ({"offset": 3}, "offset: expected 0 beside tables, got 3"),
    ],
)
def test_tables_are_all_that_is_said(other, message):
    rotary = RotaryPositionalEmbedding(DIM)
    with pytest.raises(ValueError) as caught:
        rotary(*queries(), tables=rotary.tables(SEQ), **other)
    assert str(caught.value) == message


@pytest.mark.usefixtures("without_shape_checks")
def test_tables_that_do_not_fit_are_named():
    rotary = RotaryPositionalEmbedding(DIM)
    with pytest.raises(ValueError, match=r"^tables: expected those of seq = 6 positions, as q has"):
        rotary(*queries(), tables=rotary.tables(SEQ + 1))


def test_a_step_of_a_batch_has_an_axis_for_its_one_token():
    rotary = RotaryPositionalEmbedding(DIM)
    with pytest.raises(ValueError, match=r"\(batch, 1\)\), got cos of shape \(3, 4\)$"):
        rotary.rotate(randn(3, 2, 1, DIM), tables=rotary.tables(torch.tensor([3, 1, 2])))


def test_tables_of_layers_that_pair_features_otherwise_are_shared():
    """DeepSeek-V3.2's indexer is half-split beside interleaved attention."""
    q, k = queries()
    one, other = (RotaryPositionalEmbedding(DIM, interleaved=way) for way in (True, False))
    tables = one.tables(SEQ, dtype=torch.float64)
    assert same(other(q, k, tables=tables), other(q, k))


@EACH
def test_one_tensor_alone(settings):
    rotary = RotaryPositionalEmbedding.from_settings(settings)
    (_, k), cache = queries(), randn(2, 2, 9, DIM + 4, seed=5)
    for where in ({"offset": 2}, {"positions": torch.arange(SEQ) + torch.tensor([[2], [5]])}):
        _, expected = rotary(k, k, **where)
        assert torch.equal(rotary.rotate(k, **where), expected)
        before = cache.clone()
        out = cache[:, :, 2:8]
        assert rotary.rotate(k, **where, out=out) is out
        assert torch.equal(out, expected)
        assert torch.equal(cache[:, :, 8:], before[:, :, 8:])
        own = k.clone()
        rotary.rotate(own, **where, out=own)
        assert torch.equal(own, expected)
        back = rotary.rotate(expected, **where, inverse=True)
        torch.testing.assert_close(back, k, rtol=0, atol=1e-12)
        behind = rotary.rotate(k.transpose(1, 2), **where, seq_dim=-3)
        assert torch.equal(behind.transpose(1, 2), expected)


def test_an_out_that_overlaps_what_is_rotated():
    rotary = RotaryPositionalEmbedding(DIM, rotates_last=True)
    memory = randn(2 * SEQ, DIM + 4)
    x, out = memory[None, :SEQ], memory[None, 3 : SEQ + 3]
    expected = rotary.rotate(x.clone())
    rotary.rotate(x, out=out)
    assert torch.equal(out, expected)


def test_tables_are_not_cast_with_the_inputs_of_a_layer():
    """FSDP2 casts every tensor that it finds in them, in tuples and dicts too."""
    from torch.utils._pytree import tree_map_only

    rotary, (q, k) = RotaryPositionalEmbedding(DIM), queries()
    tables = rotary.tables(torch.arange(SEQ) + 100_000, dtype=torch.float64)
    [cast] = tree_map_only(torch.Tensor, torch.Tensor.bfloat16, [tables])
    assert same(rotary(q, k, tables=cast), rotary(q, k, offset=100_000))


def test_a_language_model_makes_its_tables_once_a_step(monkeypatch):
    import inspect

    from pe_lib.model.positions import text

    names = inspect.unwrap(text.Rope.in_this_step).__globals__
    made, one = [], names["rotary_cos_sin"]
    monkeypatch.setitem(
        names,
        "rotary_cos_sin",
        lambda ids, *rest, **more: made.append(ids) or one(ids, *rest, **more),
    )
    torch.manual_seed(0)
    for position in ("rope", "xpos"):
        model = TransformerLM(20, 16, 5, 2, max_len=16, position=position)
        tokens = torch.randint(20, (1, 9))
        made.clear()
        whole = model(tokens)
        assert len(made) == 1
        cache = model.new_cache()
        steps = [model(tokens[:, [i]], cache=cache) for i in range(9)]
        assert len(made) == 10
        torch.testing.assert_close(torch.cat(steps, dim=1), whole, rtol=0, atol=1e-5)


def test_layers_with_other_scalings_make_their_own():
    torch.manual_seed(0)
    model = TransformerLM(20, 16, 2, 2, max_len=16, position="rope")
    tokens = torch.randint(20, (1, 9))
    plain = model(tokens)
    model.blocks[1].attention.position.scaling = YarnScaling(4.0, 4)
    mixed = model(tokens)
    assert (mixed - plain).abs().max() > 1e-3
    model.blocks[0].attention.position.scaling = model.blocks[1].attention.position.scaling
    both = model(tokens)
    assert (mixed - both).abs().max() > 1e-3


def test_a_layer_whose_tables_were_changed_makes_its_own():
    torch.manual_seed(0)
    model = TransformerLM(20, 16, 2, 2, max_len=16, position="rope")
    tokens = torch.randint(20, (1, 9))
    plain = model(tokens)
    for layer, changed in ((1, 1), (0, 2)):
        own = model.blocks[layer].attention.position
        own.tables = lambda ids, dim: rotary_cos_sin(3 * ids, dim)
        now = model(tokens)
        assert (now - plain).abs().max() > 1e-3, changed
        plain = now
