"""What the cover says of the chapters: read from their notebooks, in the order of `_toc.yml`.

The directive `chapters` shows each as a card: a still of its first figure, the question that it
answers, its minutes, and links to the pages nested under it. Appendices have smaller cards, below.
It holds the questions:

```{chapters}
06 How does a model read on past everything it was trained on?
```

The directive `door` is one larger card, which leads to a notebook by what it holds:

```{door} chapters/04_rope_by_hand.ipynb
[RoPE in 15 minutes](chapters/04_rope_by_hand.ipynb)

It needs none of the chapters before.
```

The role `hours` is how long the chapters take without all that is for later: {hours}`chapters`
becomes “five hours”. The role `minutes` adds up those of some: {minutes}`00 01` becomes “41”, and
{minutes}`all` is the sum of them all.
"""

import html
import re
from dataclasses import dataclass
from pathlib import Path

import nbformat
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective, SphinxRole

from book.tools.length import SENTENCE
from pe_lib import figures

from .figures import PLACE, still_name

CHAPTER = re.compile(r"chapters/(\d\d|[A-Z])_")
WORDS = "no one two three four five six seven eight nine ten eleven twelve thirteen fourteen"


@dataclass(frozen=True)
class Chapter:
    """A chapter as the cover shows it; `nested` are the files of the pages under it.

    Its first live figure, if it has one, is given as its class's name and its inputs as JSON text.
    """

    file: str
    number: str
    title: str
    minutes: int
    nested: tuple[str, ...] = ()
    figure: tuple[str, str] | None = None

    @property
    def in_appendix(self) -> bool:
        return self.number.isalpha()

    def text(self, asks: str) -> str:
        """What stands on its card, as Markdown, with the question that it answers."""
        links = [f"[{self.name_of(page)}]({page})" for page in self.nested]
        foot = " · ".join([f"{self.minutes} minutes", *links])
        return "\n\n".join([f"[{self.number} · {self.title}]({self.file})", asks, foot])

    def name_of(self, page: str) -> str:
        """What a nested page's file adds to the chapter's.

        03_learned_deeper is "deeper", 03_learned_long_tables_deeper would be "long tables".
        """
        added = Path(page).stem.removeprefix(f"{Path(self.file).stem}_")
        return added.removesuffix("_deeper").replace("_", " ")


def chapter_of(root: Path, file: str, *nested: str) -> Chapter:
    """What a notebook says of itself: its heading, and its minutes in one of the next two cells.

    Where the cover shall say more than the heading does, the first cell's metadata has it as
    `cover`. Raises ExtensionError where the minutes are missing.
    """
    cells = nbformat.read(root / file, as_version=4).cells
    title, *others = cells[:3]
    text = "\n".join(cell.source for cell in others)
    minutes = SENTENCE.search(text)
    if minutes is None:
        raise ExtensionError(f"{file} must say how long it takes, as in “**About 30 minutes.**”")
    number = Path(file).name.partition("_")[0]
    heading = re.sub(rf"^# (?:{number} · )?", "", title.source.splitlines()[0])
    return Chapter(
        file=file,
        number=number,
        title=title.metadata.get("cover", heading),
        minutes=int(minutes[1]),
        nested=nested,
        figure=first_figure(cells),
    )


def first_figure(cells: list[nbformat.NotebookNode]) -> tuple[str, str] | None:
    """The first live figure among stored outputs: its class's name, and its inputs as JSON text."""
    outputs = (output for cell in cells for output in cell.get("outputs", []))
    shown = "".join(output.get("data", {}).get("text/html", "") for output in outputs)
    place = PLACE.search(shown)
    return place and (place[1], html.unescape(place[2]))


def picture(module: str, inputs: str, to_root: str) -> str:
    """The small still of a figure as HTML: one for the light mode and one for the dark."""
    alt = html.escape(f"A still of its figure: {getattr(figures, module).question}")
    images = (
        f'<img class="only-{mode}" src="{to_root}_static/stills/{mode}/'
        f'{still_name(module, inputs)}" alt="{alt}" loading="lazy">'
        for mode in ("light", "dark")
    )
    return f'<div class="pe-card-picture">{"".join(images)}</div>'


def chapters(environment: BuildEnvironment) -> list[Chapter]:
    """The chapters of the book; the present page is built anew when one of them changes.

    They are the notebooks whose names begin with two digits, or with a letter for an appendix.
    """
    contents = environment.external_site_map
    found = []
    for page in contents.root.child_files():
        if CHAPTER.match(page) and Path(environment.srcdir, f"{page}.ipynb").exists():
            file, *nested = (f"{name}.ipynb" for name in (page, *contents[page].child_files()))
            environment.note_dependency(file)
            found.append(chapter_of(Path(environment.srcdir), file, *nested))
    return found


def questions(found: list[Chapter], lines: list[str]) -> dict[str, str]:
    """The questions by the numbers of their chapters, a line each.

    Raises ExtensionError where a question is of no chapter.
    """
    asks = dict(line.split(maxsplit=1) for line in lines)
    if unknown := asks.keys() - {chapter.number for chapter in found}:
        raise ExtensionError(f"chapters: there is no chapter {min(unknown)}")
    return asks


def hours(minutes: int) -> str:
    """A duration in words, to the next half hour.

    >>> hours(327)
    'five and a half hours'
    """
    whole, half = divmod(round(minutes / 30), 2)
    return f"{WORDS.split()[whole]}{' and a half' if half else ''} hours"


def minutes_of(text: str, known: dict[str, int]) -> int:
    """The minutes of the chapters whose numbers a text holds, or of all.

    >>> minutes_of("00 03", {"00": 20, "01": 7, "03": 25})
    45
    """
    wanted = known if text == "all" else text.split()
    if unknown := [number for number in wanted if number not in known]:
        raise ExtensionError(f"minutes: there is no chapter {unknown[0]}")
    return sum(known[number] for number in wanted)


class Card(SphinxDirective):
    """A directive that shows chapters, or other notebooks, as cards."""

    def card(self, figure: tuple[str, str] | None, text: str) -> nodes.list_item:
        drawn = []
        if figure:
            still = picture(*figure, "../" * self.env.docname.count("/"))
            drawn = [nodes.raw("", still, format="html")]
        return nodes.list_item("", *drawn, *self.parse_text_to_nodes(text))

    def cards(self, cards: list[nodes.list_item], *classes: str) -> nodes.bullet_list:
        return nodes.bullet_list("", *cards, classes=["pe-cards", *classes])


class Chapters(Card):
    has_content = True

    def run(self) -> list[nodes.Node]:
        found = chapters(self.env)
        asks = questions(found, list(self.content))
        kinds: dict[bool, list[nodes.list_item]] = {False: [], True: []}
        for chapter in found:
            text = chapter.text(asks.get(chapter.number, ""))
            kinds[chapter.in_appendix].append(self.card(chapter.figure, text))
        return [self.cards(kinds[False]), self.cards(kinds[True], "pe-appendices")]


class Door(Card):
    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency(self.arguments[0])
        notebook = nbformat.read(Path(self.env.srcdir, self.arguments[0]), as_version=4)
        card = self.card(first_figure(notebook.cells), "\n".join(self.content))
        return [self.cards([card], "pe-door")]


class Hours(SphinxRole):
    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        ready = (chapter for chapter in chapters(self.env) if not chapter.in_appendix)
        return [nodes.Text(hours(sum(chapter.minutes for chapter in ready)))], []


class Minutes(SphinxRole):
    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        known = self.env.temp_data.get("pe_minutes")  # read once a page
        if known is None:
            known = self.env.temp_data["pe_minutes"] = {
                chapter.number: chapter.minutes
                for chapter in chapters(self.env)
                if not chapter.in_appendix
            }
        return [nodes.Text(str(minutes_of(self.text, known)))], []


def setup(app: Sphinx) -> None:
    """Called by the book's extension."""
    app.add_directive("chapters", Chapters)
    app.add_directive("door", Door)
    app.add_role("hours", Hours())
    app.add_role("minutes", Minutes())
