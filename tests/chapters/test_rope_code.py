"""What chapter 05 teaches to write, beside the libraries that models run on.

The functions are those that stand in the chapter, taken from its executed code.
"""

from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest
import torch
from torch import Tensor

import pe_lib
from tests.chapters.executed import names_after

HEADS, LENGTH, DIM = 4, 5, 16
F64 = torch.float64


@pytest.fixture(scope="module")
def taught() -> dict[str, Any]:
    """The chapter's names."""
    return names_after("05_rope_in_code")


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


def test_half_split_is_llama(taught: dict[str, Any]) -> None:
    q, k = random(2, HEADS, LENGTH, DIM), random(2, HEADS, LENGTH, DIM) + 1
    cos, sin = tables()
    theirs = of_transformers("llama").apply_rotary_pos_emb(q, k, wide(cos), wide(sin))
    for own in (
        (taught["rotate"](q, cos, sin), taught["rotate"](k, cos, sin)),
        taught["hf_rotate"](q, k, wide(cos), wide(sin)),
        (pe_lib.apply_rotary(q, cos, sin), pe_lib.apply_rotary(k, cos, sin)),
    ):
        close(own[0], theirs[0])
        close(own[1], theirs[1])


def test_part_of_the_head_is_gpt_neox(taught: dict[str, Any]) -> None:
    x = random(2, HEADS, LENGTH, DIM)
    cos, sin = tables(DIM // 4)
    expected, _ = of_transformers("gpt_neox").apply_rotary_pos_emb(x, x, wide(cos), wide(sin))
    close(taught["rotate_part"](x, cos, sin), expected)


def test_tables_are_llama_s(taught: dict[str, Any]) -> None:
    """Llama's are in single precision all the way, so only small positions compare closely."""
    llama = of_transformers("llama")
    config = llama.LlamaConfig(hidden_size=DIM, num_attention_heads=1)
    positions = torch.arange(100)[None]
    theirs = llama.LlamaRotaryEmbedding(config)(torch.zeros(1), positions)
    for table, expected in zip(taught["cos_sin"](100, DIM), theirs, strict=True):
        close(wide(table), expected, within=2e-5)
    for table, expected in zip(taught["hf_tables"](positions, DIM), theirs, strict=True):
        close(table, expected, within=2e-5)
    exact = pe_lib.rotary_cos_sin(100, DIM)
    for table, expected in zip(taught["cos_sin"](100, DIM), exact, strict=True):
        close(table, expected, within=1e-7)


def test_interleaved_is_gptj_and_rotary_embedding_torch(taught: dict[str, Any]) -> None:
    import rotary_embedding_torch

    x = random(2, HEADS, LENGTH, DIM)
    cos, sin = tables()
    own = taught["rotate_interleaved"](x, cos, sin)
    close(own, pe_lib.apply_rotary(x, cos, sin, interleaved=True))
    gptj = of_transformers("gptj")
    with_heads_after = gptj.apply_rotary_pos_emb(x.transpose(1, 2), sin[None], cos[None])
    close(own, with_heads_after.transpose(1, 2))
    angles = torch.arange(1000, 1000 + LENGTH)[:, None] * pe_lib.inverse_frequencies(DIM)
    close(own, rotary_embedding_torch.apply_rotary_emb(angles.repeat_interleave(2, dim=-1), x))


def test_complex_numbers_are_llama_4(taught: dict[str, Any]) -> None:
    q, k = random(2, LENGTH, HEADS, DIM).float(), random(2, LENGTH, HEADS, DIM).float() + 1
    cis = taught["freqs_cis"](20, DIM)
    theirs = of_transformers("llama4").apply_rotary_emb(q, k, cis[None, 7 : 7 + LENGTH])
    for own, expected in zip(taught["meta_rotate"](q, k, cis, start=7), theirs, strict=True):
        close(own, expected, within=1e-6)
    rows = cis[7 : 7 + LENGTH]
    for x, expected in zip((q, k), theirs, strict=True):
        with_heads_first = x.transpose(1, 2).contiguous()
        own = taught["rotate_complex"](with_heads_first, rows)
        close(own, expected.transpose(1, 2), within=1e-6)
        close(own, pe_lib.apply_rotary_complex(with_heads_first, rows), within=1e-6)


def test_quarter_turns_are_the_libraries(taught: dict[str, Any]) -> None:
    x = random(2, HEADS, LENGTH, DIM)
    for own, theirs, interleaved in [
        ("rotate_half", of_transformers("llama").rotate_half, False),
        ("rotate_every_two", of_transformers("gptj").rotate_every_two, True),
    ]:
        expected = theirs(x)
        assert torch.equal(taught[own](x), expected)
        assert torch.equal(pe_lib.rotate_half(x, interleaved=interleaved), expected)


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


def llama_layer(x: Tensor, key_heads: int, weights: dict[str, Tensor]) -> Tensor:
    """What Hugging Face's Llama attention makes of x (seq, dim) with these weights, unmasked."""
    llama = of_transformers("llama")
    config = llama.LlamaConfig(
        hidden_size=HEADS * DIM, num_attention_heads=HEADS, num_key_value_heads=key_heads
    )
    config._attn_implementation = "eager"
    layer = llama.LlamaAttention(config, layer_idx=0).double().eval()
    layer.load_state_dict({f"{name}.weight": weight for name, weight in weights.items()})
    cos, sin = pe_lib.rotary_cos_sin(len(x), DIM, dtype=F64)
    with torch.no_grad():
        return layer(x[None], position_embeddings=(wide(cos), wide(sin)))[0][0]


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
def test_converted_weights_run_in_llama(key_heads: int, taught: dict[str, Any]) -> None:
    x = random(7, HEADS * DIM)
    trained = weights(key_heads)
    expected = interleaved_layer(x, key_heads, trained, taught["rotate_interleaved"])
    converted = {
        **trained,
        "q_proj": taught["to_half"](trained["q_proj"], HEADS),
        "k_proj": taught["to_half"](trained["k_proj"], key_heads),
    }
    close(llama_layer(x, key_heads, converted), expected, within=1e-6)  # its softmax is in float32
    # Nothing but a right conversion does.
    assert (llama_layer(x, key_heads, trained) - expected).abs().max() > 0.01
    twice = {**converted, "q_proj": taught["to_half"](converted["q_proj"], HEADS)}
    assert (llama_layer(x, key_heads, twice) - expected).abs().max() > 0.01


def test_the_chapter_s_layer_is_llama(taught: dict[str, Any]) -> None:
    """Its own weights, half-split as they are, and converted."""
    own = {f"{name}_proj": taught[f"w_{name}"].double() for name in "qkvo"}
    text = taught["text"].double()
    layer_output, rotate = taught["layer_output"], taught["rotate"]
    found = layer_output(*(taught[f"w_{name}"] for name in "qkvo"), rotate)
    close(found.double(), llama_layer(text, HEADS, own), within=1e-4)
    converted = own | {name: taught["to_half"](own[name], HEADS) for name in ("q_proj", "k_proj")}
    found = layer_output(*(taught[f"w_{name}"] for name in "qkvo"), taught["rotate_interleaved"])
    close(found.double(), llama_layer(text, HEADS, converted), within=1e-4)
