"""The page for readers of other rotary code: both sides of each row give the same numbers."""

import re

import pytest
import rotary_embedding_torch
import torch
from rotary_embedding_torch.rotary_embedding_torch import rotate_half
from torch import Tensor
from transformers import LlamaConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
from transformers.models.llama import modeling_llama

import pe_lib
from tests.chapters.anchors import FOLDER, text_of

TEXT = text_of("coming_from.md")
[TABLES] = re.findall(
    r"^```python\n(.*?)^```",
    (FOLDER / "coming_from.md").read_text("utf-8"),
    re.DOTALL | re.MULTILINE,
)
ROW = re.compile(r"^\| (?:`(.+?)`|the same) \| `(.+?)` \|", re.MULTILINE)
PARTS = {part.partition("\n")[0]: ROW.findall(part) for part in TEXT.split("\n## ")[1:]}
HEADS = {"head_dim": 32, "max_position_embeddings": 512}
YARN = {
    "rope_type": "yarn",
    "rope_theta": 10000.0,
    "factor": 4.0,
    "original_max_position_embeddings": 128,
}


def freqs_cis(dim: int, end: int, theta: float = 10000.0) -> Tensor:
    """Llama's table, from its formula."""
    freqs = theta ** (-torch.arange(0, dim, 2).double() / dim)
    return torch.exp(1j * torch.arange(end)[:, None] * freqs)


def turned_by(xq: Tensor, xk: Tensor, table: Tensor) -> tuple[Tensor, Tensor]:
    """Llama's rotation of (batch, seq, heads, dim): neighbours are one complex number."""
    pairs = (torch.view_as_complex(x.double().unflatten(-1, (-1, 2))) for x in (xq, xk))
    q, k = (torch.view_as_real(pair * table[:, None]).flatten(3) for pair in pairs)
    return q, k


def scaled(freqs: Tensor) -> Tensor:
    """Llama 3.1's frequencies: fast ones as they are, slow ones divided by 8, a blend between."""
    turns = 8192 * freqs / (2 * torch.pi)
    kept = ((turns - 1) / 3).clamp(0, 1)
    return kept * freqs + (1 - kept) * freqs / 8


def of_rotary_embedding_torch() -> dict[str, object]:
    rotary_class = rotary_embedding_torch.RotaryEmbedding
    return {
        "RotaryEmbedding": rotary_class,
        "rotary": rotary_class(dim=32),
        "rotate_half": rotate_half,
    }


def of_llama() -> dict[str, object]:
    return {
        "precompute_freqs_cis": freqs_cis,
        "apply_rotary_emb": turned_by,
        "apply_scaling": scaled,
        "freqs_cis": freqs_cis(32, 7),
        "freqs": pe_lib.inverse_frequencies(32, 500000.0),
        "start_pos": 4,
    }


def of_transformers() -> dict[str, object]:
    config = LlamaConfig(**HEADS)
    return vars(modeling_llama) | {
        "config": config,
        "yarn": LlamaConfig(**HEADS, rope_parameters=YARN),
        "rotary_emb": modeling_llama.LlamaRotaryEmbedding(config),
        "x": torch.zeros(2, 7, 128),
        "position_ids": torch.arange(7)[None],
        "mask": torch.tensor([[0, 0, 1, 1, 1], [1, 1, 1, 1, 1]]),
        "_compute_yarn_parameters": ROPE_INIT_FUNCTIONS["yarn"],
    }


THEIRS = {
    "rotary-embedding-torch": of_rotary_embedding_torch,
    "Llama's own code": of_llama,
    "Hugging Face transformers": of_transformers,
}


def given() -> dict[str, object]:
    """What both sides have: torch, queries and keys."""
    numbers = torch.Generator().manual_seed(0)
    q, k = torch.randn(2, 2, 4, 7, 32, generator=numbers)
    return {"torch": torch, "q": q, "k": k, "xq": q.transpose(1, 2), "xk": k.transpose(1, 2)}


def test_every_table_is_read() -> None:
    assert PARTS.keys() == THEIRS.keys()
    assert sum(map(len, PARTS.values())) == TEXT.count("\n| ") - len(PARTS)


@pytest.mark.parametrize("part", PARTS)
def test_both_sides_of_a_row_give_the_same(part: str) -> None:
    theirs = given() | THEIRS[part]()
    ours = theirs | vars(pe_lib)
    exec(TABLES, ours)
    left = ""
    for row, right in PARTS[part]:
        left = row or left  # "the same"
        found = [
            torch.as_tensor(eval(side, names)) for side, names in ((left, theirs), (right, ours))
        ]
        assert found[0].shape == found[1].shape, right
        torch.testing.assert_close(
            *found, check_dtype=False, rtol=1e-5, atol=1e-5, msg=f"{left}\n{right}"
        )
