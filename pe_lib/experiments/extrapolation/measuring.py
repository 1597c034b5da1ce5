"""What a byte costs a model in windows of several lengths, in three ways that do not agree.

- Windows that do not overlap: every byte is predicted once, from what stands before it in its
  window. The first bytes of a window have little to go by, and the longer the windows, the fewer
  are first bytes. So the loss falls with the length even for a model that makes nothing of the far
  past (Press et al. 2021, arXiv 2108.12409, appendix B, "the early token curse").
- Strided windows: each begins half a window after the one before it, and only its second half
  counts. Again every byte is predicted once, but from half a window at least. (In Press et al.'s
  "sliding window" the next window begins one byte later, which costs a thousand times as much.)
- The last bytes of the same texts, whatever the length (as in Kazemnejad et al. 2023, arXiv
  2305.19466): windows that end at the same places and begin earlier and earlier, but never in
  another topic than the one they end in.
"""

from collections.abc import Sequence

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional as F

from pe_lib.experiments.extrapolation.setting import SMALL, Setting
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


def losses_by_position(
    model: TransformerLM, text: Int[Tensor, " tokens"], length: int
) -> list[float]:
    """What a byte costs at every position of windows that do not overlap, in nats.

    Returns:
        A mean for each ``BIN`` positions, of which ``length`` is a multiple.

    Example:
        >>> model = TransformerLM(256, 16, 1, 2, max_len=64)
        >>> len(losses_by_position(model, torch.arange(129), length=64))
        2
    """
    ends = range(length, len(text), length)
    return _by_position(window_losses(model, text, ends, length))


def overlapping(setting: Setting, length: int) -> range:
    """Where windows of the unseen text end, each half a window after the one before it.

    The first and every second after it do not overlap: they are the windows of the first way, and
    the second halves of all are what the second way counts. At every length they reach equally far.
    """
    read = (len(unseen_text()) - 1) // setting.longest * setting.longest
    return range(length, read + 1, length // 2)


def ends_in_topics(setting: Setting) -> list[tuple[Int[Tensor, " tokens"], range]]:
    """Each unseen topic, and where the windows of the third way end in it."""
    return [
        (topic, range(setting.longest, len(topic), setting.spacing)) for topic in unseen_topics()
    ]


def last_bytes_loss(model: TransformerLM, length: int, setting: Setting = SMALL) -> float:
    """What the same last bytes of the unseen texts cost after windows of this length, in nats.

    Example:
        >>> model = TransformerLM(256, 16, 1, 2, max_len=64)
        >>> last_bytes_loss(model, length=128) > 0
        True
    """
    texts = ends_in_topics(setting)
    last = torch.cat([window_losses(model, text, ends, length) for text, ends in texts])
    return _mean(last[:, -setting.scored :])


def windows_of(setting: Setting, length: int) -> int:
    """How many windows of a length are read in all.

    Example:
        >>> windows_of(SMALL, 2048)
        56
    """
    in_topics = sum(len(ends) for _, ends in ends_in_topics(setting))
    return len(overlapping(setting, length)) + in_topics


def losses_at(
    model: TransformerLM, setting: Setting, length: int
) -> tuple[dict[str, float], Float[Tensor, "windows length"]]:
    """What a byte costs at one length in all three ways.

    Returns:
        way -> nats per byte, and nats for every byte of the windows of the second way.
    """
    read = window_losses(model, unseen_text(), overlapping(setting, length), length)
    halves = torch.cat((read[0, : length // 2], read[:, length // 2 :].flatten()))
    losses = {
        "non-overlapping": _mean(read[::2]),
        "strided": _mean(halves),
        "last bytes": last_bytes_loss(model, length, setting),
    }
    return losses, read


def measure(
    model: TransformerLM, setting: Setting
) -> tuple[dict[str, dict[int, float]], list[float]]:
    """The losses at every length in all three ways, and at every position of the longest windows.

    Returns:
        way -> length -> nats per byte, and nats per byte in each ``BIN`` positions, a mean over the
        longest windows of the second way.
    """
    losses: dict[str, dict[int, float]] = {way: {} for way in WAYS}
    for length in setting.lengths:
        at_length, read = losses_at(model, setting, length)
        for way, loss in at_length.items():
            losses[way][length] = loss
    return losses, _by_position(read)


def _by_position(losses: Float[Tensor, "windows length"]) -> list[float]:
    means = losses.double().mean(0)  # (length)
    found: list[float] = means.view(-1, BIN).mean(1).tolist()
    return found


def _mean(losses: Float[Tensor, "..."]) -> float:
    return losses.double().mean().item()
