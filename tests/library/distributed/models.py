"""Small models and their batches: what is trained by two processes, and by one."""

from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor, nn

from pe_lib import RotaryEmbedding, TransformerLM, VisionTransformer, attention
from pe_lib.model.positions.text import TextKind

FAR = 100_000


class Rotated(nn.Module):
    """One layer of attention that turns queries and keys with ``RotaryEmbedding``.

    ``seen`` holds what the last forward turned: the dtype of the frequencies, and the queries
    before and after.
    """

    def __init__(self, dim: int = 8, *, learned: bool = False, offset: int = FAR) -> None:
        super().__init__()
        self.queries, self.keys, self.values = (nn.Linear(dim, dim, bias=False) for _ in range(3))
        self.head = nn.Linear(dim, 10)
        self.rotary = RotaryEmbedding(dim, learned_freq=learned)
        self.offset = offset
        self.seen: tuple[torch.dtype, Tensor, Tensor]

    def forward(self, x: Tensor) -> Tensor:
        q, k = self.queries(x), self.keys(x)
        turned = self.rotary.rotate_queries_or_keys(q, offset=self.offset)
        self.seen = self.rotary.freqs.dtype, q.detach(), turned.detach()
        k = self.rotary.rotate_queries_or_keys(k, offset=self.offset)
        logits: Tensor = self.head(attention(turned, k, self.values(x), causal=True))
        return logits


def language_model(kind: str) -> nn.Module:
    return TransformerLM(10, 16, 2, 2, max_len=32, position=kind)


def vision_model(kind: str) -> nn.Module:
    return VisionTransformer(10, 16, 2, 2, image_size=8, patch_size=2, position=kind)


MODELS: dict[str, Callable[[], nn.Module]] = {
    **{kind: partial(language_model, kind) for kind in TextKind.kinds},
    "picture_mixed": partial(vision_model, "mixed"),
    "picture_learned": partial(vision_model, "learned"),
    "fixed_freqs": Rotated,
    # A learned frequency's gradient is a sum over positions: far out its rounding grows with them.
    "learned_freqs": partial(Rotated, learned=True, offset=0),
}


def made(name: str) -> nn.Module:
    """The model of this name, with the same weights in every process."""
    torch.manual_seed(0)
    return MODELS[name]()


def batch(name: str) -> tuple[Tensor, Tensor]:
    """Four inputs for the model of this name, and the class of each (of each token)."""
    generator = torch.Generator().manual_seed(1)
    if name in TextKind.kinds:
        tokens = torch.randint(10, (4, 25), generator=generator)
        return tokens[:, :-1], tokens[:, 1:]
    if name.startswith("picture"):
        pictures = torch.randn(4, 1, 8, 8, generator=generator)
        return pictures, torch.randint(10, (4,), generator=generator)
    return torch.randn(4, 6, 8, generator=generator), torch.randint(10, (4, 6), generator=generator)
