"""Whether two pictures show the same.

Another processor rounds the last bits of numbers otherwise, which shades the edge of a line by less
than anybody sees, and another zlib packs the same pixels otherwise. So pictures are compared by
what they show and not by their bytes.
"""

import base64
import io
from collections.abc import Iterable
from itertools import zip_longest

from nbformat import NotebookNode
from PIL import Image, ImageChops, ImageFilter

PNG = "image/png"

# In no square of 5 x 5 pixels may a channel differ by more than 3 of 255 on the average. Numbers
# off by 1e-5 of their size make 2, and 3 is one step of a map of 256 colours. A comma in place of a
# point makes 27, a curve higher by a thousandth 12, and one coloured 16 of 255 otherwise makes 8.
REACH, MOST = 2, 3


def change(stored: str, drawn: str) -> str | None:
    """What is different in a picture drawn anew; None where it shows what the stored one shows.

    Both are PNG files in base64, as notebooks hold them.
    """
    try:
        before = pixels(stored)
    except (OSError, SyntaxError, ValueError) as error:  # what Pillow raises of a damaged file
        return f"the stored picture cannot be read ({error})"
    now = pixels(drawn)
    if before.size != now.size:
        return "it was {} x {} pixels, and is {} x {}".format(*before.size, *now.size)
    apart = ImageChops.difference(before, now).filter(ImageFilter.BoxBlur(REACH))
    too_far = apart.point(lambda level: max(level - MOST, 0)).getbbox(alpha_only=False)
    return too_far and "it differs between the pixels ({}, {}) and ({}, {})".format(*too_far)


def pixels(text: str) -> Image.Image:
    return Image.open(io.BytesIO(base64.b64decode(text))).convert("RGBA")


def changes(stored: Iterable[NotebookNode], drawn: Iterable[NotebookNode]) -> list[str]:
    """What is different in the pictures among a cell's outputs: a line for each."""
    pairs = zip_longest(pictures(stored), pictures(drawn))
    found = []
    for number, (before, now) in enumerate(pairs, start=1):
        if before is None or now is None:
            found.append(f"picture {number} is {'new' if now else 'missing'}")
        elif problem := change(before, now):
            found.append(f"picture {number}: {problem}")
    return found


def pictures(outputs: Iterable[NotebookNode]) -> list[str]:
    return [output.data[PNG] for output in outputs if PNG in output.get("data", {})]


def keep(stored: Iterable[NotebookNode], drawn: Iterable[NotebookNode]) -> None:
    """Put each stored picture back among a cell's new outputs where the new one shows the same."""
    for before, now in zip(stored, drawn, strict=False):
        one, other = (output.get("data", {}).get(PNG) for output in (before, now))
        if one and other and change(one, other) is None:
            now.data[PNG] = one
