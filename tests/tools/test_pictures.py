"""Pictures that show the same, and pictures that do not: plots drawn twice, with a difference."""

import base64
import io
import zlib
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from nbformat.v4 import new_output
from PIL import Image

from book.tools.pictures import PNG, change, changes, keep
from pe_lib.plots._canvas import Picture, new_figure

POSITIONS = np.linspace(0, 100, 201)
NOISE = np.random.default_rng(0).standard_normal(POSITIONS.size)
MAP = np.random.default_rng(1).standard_normal((24, 24)).clip(-2, 2)


def drawn(figure: Picture) -> str:
    """The figure as a notebook holds it."""
    return base64.b64encode(figure.png()).decode()


def packed(image: Image.Image, **options: Any) -> str:
    data = io.BytesIO()
    image.save(data, "PNG", **options)
    return base64.b64encode(data.getvalue()).decode()


@cache
def curves(
    noise: float = 0, height: float = 1, title: str = "score 1.5", colour: str = "#1f5fbf"
) -> str:
    figure, (axes,) = new_figure(3.2)
    fading = np.exp(-POSITIONS / 40)
    axes.plot(POSITIONS, fading * np.cos(POSITIONS / 6) * (1 + noise * NOISE), color=colour)
    axes.plot(POSITIONS, fading * height, color="#ad5500")
    axes.set(title=title, ylim=(-1.1, 1.1))
    return drawn(figure)


@cache
def tiles(noise: float = 0, one: float = 0) -> str:
    figure, (axes,) = new_figure(3.2)
    values = MAP * (1 + noise)
    values[3, 4] += one
    axes.imshow(values, cmap="RdBu", vmin=-3, vmax=3)
    return drawn(figure)


@pytest.mark.parametrize(
    ("draw", "rounded"),
    [
        (curves, {}),
        (curves, {"noise": 1e-6}),
        (curves, {"noise": 1e-5}),
        (curves, {"height": 1 + 1e-6}),
        (tiles, {"noise": 1e-6}),
        (tiles, {"noise": 1e-4}),  # some tiles have the next colour of the map
    ],
)
def test_last_bits_change_nothing(draw: Callable[..., str], rounded: dict[str, Any]) -> None:
    assert change(draw(), draw(**rounded)) is None


@pytest.mark.parametrize(
    ("draw", "changed"),
    [
        (curves, {"height": 0.99}),
        (curves, {"height": 0.995}),
        (curves, {"noise": 1e-2}),
        (curves, {"title": "score 1,5"}),
        (curves, {"title": "score 1.6"}),
        (curves, {"title": ""}),
        (curves, {"colour": "#2f5fbf"}),
        (curves, {"colour": "#1f5faf"}),
        (tiles, {"one": 0.1}),
    ],
)
def test_what_a_reader_could_see_is_named(
    draw: Callable[..., str], changed: dict[str, Any]
) -> None:
    assert "it differs between the pixels (" in str(change(draw(), draw(**changed)))


def test_the_place_of_a_change_is_said() -> None:
    white = Image.new("RGBA", (100, 60), "white")
    dotted = white.copy()
    dotted.paste("black", (40, 20, 44, 24))
    problem = change(packed(white), packed(dotted))
    assert problem == "it differs between the pixels (38, 18) and (46, 26)"


def test_another_size_is_said() -> None:
    before, now = Image.new("RGBA", (100, 60)), Image.new("RGBA", (100, 61))
    assert change(packed(before), packed(now)) == "it was 100 x 60 pixels, and is 100 x 61"


def test_the_same_pixels_packed_otherwise_are_the_same() -> None:
    text = curves()
    other = packed(Image.open(io.BytesIO(base64.b64decode(text))), compress_type=zlib.Z_FIXED)
    assert other != text
    assert change(text, other) is None


@pytest.mark.parametrize("harm", [lambda text: "?", lambda text: text[: len(text) // 8 * 4]])
def test_a_damaged_stored_picture_is_named(harm: Callable[[str], str]) -> None:
    text = curves()
    assert "the stored picture cannot be read" in str(change(harm(text), text))


def shown(*texts: str) -> list[Any]:
    """A cell's outputs: words, then pictures."""
    words = new_output("stream", text="words")
    return [words, *(new_output("display_data", {PNG: text}) for text in texts)]


def test_every_picture_of_a_cell_is_looked_at() -> None:
    plain, other = curves(), curves(title="another")
    assert changes(shown(plain, other), shown(plain, other)) == []
    [problem] = changes(shown(plain, plain), shown(plain, other))
    assert problem.startswith("picture 2: it differs")
    assert changes(shown(plain), shown(plain, other)) == ["picture 2 is new"]
    assert changes(shown(plain, other), shown(plain)) == ["picture 2 is missing"]


def test_a_picture_is_kept_while_it_shows_the_same() -> None:
    plain, rounded, other = curves(), curves(noise=1e-5), curves(title="another")
    assert rounded != plain
    new = shown(rounded, other)
    keep(shown(plain, plain), new)
    assert new == shown(plain, other)
    new = shown(rounded)
    keep([], new)
    assert new == shown(rounded)
