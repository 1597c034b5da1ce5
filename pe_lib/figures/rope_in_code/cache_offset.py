"""Decoding with cached keys: which position every new word gets, and what it then sees."""

import torch
from jaxtyping import Float64
from torch import Tensor

from pe_lib.absolute.sinusoidal import sinusoidal_encoding
from pe_lib.course.encodings import NAMES
from pe_lib.course.running_sentence import DIM, W_K, W_Q, WORDS, embeddings
from pe_lib.figures.base import Figure, exact_dtype
from pe_lib.figures.controls import choice, slider, toggle
from pe_lib.model.attention import attention_weights
from pe_lib.rotary.apply import apply_rotary, rotary_cos_sin

PROMPT = 2  # words that are read at once, before the first step

ENCODINGS = {kind: NAMES[kind] for kind in ("rope", "sinusoidal")}
POSITIONS = {"cache": "cache length", "mask": "words before it", "forgotten": "always 0"}


class CacheOffset(Figure):
    """Decoding the running sentence word by word, beside a single pass over all of it.

    The first two words are the prompt. Then one word a step comes in: its query looks at all
    cached keys and at its own. Pads, vectors of zeros, may stand to the left of the prompt.

    Args:
        step: number of words decoded so far, the last of them the new one.
        positions: what a word's position is: ``"cache"``, the number of keys before it, pads too;
            ``"mask"``, the number of words before it; ``"forgotten"``, counted from 0 in every
            call, so that the prompt is right and every new word gets 0.
        padding: number of pads.
        masked: hide the pads from every query.
        encoding: ``"rope"`` or ``"sinusoidal"``.
        theta: base of the wavelengths.

    Example:
        >>> CacheOffset(positions="cache", padding=2).step
        2
    """

    question = "What does a new word see if its position is wrong?"
    summary = (
        "The cached keys in a row, a line from each to the position that it gets, and how much "
        "attention the newest word gives it, next to what it gives it when the whole sentence is "
        "read at once. With the right positions the two are equal. With a forgotten offset the "
        "lines of all new words lead to position 0, and the weights are different ones: “on” "
        "gives “sat” 0.46 instead of 0.25."
    )

    step = slider(2, 1, len(WORDS) - PROMPT, label="step")
    positions = choice("forgotten", POSITIONS, label="position")
    padding = slider(0, 0, 4, label="padding")
    masked = toggle(True, label="pads are masked", more=True)
    encoding = choice("rope", ENCODINGS, label="encoding", more=True)
    theta = slider(10000.0, 10.0, 1e6, log=True, label="theta", more=True)

    @staticmethod
    def compute(
        device: str,
        *,
        step: int,
        positions: str,
        padding: int,
        masked: bool,
        encoding: str,
        theta: float,
    ) -> dict[str, Tensor]:
        """For every key, pads first and the new word last: its ``position``, the ``weight`` that
        the new word gives it, and the one it gives it in a ``full`` pass over the words alone.
        """
        words = embeddings(WORDS[: PROMPT + step]).to(device, exact_dtype(device))
        padded = torch.cat((words.new_zeros(padding, DIM), words))
        given = given_positions(positions, padding, step).to(device)
        real = torch.arange(len(words), device=device)
        bias = words.new_zeros(len(padded))
        bias[:padding] = -torch.inf if masked else 0
        full = last_row(words, real, encoding, theta)
        return {
            "position": given,
            "weight": last_row(padded, given, encoding, theta, bias),
            "full": torch.cat((full.new_zeros(padding), full)),
        }


def given_positions(positions: str, padding: int, step: int) -> Tensor:
    """The position of every key: pads, prompt, new words.

    Example:
        >>> given_positions("mask", 2, 1).tolist()
        [0, 0, 0, 1, 2]
        >>> given_positions("forgotten", 2, 1).tolist()
        [0, 1, 2, 3, 0]
    """
    slots = torch.arange(padding + PROMPT + step)
    if positions == "mask":
        return (slots - padding).clamp(min=0)
    if positions == "forgotten":
        slots[padding + PROMPT :] = 0
    return slots


def last_row(
    x: Float64[Tensor, "keys 8"],
    positions: Tensor,
    encoding: str,
    theta: float,
    bias: Float64[Tensor, " keys"] | None = None,
) -> Float64[Tensor, " keys"]:
    """What the last word gives every key, with the running sentence's weights."""
    if encoding == "sinusoidal":
        x = x + sinusoidal_encoding(positions, DIM, theta, dtype=x.dtype)
    q, k = x[-1:] @ W_Q.to(x), x @ W_K.to(x)
    if encoding == "rope":
        cos, sin = rotary_cos_sin(positions, DIM, theta, dtype=x.dtype)
        q, k = apply_rotary(q, cos[-1:], sin[-1:]), apply_rotary(k, cos, sin)
    return attention_weights(q, k, bias=bias)[0]
