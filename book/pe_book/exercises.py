"""Exercises that are answered on the page, where `check.NAME(your_function)` has no kernel.

Above the cell with the check, the page asks for what the reader's function prints for some inputs.
exercises.js compares it with what the right answer and the classic mistakes print, which is
recorded here when the book is built. Where scripts do not run, only the cell is there.
"""

import html
import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from book.tools.on_page import Number, OnPage, Printed, on_page
from pe_lib.exercises import Exercise, check

from . import write_static

HERE = Path(__file__).parent
SCRIPT, STYLE = "pe-exercises.js", "pe-exercises.css"
CHECK = re.compile(r"^check\.(\w+)\(\w+\)$")
# Digits of the largest number that are recorded: a tenth of what the page takes for the same.
DIGITS = 5

BEFORE = """<div class="pe-exercise" data-exercise='{data}'>
<div class="pe-ask" hidden>
<p>To check it here, run your function on these inputs, wherever you have torch:</p>
"""
BETWEEN = """<label for="pe-paste-{name}">Then paste what it printed{typed}:</label>
<textarea id="pe-paste-{name}" rows="{rows}" spellcheck="false" autocomplete="off"></textarea>
<button type="button">Check</button>
<div class="pe-verdict" role="status"></div>
</div>
<details open><summary>In a notebook</summary>
"""
AFTER = "</details>\n</div>\n"


def data(exercise: Exercise, asked: OnPage, address: Callable[[str], str]) -> dict[str, Any]:
    """What the page's script gets of an exercise.

    Args:
        exercise: the exercise.
        asked: what its page asks.
        address: of the section with this title.
    """
    return {
        "function": exercise.reference.__name__,
        "whole": exercise.whole_numbers,
        "right": recorded(asked.right),
        "mistakes": [
            {
                "message": mistake.message,
                "section": mistake.where,
                "link": address(mistake.where),
                **recorded(printed),
            }
            for mistake, printed in zip(exercise.mistakes, asked.wrong, strict=True)
        ],
    }


def recorded(printed: Printed) -> dict[str, Any]:
    if printed.error:
        return {"error": printed.error}
    return {"numbers": rounded(printed.numbers), "shapes": printed.shapes}


def rounded(numbers: tuple[Number, ...]) -> list[Number]:
    """As many digits as tell them from others, counted from the first of the largest number."""
    largest = max([1.0, *(abs(one) for one in numbers if not isinstance(one, str))])
    decimals = DIGITS - math.floor(math.log10(largest))
    found = [one if isinstance(one, str) else round(one, decimals) + 0.0 for one in numbers]
    return [int(one) if isinstance(one, float) and one.is_integer() else one for one in found]


def ask(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Put what the page asks around every cell with a check."""
    if app.builder.format != "html":
        return
    here = {name for section in doctree.findall(nodes.section) for name in section["ids"]}
    # The names of a chapter's deeper pages begin with its own.
    chapter = min((name for name in app.env.found_docs if page.startswith(name)), key=len)
    spine = app.builder.get_relative_uri(page, chapter)

    def address(title: str) -> str:
        anchor = nodes.make_id(re.sub(r"\$[^$]*\$|[*`]", "", title))
        return f"#{anchor}" if anchor in here else f"{spine}#{anchor}"

    for cell in [*doctree.findall(nodes.container)]:
        code = next(cell.findall(nodes.literal_block), None)
        if cell.get("nb_element") == "cell_code" and code and (asks := CHECK.match(code.astext())):
            exercise = getattr(check, asks[1])
            asked = on_page(exercise)
            before, between, after = places(exercise, asked, address)
            inputs = nodes.literal_block(asked.code, asked.code, language="python")
            index = cell.parent.index(cell)
            cell.parent[index : index + 1] = [before, inputs, between, cell, after]


def places(exercise: Exercise, asked: OnPage, address: Callable[[str], str]) -> list[nodes.raw]:
    """The HTML before the inputs, between them and the cell, and after the cell."""
    found = json.dumps(data(exercise, asked, address), separators=(",", ":"))
    attribute = html.escape(found, quote=False).replace("'", "&#39;")
    typed = ", or type the number" if asked.right.shapes == ((),) else ""
    rows = min(6, max(2, len(asked.right.numbers)))
    parts = [
        BEFORE.format(data=attribute),
        BETWEEN.format(name=exercise.name, typed=typed, rows=rows),
        AFTER,
    ]
    return [nodes.raw("", part, format="html") for part in parts]


def script() -> str:
    """The page's script: recognise.js and exercises.js as one."""
    parts = [(HERE / name).read_text("utf-8") for name in ("recognise.js", "exercises.js")]
    joined = re.sub(r"^(export |import .*\n)", "", "".join(parts), flags=re.MULTILINE)
    return f"{{\n{joined}}}\n"


def write_assets(app: Sphinx) -> None:
    write_static(app, {SCRIPT: script(), STYLE: (HERE / "exercises.css").read_text("utf-8")})


def prepare_page(
    app: Sphinx, page: str, template: str, context: dict, doctree: nodes.document | None
) -> None:
    """Add script and style to a page with exercises."""
    if 'class="pe-exercise"' in context.get("body", ""):
        app.add_js_file(SCRIPT, loading_method="defer")
        app.add_css_file(STYLE)


def setup(app: Sphinx) -> None:
    """Called by the book's extension."""
    app.connect("builder-inited", write_assets)
    app.connect("doctree-resolved", ask)
    app.connect("html-page-context", prepare_page)
