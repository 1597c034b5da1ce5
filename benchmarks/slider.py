"""How long a slider of the heat map takes to move the picture, in the page and through a kernel.

A slider event is sent at the beginning of a frame, as a browser sends the real ones. "Drawn" is
when the figure has its new numbers and has drawn them; "painted" is when the browser has laid out
and painted the frame that shows them. In the page both happen in the frame of the event. Through a
kernel the numbers come later, and the painted time includes the wait for the next frame (17 ms at
60 frames a second).
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import nbformat
import torch
from playwright.sync_api import Browser, Page

from book.pe_book.figures import script
from book.tools.browser import ADVICE, installed_chromium, launched
from pe_lib.figures import SinusoidalTable
from tests.lab_support import opened

EVENTS, WARM_UP = 200, 20
INPUTS = {"dim": 128, "length": 64}
FIGURE = f"SinusoidalTable(dim={INPUTS['dim']}, length={INPUTS['length']})"

# Moves the slider of theta to and fro: [ms until drawn, ms until painted] for every event.
MEASURE = """async (events) => {
  const root = document.querySelector(".pe-root");
  const slider = root.querySelector("[type=range][data-input=theta]");
  const frame = () => new Promise(requestAnimationFrame);
  const task = () => new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage(0);
  });
  const times = [];
  for (let n = 0; n < events; n++) {
    await frame();
    let drawn;
    const answer = new Promise((resolve) => root.addEventListener("pe-answer", (event) => {
      drawn = performance.now();
      resolve(event.detail.origin);
    }, { once: true }));
    slider.value = 100 + n % 50;
    const start = performance.now();
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    if (drawn === undefined) {
      await answer;
      await frame();
    }
    await task();
    times.push([drawn - start, performance.now() - start, await answer]);
  }
  return times;
}"""


@contextmanager
def in_page(browser: Browser) -> Iterator[Page]:
    """The figure in a page without a kernel."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.set_content(SinusoidalTable(**INPUTS).static_html())
    page.add_script_tag(content=script([SinusoidalTable]))
    yield page
    page.close()


@contextmanager
def through_kernel(browser: Browser) -> Iterator[Page]:
    """The figure in JupyterLab."""
    code = f"from pe_lib.figures import SinusoidalTable\n{FIGURE}"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3"}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "slider.ipynb"
        nbformat.write(notebook, path)
        with opened(browser, path) as lab:
            lab.run_all()
            yield lab.page


def main() -> None:
    if installed_chromium() is None:
        print(ADVICE)
        return
    with launched() as browser:
        for name, place in (("in the page", in_page), ("through a kernel", through_kernel)):
            with place(browser) as page:
                page.wait_for_selector(".pe-root .pe-words:not(:empty)")
                times = page.evaluate(MEASURE, WARM_UP + EVENTS)[WARM_UP:]
                origins = ", ".join(sorted({origin for _, _, origin in times}))
            print(f"  {name} ({origins}; {EVENTS} events)")
            for column, what in enumerate(("drawn", "painted")):
                taken = torch.tensor([time[column] for time in times])
                middle, most = taken.quantile(torch.tensor([0.5, 0.95])).tolist()
                print(f"    {what:8} p50 {middle:5.1f} ms   p95 {most:5.1f} ms")
    print("  drawn: from the event to the new picture; painted: until its frame is on the screen,")
    print("  which through a kernel includes the wait for the next frame (17 ms at 60 a second)")
