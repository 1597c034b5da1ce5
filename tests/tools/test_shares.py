"""What fills a page, on one whose heights are known."""

import pytest
from playwright.sync_api import Browser

from book.tools.shares import measured

PAGE = """<!doctype html>
<style>* { margin: 0 } b { display: block } summary { height: 50px }</style>
<article>
  <b style="height: 150px"></b>
  <div class="cell tag_idea"><div class="cell_input"><b style="height: 200px"></b></div></div>
  <div class="cell tag_check"><div class="cell_input"><b style="height: 50px"></b></div></div>
  <details class="pe-code"><summary></summary><b style="height: 999px"></b></details>
  <details class="pe-answer">
    <summary></summary>
    <div class="cell_output"><div class="output"><b style="height: 100px"></b></div></div>
  </details>
  <div class="cell_output">
    <div class="output"><div class="pe-figure"><b style="height: 300px"></b></div></div>
  </div>
  <div class="cell_output"><img style="display: block; height: 100px"></div>
</article>"""


@pytest.mark.browser
def test_parts_of_a_page(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content(PAGE)
    above, shares = measured(page)
    page.close()
    assert above == pytest.approx(600 / 900)
    expected = {"idea code": 0.2, "plumbing": 0.05, "output": 0.1, "still": 0.1, "live": 0.3}
    assert shares == pytest.approx(expected)
