"""How many elements a figure lets travel, counted as they start: they arrive in a moment."""

from playwright.sync_api import Page

COUNT = """() => {
  const { animate } = Element.prototype;
  window.started = 0;
  Element.prototype.animate = function (...given) {
    window.started += 1;
    return animate.apply(this, given);
  };
}"""


def count(page: Page) -> None:
    page.emulate_media(reduced_motion="no-preference")  # a page used again keeps what it had
    page.evaluate(COUNT)


def started(page: Page) -> int:
    """How many have started since this was asked last."""
    return page.evaluate("() => { const n = window.started; window.started = 0; return n; }")


def arrived(page: Page) -> None:
    """Wait until nothing travels any more."""
    page.wait_for_function("document.getAnimations().length === 0")
