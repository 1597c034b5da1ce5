"""The palette as the figures' scripts take it: both themes' colours, and the scale of numbers."""

from pe_lib.course.palette import FAMILIES, THEMES, diverging_rgb

PALETTE = {
    theme: {**colours, **FAMILIES[theme], "scale": diverging_rgb(theme)}
    for theme, colours in THEMES.items()
}
