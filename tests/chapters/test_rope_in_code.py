"""What a reader writes with chapter 05 agrees with Hugging Face's Llama and its conversion."""

from typing import Any

import pytest
import torch
from torch import Tensor
from transformers import LlamaConfig
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding, apply_rotary_pos_emb

import pe_lib
from book.tools import notebooks

BATCH, HEADS, SEQ, DIM = 2, 3, 11, 16


@pytest.fixture(scope="module")
def written() -> dict[str, Any]:
    """What the cells up to the form of Meta's Llama define, executed one after the other."""
    notebook = notebooks.read(notebooks.ROOT / "chapters" / "05_rope_in_code.ipynb")
    cells = [cell for cell in notebooks.code_cells(notebook) if not notebooks.is_setup(cell)]
    last = [cell.id for cell in cells].index("meta-form-code")
    names: dict[str, Any] = {}
    for cell in cells[: last + 1]:
        exec(cell.source, names)
    return names


@pytest.fixture(scope="module")
def queries_and_keys() -> tuple[Tensor, Tensor]:
    """Queries and keys (batch, heads, seq, dim); every text has positions of its own."""
    torch.manual_seed(0)
    return torch.randn(BATCH, HEADS, SEQ, DIM), torch.randn(BATCH, HEADS, SEQ, DIM)


POSITIONS = torch.stack([torch.arange(SEQ), torch.arange(5, 5 + SEQ)])


def llama(q: Tensor, k: Tensor) -> tuple[Tensor, Tensor]:
    config = LlamaConfig(hidden_size=HEADS * DIM, num_attention_heads=HEADS)
    config.rope_parameters = {"rope_type": "default", "rope_theta": 10000.0}
    cos, sin = LlamaRotaryEmbedding(config)(q, POSITIONS)
    return apply_rotary_pos_emb(q, k, cos, sin)


def test_the_form_of_hugging_face(written, queries_and_keys) -> None:
    tables = written["hf_tables"](POSITIONS, DIM)
    ours = written["hf_rotate"](*queries_and_keys, *tables)
    for mine, theirs in zip(ours, llama(*queries_and_keys), strict=True):
        torch.testing.assert_close(mine, theirs)


def test_ten_lines(written, queries_and_keys) -> None:
    q, k = queries_and_keys
    cos, sin = written["cos_sin"](5 + SEQ, DIM)
    theirs, _ = llama(q, k)
    for text, start in enumerate((0, 5)):
        rows = slice(start, start + SEQ)
        mine = written["rotate"](q[text], cos[rows], sin[rows])
        torch.testing.assert_close(mine, theirs[text], atol=1e-5, rtol=1e-5)


def test_the_form_of_meta_is_hugging_faces_after_the_conversion(written, queries_and_keys) -> None:
    turned = written["meta_rotate"](
        *(x[1:].transpose(1, 2) for x in queries_and_keys), written["freqs_cis"](64, DIM), start=5
    )
    converted = (pe_lib.interleaved_to_half(x) for x in queries_and_keys)
    for mine, theirs in zip(turned, llama(*converted), strict=True):
        mine = pe_lib.interleaved_to_half(mine.transpose(1, 2))
        torch.testing.assert_close(mine, theirs[1:], atol=1e-5, rtol=1e-5)
