"""What the two pages of chapter 05 teach to write, beside the libraries that models run on.

The functions are those that stand in the pages, taken from their executed code. The tables, the
half-split turn and the layer that the chapter hands out are compared in test_reference_module.py.
"""

from collections.abc import Callable
from importlib import import_module
from types import ModuleType, SimpleNamespace

import pytest
import torch
from torch import Tensor

import pe_lib
from tests.chapters.executed import names_after

CHAPTER, DEEPER = "05_rope_in_code", "05_rope_in_code_deeper"
HEADS, LENGTH, DIM = 4, 5, 16
F64 = torch.float64

# Cells with functions, and those that they need.
CELLS = {
    CHAPTER: "imports module-rotate interleaved to-interleaved conversion-setup block",
    DEEPER: "deeper-imports deeper-helpers complex-code quarter-turns hf-form mixing-run partial",
}


@pytest.fixture(scope="module")
def taught() -> SimpleNamespace:
    """The chapter's names."""
    return SimpleNamespace(**names_after(CHAPTER, CELLS[CHAPTER].split()))


@pytest.fixture(scope="module")
def deeper() -> SimpleNamespace:
    """The deeper page's names."""
    return SimpleNamespace(**names_after(DEEPER, CELLS[DEEPER].split()))


def of_transformers(model: str) -> ModuleType:
    """The code of a model; imported only where it is needed, as that takes seconds."""
    return import_module(f"transformers.models.{model}.modeling_{model}")


def random(*shape: int) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(0), dtype=F64)


def tables(width: int = DIM) -> tuple[Tensor, Tensor]:
    """Cosines and sines in double precision, from a position far from 0."""
    return pe_lib.rotary_cos_sin(torch.arange(1000, 1000 + LENGTH), width, dtype=F64)


def wide(table: Tensor) -> Tensor:
    """(seq, dim/2) -> (batch, seq, dim), as Hugging Face's Llama has it."""
    return torch.cat([table, table], dim=-1)[None]


def close(result: Tensor, expected: Tensor, within: float = 1e-14) -> None:
    torch.testing.assert_close(result, expected, rtol=0, atol=within)


def test_half_split_is_llama(deeper: SimpleNamespace) -> None:
    """Each text with positions of its own."""
    q, k = random(2, HEADS, LENGTH, DIM), random(2, HEADS, LENGTH, DIM) + 1
    positions = torch.stack([torch.arange(1000, 1000 + LENGTH), torch.arange(LENGTH)])
    cos, sin = pe_lib.rotary_cos_sin(positions, DIM, dtype=F64)
    doubled = torch.cat([cos, cos], dim=-1), torch.cat([sin, sin], dim=-1)
    theirs = of_transformers("llama").apply_rotary_pos_emb(q, k, *doubled)
    for x, expected in zip((q, k), theirs, strict=True):
        close(deeper.rotate(x, cos[:, None], sin[:, None]), expected)
        close(deeper.hf_rotate(x, *doubled), expected)
        close(pe_lib.apply_rotary(x, cos, sin), expected)


def test_part_of_the_head_is_gpt_neox(deeper: SimpleNamespace) -> None:
    x = random(2, HEADS, LENGTH, DIM)
    cos, sin = tables(DIM // 4)
    expected, _ = of_transformers("gpt_neox").apply_rotary_pos_emb(x, x, wide(cos), wide(sin))
    close(deeper.rotate_part(x, cos, sin), expected)


def test_interleaved_is_gptj_and_rotary_embedding_torch(taught: SimpleNamespace) -> None:
    import rotary_embedding_torch

    x = random(2, HEADS, LENGTH, DIM)
    cos, sin = tables()
    own = taught.rotate_interleaved(x, cos, sin)
    close(own, pe_lib.apply_rotary(x, cos, sin, interleaved=True))
    gptj = of_transformers("gptj")
    with_heads_after = gptj.apply_rotary_pos_emb(x.transpose(1, 2), sin[None], cos[None])
    close(own, with_heads_after.transpose(1, 2))
    angles = torch.arange(1000, 1000 + LENGTH)[:, None] * pe_lib.inverse_frequencies(DIM)
    close(own, rotary_embedding_torch.apply_rotary_emb(angles.repeat_interleave(2, dim=-1), x))


def test_complex_numbers_are_llama_4(deeper: SimpleNamespace) -> None:
    q, k = random(2, LENGTH, HEADS, DIM).float(), random(2, LENGTH, HEADS, DIM).float() + 1
    llama_4 = of_transformers("llama4")
    config = llama_4.Llama4TextConfig(head_dim=DIM, hidden_size=HEADS * DIM, rope_theta=10000.0)
    their_cis = llama_4.Llama4TextRotaryEmbedding(config)(q, torch.arange(20)[None])[0]
    cis = deeper.freqs_cis(20, DIM)
    torch.testing.assert_close(cis, their_cis, rtol=0, atol=5e-6)
    theirs = llama_4.apply_rotary_emb(q, k, cis[None, 7 : 7 + LENGTH])
    rows = cis[7 : 7 + LENGTH]
    for x, expected in zip((q, k), theirs, strict=True):
        close(deeper.meta_rotate(x, cis, start=7), expected, within=1e-6)
        with_heads_first = x.transpose(1, 2).contiguous()
        own = deeper.rotate_complex(with_heads_first, rows)
        close(own, expected.transpose(1, 2), within=1e-6)
        close(own, pe_lib.apply_rotary_complex(with_heads_first, rows), within=1e-6)


def test_quarter_turns_are_the_libraries(deeper: SimpleNamespace) -> None:
    x = random(2, HEADS, LENGTH, DIM)
    for own, theirs, interleaved in [
        (deeper.rotate_half, of_transformers("llama").rotate_half, False),
        (deeper.rotate_every_two, of_transformers("gptj").rotate_every_two, True),
    ]:
        expected = theirs(x)
        assert torch.equal(own(x), expected)
        assert torch.equal(pe_lib.rotate_half(x, interleaved=interleaved), expected)


@pytest.mark.parametrize("position", [1, 1000])
def test_doubled_tables_with_their_quarter_turns(position: int, deeper: SimpleNamespace) -> None:
    """Llama doubles by cat, GPT-J by repeat_interleave; the page's angles are in float32."""
    x = random(1, 1, 1, 6)  # (batch, heads, seq, dim) or (batch, seq, heads, dim)
    llama, gptj = of_transformers("llama"), of_transformers("gptj")
    cos, sin = pe_lib.rotary_cos_sin(torch.tensor([position]), 6, dtype=F64)
    by_cat, _ = llama.apply_rotary_pos_emb(x, x, wide(cos), wide(sin))
    by_repeat = gptj.apply_rotary_pos_emb(x, sin[None], cos[None])
    for name, quarter, expected in [
        ("cat", deeper.rotate_half, by_cat),
        ("repeat_interleave", deeper.rotate_every_two, by_repeat),
    ]:
        found = deeper.turn_wide(x, position, deeper.doubles[name], quarter)
        close(found, expected, within=1e-6 + 1e-6 * position)


# A layer of weights, in the chapter's words and in Hugging Face's


def weights(key_heads: int) -> dict[str, Tensor]:
    """Weights of a layer of four heads; keys and values may have fewer."""
    width = HEADS * DIM
    wide, narrow = (width, width), (key_heads * DIM, width)
    shapes = {"q_proj": wide, "k_proj": narrow, "v_proj": narrow, "o_proj": wide}
    draw = torch.Generator().manual_seed(1)
    return {
        name: torch.randn(shape, generator=draw, dtype=F64) / 8 for name, shape in shapes.items()
    }


def llama_layer(
    x: Tensor, key_heads: int, weights: dict[str, Tensor], mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """What Hugging Face's Llama attention makes of x (seq, dim) with these weights.

    Returns:
        its output (seq, dim) and its attention weights (heads, seq, seq)
    """
    llama = of_transformers("llama")
    config = llama.LlamaConfig(
        hidden_size=HEADS * DIM, num_attention_heads=HEADS, num_key_value_heads=key_heads
    )
    config._attn_implementation = "eager"
    layer = llama.LlamaAttention(config, layer_idx=0).double().eval()
    layer.load_state_dict({f"{name}.weight": weight for name, weight in weights.items()})
    cos, sin = pe_lib.rotary_cos_sin(len(x), DIM, dtype=F64)
    with torch.no_grad():
        out, seen = layer(x[None], (wide(cos), wide(sin)), mask)
    return out[0], seen[0]


def interleaved_layer(
    x: Tensor, key_heads: int, weights: dict[str, Tensor], rotate: Callable[..., Tensor]
) -> Tensor:
    """The same layer, for weights that were trained with interleaved pairs."""

    def heads(name: str) -> Tensor:
        return (x @ weights[name].T).unflatten(-1, (-1, DIM)).transpose(0, 1)

    cos, sin = pe_lib.rotary_cos_sin(len(x), DIM, dtype=F64)
    q, k, v = rotate(heads("q_proj"), cos, sin), rotate(heads("k_proj"), cos, sin), heads("v_proj")
    k, v = (t.repeat_interleave(HEADS // key_heads, dim=0) for t in (k, v))
    seen = (q @ k.mT / DIM**0.5).softmax(dim=-1) @ v
    return seen.transpose(0, 1).flatten(1) @ weights["o_proj"].T


@pytest.mark.parametrize("key_heads", [4, 2])
def test_weights_of_llama_run_in_the_other_layout(key_heads: int, taught: SimpleNamespace) -> None:
    x = random(7, HEADS * DIM)
    trained = weights(key_heads)
    expected, _ = llama_layer(x, key_heads, trained)

    def off(weights: dict[str, Tensor]) -> float:
        found = interleaved_layer(x, key_heads, weights, taught.rotate_interleaved)
        return (found - expected).abs().max().item()

    def moved(weights: dict[str, Tensor], **heads: int) -> dict[str, Tensor]:
        own = {name: taught.to_interleaved(weights[name], n) for name, n in heads.items()}
        return weights | own

    converted = moved(trained, q_proj=HEADS, k_proj=key_heads)
    assert off(converted) < 1e-6  # Llama's softmax is in float32
    # Nothing but a right conversion does.
    assert off(trained) > 0.01
    assert off(moved(converted, q_proj=HEADS)) > 0.01


def own_weights(taught: SimpleNamespace) -> dict[str, Tensor]:
    """The chapter's, with nothing after the heads."""
    own = {f"{name}_proj": getattr(taught, f"w_{name}").double() for name in "qkv"}
    return own | {"o_proj": torch.eye(HEADS * DIM, dtype=F64)}


def test_the_chapter_s_scores_are_llama_s(taught: SimpleNamespace) -> None:
    """Of its own weights, half-split as they are, and interleaved after a conversion."""
    own, text = own_weights(taught), taught.text.double()
    expected = llama_layer(text, HEADS, own)[1]
    turned = {
        name: taught.to_interleaved(own[name], HEADS).float() for name in ("q_proj", "k_proj")
    }
    cos_sin = taught.cos_sin(torch.arange(len(text)), DIM)
    for rotation, given in [(taught.rotate, own), (taught.rotate_interleaved, turned)]:
        rows = (taught.text @ given[name].float().T for name in ("q_proj", "k_proj"))
        q, k = (rotation(taught.split(t), *cos_sin) for t in rows)
        found = (q @ k.mT / DIM**0.5).softmax(dim=-1)
        close(found.double(), expected, within=1e-5)


def test_the_chapter_s_block_is_llama_s(taught: SimpleNamespace) -> None:
    text = taught.text.double()
    ahead = torch.full((len(text), len(text)), -torch.inf, dtype=F64).triu(1)
    expected, _ = llama_layer(text, HEADS, own_weights(taught), ahead[None, None])
    found = taught.output(torch.arange(len(text))).transpose(0, 1).flatten(1)
    close(found.double(), expected, within=1e-5)
