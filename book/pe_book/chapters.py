"""What the cover says of the chapters: read from their notebooks, in the order of `_toc.yml`.

The directive `chapters` is the table of them all. It holds the rows of those that are planned; such
a row goes once there is a chapter with its number:

```{chapters}
| 06 Longer context | 75 | planned |
```

The role `hours` is how long the core of all chapters takes: {hours}`core` becomes “five hours”.
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

HEAD = ["| chapter | minutes | state |", "|---|--:|---|"]
LENGTH = re.compile(r"\*\*About (\d+) minutes\b.*\*core\* \((\d+) minutes in all\)")
WORDS = "no one two three four five six seven eight nine ten eleven twelve thirteen fourteen"


@dataclass(frozen=True)
class Chapter:
    """A chapter as the cover shows it, with the minutes of all its sections and of its core."""

    number: str
    title: str
    minutes: int
    core: int


def chapter_of(path: Path) -> Chapter:
    """What a notebook says of itself: its heading, and its length in one of the next two cells.

    Where the cover shall say more than the heading does, the first cell's metadata has it as
    `cover`. Raises ExtensionError where the length is missing.
    """
    title, *others = nbformat.read(path, as_version=4).cells[:3]
    length = LENGTH.search("\n".join(cell.source for cell in others))
    if length is None:
        wanted = "“**About 30 minutes** … *core* (25 minutes in all)”"
        raise ExtensionError(f"{path.name} must say how long it takes, as in {wanted}")
    heading = title.source.splitlines()[0].removeprefix("# ")
    return Chapter(
        number=path.name.partition("_")[0],
        title=title.metadata.get("cover", heading),
        minutes=int(length[1]),
        core=int(length[2]),
    )


def chapters(environment: BuildEnvironment) -> dict[str, Chapter]:
    """The chapters by the name of their file; the present page is built anew when one changes."""
    pages = environment.external_site_map.root.child_files()
    files = [f"{page}.ipynb" for page in pages if page.startswith("chapters/")]
    for file in files:
        environment.note_dependency(file)
    return {file: chapter_of(Path(environment.srcdir, file)) for file in files}


def table(ready: dict[str, Chapter], planned: list[str]) -> str:
    """The table as Markdown, from the chapters by file and the rows of those that are planned."""
    rows = [
        f"| **[{chapter.number} {chapter.title}]({file})** | **{chapter.minutes}** | **ready** |"
        for file, chapter in ready.items()
    ]
    taken = tuple(f"| {chapter.number} " for chapter in ready.values())
    rows += [row for row in planned if not row.startswith(taken)]
    return "\n".join([*HEAD, *rows])


def hours(minutes: int) -> str:
    """A duration in words, to the next half hour.

    >>> hours(327)
    'five and a half hours'
    """
    whole, half = divmod(round(minutes / 30), 2)
    return f"{WORDS.split()[whole]}{' and a half' if half else ''} hours"


class Chapters(SphinxDirective):
    has_content = True

    def run(self) -> list[nodes.Node]:
        return self.parse_text_to_nodes(table(chapters(self.env), list(self.content)))


class Hours(SphinxRole):
    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        minutes = sum(chapter.core for chapter in chapters(self.env).values())
        return [nodes.Text(hours(minutes))], []


def setup(app: Sphinx) -> None:
    """Called by the book's extension."""
    app.add_directive("chapters", Chapters)
    app.add_role("hours", Hours())
