"""How long a notebook is: what there is to read, and how many minutes that takes.

It says the minutes itself, near its top, in a sentence that `make notebooks` keeps true:

    **About 27 minutes, plus the exercises.**
"""

import math
import re
from collections import Counter
from dataclasses import dataclass

from nbformat import NotebookNode

from book.tools.guesses import guesses_of
from book.tools.kinds import shows_code
from book.tools.prose import prose, words

WORDS_A_MINUTE = 200
SECONDS_A_LINE = 5  # of code
SECONDS_A_FIGURE = 90  # that is alive
SECONDS_AN_OUTPUT = 45  # a picture, a table, printed lines: what readers with a watch needed
SECONDS_A_GUESS = 30  # that keeps its answer back: to think, before the answer is opened

SENTENCE = re.compile(r"\*\*About (\d+) minutes(?:, plus the exercises)?\.\*\*")
HEADING = re.compile(r"(#+) (?:\d+ · )?(.*?) *$")


@dataclass(frozen=True)
class Length:
    """What is counted in a notebook. The minutes are those of all but the exercises."""

    words: int
    cells: int
    lines: int
    figures: int
    minutes: int
    has_exercises: bool

    @property
    def sentence(self) -> str:
        exercises = ", plus the exercises" if self.has_exercises else ""
        return f"**About {self.minutes} minutes{exercises}.**"


def length_of(notebook: NotebookNode) -> Length:
    """Count what a reader of the book sees with all folds closed, without empty lines of code."""
    text, exercises = Counter(), Counter()
    level = 0  # of the heading "Exercises", from there to the next of its level
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            for line in prose(cell.source).splitlines():
                if heading := HEADING.match(line):
                    if heading[2] == "Exercises":
                        level = len(heading[1])
                    elif len(heading[1]) <= level:
                        level = 0
                (exercises if level else text)["words"] += words(line)
        else:
            counted = exercises if level else text
            counted["figures" if shows_figure(cell) else "outputs"] += bool(cell.outputs)
            if shows_code(cell):
                lines = sum(bool(line.strip()) for line in cell.source.splitlines())
                counted.update(cells=1, lines=lines)
    text["guesses"] = guesses_of(notebook)["kept"]
    whole = text + exercises
    return Length(
        words=whole["words"],
        cells=whole["cells"],
        lines=whole["lines"],
        figures=whole["figures"],
        minutes=minutes(text),
        has_exercises=bool(exercises),
    )


def shows_figure(cell: NotebookNode) -> bool:
    """Whether a code cell's stored output is a live figure."""
    html = (output.get("data", {}).get("text/html", "") for output in cell.outputs)
    return any('class="pe-figure"' in text for text in html)


def minutes(counted: Counter[str]) -> int:
    """How long it takes to read so many words, lines of code and outputs, to guess, and to play
    with figures.

    >>> minutes(Counter(words=2000, lines=60, outputs=4, figures=2, guesses=4))
    22
    """
    seconds = (
        60 * counted["words"] / WORDS_A_MINUTE
        + SECONDS_A_LINE * counted["lines"]
        + SECONDS_A_FIGURE * counted["figures"]
        + SECONDS_AN_OUTPUT * counted["outputs"]
        + SECONDS_A_GUESS * counted["guesses"]
    )
    return math.ceil(seconds / 60)


def state_minutes(notebook: NotebookNode) -> None:
    """Make the notebook's sentence true; a notebook without the sentence stays as it is."""
    sentence = length_of(notebook).sentence
    for cell in notebook.cells[:3]:
        if cell.cell_type == "markdown":
            cell.source = SENTENCE.sub(sentence, cell.source, count=1)
