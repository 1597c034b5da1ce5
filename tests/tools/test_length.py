"""What is counted in a notebook, on small ones whose length is known."""

import nbformat
import pytest
from nbformat import NotebookNode

from book.tools.budgets import FURTHER, HEAD, SPINE, Budget, budget_of, row
from book.tools.length import Length, length_of, state_minutes
from book.tools.prose import prose, words

FIGURE = nbformat.v4.new_output("display_data", {"text/html": '<div class="pe-figure"></div>'})
PICTURE = nbformat.v4.new_output("display_data", {"text/html": '<img class="still">'})


def notebook(*cells: NotebookNode) -> NotebookNode:
    return nbformat.v4.new_notebook(cells=cells)


def text(markdown: str) -> NotebookNode:
    return nbformat.v4.new_markdown_cell(markdown)


def code(source: str, *outputs: NotebookNode, kind: str = "idea") -> NotebookNode:
    return nbformat.v4.new_code_cell(source, outputs=list(outputs), metadata={"tags": [kind]})


@pytest.mark.parametrize(
    ("markdown", "count"),
    [
        ("## 3 · The idea, *in* one picture", 8),
        ("- one\n- **two**\n\n> three – four", 8),
        ("| one | two |\n|---|--:|\n| 3 | `x = 4` |", 13),
        (r"so $R_m^\top R_n = R_{n-m}$ holds", 2),
        ("so\n\n$$\na + b = c\n$$\n\nholds", 2),
        ("for $i<d/2$ many, and for $x>3$ few", 5),
        ("one[^1]\n\n[^1]: a note\n\n[paper]: https://example.org", 4),
        ("so\n\n```python\n# one two\nx = 3\n```\n\nholds", 2),
        ("see [the paper](https://example.org/a_(b)) and <https://example.org>", 4),
        ('so <b class="pe-key">it</b> is<br>\n<!-- not to be seen -->', 3),
        ("<details><summary>What comes to mind first</summary>\n\none two\n\n</details>", 7),
        ("a <details><summary>Answer</summary>\n\none two\n\n</details> b", 2),
        ("a\n\n<details>\n<summary>The answers</summary>\n\none\n\n</details>\n\nb", 2),
        ("<details><summary>Solution</summary>\n\none\n\n</details>\n\n## Next", 2),
        ("<details><summary><b>Solution</b></summary>\n\none\n\n</details> two", 1),
    ],
)
def test_words_of_a_text(markdown: str, count: int) -> None:
    assert words(prose(markdown)) == count


def test_a_text_after_an_answer_is_counted_up_to_the_next() -> None:
    answer = "<details><summary>Answer</summary>\n\nyes\n\n</details>"
    other = "<details><summary>A counterexample</summary>\n\n1 2\n\n</details>"
    assert words(prose(f"one {answer} two {other} three {answer}")) == 7


def test_what_readers_of_the_book_see_is_counted() -> None:
    length = length_of(
        notebook(
            text("# One two"),
            code("import sys\n" * 9, kind="setup"),
            code("print(x)\n" * 9, kind="plumbing"),
            code("x = 1\n\n\ny = 2", PICTURE),
            code("Figure()", FIGURE, kind="figure"),
        )
    )
    # Two words and a number, two lines, a figure, and a picture: 131 seconds.
    assert length == Length(words=3, cells=1, lines=2, figures=1, minutes=3, has_exercises=False)


def test_exercises_take_no_minutes_but_are_counted() -> None:
    """They begin and end at a heading of the same level, wherever in a cell it stands."""
    start = text("word " * 200 + "\n\n## 11 · Exercises\n\nTwo words")
    end = text("### 1 · Exercise\n\none\n\n## 12 · Summary\n\n" + "word " * 200)
    inside, outside = code("x\n" * 11, PICTURE), code("y\n" * 11)
    figure = code("F()", FIGURE, kind="figure")
    length = length_of(notebook(start, inside, figure, end, outside))
    # Outside there are 402 words, which take 120.6 seconds, and 11 lines: 55 seconds.
    assert length == Length(words=415, cells=2, lines=22, figures=1, minutes=3, has_exercises=True)


@pytest.mark.parametrize(
    ("before", "heading", "after"),
    [
        ("**About 99 minutes.** And so on.", "## Other", "**About 2 minutes.** And so on."),
        ("**About 9 minutes.**", "## Exercises", "**About 2 minutes, plus the exercises.**"),
        ("**About 9 minutes, plus the exercises.**", "## Other", "**About 2 minutes.**"),
    ],
)
def test_the_sentence_is_written_where_it_stands(before: str, heading: str, after: str) -> None:
    written = notebook(text("# Title"), text(before), code("x\n" * 15), text(heading))
    for _ in range(2):
        state_minutes(written)
        assert written.cells[1].source == after


def test_a_sentence_further_down_is_not_the_notebooks_own() -> None:
    cells = [text("# Title"), text(""), text(""), text("**About 9 minutes.**")]
    written = notebook(*cells)
    state_minutes(written)
    assert written.cells[3].source == "**About 9 minutes.**"


@pytest.mark.parametrize(
    ("stem", "budget"), [("02_name", SPINE), ("02_name_deeper", FURTHER), ("C_name", FURTHER)]
)
def test_a_notebook_s_name_says_what_it_may_have(stem: str, budget: Budget) -> None:
    assert budget_of(stem) == budget


@pytest.mark.parametrize(
    ("words", "cells", "allowed"), [(9, 3, True), (10, 3, False), (9, 4, False)]
)
def test_a_budget_is_kept_in_words_and_in_cells(words: int, cells: int, allowed: bool) -> None:
    length = Length(words, cells, lines=0, figures=0, minutes=0, has_exercises=False)
    assert Budget(words=9, cells=3).allows(length) == allowed


def test_the_table_shows_what_there_is_beside_what_may_be() -> None:
    length = Length(words=2700, cells=30, lines=150, figures=2, minutes=27, has_exercises=True)
    spine = row("02_name", length, 25.94).split("  ")
    assert [text.strip() for text in spine if text][1:] == [
        *("2700 of 2600", "30 of 24", "25.9 of 21", "150", "2", "27")
    ]
    deeper = row("02_name_deeper", length, None)
    assert " ".join(deeper.split()) == "02_name_deeper 2700 of 3500 30 of 36 – 150 2 27"
    assert len(deeper) == len(HEAD)


def test_a_guess_takes_half_a_minute() -> None:
    def answer() -> NotebookNode:
        return nbformat.v4.new_markdown_cell("This.", metadata={"tags": ["answer"]})

    asked = [text(f"# One\n\n{'word ' * 199}"), text("Which?")]
    guessed = [answer(), text("And which?"), answer()]
    assert length_of(notebook(*asked)).minutes == 2
    assert length_of(notebook(*asked, *guessed)).minutes == 3
