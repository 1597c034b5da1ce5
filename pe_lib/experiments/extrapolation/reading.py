"""A text as a trained model reads it: what each byte costs, what is expected next, who looks where.

The same in torch as figures have it in a page without a kernel.
"""

from typing import Any, NamedTuple, cast

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from pe_lib.common._checks import check_bool, check_count, check_int
from pe_lib.experiments.extrapolation.layers import compared
from pe_lib.experiments.extrapolation.setting import SMALL
from pe_lib.model import MultiHeadAttention, TransformerLM, attention_weights
from pe_lib.model.positions.coordinates import TextPositions

SHOWN = 5  # bytes that are named of those that a model expects


class Read(NamedTuple):
    """What a model made of a text.

    Attributes:
        losses: (bytes,) nats for each byte; nan for the first, which nothing predicts.
        likeliest: (bytes, 5) what the model expects after each byte, the likeliest first.
        probabilities: (bytes, 5) theirs.
    """

    losses: Float[Tensor, " bytes"]
    likeliest: Int[Tensor, "bytes shown"]
    probabilities: Float[Tensor, "bytes shown"]


@torch.no_grad()
def read(model: TransformerLM, text: bytes, *, only_the_end: bool = False) -> Read:
    """Read a text with a model, all of it or, at each byte, only the end.

    Args:
        model: a causal model of bytes.
        text: at least one byte.
        only_the_end: True shows the model from each byte at most the 128 bytes on which it was
            trained. The text is read in windows of 128, each half a window after the one before,
            and only the second half of a window counts (of the first, all): so a byte is read with
            64 to 128 bytes, itself among them. These are the windows of ``measuring.losses_at``
            called strided.

    Raises:
        TypeError: ``text`` is not bytes, or ``only_the_end`` no bool.
        ValueError: ``text`` is empty.

    Example:
        >>> from pe_lib.experiments.extrapolation import trained_model
        >>> found = read(trained_model(), b"The built-in fun")
        >>> bytes(found.likeliest[-1].tolist())
        b'ctadl'
    """
    tokens = _tokens(text, model)
    check_bool(only_the_end, "only_the_end")
    logits = torch.cat(
        [
            model(tokens[None, start:end])[0, counted - start :]
            for start, end, counted in _windows(len(tokens), only_the_end)
        ]
    )  # (bytes, 256)
    losses = F.cross_entropy(logits[:-1], tokens[1:], reduction="none")  # (bytes - 1)
    probabilities, likeliest = logits.softmax(-1).topk(SHOWN)  # (bytes, 5)
    first = losses.new_full((1,), torch.nan)
    return Read(torch.cat((first, losses)).cpu(), likeliest.cpu(), probabilities.cpu())


@torch.no_grad()
def attention_of(
    model: TransformerLM, text: bytes, position: int, *, only_the_end: bool = False
) -> Float[Tensor, "layers heads seen"]:
    """How the attention of one byte is spread over the bytes up to itself.

    Args:
        model, text, only_the_end: as in ``read``.
        position: of the byte, from 0.

    Returns:
        (layers, heads, position + 1), 0 for bytes before its window.

    Raises:
        TypeError, ValueError: as in ``read``; ``position`` is not an int, or no byte is there.

    Example:
        >>> from pe_lib.experiments.extrapolation import trained_model
        >>> attention_of(trained_model(), b"The built-in fun", 3).shape
        torch.Size([4, 4, 4])
    """
    tokens = _tokens(text, model)
    check_bool(only_the_end, "only_the_end")
    check_int(position, "position")
    if not 0 <= position < len(tokens):
        raise ValueError(f"position: expected 0 to {len(tokens) - 1}, got {position}")
    [start] = [
        start
        for start, end, counted in _windows(len(tokens), only_the_end)
        if counted <= position < end
    ]
    found: list[Tensor] = []

    def weigh(layer: nn.Module, given: tuple[Any, ...]) -> None:
        x, positions, _ = given
        found.append(_last_weights(cast(MultiHeadAttention, layer), x, positions))

    hooks = [
        block.attention.register_forward_pre_hook(weigh)  # type: ignore[union-attr]
        for block in model.blocks
    ]
    try:
        model(tokens[None, start : position + 1])
    finally:
        for hook in hooks:
            hook.remove()
    return F.pad(torch.stack(found), (start, 0)).cpu()  # (layers, heads, position + 1)


@torch.no_grad()
def go_on(model: TransformerLM, text: bytes, how_many: int, *, only_the_end: bool = False) -> bytes:
    """Write on with the likeliest byte, one at a time. Returns the new bytes.

    Args:
        model, text, only_the_end: as in ``read``.
        how_many: bytes to write, at least 0.

    Raises:
        TypeError, ValueError: as in ``read``; ``how_many`` is not an int, or below 0.

    Example:
        >>> from pe_lib.experiments.extrapolation import trained_model
        >>> go_on(trained_model(), b"The built-in fun", 5, only_the_end=True)
        b'ction'
    """
    tokens = _tokens(text, model)
    check_bool(only_the_end, "only_the_end")
    check_count(how_many, "how_many", least=0)
    if not only_the_end:
        tokens = model.generate(tokens[None], how_many)[0]
    while len(tokens) < len(text) + how_many:
        start, *_ = _windows(len(tokens), only_the_end)[-1]
        likeliest = model(tokens[None, start:])[0, -1:].argmax(-1)  # (1)
        tokens = torch.cat((tokens, likeliest))
    return bytes(tokens[len(text) :].tolist())


def _windows(length: int, only_the_end: bool) -> list[tuple[int, int, int]]:
    """Where each window starts, where it ends, and from where on its bytes count."""
    if not only_the_end:
        return [(0, length, 0)]
    half = SMALL.length // 2
    starts = range(0, max(length - half, 1), half)
    return [(n, min(n + 2 * half, length), n + half if n else 0) for n in starts]


def _last_weights(
    layer: MultiHeadAttention, x: Tensor, positions: TextPositions
) -> Float[Tensor, "heads seen"]:
    """The attention of the last token of x (1, seen, dim)."""
    q, k, bias = compared(layer, x, positions)
    return attention_weights(q, k, bias=bias, causal=layer.causal)[0, :, -1]  # (heads, seen)


def _tokens(text: bytes, model: TransformerLM) -> Int[Tensor, " bytes"]:
    """A text on the device of its model."""
    if not isinstance(text, bytes):
        raise TypeError(f"text: expected bytes, got {type(text).__name__}")
    if not text:
        raise ValueError("text: expected at least one byte, got none")
    return torch.tensor(list(text), device=next(model.parameters()).device)
