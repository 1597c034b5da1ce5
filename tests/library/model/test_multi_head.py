"""MultiHeadAttention beside PyTorch's, and the block beside its formula."""

import copy
import pickle
from functools import partial

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from pe_lib import MultiHeadAttention, TransformerBlock, alibi_bias, available_devices
from pe_lib.model.multi_head import KVCache
from pe_lib.model.positions import PicturePositions, Position, Relative, Rope
from pe_lib.model.positions.coordinates import text_positions

LAYERS = [MultiHeadAttention, TransformerBlock]


def draw(*shape, dtype=torch.float32):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(1)).to(dtype)


def layer(kind=MultiHeadAttention, *sizes, **options):
    torch.manual_seed(0)
    return kind(*(sizes or (12, 3)), **options)


def pytorchs(own):
    """PyTorch's layer with the same weights."""
    other = nn.MultiheadAttention(own.dim, own.num_heads, bias=False, batch_first=True)
    own_in = [projection.weight for projection in (own.queries, own.keys, own.values)]
    weights = {"in_proj_weight": torch.cat(own_in), "out_proj.weight": own.output.weight}
    other.load_state_dict(weights)
    return other


@pytest.mark.parametrize("heads", [1, 2, 3, 12])
@pytest.mark.parametrize("causal", [False, True])
def test_agrees_with_pytorch(heads, causal):
    own, x = layer(MultiHeadAttention, 12, heads, causal=causal), draw(2, 5, 12)
    hidden = torch.ones(5, 5, dtype=torch.bool).triu(1) if causal else None
    expected, _ = pytorchs(own)(x, x, x, attn_mask=hidden)
    torch.testing.assert_close(own(x), expected, rtol=0, atol=1e-6)


@pytest.mark.parametrize("window", [1, 2, 4, 5, 9])
@pytest.mark.parametrize("causal", [False, True])
def test_a_window_is_the_mask_that_counts_the_token_itself(window, causal):
    own, x = layer(causal=causal, window=window), draw(2, 5, 12)
    hidden = [[abs(i - j) >= window or (causal and j > i) for j in range(5)] for i in range(5)]
    expected, _ = pytorchs(own)(x, x, x, attn_mask=torch.tensor(hidden))
    torch.testing.assert_close(own(x), expected, rtol=0, atol=1e-6)
    if window >= 5:
        assert torch.equal(own(x), layer(causal=causal)(x))


@pytest.mark.parametrize("position", [None, Rope(), Relative(partial(alibi_bias, 3))], ids=str)
@pytest.mark.parametrize("causal", [False, True])
def test_a_window_counts_tokens_and_no_padding(position, causal):
    own, x = layer(causal=causal, position=position, window=2), draw(2, 6, 12)
    positions = torch.tensor([[-1, -1, 0, 1, 2, 3], [0, 1, 2, 3, -1, -1]])
    result = own(x, positions)
    assert result.isfinite().all()
    torch.testing.assert_close(result[0, 2:], own(x[:1, 2:])[0], rtol=0, atol=1e-6)
    torch.testing.assert_close(result[1, :4], own(x[1:, :4])[0], rtol=0, atol=1e-6)


def test_a_picture_has_no_window():
    own, x = layer(window=2), draw(2, 6, 12)
    with pytest.raises(ValueError) as caught:
        own(x, PicturePositions(2, 3))
    assert str(caught.value) == (
        "positions: expected those of a text where there is a window, "
        "got PicturePositions(height=2, width=3, offset=(0.0, 0.0), scale=(1.0, 1.0))"
    )


def test_padding_is_hidden_as_pytorch_hides_it():
    own, x = layer(), draw(2, 5, 12)
    positions = torch.tensor([[-1, -1, 0, 1, 2], [0, 1, 2, 3, 4]])
    expected, _ = pytorchs(own)(x, x, x, key_padding_mask=positions < 0)
    torch.testing.assert_close(own(x, positions), expected, rtol=0, atol=1e-6)
    torch.testing.assert_close(own(x, positions)[0, 2:], own(x[:1, 2:])[0], rtol=0, atol=1e-6)


def test_positions_come_as_ints_or_as_their_type():
    own, x = layer(position=Rope()), draw(2, 5, 12)
    ints = torch.tensor([[-1, -1, 0, 1, 2], [0, 1, 2, 3, 4]])
    assert torch.equal(own(x, text_positions(ints)), own(x, ints))
    with pytest.raises(ValueError, match=r"^positions: expected shape \(2, 5\), got \(2, 4\)$"):
        own(x, text_positions(ints[:, :4]))


@pytest.mark.parametrize("position", [None, Rope(), Relative(partial(alibi_bias, 3))], ids=str)
def test_padding_that_all_rows_share_is_hidden_too(position):
    own, x = layer(position=position), draw(2, 5, 12)
    shared = torch.tensor([-1, -1, 0, 1, 2])
    torch.testing.assert_close(own(x, shared)[:, 2:], own(x[:, 2:]), rtol=0, atol=1e-6)
    torch.testing.assert_close(own(x, shared), own(x, shared.expand(2, 5)), rtol=0, atol=1e-6)


@pytest.mark.parametrize("shape", [(5, 12), (2, 5, 12), (2, 3, 5, 12)], ids=str)
@pytest.mark.parametrize("kind", LAYERS)
def test_any_axes_before_the_sequence(kind, shape):
    own, x = layer(kind, causal=True, position=Rope()), draw(*shape)
    result = own(x)
    assert result.shape == x.shape
    rows, results = x.reshape(-1, 5, 12), result.reshape(-1, 5, 12)
    for row, expected in zip(rows, results, strict=True):
        torch.testing.assert_close(own(row), expected, rtol=0, atol=1e-6)


def test_every_head_scales_by_the_root_of_its_own_width():
    own, x = layer(MultiHeadAttention, 8, 2), draw(1, 4, 8)
    heads = []
    for h in (slice(0, 4), slice(4, 8)):
        q, k, v = (x @ p.weight[h].T for p in (own.queries, own.keys, own.values))
        heads.append((q @ k.mT / 2).softmax(dim=-1) @ v)  # 2 is the root of 4
    expected = torch.cat(heads, dim=-1) @ own.output.weight.T
    torch.testing.assert_close(own(x), expected, rtol=0, atol=1e-6)


def test_four_projections_are_all_that_attention_learns():
    names = [name for name, _ in layer().named_parameters()]
    assert names == ["queries.weight", "keys.weight", "values.weight", "output.weight"]


def test_the_block_is_its_formula():
    block, x = layer(TransformerBlock, 12, 3, causal=True), draw(2, 5, 12)
    for parameter in block.parameters():  # the norms' too
        parameter.data += 0.1 * draw(*parameter.shape)
    attention, (wide, _, narrow) = block.attention, block.mlp
    norms = [(norm.weight, norm.bias) for norm in (block.attention_norm, block.mlp_norm)]
    x1 = x + attention(F.layer_norm(x, (12,), *norms[0]))
    hidden = F.linear(F.layer_norm(x1, (12,), *norms[1]), wide.weight, wide.bias)
    hidden = hidden * 0.5 * (1 + torch.erf(hidden / 2**0.5))  # GELU
    expected = x1 + F.linear(hidden, narrow.weight, narrow.bias)
    torch.testing.assert_close(block(x), expected, rtol=0, atol=1e-6)
    assert wide.weight.shape == (48, 12)


@pytest.mark.parametrize("kind", LAYERS)
def test_what_it_is_told_of_positions_and_causality_reaches_attention(kind):
    plain, x = layer(kind), draw(2, 5, 12)
    causal = layer(kind, causal=True)
    turned = layer(kind, position=Rope())
    near = layer(kind, window=2)
    torch.testing.assert_close(near(x)[:, :1], plain(x[:, :2])[:, :1])
    assert not torch.allclose(near(x), plain(x), atol=1e-3)
    assert not torch.allclose(plain(x)[:, 0], causal(x)[:, 0], atol=1e-3)
    torch.testing.assert_close(plain(x)[:, -1], causal(x)[:, -1])  # the last sees all
    assert not torch.allclose(plain(x), turned(x), atol=1e-3)
    far = torch.tensor([0, 1, 2, 3, 40])
    assert not torch.allclose(turned(x, far), turned(x), atol=1e-3)
    torch.testing.assert_close(turned(x, torch.arange(5)), turned(x))


@pytest.mark.parametrize("kind", LAYERS)
@pytest.mark.parametrize("chunks", [(5,), (1, 1, 1, 1, 1), (2, 3), (3, 1, 1)], ids=str)
@pytest.mark.parametrize("window", [None, 1, 3])
def test_a_cache_gives_the_full_pass(kind, chunks, window):
    own, x = layer(kind, causal=True, position=Rope(), window=window), draw(2, 5, 12)
    cache = KVCache()
    parts = [own(part, cache=cache) for part in x.split(chunks, dim=1)]
    torch.testing.assert_close(torch.cat(parts, dim=1), own(x), rtol=0, atol=1e-6)
    assert [tuple(t.shape) for t in cache.kept] == [(2, 3, 5, 4)] * 2


def test_a_single_text_has_a_cache_too():
    own, x, cache = layer(causal=True, position=Rope()), draw(5, 12), KVCache()
    parts = [own(part, cache=cache) for part in x.split((2, 2, 1))]
    torch.testing.assert_close(torch.cat(parts), own(x), rtol=0, atol=1e-6)


def test_a_single_text_has_positions_too():
    own, x = layer(), draw(5, 12)
    torch.testing.assert_close(own(x, torch.arange(5)), own(x), rtol=0, atol=1e-6)


def test_padding_is_hidden_in_a_single_text_too():
    own, x = layer(position=Rope()), draw(1, 5, 12)
    padded = own(x, torch.tensor([-1, -1, 0, 1, 2]))
    torch.testing.assert_close(padded[:, 2:], own(x[:, 2:]), rtol=0, atol=1e-6)
    assert not torch.allclose(padded[:, 2:], own(x)[:, 2:], atol=1e-3)


def test_the_cache_holds_keys_before_they_are_turned():
    turned, plain, x = layer(position=Rope()), layer(), draw(2, 5, 12)
    caches = KVCache(), KVCache()
    turned(x, cache=caches[0])
    plain(x, cache=caches[1])
    assert all(torch.equal(a, b) for a, b in zip(caches[0].kept, caches[1].kept, strict=True))


def test_a_position_of_one_s_own_fills_any_place():
    class Louder(Position):
        def at_q_and_k(self, q, k, positions):
            return 0 * q, k  # all keys score alike ...

        def at_the_score(self, q, k, positions):
            return (positions.ids == 2).float().log()[..., None, None, :]  # ... but only 2 is seen

        def at_the_values(self, weights, v):
            return 3 * weights @ v

    own, x = layer(position=Louder()), draw(2, 5, 12)
    expected = 3 * x[:, 2:3] @ own.values.weight.T @ own.output.weight.T
    torch.testing.assert_close(own(x), expected.expand(2, 5, 12), rtol=0, atol=1e-6)
    positions = torch.tensor([[-1, 2, -1, 0, 1], [0, 1, 2, 3, 4]])
    expected = 3 * x[0, 1] @ own.values.weight.T @ own.output.weight.T
    torch.testing.assert_close(own(x, positions)[0], expected.expand(5, 12), rtol=0, atol=1e-6)
    torch.testing.assert_close(own(x, positions)[1], own(x)[1])


@pytest.mark.parametrize("kind", LAYERS)
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64], ids=str)
@pytest.mark.parametrize("window", [None, 2])
def test_keeps_the_dtype(kind, dtype, window):
    own, x = layer(kind, causal=True, position=Rope(), window=window), draw(2, 5, 12)
    positions = torch.tensor([[-1, -1, 0, 1, 2], [0, 1, 2, 3, 4]])
    expected = own(x, positions)
    result = own.to(dtype)(x.to(dtype), positions)
    assert result.dtype == dtype
    torch.testing.assert_close(result.float(), expected, rtol=0, atol=0.02)


@pytest.mark.parametrize("kind", LAYERS)
@pytest.mark.parametrize("device", [*available_devices(), "meta"])
@pytest.mark.parametrize("window", [None, 2])
def test_moves_with_the_model(kind, device, window):
    own = layer(kind, causal=True, position=Rope(), window=window).to(device)
    x = draw(2, 5, 12).to(device)
    result = own(x)
    assert result.device.type == device
    assert result.shape == x.shape


@pytest.mark.parametrize("kind", LAYERS)
def test_copies_change_nothing(kind):
    own, x = layer(kind, position=Rope()), draw(2, 5, 12)
    for other in (copy.deepcopy(own), pickle.loads(pickle.dumps(own))):
        assert torch.equal(other(x), own(x))


@pytest.mark.usefixtures("without_shape_checks")
@pytest.mark.parametrize("kind", LAYERS)
@pytest.mark.parametrize("window", [None, 6])
def test_compiles_to_one_graph(kind, window):
    torch.compiler.reset()
    own = layer(kind, causal=True, position=Rope(), window=window)
    fast = torch.compile(own, fullgraph=True, backend="eager")
    for length in (5, 7):
        x = draw(2, length, 12)
        torch.testing.assert_close(fast(x), own(x), rtol=0, atol=1e-6)
