"""The Python of README runs as it stands there."""

import re
from types import SimpleNamespace
from typing import Any

import pe_lib
from tests.helpers import ROOT

BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)


def test_the_library_in_a_few_lines() -> None:
    inner = SimpleNamespace(rotary_emb=None)
    model = SimpleNamespace(model=inner, config={"model_type": "llama", "head_dim": 64})
    names: dict[str, Any] = {"pe_lib": pe_lib, "model": model}
    assert len(BLOCKS) == 4
    for block in BLOCKS:
        exec(block, names)
    assert names["turned"].shape == (2, 8, 100, 64)
    filled = names["cache"].any(dim=-1).any(dim=1).nonzero().tolist()  # (text, slot)
    own = zip(range(4), (17, 3, 250, 40), strict=True)
    assert filled == sorted([*([text, 300] for text in range(4)), *map(list, own)])
    assert names["rotary"].settings.theta == 500_000
    assert names["RotaryEmbedding"] is pe_lib.RotaryEmbedding
    assert isinstance(inner.rotary_emb, pe_lib.TransformersRotary)
