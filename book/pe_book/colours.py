"""The palette of the pictures as CSS variables, so that pages and figures share their colours."""

from pathlib import Path

from sphinx.application import Sphinx

from pe_lib.course.palette import css_variables

NAME = "palette.css"

# Light unless dark is asked for: by the reader's switch, or by the system where no script runs.
TEMPLATE = """/* Written from pe_lib/course/palette.py when the book is built. */
html {{ color-scheme: light; {light} }}
html[data-theme="dark"] {{ color-scheme: dark; {dark} }}
@media (prefers-color-scheme: dark) {{
  html[data-theme="auto"] {{ color-scheme: dark; {dark} }}
}}
@media print {{
  html[data-theme] {{ color-scheme: light; {light} }}
}}
"""


def style_sheet() -> str:
    """Both themes' colours, each where it applies."""
    return TEMPLATE.format(light=css_variables("light"), dark=css_variables("dark"))


def write(app: Sphinx) -> None:
    """Write the style sheet before the first page, which links to it with its checksum."""
    if app.builder.format != "html":
        return
    folder = Path(app.outdir) / "_static"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / NAME).write_text(style_sheet(), encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Called by the book's extension."""
    app.add_css_file(NAME)
    app.connect("builder-inited", write)
