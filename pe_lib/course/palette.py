"""The colours of every picture, live or still, in one place: right in light and in dark mode.

Text colours have a contrast of at least 4.5 : 1 on both themes' surfaces, lines at least 3 : 1.
Blue and orange stay apart for every common kind of colour blindness.
"""

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from matplotlib.colors import ListedColormap

Theme = Literal["light", "dark"]

THEMES: dict[Theme, dict[str, str]] = {
    "light": {
        "surface": "#ffffff",
        "raised": "#f3f5f8",
        "ink": "#1b2330",
        "muted": "#525d6c",
        "grid": "#d5dbe3",
        "edge": "#7d8896",
        "blue": "#1f5fbf",
        "orange": "#ad5500",
        "green": "#00766a",
        "purple": "#7b3fa8",
        "error": "#b3261e",
    },
    "dark": {
        "surface": "#14181e",
        "raised": "#1f252e",
        "ink": "#e8ecf2",
        "muted": "#aab5c3",
        "grid": "#37414e",
        "edge": "#7f8b9a",
        "blue": "#7ab4ff",
        "orange": "#ffb066",
        "green": "#55d0bb",
        "purple": "#d3a5f5",
        "error": "#ff9b92",
    },
}

CATEGORICAL = tuple(THEMES["light"][name] for name in ("blue", "orange", "green", "purple"))

# The lines of encodings (course/encodings.py), by where positions enter. The hues are near those of
# Okabe and Ito (2008). Their lightness keeps any two apart for every common kind of colour
# blindness, and each has a contrast of at least 3 : 1 on the page.
FAMILIES: dict[Theme, dict[str, str]] = {
    "light": {
        "nowhere": "#747b83",
        "added": "#0087f8",
        "rotated": "#ca6719",
        "distance": "#105b43",
        "relative": "#7a2f97",
    },
    "dark": {
        "nowhere": "#a5abb4",
        "added": "#3271ee",
        "rotated": "#f98b00",
        "distance": "#76eea5",
        "relative": "#ae5a84",
    },
}

# The lines of the rules that stretch RoPE: keys of ``THEMES``.
RULE_COLOURS = {"interpolation": "purple", "NTK": "orange", "YaRN": "blue", "Llama 3": "green"}

# From -1 through 0 to +1. The middle is the surface, so that a zero is quiet.
DIVERGING: dict[Theme, tuple[str, str, str]] = {
    "light": ("#17468f", "#f6f4f0", "#9a4600"),
    "dark": ("#78b7ff", "#1a1f27", "#ffb566"),
}


def css_variables(theme: Theme) -> str:
    """One theme's colours as CSS declarations.

    Example:
        >>> css_variables("dark").partition(" --pe-raised")[0]
        '--pe-surface: #14181e;'
    """
    return " ".join(f"--pe-{name}: {colour};" for name, colour in THEMES[theme].items())


def diverging_rgb(theme: Theme = "light", levels: int = 255) -> list[tuple[int, int, int]]:
    """The diverging colour scale as sRGB bytes, from the most negative to the most positive.

    Interpolated in OKLab (Ottosson 2020), where equal steps look equally large.

    Example:
        >>> diverging_rgb("light", levels=3)[1]
        (246, 244, 240)
    """
    low, middle, high = (_to_oklab(colour) for colour in DIVERGING[theme])
    scale = []
    for level in range(levels):
        t = 2 * level / (levels - 1) - 1
        end = high if t > 0 else low
        lab = tuple(m + abs(t) * (e - m) for m, e in zip(middle, end, strict=True))
        scale.append(_to_srgb(lab))
    return scale


def diverging_colormap() -> "ListedColormap":
    """The same scale for matplotlib, in its light form."""
    return _colormap(diverging_rgb(), "pe_diverging")


def sequential_colormap() -> "ListedColormap":
    """From 0 to the most, for matplotlib: the upper half of the same scale.

    A zero is as quiet as the page, also where a picture is inverted for the dark.

    Example:
        >>> sequential_colormap()(0.0) == diverging_colormap()(0.5)
        True
    """
    return _colormap(diverging_rgb()[127:], "pe_sequential")


def _colormap(scale: list[tuple[int, int, int]], name: str) -> "ListedColormap":
    from matplotlib.colors import ListedColormap

    return ListedColormap([[c / 255 for c in rgb] for rgb in scale], name)


def _to_oklab(colour: str) -> tuple[float, float, float]:
    r, g, b = (_linear(int(colour[i : i + 2], 16) / 255) for i in (1, 3, 5))
    long = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)
    medium = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    short = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short,
    )


def _to_srgb(lab: tuple[float, ...]) -> tuple[int, int, int]:
    lightness, a, b = lab
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        _byte(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short),
        _byte(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short),
        _byte(-0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short),
    )


def _linear(c: float) -> float:
    return c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4


def _byte(c: float) -> int:
    encoded = 12.92 * c if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055
    return round(255 * min(max(encoded, 0.0), 1.0))
