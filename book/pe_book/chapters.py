"""What the cover says of the chapters: read from their notebooks, in the order of `_toc.yml`.

The directive `chapters` is the table of them all, each with links to the pages nested under it. It
holds the questions that they answer:

```{chapters}
06 How does a model read on past everything it was trained on?
```

The role `hours` is how long the chapters take without all that is for later: {hours}`chapters`
becomes “five hours”. The role `minutes` adds up those of some: {minutes}`00 01` becomes “41”, and
{minutes}`all` is the sum of them all.
"""

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

NUMBERED = re.compile(r"chapters/(?:\d\d|[A-Z])_")
HEAD = ["| chapter | minutes |", "|---|--:|"]
WORDS = "no one two three four five six seven eight nine ten eleven twelve thirteen fourteen"


@dataclass(frozen=True)
class Chapter:
    """A chapter as the cover shows it; `nested` are the files of the pages under it."""

    file: str
    number: str
    title: str
    minutes: int
    nested: tuple[str, ...] = ()

    @property
    def in_appendix(self) -> bool:
        return self.number.isalpha()

    def row(self, asks: str) -> str:
        """Its row of the table, with the question that it answers."""
        links = [f"**[{self.number} {self.title}]({self.file})**"]
        links += [f"[{self.name_of(page)}]({page})" for page in self.nested]
        return f"| {' · '.join(links)}{asks and f'<br>{asks}'} | {self.minutes} |"

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
    title, *others = nbformat.read(root / file, as_version=4).cells[:3]
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
    )


def chapters(environment: BuildEnvironment) -> list[Chapter]:
    """The chapters of the book; the present page is built anew when one of them changes.

    A page without a number is not in their table.
    """
    contents = environment.external_site_map
    found = []
    for page in contents.root.child_files():
        if NUMBERED.match(page):
            file, *nested = (f"{name}.ipynb" for name in (page, *contents[page].child_files()))
            environment.note_dependency(file)
            found.append(chapter_of(Path(environment.srcdir), file, *nested))
    return found


def table(found: list[Chapter], lines: list[str]) -> str:
    """The table as Markdown; the lines are chapters' numbers with their questions.

    Raises ExtensionError where a question is of no chapter.
    """
    asks = dict(line.split(maxsplit=1) for line in lines)
    if unknown := asks.keys() - {chapter.number for chapter in found}:
        raise ExtensionError(f"chapters: there is no chapter {min(unknown)}")
    return "\n".join([*HEAD, *(chapter.row(asks.get(chapter.number, "")) for chapter in found)])


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


class Chapters(SphinxDirective):
    has_content = True

    def run(self) -> list[nodes.Node]:
        return self.parse_text_to_nodes(table(chapters(self.env), list(self.content)))


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
    app.add_role("hours", Hours())
    app.add_role("minutes", Minutes())
