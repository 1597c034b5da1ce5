"""What a byte costs a model in windows of several lengths, in three ways that do not agree.

- Windows that do not overlap: every byte is predicted once, from what stands before it in its
  window. The first bytes of a window have little to go by, and the longer the windows, the fewer
  are first bytes. So the loss falls with the length even for a model that makes nothing of the far
  past (Press et al. 2022, arXiv 2108.12409, appendix B, "the early token curse").
- Strided windows: of each window only the last bytes count. With all windows one byte apart that
  is Press et al.'s "sliding window"; here only some of these windows are read.
- The same last bytes of the same texts, whatever the length (as in Kazemnejad et al. 2023, arXiv
  2305.19466): the window never reaches back into another text.
"""

from collections.abc import Sequence

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional as F

from pe_lib.experiments.extrapolation.setting import Setting
from pe_lib.experiments.text import unseen_text, unseen_topics
from pe_lib.model import TransformerLM

AT_ONCE = 2048  # bytes of all windows that are read together
PIECE = 128  # bytes of each of them that are read together; the others wait in the cache
BIN = 32  # positions that are averaged into one number

WAYS = ("non-overlapping", "strided", "last bytes")


@torch.no_grad()
def window_losses(
    model: TransformerLM, text: Int[Tensor, " tokens"], ends: Sequence[int], length: int
) -> Float[Tensor, "windows length"]:
    """What every byte of some windows costs, given those before it in its window, in nats.

    Args:
        model: a causal model; it is read from in pieces, which gives what a whole window gives.
        text: (tokens,), on any device.
        ends: where each window ends: the index of the last byte that is predicted.
        length: how many bytes of each window are predicted. One more stands before them.

    Returns:
        (windows, length), on the CPU.

    Raises:
        ValueError: a window reaches beyond the text.

    Example:
        >>> model = TransformerLM(256, 16, 1, 2, max_len=64)
        >>> window_losses(model, torch.arange(100), [20, 99], length=20).shape
        torch.Size([2, 20])
    """
    if min(ends) < length or max(ends) >= len(text):
        expected = f"{length} to {len(text) - 1}"
        raise ValueError(f"ends: expected {expected}, got {min(ends)} to {max(ends)}")
    device = next(model.parameters()).device
    places = torch.tensor(ends)[:, None] + torch.arange(-length, 1)  # (windows, length + 1)
    found = []
    for windows in text.cpu()[places].to(device).split(max(1, AT_ONCE // length)):
        cache = model.new_cache()
        pieces = windows[:, :-1].split(PIECE, dim=1)
        logits = torch.cat([model(piece, cache=cache) for piece in pieces], dim=1)
        found.append(F.cross_entropy(logits.mT, windows[:, 1:], reduction="none").cpu())
    return torch.cat(found)


def validation_loss(model: TransformerLM, text: Int[Tensor, " tokens"], length: int) -> float:
    """What a byte costs in windows of one length that do not overlap, in nats."""
    return _mean(window_losses(model, text, range(length, len(text), length), length))


def ends_of_windows(setting: Setting, length: int) -> dict[str, list[tuple[Tensor, range]]]:
    """For each way, the texts with the ends of the windows that are read in them.

    At every length the same bytes count: where windows do not overlap, all bytes of the text that a
    longest window can hold; else the last ones of windows that end at the same places.
    """
    text, longest, spacing = unseen_text(), setting.longest, setting.spacing
    read = (len(text) - 1) // longest * longest
    return {
        "non-overlapping": [(text, range(length, read + 1, length))],
        "strided": [(text, range(longest, len(text), spacing))],
        "last bytes": [(topic, range(longest, len(topic), spacing)) for topic in unseen_topics()],
    }


def windows_of(setting: Setting, length: int) -> int:
    """How many windows of a length are read, in all three ways.

    Example:
        >>> from pe_lib.experiments.extrapolation.setting import SMALL
        >>> windows_of(SMALL, 2048)
        72
    """
    ways = ends_of_windows(setting, length).values()
    return sum(len(ends) for texts in ways for _, ends in texts)


def measure(
    model: TransformerLM, setting: Setting
) -> tuple[dict[str, dict[int, float]], list[float]]:
    """The losses at every length in all three ways, and at every position of the longest windows.

    Returns:
        way -> length -> nats a byte, and nats a byte in each ``BIN`` positions.
    """
    losses: dict[str, dict[int, float]] = {way: {} for way in WAYS}
    longest: list[Tensor] = []
    for length in setting.lengths:
        for way, texts in ends_of_windows(setting, length).items():
            read = torch.cat([window_losses(model, text, ends, length) for text, ends in texts])
            scored = length if way == "non-overlapping" else setting.scored
            losses[way][length] = _mean(read[:, -scored:])
            if length == setting.longest:
                longest.append(read)
    by_position = torch.cat(longest).double().mean(0)  # (longest)
    return losses, by_position.view(-1, BIN).mean(1).tolist()


def _mean(losses: Float[Tensor, "windows length"]) -> float:
    return losses.double().mean().item()
