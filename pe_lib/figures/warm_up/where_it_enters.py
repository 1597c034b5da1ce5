"""The three places where a position can enter a Transformer block, and one map that changes."""

import torch
from jaxtyping import Float, Float64
from torch import Tensor

from pe_lib.absolute.sinusoidal import sinusoidal_encoding
from pe_lib.course.encodings import NAMES
from pe_lib.course.running_sentence import TWIN, W_K, W_Q, WORDS, embeddings
from pe_lib.figures.base import Figure, exact_dtype
from pe_lib.figures.controls import choice, toggle
from pe_lib.figures.fixed_random import fixed_uniform
from pe_lib.model.attention import attention_weights
from pe_lib.relative.alibi import alibi_bias
from pe_lib.rotary.apply import apply_rotary, rotary_cos_sin
from pe_lib.rotary.xpos import xpos_scale

LENGTH, DIM, THETA = 6, 8, 10000.0

KINDS = ("none", "sinusoidal", "learned", "rope", "xpos", "alibi", "t5")

# T5 learns one number for every distance; these stand in for a head that looks at the word before.
T5_BEFORE = (-0.5, 1.5, 0.5, 0.0, -0.5, -1.0)  # by distance 0 ... 5, for the words before
T5_AFTER = (-0.5, 0.5, -0.5, -1.0, -1.5, -1.5)
XPOS_BASE = 8  # the paper's 512 could not be seen in six words


class WhereItEnters(Figure):
    """A Transformer block with three doors for positions, and the running sentence's map.

    Args:
        encoding: ``"none"``; at the input ``"sinusoidal"`` or ``"learned"``; at q and k ``"rope"``
            or ``"xpos"``; at the score ``"alibi"`` or ``"t5"``.
        twin: show the twin sentence, which has the same words in another order.
        causal: hide later words from every word.

    Example:
        >>> WhereItEnters(encoding="rope")
        WhereItEnters(encoding='rope', twin=False, causal=False)
    """

    question = "Where can a position enter, and what does attention see then?"
    summary = (
        "A Transformer block has three doors for positions: at the input, at q and k, and at the "
        "score. Beside it the attention map of the cat sat on the mat. Without positions the two "
        "rows of the word the are equal; through whichever door positions come, they differ."
    )

    asks = True

    encoding = choice(
        "sinusoidal", {kind: NAMES[kind] for kind in KINDS}, label="encoding", more=True
    )
    twin = toggle(False, label="the twin")
    causal = toggle(False, label="causal mask")

    @staticmethod
    def compute(device: str, *, encoding: str, twin: bool, causal: bool) -> dict[str, Tensor]:
        """Three maps (6, 6), who looks by who is looked at: ``weights`` of the sentence shown,
        ``plain`` without an encoding, and ``other``, the other sentence with the encoding.
        """
        shown, other = (TWIN, WORDS) if twin else (WORDS, TWIN)

        def weights(words: tuple[str, ...], encoding: str) -> Tensor:
            q, k, bias = encoded(words, encoding, device)
            return attention_weights(q, k, bias=bias, causal=causal)

        return {
            "weights": weights(shown, encoding),
            "plain": weights(shown, "none"),
            "other": weights(other, encoding),
        }


def encoded(
    words: tuple[str, ...], encoding: str, device: str
) -> tuple[Float[Tensor, "6 8"], Float[Tensor, "6 8"], Float[Tensor, "6 6"] | None]:
    """Queries, keys and the bias on the scores, with positions wherever the encoding puts them."""
    dtype = exact_dtype(device)
    x = embeddings(words).to(device, dtype)
    if encoding == "sinusoidal":
        x = x + sinusoidal_encoding(LENGTH, DIM, dtype=dtype).to(device)
    elif encoding == "learned":
        x = x + untrained_table().to(device, dtype)
    q, k = x @ W_Q.to(device, dtype), x @ W_K.to(device, dtype)
    if encoding in ("rope", "xpos"):
        cos, sin = (table.to(device) for table in rotary_cos_sin(LENGTH, DIM, dtype=dtype))
        scale = torch.ones_like(cos)
        if encoding == "xpos":
            scale = xpos_scale(LENGTH, DIM, XPOS_BASE, dtype=dtype).to(device)
        q = apply_rotary(q, cos * scale, sin * scale)
        k = apply_rotary(k, cos / scale, sin / scale)
    bias = None
    if encoding in ("alibi", "t5"):
        bias = (alibi_head() if encoding == "alibi" else t5_head()).to(device, dtype)
    return q, k, bias


def untrained_table() -> Float64[Tensor, "6 8"]:
    """A learned table as it is before training: random."""
    return fixed_uniform(torch.arange(LENGTH * DIM).view(LENGTH, DIM))


def alibi_head() -> Float64[Tensor, "6 6"]:
    """The bias of the steepest of eight ALiBi heads."""
    return alibi_bias(8, LENGTH, causal=False, dtype=torch.float64)[0]


def t5_head() -> Float64[Tensor, "6 6"]:
    """A T5 bias: one number for every distance, before and after."""
    before, after = (torch.tensor(row, dtype=torch.float64) for row in (T5_BEFORE, T5_AFTER))
    places = torch.arange(LENGTH)
    offset = places - places[:, None]
    return torch.where(offset > 0, after[offset.abs()], before[offset.abs()])
