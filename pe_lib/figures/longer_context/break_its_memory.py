"""A text that a trained model reads past its trained length: what every byte costs it."""

import math
from functools import lru_cache
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn import functional as F

from pe_lib.course.encodings import NAMES
from pe_lib.experiments.extrapolation.reading import Read, attention_of, go_on, read
from pe_lib.experiments.extrapolation.setting import SMALL
from pe_lib.experiments.extrapolation.stretched import RULES as SCALINGS
from pe_lib.experiments.extrapolation.trained import KINDS, trained_model
from pe_lib.experiments.text import topics
from pe_lib.figures.base import Figure
from pe_lib.figures.controls import choice, passage, slider, toggle
from pe_lib.model import TransformerLM

LENGTH = SMALL.length  # bytes in a window of the training
MOST = 512  # bytes that are read
WRITTEN = 64  # bytes that the model writes when it goes on

ALL_HEADS = "all"
HEADS = tuple(
    f"{layer}.{head}"
    for layer in range(1, SMALL.num_layers + 1)
    for head in range(1, SMALL.num_heads + 1)
)
AS_IS, ONLY_THE_END = "as is", "only the end"
STRETCHING = ("interpolation", "NTK", "YaRN", "Llama 3")  # what slows rotations
RULES = (AS_IS, *STRETCHING, ONLY_THE_END)


def _unseen() -> str:
    """A passage of a help text that no model was trained on."""
    topic = topics()["assignment"]
    start = topic.index("An assignment statement evaluates")
    return topic[start : start + MOST]


class BreakItsMemory(Figure):
    """What each byte of a text costs a small model that was trained on shorter texts.

    Args:
        rule: how it reads beyond the trained length. ``"as is"``; with its rotations slowed by
            ``"interpolation"``, ``"NTK"``, ``"YaRN"`` or ``"Llama 3"`` for the next multiple of the
            trained length, which changes nothing in a model without rotations; or
            ``"only the end"``: each byte sees the last 63 to 127 before it.
        encoding: the model's: ``"rope"``, ``"none"``, ``"sinusoidal"``, ``"alibi"`` or ``"t5"``.
        text: at least one byte, of which the first 512 count.
        byte: the byte at which the model's next guesses and its attention are read, from 0.
        head: whose attention: ``"all"`` for the mean of all heads, or layer and head, as ``"1.4"``.
        length: how many bytes are read, from the first of the text.
        go_on: the model writes on where it has stopped reading.

    Example:
        >>> BreakItsMemory(rule="YaRN").length
        512
    """

    question = "What happens past the trained length?"
    summary = (
        "A help text of 512 bytes that a small RoPE model has never seen, each byte tinted by what "
        "it costs. Up to byte 128, where training ended, most bytes are pale. Read on as it is, "
        "the text turns red soon after that; with YaRN most of the red is gone, and where the "
        "model is shown only the end of what comes before, the least is left."
    )

    asks = True
    large = True

    rule = choice(AS_IS, {rule: rule for rule in RULES}, label="it reads")
    encoding = choice("rope", {kind: NAMES[kind] for kind in KINDS}, label="positions")
    text = passage(_unseen(), most=MOST, label="text", more=True)
    byte = slider(364, 0, MOST - 1, label="byte", unit="from 0", more=True)
    head = choice(
        ALL_HEADS,
        {ALL_HEADS: "all heads", **{head: head for head in HEADS}},
        label="attention of",
        more=True,
    )
    length = slider(MOST, 1, MOST, label="length", unit="bytes", more=True)
    go_on = toggle(False, label=f"go on: the model writes {WRITTEN} bytes", more=True)

    @staticmethod
    def compute(
        device: str,
        *,
        rule: str,
        encoding: str,
        text: str,
        byte: int,
        head: str,
        length: int,
        go_on: bool,
    ) -> dict[str, Tensor]:
        """In nats, the ``losses`` of all bytes that are read (bytes,), not a number for the first,
        which nothing predicts. At the chosen byte, or the last before it that is read: the
        ``likeliest`` next bytes and their ``chances`` (5,), and its ``attention`` (bytes,). What
        the model has ``written``, if it went on (64,).
        """
        asked = Asked(device, encoding, rule, bytes_of(text)[:length])
        found = reading(asked)
        at = min(byte, len(asked.text) - 1)
        return {
            "losses": found.losses,
            "likeliest": found.likeliest[at],
            "chances": found.probabilities[at],
            "attention": attention(asked, at, head),
            "written": torch.tensor(list(written(asked)) if go_on else []),
        }


class Asked(NamedTuple):
    """What a model reads."""

    device: str
    encoding: str
    rule: str
    text: bytes

    @property
    def model(self) -> TransformerLM:
        """The trained model, stretched if the rule does that to it."""
        stretched = self.encoding == "rope" and self.rule in STRETCHING
        factor = math.ceil(len(self.text) / LENGTH) if stretched else 1
        return _model(self.device, self.encoding, self.rule if stretched else AS_IS, factor)

    @property
    def only_the_end(self) -> bool:
        return self.rule == ONLY_THE_END


@lru_cache(maxsize=8)
def _model(device: str, encoding: str, rule: str, factor: int) -> TransformerLM:
    scaling = None if rule == AS_IS else SCALINGS[rule](factor, LENGTH)
    return trained_model(encoding, scaling=scaling).to(device)


@lru_cache(maxsize=8)  # while bytes are pointed at, the text stays as it is
def reading(asked: Asked) -> Read:
    return read(asked.model, asked.text, only_the_end=asked.only_the_end)


@lru_cache(maxsize=8)
def written(asked: Asked) -> bytes:
    return go_on(asked.model, asked.text, WRITTEN, only_the_end=asked.only_the_end)


def attention(asked: Asked, at: int, head: str) -> Float[Tensor, " bytes"]:
    """The attention of the byte at a place, over all bytes that are read."""
    every = attention_of(asked.model, asked.text, at, only_the_end=asked.only_the_end)
    heads = every.flatten(0, 1)  # (layers * heads, at + 1)
    found = heads.mean(0) if head == ALL_HEADS else heads[HEADS.index(head)]
    return F.pad(found, (0, len(asked.text) - at - 1))


def bytes_of(text: str) -> bytes:
    """The bytes of a text that are read at most.

    Example:
        >>> bytes_of("né")
        b'n\\xc3\\xa9'
    """
    # Half a character, which JavaScript's texts may end in, becomes what it becomes there.
    found = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()[:MOST]
    if not found:
        raise ValueError("text: expected at least one byte, got none")
    return found
