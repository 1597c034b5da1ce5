"""The module that chapter 05 hands out, beside pe_lib and beside Hugging Face's Llama.

The code is that of the chapter: the cells that make the file `rotary_attention.py` by themselves.
For Llama the cell `llama-adapter` of the deeper page comes after them.
"""

import types
from typing import Any

import pytest
import torch
from torch import Tensor
from transformers import LlamaConfig, LlamaForCausalLM
from transformers.models.llama import modeling_llama

import pe_lib
from book.tools import notebooks
from tests.chapters.executed import names_after

CHAPTER, DEEPER, FILE = "05_rope_in_code", "05_rope_in_code_deeper", "rotary_attention.py"
F64 = torch.float64
# batch, heads, heads of keys and values, width of a head, base
SIZES = [(3, 4, 2, 16, 1e4), (2, 6, 1, 8, 5e5), (2, 2, 2, 64, 1e6)]


@pytest.fixture(scope="module")
def file() -> types.SimpleNamespace:
    """The names of the file alone: it has its own imports."""
    cells = notebooks.code_cells(notebooks.read(notebooks.ROOT / f"chapters/{CHAPTER}.ipynb"))
    own = {cell.id for cell in cells if cell.metadata.get("download") == FILE}
    assert len(own) == 4
    return types.SimpleNamespace(**names_after(CHAPTER, own))


@pytest.fixture(scope="module")
def in_llama(file: types.SimpleNamespace) -> dict[str, Any]:
    """What stands in Llama's place."""
    return names_after(DEEPER, {"llama-adapter"}, vars(file))


@pytest.fixture
def draw() -> torch.Generator:
    return torch.Generator().manual_seed(0)


def furthest(found: Tensor, expected: Tensor) -> float:
    assert found.shape == expected.shape
    return (found.to(F64) - expected.to(F64)).abs().max().item()


def ragged(batch: int, seq: int) -> Tensor:
    """A mask with 0, 2, 4, … pads at the left of each text."""
    return (torch.arange(seq) >= 2 * torch.arange(batch)[:, None]).long()


# The turn


@pytest.mark.parametrize(("batch", "heads", "_", "dim", "theta"), SIZES)
@pytest.mark.parametrize("offset", [0, 5000, 40_000_001])
def test_the_turn_is_pe_lib_s(file, draw, batch, heads, _, dim, theta, offset) -> None:
    x = torch.randn(batch, heads, 9, dim, generator=draw)
    positions = torch.randint(offset, offset + 1000, (batch, 9), generator=draw)
    tables = file.cos_sin(positions[:, None], dim, theta)
    exact = pe_lib.rotary_cos_sin(positions, dim, theta, dtype=F64)
    expected = pe_lib.apply_rotary(x.double(), *exact)
    assert furthest(file.rotate(x, *tables), expected) < 2e-6
    for dtype, within in [(torch.float32, 1e-5), (torch.bfloat16, 0.03), (torch.float16, 0.004)]:
        found = file.rotate(x.to(dtype), *tables)
        assert found.dtype == dtype
        rounded = pe_lib.apply_rotary(x.to(dtype).double(), *exact)
        assert furthest(found, rounded) < within


@pytest.mark.parametrize(("batch", "heads", "_", "dim", "theta"), SIZES)
def test_the_turn_is_llama_s(file, draw, batch, heads, _, dim, theta) -> None:
    """Llama's angles are in float32 all the way, so only small positions compare closely."""
    q, k = torch.randn(2, batch, heads, 16, dim, generator=draw)
    positions = torch.stack([torch.arange(16).roll(shift) for shift in range(batch)])
    config = LlamaConfig(hidden_size=heads * dim, num_attention_heads=heads, rope_theta=theta)
    theirs = modeling_llama.LlamaRotaryEmbedding(config)(q, positions)
    theirs = modeling_llama.apply_rotary_pos_emb(q, k, *theirs)
    tables = file.cos_sin(positions[:, None], dim, theta)
    for x, expected in zip((q, k), theirs, strict=True):
        assert furthest(file.rotate(x, *tables), expected) < 2e-6


@pytest.mark.parametrize("dtype", [torch.int32, torch.int64, torch.float32, torch.float64])
def test_the_tables_need_no_default_and_no_dtype(file, dtype) -> None:
    positions = torch.tensor([[0, 1, 130], [256, 4096, 65536]], dtype=dtype)  # exact in each
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.bfloat16)
    try:
        tables = file.cos_sin(positions, 32)
    finally:
        torch.set_default_dtype(before)
    for found, expected in zip(tables, pe_lib.rotary_cos_sin(positions, 32), strict=True):
        assert found.dtype == torch.float32
        assert furthest(found, expected) < 1e-7


# Positions and masks


@pytest.mark.parametrize("dtype", [torch.bool, torch.int64, torch.float32, torch.bfloat16])
def test_positions_are_counted_from_the_first_word(file, dtype) -> None:
    found = file.positions_of(ragged(3, 6).to(dtype))
    assert found.tolist() == [[0, 1, 2, 3, 4, 5], [0, 0, 0, 1, 2, 3], [0, 0, 0, 0, 0, 1]]
    assert found.dtype == torch.int64
    assert file.positions_of(torch.ones(1, 5000, dtype=dtype))[0, -1] == 4999
    both = torch.tensor([[0, 1, 1, 0, 0], [1, 1, 1, 1, 0]]).to(dtype)
    assert file.positions_of(both).tolist() == [[0, 0, 1, 0, 0], [0, 1, 2, 3, 0]]


# The layer


def layer_of(file, heads, kv_heads, dim, theta) -> torch.nn.Module:
    torch.manual_seed(1)
    return file.RotaryAttention(heads * dim, heads, kv_heads, theta).requires_grad_(False)


def exact_row(layer, x, heads, kv_heads, dim, theta) -> Tensor:
    """What the layer is to make of one text (seq, width) without pads: in float64, by pe_lib."""
    q, k, v = (
        (x.double() @ weight.double().T).unflatten(-1, (-1, dim)).transpose(0, 1)
        for weight in layer.qkv_proj.weight.split([heads * dim, kv_heads * dim, kv_heads * dim])
    )
    tables = pe_lib.rotary_cos_sin(len(x), dim, theta, dtype=F64)
    q, k = (pe_lib.apply_rotary(t, *tables) for t in (q, k))
    k, v = (t.repeat_interleave(heads // kv_heads, dim=0) for t in (k, v))
    scores = (q @ k.mT / dim**0.5).masked_fill(
        ~torch.ones(len(x), len(x)).tril().bool(), -torch.inf
    )
    return (scores.softmax(-1) @ v).transpose(0, 1).flatten(1) @ layer.o_proj.weight.double().T


@pytest.mark.parametrize(("batch", "heads", "kv_heads", "dim", "theta"), SIZES)
@pytest.mark.parametrize("chunks", [[9], [4, 4, 1], [1] * 9])
def test_the_layer_with_ragged_pads_and_a_cache(
    file, draw, batch, heads, kv_heads, dim, theta, chunks
) -> None:
    layer = layer_of(file, heads, kv_heads, dim, theta)
    x, mask = torch.randn(batch, 9, heads * dim, generator=draw), ragged(batch, 9)
    positions = file.positions_of(mask)
    cache: list[tuple[Tensor, Tensor]] = []
    parts = []
    for new in torch.arange(9).split(chunks):
        seen = mask[:, : int(new[-1]) + 1]
        parts.append(layer(x[:, new], positions[:, new], seen, cache))
    found = torch.cat(parts, dim=1)
    assert found.isfinite().all()
    for row, words, text in zip(found, mask.bool(), x, strict=True):
        expected = exact_row(layer, text[words], heads, kv_heads, dim, theta)
        assert furthest(row[words], expected) < 1e-5
    whole = layer(x, positions, mask)
    assert furthest(layer(x, positions + 5001, mask)[mask.bool()], whole[mask.bool()]) < 1e-5
    assert furthest(layer(x, positions, mask), whole) == 0  # the cache was that of one call alone


def test_a_pad_sees_itself_alone(file, draw) -> None:
    q, k, v = torch.randn(3, 3, 2, 6, 8, generator=draw, requires_grad=True)
    mask = ragged(3, 6)
    out = file.attend(q, k, v, mask)
    pads = ~mask.bool()
    assert furthest(out[pads], v.transpose(1, 2).flatten(2)[pads]) < 1e-6
    assert all(part.isfinite().all() for part in torch.autograd.grad(out.sum(), (q, k, v)))


def test_the_layer_in_bfloat16_far_along(file, draw) -> None:
    layer = layer_of(file, 4, 2, 32, 1e4)
    x = torch.randn(2, 40, 128, generator=draw).bfloat16()
    mask = ragged(2, 40)
    positions = file.positions_of(mask)
    exact = layer(x.float(), positions, mask)
    found = layer.bfloat16()(x, positions + 5000, mask)
    assert found.dtype == torch.bfloat16
    assert furthest(found, exact) < 0.03


# In the place of a Llama's attention


@pytest.mark.parametrize(("batch", "heads", "kv_heads", "dim", "theta"), SIZES)
def test_in_llama_s_place(file, in_llama, batch, heads, kv_heads, dim, theta) -> None:
    torch.manual_seed(2)
    config = LlamaConfig(
        vocab_size=40, hidden_size=heads * dim, intermediate_size=48, num_hidden_layers=2,
        num_attention_heads=heads, num_key_value_heads=kv_heads, initializer_range=0.2,
        rope_theta=theta, pad_token_id=0, eos_token_id=None,
    )  # fmt: skip
    llama = LlamaForCausalLM(config).eval().requires_grad_(False)
    tokens, mask = torch.randint(1, 40, (batch, 9)), ragged(batch, 9)

    def logits() -> list[Tensor]:
        decoded = llama.generate(
            tokens, attention_mask=mask, max_new_tokens=6, do_sample=False,
            output_logits=True, return_dict_in_generate=True,
        )  # fmt: skip
        padded = llama(tokens, attention_mask=mask).logits[mask.bool()]
        plain = llama(tokens, use_cache=False).logits
        return [padded, plain, torch.stack(decoded.logits)]

    before = logits()
    for index, block in enumerate(llama.model.layers):
        theirs = block.self_attn
        ours = file.RotaryAttention(heads * dim, heads, kv_heads, theta)
        qkv = theirs.q_proj, theirs.k_proj, theirs.v_proj
        ours.qkv_proj.weight.data = torch.cat([part.weight for part in qkv])
        ours.o_proj = theirs.o_proj
        block.self_attn = in_llama["InLlama"](ours, index)
    for found, expected in zip(logits(), before, strict=True):
        assert furthest(found, expected) < 1e-4
    ours.theta *= 50
    assert furthest(logits()[0], before[0]) > 0.01


def test_the_deeper_page_holds_the_same_layer() -> None:
    def sources(stem: str, ids: str) -> str:
        code = notebooks.code_cells(notebooks.read(notebooks.ROOT / f"chapters/{stem}.ipynb"))
        found = {cell.id: cell.source for cell in code}
        return "\n\n\n".join(found[own] for own in ids.split())

    expected = sources(CHAPTER, "module-rotate module-positions module-attend module-class")
    assert sources(DEEPER, "layer-rotate layer-attend layer-class") == expected
