"""TransformerLM with every encoding: what all kinds share, and what tells them apart."""

import copy
import pickle
import re

import pytest
import torch
from torch.nn import functional as F

from pe_lib import (
    DynamicNTKScaling,
    LinearScaling,
    LongRopeScaling,
    NTKScaling,
    TransformerLM,
    YarnScaling,
    available_devices,
)
from pe_lib.model.positions.coordinates import TextPositions

AT_THE_INPUT = ["sinusoidal", "learned"]
AT_Q_AND_K = ["rope", "xpos"]
AT_THE_SCORE = ["shaw", "t5", "xl", "alibi", "kerple", "fire", "cope"]
TOLD = AT_THE_INPUT + AT_Q_AND_K + AT_THE_SCORE
KINDS = ["none", *TOLD]
INSIDE = [kind for kind in KINDS if kind not in AT_THE_INPUT]

# Two layers with and without a window, and two that differ.
MODELS = pytest.mark.parametrize(
    ("position", "window"),
    [
        *((kind, window) for kind in KINDS for window in (None, 3)),
        (["rope", "none"], [3, None]),
        (["none", "fire"], [None, 2]),
        (("cope", "xpos"), (4, 1)),
    ],
    ids=str,
)

LENGTH = 12
PADS = [0, 3, 7]  # before each of three rows


def lm(position, layers=2, seed=0, **options):
    """A small model whose positions have been drawn at random, as if they had been trained."""
    torch.manual_seed(seed)
    options = {"max_len": 20} | options
    model = TransformerLM(30, 24, layers, 3, position=position, **options)
    for name, parameter in model.named_parameters():
        if "position" in name:
            parameter.data += 0.5 * torch.randn_like(parameter)
        if name.endswith("log_threshold"):  # of FIRE: positions above exp(1.5) are told apart
            parameter.data.fill_(1.5)
    return model


def tokens(rows=3, length=LENGTH):
    return torch.randint(30, (rows, length), generator=torch.Generator().manual_seed(1))


def padding():
    """Bools (3, LENGTH), False for padding."""
    return torch.arange(LENGTH) >= torch.tensor(PADS)[:, None]


def close(result, expected, atol=1e-5):
    torch.testing.assert_close(result, expected, rtol=0, atol=atol)


def test_all_twelve_are_tested():
    with pytest.raises(ValueError) as caught:
        lm("no such kind")
    assert sorted(re.findall(r"'(\w+)'", str(caught.value))) == sorted(KINDS)


# What all kinds share


@pytest.mark.parametrize("position", KINDS)
def test_one_seed_gives_the_same_weights_but_for_the_positions(position):
    torch.manual_seed(0)
    none = TransformerLM(30, 24, 2, 3, max_len=20)
    torch.manual_seed(0)
    other = TransformerLM(30, 24, 2, 3, max_len=20, position=position)
    weights = other.state_dict()
    for name, weight in none.state_dict().items():
        assert torch.equal(weights.pop(name), weight)
    assert all("position" in name for name in weights)
    assert bool(weights) == (position not in ["none", "sinusoidal", "rope", "xpos", "alibi"])


@pytest.mark.parametrize("position", ["rope", "xpos", ["none", "rope"]], ids=str)
def test_a_trained_model_is_read_with_another_scaling(position):
    trained = lm(position)
    stretched = lm(position, seed=1, scaling=NTKScaling(4.0))
    stretched.load_state_dict(trained.state_dict())
    text = tokens()
    plain, other = trained(text), stretched(text)
    assert not torch.allclose(plain, other)
    for block in stretched.blocks:
        block.attention.position.scaling = None
    assert torch.equal(stretched(text), plain)


@pytest.mark.parametrize("position", ["rope", "xpos"])
def test_cached_decoding_with_a_scaling_is_the_full_pass(position):
    model = lm(position, scaling=YarnScaling(4.0, 4))
    cache = model.new_cache()
    pieces = [model(piece, cache=cache) for piece in tokens().split(5, dim=1)]
    close(torch.cat(pieces, dim=1), model(tokens()))


def test_a_scaling_that_looks_at_the_length_sees_all_keys_in_one_way():
    # One layer: in deeper ones keys come from what a token saw when the text was shorter.
    model = lm("rope", layers=1, scaling=DynamicNTKScaling(4.0, 4))
    cache = model.new_cache()
    for piece in tokens().split(5, dim=1):
        last = model(piece, cache=cache)
    close(last, model(tokens())[:, -last.shape[1] :])


@pytest.mark.parametrize("position", ["none", "sinusoidal", "alibi", ["none", "t5"]], ids=str)
def test_a_scaling_has_something_to_stretch(position):
    with pytest.raises(ValueError) as caught:
        lm(position, scaling=LinearScaling(2.0))
    expected = "None where no layer has position='rope' or 'xpos'"
    assert str(caught.value) == f"scaling: expected {expected}, got LinearScaling(factor=2.0)"


def test_a_scaling_fits_the_heads():
    scaling = LongRopeScaling([1.0] * 5, [2.0] * 5, 4, factor=2.0)  # heads here have 4 pairs
    with pytest.raises(
        ValueError, match="scaling: expected one for heads of 8 features, got LongRo"
    ):
        lm("rope", scaling=scaling)


@pytest.mark.parametrize("position", KINDS)
def test_where_it_enters(position):
    model = TransformerLM(30, 24, 2, 3, max_len=20, position=position)
    names = [name for name, _ in model.named_parameters() if "position" in name]
    inside = "position." if position in AT_THE_INPUT else "blocks.0.attention.position."
    assert not names or any(name.startswith(inside) for name in names)
    x, places = torch.ones(1, 4, 24), TextPositions(torch.arange(4))
    q = k = torch.ones(1, 3, 4, 8)
    own, layer = model.position, model.blocks[1].attention.position
    at_the_input = not torch.equal(own.at_the_input(x, places), x)
    at_q_and_k = not torch.equal(layer.at_q_and_k(q, k, places)[1], k)
    at_the_score = layer.at_the_score(q, k, places) is not None
    assert at_the_input == (position in AT_THE_INPUT)
    assert at_q_and_k == (position in AT_Q_AND_K)
    assert at_the_score == (position in AT_THE_SCORE)


def test_the_model_is_its_parts_one_after_the_other():
    model, ids = lm("none"), tokens()
    x = model.embedding(ids)
    for block in model.blocks:
        x = block(x)
    expected = F.layer_norm(x, (24,)) @ model.head.weight.T
    close(model(ids), expected, atol=1e-6)
    assert model(ids).shape == (3, LENGTH, 30)
    assert all(block.attention.causal for block in model.blocks)
    assert len(lm("none", layers=3).blocks) == 3


def test_words_start_as_large_as_the_paper_makes_them():
    torch.manual_seed(0)
    model = TransformerLM(500, 128, 1, 2, max_len=8)
    assert model.embedding.weight.std().item() == pytest.approx(1, rel=0.02)


@pytest.mark.parametrize("position", KINDS)
def test_a_later_token_changes_nothing_before_it(position):
    model, ids = lm(position), tokens()
    changed = ids.clone()
    changed[:, 7] = (ids[:, 7] + 1) % 30
    before, after = model(ids), model(changed)
    assert torch.equal(before[:, :7], after[:, :7])
    assert (before - after)[:, 7:].abs().amax(dim=-1).min() > 1e-4


@MODELS
@pytest.mark.parametrize("chunks", [[1] * LENGTH, [5, 1, 2, 4]], ids=["tokens", "chunks"])
def test_cached_decoding_is_the_full_pass(position, window, chunks):
    model, ids, mask = lm(position, window=window), tokens(), padding()
    cache, plain = model.new_cache(), model.new_cache()
    masked = [
        model(part, attention_mask=own, cache=cache)
        for part, own in zip(ids.split(chunks, dim=1), mask.split(chunks, dim=1), strict=True)
    ]
    close(torch.cat(masked, dim=1)[mask], model(ids, attention_mask=mask)[mask])
    unpadded = [model(part, cache=plain) for part in ids.split(chunks, dim=1)]
    close(torch.cat(unpadded, dim=1), model(ids))


@MODELS
def test_the_cache_remembers_the_padding(position, window):
    model, ids, mask, cache = lm(position, window=window), tokens(), padding(), None
    cache = model.new_cache()
    parts = [model(ids[:, :8], attention_mask=mask[:, :8], cache=cache)]
    parts += [model(ids[:, t : t + 1], cache=cache) for t in range(8, LENGTH)]
    close(torch.cat(parts, dim=1)[mask], model(ids, attention_mask=mask)[mask])


@pytest.mark.parametrize("position", KINDS)
def test_what_the_cache_holds_is_no_padding_where_a_mask_comes_later(position):
    model, ids, mask = lm(position), tokens(), padding().flip(1)  # behind the rows' tokens
    mask[:, :4] = True
    cache = model.new_cache()
    parts = [model(part, cache=cache) for part in ids[:, :4].split([3, 1], dim=1)]
    assert cache.mask is None
    parts += [model(ids[:, 4:], attention_mask=mask[:, 4:], cache=cache)]
    close(torch.cat(parts, dim=1)[mask], model(ids, attention_mask=mask)[mask])


def test_positions_are_the_rows_own_only_where_there_is_a_mask(monkeypatch):
    model, told = lm("sinusoidal"), []
    monkeypatch.setattr(model.position, "at_the_input", lambda x, p: told.append(p) or x)
    cache = model.new_cache()
    for part in tokens().split(6, dim=1):
        model(part, cache=cache)
    assert [p.ids.tolist() for p in told] == [list(range(6)), list(range(12))]
    assert all(p.padding is None for p in told)


@pytest.mark.parametrize("causal", [True, False])
@MODELS
def test_a_padded_row_is_the_row_alone(position, window, causal):
    model, ids, mask = lm(position, causal=causal, window=window), tokens(), padding()
    result = model(ids, attention_mask=mask)
    assert result.isfinite().all()
    for row, pads in enumerate(PADS):
        close(result[row, pads:], model(ids[row : row + 1, pads:])[0])
    # What stands in the padding is seen by nobody.
    other = model(ids.where(mask, 0), attention_mask=mask)
    assert torch.equal(other[mask], result[mask])
    # Padding may stand behind the tokens, too.
    result = model(ids, attention_mask=mask.flip(1))
    for row, pads in enumerate(PADS):
        close(result[row, : LENGTH - pads], model(ids[row : row + 1, : LENGTH - pads])[0])


@pytest.mark.parametrize("position", KINDS)
def test_a_mask_without_padding_changes_nothing(position):
    model, ids = lm(position), tokens()
    close(model(ids, attention_mask=torch.ones_like(ids).bool()), model(ids))


@pytest.mark.parametrize("position", KINDS)
def test_gradients_reach_every_parameter(position):
    model, ids = lm(position), tokens()
    F.cross_entropy(model(ids).flatten(0, 1), ids.flatten()).backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad.isfinite().all(), name
        assert parameter.grad.any(), name


@MODELS
def test_a_step_of_training_with_padding_stays_finite(position, window):
    model, ids, mask = lm(position, window=window), tokens(), padding()
    model(ids, attention_mask=mask).square().mean().backward()
    assert all(parameter.grad.isfinite().all() for parameter in model.parameters())


@pytest.mark.parametrize("position", KINDS)
def test_half_precision_copies_and_devices(position):
    model, ids, mask = lm(position), tokens(), padding()
    expected = model(ids, attention_mask=mask)
    for other in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert torch.equal(other(ids, attention_mask=mask), expected)
    for device in [*available_devices(), "meta"]:
        moved = copy.deepcopy(model).to(device)
        result = moved(ids.to(device), attention_mask=mask.to(device))
        assert (result.device.type, result.shape) == (device, expected.shape)
    half = copy.deepcopy(model).to(torch.bfloat16)(ids, attention_mask=mask)
    assert half.dtype == torch.bfloat16
    assert (half - expected)[mask].abs().mean() < 0.02
    close(copy.deepcopy(model).double()(ids, attention_mask=mask)[mask], expected[mask].double())


# What tells them apart


@pytest.mark.parametrize("position", KINDS)
def test_without_a_mask_only_a_told_model_knows_the_order(position):
    model, ids = lm(position, causal=False), tokens()
    order = torch.randperm(LENGTH, generator=torch.Generator().manual_seed(2))
    difference = (model(ids[:, order]) - model(ids)[:, order]).abs().max()
    if position == "none":
        assert difference <= 1e-6
    else:
        assert difference > 1e-2


@pytest.mark.parametrize("position", TOLD)
def test_positions_are_told_apart_in_one_layer_too(position):
    """The last output, where a causal layer without positions sees a bag of words."""
    model, ids = lm(position, layers=1), tokens()
    shuffled = torch.cat((ids[:, [4, 0, 3, 1, 2]], ids[:, 5:]), dim=1)
    assert (model(shuffled) - model(ids))[:, -1].abs().max() > 1e-4


def test_a_causal_mask_tells_the_order_but_not_in_one_layer():
    ids = tokens()
    order = torch.tensor([5, 2, 9, 0, 10, 7, 1, 8, 3, 6, 4, 11])  # the last stays the last
    one, two = lm("none", layers=1), lm("none", layers=2)
    close(one(ids[:, order])[:, -1], one(ids)[:, -1], atol=1e-6)
    assert (two(ids[:, order]) - two(ids))[:, -1].abs().max() > 1e-2


def test_without_positions_a_repeated_token_is_the_same_everywhere():
    same = torch.full((1, LENGTH), 3)
    result = lm("none")(same)
    close(result, result[:, :1].expand_as(result), atol=1e-6)
    assert (lm("rope")(same) - result).abs().max() <= 1e-5  # nor does RoPE help: all values agree
    assert (lm("sinusoidal")(same)[:, 0] - lm("sinusoidal")(same)[:, 5]).abs().max() > 1e-2


@pytest.mark.parametrize("position", KINDS)
def test_longer_than_trained(position):
    model, ids = lm(position, max_len=8), tokens()
    if position != "learned":
        assert model(ids).isfinite().all()
        assert not torch.allclose(model(ids)[:, 9:], model(ids)[:, :3], atol=1e-3)
        return
    assert model(ids[:, :8]).shape == (3, 8, 30)
    with pytest.raises(ValueError) as caught:
        model(ids[:, :9])
    assert str(caught.value) == ("tokens: expected at most max_len = 8 (position='learned'), got 9")
    cache = model.new_cache()
    model(ids[:, :8], cache=cache)
    with pytest.raises(ValueError, match="at most max_len = 8"):
        model(ids[:, 8:9], cache=cache)


def test_xpos_stays_in_range_over_many_cached_tokens():
    model = lm("xpos", layers=1)
    ids, cache = tokens(1, 4), model.new_cache()
    model(ids, cache=cache)
    cache.layers[0].kept = tuple(kept.repeat(1, 1, 20_000, 1) for kept in cache.layers[0].kept)
    assert model(ids, cache=cache).isfinite().all()  # zeta ** (80,000 / 512) is 0 in float32


@pytest.mark.parametrize(
    ("position", "dim", "heads", "width"),
    [("sinusoidal", 15, 3, 15), ("rope", 30, 2, 15), ("xpos", 9, 3, 3)],
)
def test_what_turns_needs_pairs(position, dim, heads, width):
    TransformerLM(10, dim, 1, heads, max_len=4)
    with pytest.raises(ValueError) as caught:
        TransformerLM(10, dim, 1, heads, max_len=4, position=position)
    assert str(caught.value) == (
        f"dim: expected features in pairs for position='{position}', got {width} "
        f"(dim = {dim}, num_heads = {heads})"
    )


def test_transformer_xl_needs_an_even_dim():
    with pytest.raises(ValueError, match=r"^dim: expected an even int >= 2 .*, got 15$"):
        TransformerLM(10, 15, 1, 3, max_len=4, position="xl")


@pytest.mark.parametrize(("causal", "buckets"), [(True, 12), (False, 17)])
def test_t5_gives_keys_ahead_buckets_only_where_they_are_seen(causal, buckets):
    model = lm("t5", causal=causal)
    q = torch.zeros(1, 3, LENGTH, 8)
    bias = model.blocks[0].attention.position.at_the_score(
        q, q, TextPositions(torch.arange(LENGTH))
    )
    assert len(bias[0].unique()) == buckets


def test_sizes_of_what_is_learned():
    """Shaw: 16 to each side; T5: 32 buckets; learned and CoPE: as many as max_len."""
    for position, size in (("shaw", 33), ("t5", 32), ("learned", 20), ("cope", 20)):
        model = lm(position, causal=True)
        shapes = [p.shape for name, p in model.named_parameters() if "position" in name]
        assert {shape[0] for shape in shapes} == {size}


# Layers that differ


@pytest.mark.parametrize("position", INSIDE)
@pytest.mark.parametrize("listed", [list, tuple])
def test_a_list_of_one_kind_is_the_kind(position, listed):
    ids, options = tokens(), {"layers": 3, "max_len": 8}
    one = lm(position, window=4, **options)
    all_alike = lm(listed([position] * 3), window=listed([4] * 3), **options)
    weights = all_alike.state_dict()
    assert list(weights) == list(one.state_dict())
    assert all(torch.equal(weights[name], w) for name, w in one.state_dict().items())
    assert torch.equal(all_alike(ids), one(ids))


def test_every_layer_has_its_own_kind():
    kinds = ["rope", "none", "t5", "alibi"]
    mixed, ids = lm(kinds, layers=4), tokens()
    assert [block.attention.position.kind for block in mixed.blocks] == kinds
    assert mixed.position.kind == "none"
    same = lm("none", layers=4)
    for block, own in zip(same.blocks, mixed.blocks, strict=True):
        block.attention.position = own.attention.position
    assert torch.equal(same(ids), mixed(ids))
    for index in range(4):
        other = lm([*kinds[:index], "xl", *kinds[index + 1 :]], layers=4)
        assert (other(ids) - mixed(ids)).abs().max() > 1e-3


def test_one_seed_gives_layers_that_differ_the_same_weights_but_for_the_positions():
    torch.manual_seed(0)
    none = TransformerLM(30, 24, 3, 3, max_len=20)
    torch.manual_seed(0)
    mixed = TransformerLM(
        30, 24, 3, 3, max_len=20, position=["cope", "none", "shaw"], window=[None, 2, 3]
    )
    weights = mixed.state_dict()
    for name, weight in none.state_dict().items():
        assert torch.equal(weights.pop(name), weight)
    assert sorted(weights) == [
        "blocks.0.attention.position.relative.weight",
        "blocks.2.attention.position.relative.key_table",
        "blocks.2.attention.position.relative.value_table",
    ]


@pytest.mark.parametrize("position", KINDS)
@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize(("window", "reach"), [(3, 4), ([2, 4], 4), ([4, 1], 3)], ids=str)
def test_a_token_sees_through_the_windows_of_all_layers(position, causal, window, reach):
    model, ids = lm(position, causal=causal, window=window), tokens(1)
    before = model(ids)[0]  # (seq, vocab_size)
    for changed in range(LENGTH):
        other = ids.clone()
        other[0, changed] = (ids[0, changed] + 1) % 30
        same = (model(other)[0] == before).all(dim=-1)  # (seq)
        for place, unchanged in enumerate(same.tolist()):
            seen = place - reach <= changed <= place + (0 if causal else reach)
            assert unchanged == (not seen), (place, changed)


@pytest.mark.parametrize("position", KINDS)
@pytest.mark.parametrize("causal", [True, False])
def test_a_window_as_long_as_the_text_is_none(position, causal):
    model, ids = lm(position, causal=causal), tokens()
    for window in (LENGTH, LENGTH + 1, [None, LENGTH]):
        assert torch.equal(lm(position, causal=causal, window=window)(ids), model(ids))
    less = lm(position, causal=causal, window=LENGTH - 1)(ids)
    assert torch.equal(less[:, :-1], model(ids)[:, :-1]) == causal
    assert not torch.equal(less[:, -1], model(ids)[:, -1])


def refused(error, **options):
    """What is said of these options for four layers."""
    with pytest.raises(error) as caught:
        lm(**{"position": "none", "layers": 4} | options)
    assert type(caught.value) is error
    return str(caught.value)


@pytest.mark.parametrize("length", [0, 3, 5])
def test_a_list_has_one_for_each_layer(length):
    assert refused(ValueError, position=["rope"] * length) == (
        f"position: expected one kind for each of the 4 layers, got {length}"
    )
    assert refused(ValueError, window=[2] * length) == (
        f"window: expected one for each of the 4 layers, got {length}"
    )


@pytest.mark.usefixtures("without_shape_checks")
@pytest.mark.parametrize(
    ("wrong", "error", "got"),
    [
        ("learned", ValueError, "'learned'"),
        ("sinusoidal", ValueError, "'sinusoidal'"),
        ("NoPE", ValueError, "'NoPE'"),
        (None, TypeError, "None (NoneType)"),
        (["none"], TypeError, "['none'] (list)"),
    ],
)
def test_a_wrong_kind_in_a_list_is_named(wrong, error, got):
    kinds = ", ".join(map(repr, INSIDE))
    for index, position in ((0, [wrong] * 4), (2, ("rope", "rope", wrong, "none"))):
        message = refused(error, position=position)
        assert message == f"position[{index}]: expected one of {kinds} for a layer, got {got}"


@pytest.mark.usefixtures("without_shape_checks")
@pytest.mark.parametrize(
    ("wrong", "error", "got"),
    [
        (0, ValueError, "0"),
        (-1, ValueError, "-1"),
        (True, TypeError, "True (bool)"),
        (2.0, TypeError, "2.0 (float)"),
        ([4], TypeError, "[4] (list)"),
    ],
)
def test_a_wrong_window_in_a_list_is_named(wrong, error, got):
    for index, window in ((0, [wrong] * 4), (3, (4, None, 4, wrong))):
        message = refused(error, window=window)
        assert message == f"window[{index}]: expected an int >= 1 or None, got {got}"


def test_what_turns_in_a_list_needs_pairs():
    with pytest.raises(ValueError) as caught:
        TransformerLM(10, 30, 2, 2, max_len=4, position=["none", "xpos"])
    assert str(caught.value) == (
        "dim: expected features in pairs for position[1]='xpos', got 15 (dim = 30, num_heads = 2)"
    )


# Generation


@MODELS
def test_generation_takes_the_likeliest_token_again_and_again(position, window):
    model, ids, mask = lm(position, window=window), tokens()[:, :8], padding()[:, :8]
    result = model.generate(ids, 5, attention_mask=mask)
    assert result.shape == (3, 13)
    assert torch.equal(result[:, :8], ids)
    for row, pads in enumerate(PADS):
        text = ids[row : row + 1, pads:]
        for _ in range(5):
            text = torch.cat((text, model(text)[:, -1:].argmax(dim=-1)), dim=1)
        assert torch.equal(result[row, pads:], text[0])


def test_generation_of_nothing_and_without_gradients():
    model, ids = lm("rope"), tokens()
    assert torch.equal(model.generate(ids, 0), ids)
    assert len(set(model.generate(ids, 8)[0, LENGTH:].tolist())) > 1
    assert all(not t.requires_grad for t in (model.generate(ids, 1),))
    assert all(parameter.requires_grad for parameter in model.parameters())


def test_nothing_is_cached_where_tokens_see_those_ahead():
    model = lm("rope", causal=False)
    for call in (model.new_cache, lambda: model.generate(tokens(), 1)):
        with pytest.raises(ValueError) as caught:
            call()
        assert str(caught.value) == "causal: expected True where tokens are cached, got False"


@pytest.mark.parametrize("position", KINDS)
def test_a_text_has_a_token(position):
    model, empty = lm(position), tokens(length=0)
    cache = model.new_cache()
    model(tokens(), cache=cache)
    expected = r"^tokens.shape\[1\]: expected an int >= 1, got 0$"
    for call in (model, lambda x: model(x, cache=cache), lambda x: model.generate(x, 2)):
        with pytest.raises(ValueError, match=expected):
            call(empty)


def test_a_cache_is_of_one_batch():
    model = lm("rope")
    cache = model.new_cache()
    model(tokens(), cache=cache)
    for rows in (1, 2, 4):
        expected = rf"^tokens: expected shape \(3, seq\), got \({rows}, 12\)$"
        with pytest.raises(ValueError, match=expected):
            model(tokens(rows), cache=cache)
    assert model(tokens(length=1), cache=cache).shape == (3, 1, 30)  # it is still whole
