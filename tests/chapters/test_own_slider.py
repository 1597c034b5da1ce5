"""The listing that readers paste into a notebook to have a slider of their own."""

import re

import matplotlib.pyplot as plt
from numpy.testing import assert_allclose

import pe_lib
from book.tools import notebooks

NOTEBOOK = notebooks.read(notebooks.ROOT / "chapters" / "02_sinusoidal_deeper.ipynb")
LISTING = re.compile(r"^```python\n(.*?@interact.*?)^```", re.DOTALL | re.MULTILINE)


def listing() -> str:
    [text] = [cell.source for cell in NOTEBOOK.cells if cell.id == "own-slider"]
    return LISTING.findall(text)[0]


def test_it_has_six_lines() -> None:
    assert len(listing().replace("\n\n", "\n").splitlines()) == 6


def test_its_slider_draws_the_table_anew() -> None:
    plt.switch_backend("agg")
    names: dict[str, object] = {}
    exec(listing(), names)
    slider = names["draw"].widget.children[0]
    for exponent in (3.0, 4.0, 2.0):
        slider.value = exponent
        picture = plt.gca().images[-1]
        expected = pe_lib.sinusoidal_encoding(64, 64, 10**exponent)
        assert_allclose(picture.get_array(), expected, atol=1e-6)
        plt.close("all")
