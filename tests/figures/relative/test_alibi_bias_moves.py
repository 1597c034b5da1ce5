"""What AlibiBias says, and where its sliders end."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from pe_lib.figures import AlibiBias, Figure

pytestmark = pytest.mark.browser
Open = Callable[[Figure], Page]


def test_the_words_say_what_is_computed(opened: Open) -> None:
    words = opened(AlibiBias(length=2048)).locator(".pe-words").text_content()
    assert "takes 1/2 off the score" in words
    assert "after 9.2 tokens, and 99.3\u00a0% of all weight" in words
    assert "Head 8, the gentlest (slope 1/256), looks farthest: 1,179 tokens." in words
    words = opened(AlibiBias(head=8, length=512)).locator(".pe-words").text_content()
    assert "after 1,179 tokens, more than this text has: its first token still gets 13.6" in words


def test_the_head_s_slider_ends_at_the_number_of_heads(opened: Open) -> None:
    page = opened(AlibiBias(head=8))

    def head() -> list[str]:
        boxes = page.locator(".pe-control:has([data-input=head]) input")
        return boxes.evaluate_all("all => all.flatMap((box) => [box.value, box.max])")

    heads = page.locator(".pe-control:has([data-input=heads]) [type=number]")
    assert head() == ["7", "7", "8", "8"]  # the slider counts its steps from 0
    heads.fill("6")
    heads.press("Enter")
    assert head() == ["5", "5", "6", "6"]
    assert page.locator(".pe-words").inner_text().startswith("Head 6 of 6")
    heads.fill("32")
    heads.press("Enter")
    assert head() == ["7", "31", "8", "32"]
    assert page.locator(".pe-words").inner_text().startswith("Head 8 of 32")
