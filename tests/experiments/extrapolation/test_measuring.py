"""What a byte costs in windows: against the plainest way to compute the same."""

import math

import pytest
import torch
from torch.nn import functional as F

from pe_lib.experiments.extrapolation import measuring
from pe_lib.experiments.extrapolation.measuring import (
    ends_in_topics,
    losses_by_position,
    measure,
    overlapping,
    validation_loss,
    window_losses,
    windows_of,
)
from pe_lib.experiments.extrapolation.model import new_model
from pe_lib.experiments.extrapolation.setting import POSITIONS, SMALL
from pe_lib.experiments.text import unseen_text, unseen_topics, validation_text
from pe_lib.model import TransformerLM


class CountsBytes(TransformerLM):
    """Knows how many bytes it has seen and nothing else: its loss tells the position."""

    def __init__(self) -> None:
        super().__init__(256, 2, 1, 1, max_len=4096)

    def forward(self, tokens, *, attention_mask=None, cache=None):
        seen = getattr(cache, "seen", 0)
        cache.seen = seen + tokens.shape[1]
        # The next byte has probability e^-position, whichever it is; the last logit is the rest.
        p = torch.exp(-torch.arange(seen, cache.seen).float() / 100 - 6)
        logits = p.log().expand(256, -1).T[None].repeat(len(tokens), 1, 1)
        rest = torch.log(1 - 255 * p)
        logits[..., 255] = rest
        return logits


@pytest.mark.parametrize("position", POSITIONS)
def test_losses_of_windows_are_those_of_reading_each_as_a_whole(run_of, monkeypatch, position):
    monkeypatch.setattr(measuring, "PIECE", 7)  # so that windows are read in uneven pieces
    model, text = new_model(run_of(position)), unseen_text()[:300]
    ends = [40, 41, 150, 299]
    found = window_losses(model, text, ends, 40)
    for end, own in zip(ends, found, strict=True):
        window = text[end - 40 : end + 1]
        with torch.no_grad():
            expected = F.cross_entropy(model(window[None, :-1])[0], window[1:], reduction="none")
        torch.testing.assert_close(own, expected, atol=2e-5, rtol=0)


@pytest.mark.parametrize("ends", [[39], [300], [100, 301]])
def test_windows_beyond_the_text_are_refused(run_of, ends):
    with pytest.raises(ValueError, match=r"ends: expected 40 to 299, got \d+ to \d+"):
        window_losses(new_model(run_of()), unseen_text()[:300], ends, 40)


def test_losses_by_position_are_means_over_windows_that_do_not_overlap(run_of):
    model, text = new_model(run_of()), unseen_text()[: 3 * 64 + 1]
    read = window_losses(model, text, [64, 128, 192], 64)  # (3, 64)
    expected = [read[:, :32].mean().item(), read[:, 32:].mean().item()]
    assert losses_by_position(model, text, 64) == pytest.approx(expected, abs=1e-6)


def predicted(way: str, length: int) -> list[int]:
    """The bytes of the unseen text that count in the first two ways, in order."""
    ends = overlapping(SMALL, length)
    if way == "non-overlapping":
        return [end - back for end in ends[::2] for back in range(length - 1, -1, -1)]
    first = range(1, length // 2 + 1)
    return [*first, *(end - back for end in ends for back in range(length // 2 - 1, -1, -1))]


@pytest.mark.parametrize("way", ["non-overlapping", "strided"])
@pytest.mark.parametrize("length", SMALL.lengths)
def test_at_every_length_every_byte_is_predicted_once(way, length):
    assert predicted(way, length) == list(range(1, 15 * 2048 + 1))
    assert 0 <= len(unseen_text()) - 1 - 15 * 2048 < 2048, "all that fits"


def test_the_last_bytes_stand_in_one_topic_with_all_that_comes_before():
    for (text, ends), topic in zip(ends_in_topics(SMALL), unseen_topics(), strict=True):
        assert torch.equal(text, topic)
        assert len(ends) >= 5 and ends[0] == SMALL.longest


def test_each_way_scores_the_positions_that_it_says(tiny):
    losses, by_position = measure(CountsBytes(), tiny)

    def cost(positions: range) -> float:  # byte 255 never stands in the text
        return sum(6 + p / 100 for p in positions) / len(positions)

    for length in tiny.lengths:
        half = length // 2
        count = (len(unseen_text()) - 1) // 64 * 64 // half  # halves of windows
        first, others = cost(range(half)), cost(range(half, length))
        assert losses["non-overlapping"][length] == pytest.approx(cost(range(length)), abs=1e-4)
        expected = (first + (count - 1) * others) / count
        assert losses["strided"][length] == pytest.approx(expected, abs=1e-4)
        last = cost(range(length - tiny.scored, length))
        assert losses["last bytes"][length] == pytest.approx(last, abs=1e-4)
    assert by_position == pytest.approx([cost(range(32)), cost(range(32, 64))], abs=1e-4)


def test_a_model_that_knows_nothing_pays_for_256_guesses(tiny):
    model = TransformerLM(256, 16, 1, 2, max_len=64)
    torch.nn.init.zeros_(model.head.weight)
    losses, by_position = measure(model, tiny)
    everything = [loss for by_length in losses.values() for loss in by_length.values()]
    assert everything + by_position == pytest.approx(
        [math.log(256)] * (len(everything) + len(by_position)), abs=1e-5
    )
    assert validation_loss(model, validation_text(), 16) == pytest.approx(math.log(256), abs=1e-5)


def test_the_number_of_windows_is_that_of_all_ways():
    assert windows_of(SMALL, SMALL.longest) == 29 + 27


def test_nothing_is_learned_while_measuring(run_of, tiny):
    model = new_model(run_of())
    before = [p.clone() for p in model.parameters()]
    measure(model, tiny)
    assert all(torch.equal(a, b) for a, b in zip(before, model.parameters(), strict=True))
    assert all(p.grad is None for p in model.parameters())
