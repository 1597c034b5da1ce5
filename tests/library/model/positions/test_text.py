"""Every encoding for texts does in the model what its own module or function says."""

import pytest
import torch

from pe_lib import (
    ContextualPosition,
    DynamicNTKScaling,
    FireBias,
    KerpleBias,
    LinearScaling,
    Llama3Scaling,
    ShawRelativePosition,
    T5RelativeBias,
    TransformerXLRelativePosition,
    YarnScaling,
    alibi_bias,
    apply_rotary,
    rotary_cos_sin,
    sinusoidal_encoding,
    xpos_scale,
)
from pe_lib.model.positions import (
    T5,
    Cope,
    Fire,
    Kerple,
    Learned,
    Rope,
    Shaw,
    Sinusoidal,
    TextPositions,
    TransformerXL,
    XPos,
)
from pe_lib.model.positions.coordinates import text_positions
from pe_lib.model.positions.text import TextKind, TextSizes

HEADS, WIDTH, SEEN = 3, 8, 7
ALL = TextPositions(torch.arange(SEEN))
PADDED = text_positions(torch.tensor([[0, 1, 2, 3, 4, 5, 6], [-1, -1, 0, 1, 2, 3, 4]]))
BOTH = pytest.mark.parametrize("positions", [ALL, PADDED], ids=["a text", "two padded texts"])
QUERIES = pytest.mark.parametrize("q_len", [SEEN, 2])


def draw(*shape):
    return torch.randn(shape, generator=torch.Generator().manual_seed(len(shape)))


def qk(q_len):
    return draw(2, HEADS, SEEN, WIDTH)[..., -q_len:, :], draw(2, HEADS, SEEN, WIDTH) + 1


def drawn(module):
    """The module with all its parameters drawn at random."""
    for number, parameter in enumerate(module.parameters()):
        parameter.data = 0.5 * draw(*parameter.shape) + 0.1 * number
    return module


def made(kind, causal=True):
    return TextKind.kinds[kind].made_for(TextSizes(HEADS * WIDTH, HEADS, SEEN, causal))


def close(result, expected):
    torch.testing.assert_close(result, expected, rtol=0, atol=1e-5)


@pytest.mark.parametrize(
    "position", [Sinusoidal(), Learned(SEEN, 6)], ids=["sinusoidal", "learned"]
)
def test_the_input_takes_plain_ints_too(position):
    x = draw(2, SEEN, 6)
    assert torch.equal(position.at_the_input(x, PADDED.ids), position.at_the_input(x, PADDED))


@QUERIES
@BOTH
def test_sinusoidal(positions, q_len):
    x, own = draw(2, q_len, 6), positions.ids[..., -q_len:]
    close(Sinusoidal().at_the_input(x, positions), x + sinusoidal_encoding(own, 6))


@QUERIES
@BOTH
def test_learned(positions, q_len):
    x, learned = draw(2, q_len, 6), drawn(Learned(SEEN, 6))
    result = learned.at_the_input(x, positions)
    for row, places in enumerate(positions.ids.expand(2, -1)[:, -q_len:].tolist()):
        for at, place in enumerate(places):
            if place >= 0:
                close(result[row, at], x[row, at] + learned.table.weight[place])


@QUERIES
@BOTH
@pytest.mark.parametrize("scaling", [None, YarnScaling(4.0, 2), DynamicNTKScaling(4.0, 2)])
def test_rope(positions, q_len, scaling):
    q, k = qk(q_len)
    new_q, new_k = Rope(scaling).at_q_and_k(q, k, positions)
    cos, sin = rotary_cos_sin(positions.ids, WIDTH, scaling=scaling)
    close(new_q, apply_rotary(q, cos[..., -q_len:, :], sin[..., -q_len:, :]))
    close(new_k, apply_rotary(k, cos, sin))


@QUERIES
@BOTH
def test_xpos_scores_shrink_with_the_distance(positions, q_len):
    q, k = qk(q_len)
    new_q, new_k = XPos().at_q_and_k(q, k, positions)
    own = positions.ids[..., -q_len:]
    scale = xpos_scale(own[..., None] - positions.ids[..., None, :], WIDTH)
    turned_q = apply_rotary(q, *rotary_cos_sin(own, WIDTH)).unflatten(-1, (2, -1))
    turned_k = apply_rotary(k, *rotary_cos_sin(positions.ids, WIDTH)).unflatten(-1, (2, -1))
    scale = scale[..., None, :] if own.ndim == 1 else scale[:, None, :, :, None, :]
    products = turned_q[..., :, None, :, :] * turned_k[..., None, :, :, :] * scale
    expected = products.sum(dim=(-1, -2))
    close(new_q @ new_k.mT, expected)
    close(new_q[..., -1, :], turned_q.flatten(-2)[..., -1, :])  # the newest has scale 1


@BOTH
def test_xpos_is_stretched_as_rope_is(positions):
    q, k = qk(SEEN)
    linear = XPos(LinearScaling(2.0)).at_q_and_k(q, k, positions)
    halved = XPos(Llama3Scaling(2.0, 1e9, 2e9, 1)).at_q_and_k(q, k, positions)  # all pairs divided
    for one, other, plain in zip(linear, halved, XPos().at_q_and_k(q, k, positions), strict=True):
        close(one, other)
        close(one.norm(dim=-1), plain.norm(dim=-1))
        assert not torch.allclose(one, plain)


@QUERIES
@BOTH
def test_biases(positions, q_len):
    q, k = qk(q_len)
    for causal in (True, False):
        bias = made("alibi", causal).at_the_score(q, k, positions)
        close(bias, alibi_bias(HEADS, q_len, SEEN, causal=False))
    for kind, module in ((T5, drawn(T5RelativeBias(HEADS))), (Kerple, drawn(KerpleBias(HEADS)))):
        close(kind(module).at_the_score(q, k, positions), module(q_len, SEEN))


@QUERIES
@BOTH
def test_fire_counts_from_the_rows_own_first_token(positions, q_len):
    q, k = qk(q_len)
    module = drawn(FireBias(HEADS))
    module.log_threshold.data.fill_(0.0)  # so that the query's own position matters
    bias = Fire(module).at_the_score(q, k, positions)
    if positions is ALL:
        close(bias, module(q_len, SEEN))
    else:
        close(bias, module(q_len, SEEN, padding=torch.tensor([0, 2])))
        close(bias[1, :, -2:, 2:], module(2, SEEN - 2))


@QUERIES
def test_shaw_joins_keys_before_the_scale_and_values(q_len):
    q, k = qk(q_len)
    shaw = drawn(Shaw(ShawRelativePosition(WIDTH, max_distance=16)))
    v, weights = draw(2, HEADS, SEEN, WIDTH), draw(2, HEADS, q_len, SEEN)
    score, taken = shaw.at_the_score(q, k, ALL), shaw.at_the_values(weights, v)
    for i in range(q_len):
        place = SEEN - q_len + i
        index = ALL.ids - place + 16  # rows of the tables; nothing here is 16 away
        keys, values = (t[index] for t in (shaw.relative.key_table, shaw.relative.value_table))
        close(score[..., i, :], q[..., i, :] @ keys.T / WIDTH**0.5)
        close(taken[..., i, :], (weights[..., i, :, None] * (v + values)).sum(dim=-2))


@QUERIES
def test_transformer_xl_is_divided_like_the_score_it_joins(q_len):
    q, k = qk(q_len)
    module = drawn(TransformerXLRelativePosition(HEADS * WIDTH, HEADS))
    close(TransformerXL(module).at_the_score(q, k, ALL), module(q, k) / WIDTH**0.5)


@QUERIES
def test_cope_counts_by_the_scaled_scores(q_len):
    q, k = qk(q_len)
    module = drawn(ContextualPosition(WIDTH, 5))
    close(Cope(module).at_the_score(q, k, ALL), module(q, q @ k.mT / WIDTH**0.5))


@QUERIES
@pytest.mark.parametrize(
    "kind", ["rope", "xpos", "shaw", "t5", "xl", "kerple", "alibi", "fire", "cope"]
)
def test_a_single_text_needs_no_batch(kind, q_len):
    q, k = qk(q_len)
    position = drawn(made(kind))
    turned = position.at_q_and_k(q, k, ALL)
    for one, both in zip(position.at_q_and_k(q[1], k[1], ALL), turned, strict=True):
        close(one, both[1])
    if (score := position.at_the_score(q, k, ALL)) is not None:
        close(position.at_the_score(q[1], k[1], ALL), score.expand(2, -1, -1, -1)[1])
