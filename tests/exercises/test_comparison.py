"""The right answers of chapter 09's exercises beside what the course measures with, and proofs."""

import math

import pytest
import torch

from pe_lib.exercises import check
from pe_lib.experiments.extrapolation import measuring
from pe_lib.experiments.extrapolation.setting import SMALL
from pe_lib.model import TransformerLM


def test_strided_windows_are_scored_as_the_course_scores_them(monkeypatch):
    generator = torch.Generator().manual_seed(0)
    read = {}

    def window_losses(model, text, ends, length):
        losses = torch.rand(len(ends), length, generator=generator)
        read.setdefault(length, losses)  # those of the third way come later
        return losses

    monkeypatch.setattr(measuring, "window_losses", window_losses)
    losses, _ = measuring.measure(TransformerLM(256, 16, 1, 2, max_len=64), SMALL)
    for length, loss in losses["strided"].items():
        answer = check.strided_loss.reference(read[length].double())
        assert answer.item() == pytest.approx(loss, abs=1e-12)


def test_bands_are_apart_where_no_point_lies_in_both():
    for each in check.bands_apart.calls:
        a, b = (band.tolist() for band in each.args)
        shared = [x for x in a + b if min(a) <= x <= max(a) and min(b) <= x <= max(b)]
        assert check.bands_apart.reference(*each.args) is not bool(shared)


def test_the_order_of_bands_and_seeds_does_not_matter():
    apart = check.bands_apart.reference
    for each in check.bands_apart.calls:
        a, b = each.args
        assert apart(a, b) is apart(b, a) is apart(a.flip(0), b)


def test_a_perplexity_of_n_words_is_a_choice_among_n():
    """As many words as there are, all as likely, of three bytes each."""
    words = 1000
    loss = -math.log(1 / words) / 3
    assert check.word_perplexity.reference(loss, 3.0) == pytest.approx(words)


def test_a_text_is_as_likely_byte_by_byte_as_word_by_word():
    bytes_of_words = [3, 7, 4, 2]
    nats = torch.rand(sum(bytes_of_words), generator=torch.Generator().manual_seed(0)).double()
    per_word = math.prod((-nats).exp().tolist()) ** (-1 / len(bytes_of_words))
    size = sum(bytes_of_words) / len(bytes_of_words)
    answer = check.word_perplexity.reference(nats.mean().item(), size)
    assert answer == pytest.approx(per_word)


def test_accuracies_are_those_of_the_answers_at_a_distance():
    for each in check.accuracy_by_distance.calls:
        right, distance, distances = (value.tolist() for value in each.args)
        answers = check.accuracy_by_distance.reference(*each.args).tolist()
        for found, wanted in zip(answers, distances, strict=True):
            own = [ok for ok, d in zip(right, distance, strict=True) if d == wanted]
            assert found == pytest.approx(sum(own) / len(own)) if own else math.isnan(found)
