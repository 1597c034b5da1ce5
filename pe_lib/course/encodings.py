"""What each encoding is called and how its line looks, the same in every figure, plot and table."""

from typing import TypedDict


class Encoding(TypedDict):
    """How the course shows an encoding.

    Attributes:
        name: what readers see.
        family: the colour, a key of ``palette.FAMILIES``. Relatives share it.
        dash: lengths in pixels, dashes and gaps in turn; none for a solid line. It tells relatives
            apart, and the encodings that most pictures show also where there is no colour.
    """

    name: str
    family: str
    dash: tuple[int, ...]


SOLID, DASHED, DOTTED, LONG = (), (8, 4), (2, 3), (16, 4)
DASH_DOT, DASH_DOT_DOT = (8, 3, 2, 3), (8, 3, 2, 3, 2, 3)


def _encoding(name: str, family: str, dash: tuple[int, ...]) -> Encoding:
    return {"name": name, "family": family, "dash": dash}


# Three experiments have a mixture each. They differ only in how many layers have RoPE.
_MIXTURE = _encoding("RoPE + open layer", "rotated", DASH_DOT)

# By the name that the models and the records have for it.
ENCODINGS = {
    "none": _encoding("no positions", "nowhere", DOTTED),
    "sinusoidal": _encoding("sinusoidal", "added", DASH_DOT),
    "learned": _encoding("learned table", "added", LONG),
    "sinusoidal2d": _encoding("2D sinusoidal", "added", SOLID),
    "rope": _encoding("RoPE", "rotated", SOLID),
    "xpos": _encoding("xPos", "rotated", LONG),
    "rope3none1": _MIXTURE,
    "rope2none1": _MIXTURE,
    "rope1none1": _MIXTURE,
    "rope1d": _encoding("1D RoPE", "rotated", DASH_DOT_DOT),
    "rope2d": _encoding("axial RoPE", "rotated", DASHED),
    "mixed": _encoding("mixed RoPE", "rotated", DOTTED),
    "alibi": _encoding("ALiBi", "distance", DASHED),
    "kerple": _encoding("KERPLE", "distance", DOTTED),
    "fire": _encoding("FIRE", "distance", DASH_DOT),
    "t5": _encoding("T5", "relative", DASH_DOT_DOT),
    "shaw": _encoding("Shaw", "relative", SOLID),
    "xl": _encoding("Transformer-XL", "relative", LONG),
    "cope": _encoding("CoPE", "relative", DOTTED),
}

NAMES = {kind: encoding["name"] for kind, encoding in ENCODINGS.items()}
