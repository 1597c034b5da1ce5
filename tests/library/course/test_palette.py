"""The colours keep what they promise: contrast on both themes, an even diverging scale."""

import pytest

from pe_lib.course.palette import CATEGORICAL, DIVERGING, THEMES, diverging_colormap, diverging_rgb

TEXT = ("ink", "muted", "blue", "orange", "green", "purple", "error")
THEME = pytest.mark.parametrize("theme", ["light", "dark"])


def rgb(colour):
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))


def luminance(colour):
    """Relative luminance as WCAG 2 defines it."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
              for c in (byte / 255 for byte in colour)]  # fmt: skip
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    light, dark = sorted((luminance(rgb(a)), luminance(rgb(b))), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@THEME
@pytest.mark.parametrize("surface", ["surface", "raised"])
def test_text_and_lines_can_be_read(theme, surface):
    colours = THEMES[theme]
    for name in TEXT:
        assert contrast(colours[name], colours[surface]) >= 4.5, name
    assert contrast(colours["edge"], colours[surface]) >= 3


def test_both_themes_name_the_same_colours():
    assert THEMES["light"].keys() == THEMES["dark"].keys()
    assert len(set(CATEGORICAL)) == 4


@THEME
def test_the_diverging_scale_runs_evenly_between_its_ends(theme):
    scale = diverging_rgb(theme, levels=201)
    assert [scale[0], scale[100], scale[200]] == [rgb(colour) for colour in DIVERGING[theme]]
    light = [luminance(colour) for colour in scale]
    if theme == "dark":
        light = [-value for value in light]
    assert light[:101] == sorted(light[:101])
    assert light[100:] == sorted(light[100:], reverse=True)
    assert len(set(scale)) > 190


def test_matplotlib_gets_the_same_scale():
    colormap = diverging_colormap()
    assert [tuple(round(255 * c) for c in colormap(i)[:3]) for i in (0, 127, 254)] == [
        rgb(colour) for colour in DIVERGING["light"]
    ]
