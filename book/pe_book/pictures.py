"""The chapters' still pictures are small files, loaded when they come near.

Few colours need no 32 bits a pixel: the plots hold about a thousand shades, most of them the edges
of letters, and 256 of them look the same at less than half the size. What a page shows first does
not wait for the others. They say their size, so nothing moves when they come.
"""

from pathlib import Path

from PIL import Image
from sphinx.application import Sphinx


def shrink(path: Path) -> None:
    """Store a PNG with a palette of 256 colours, on white; leave it if it has one already.

    Dithering would add noise to even areas, and size.
    """
    with Image.open(path) as picture:
        if picture.mode == "P":
            return
        drawn = picture.convert("RGBA")
    on_white = Image.alpha_composite(Image.new("RGBA", drawn.size, "white"), drawn).convert("RGB")
    on_white.quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)


def shrink_all(app: Sphinx, error: Exception | None) -> None:
    """Shrink every picture of the book once it is written."""
    if error is None and app.builder.format == "html":
        for path in (Path(app.outdir) / app.builder.imagedir).glob("*.png"):
            shrink(path)


def load_when_near(app: Sphinx) -> None:
    app.env.settings["image_loading"] = "lazy"


def setup(app: Sphinx) -> None:
    """Called by the book's extension."""
    app.connect("builder-inited", load_when_near)
    app.connect("build-finished", shrink_all)
