"""The prose of a chapter's text: its Markdown without code, formulas, tags and the like."""

import re

FENCED_CODE = re.compile(r"^(```|~~~).*?^\1", re.DOTALL | re.MULTILINE)
FORMULA = re.compile(r"\$\$.*?\$\$|\$[^$\n]+\$", re.DOTALL)
# A worked solution, or the answer to a question, which a reader opens or not
SOLUTION = re.compile(
    r"<details>\s*<summary>(?:(?!</summary>).)*\b(?:solution|answer).*?</details>",
    re.DOTALL | re.IGNORECASE,
)
MARKUP = [
    re.compile(r"<!--.*?-->", re.DOTALL),
    re.compile(r"</?[a-zA-Z][^>]*>"),  # an HTML tag, or an address in angle brackets
    re.compile(r"&#?\w+;"),
    re.compile(r"(?<=\])\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?: \"[^\"]*\")?\)"),  # a link's target
    re.compile(r"^\[[^\]^][^\]]*\]: .*$", re.MULTILINE),
]


def prose(markdown: str) -> str:
    """What there is to read, line by line; solutions and answers to questions are left out."""
    for pattern in (SOLUTION, FENCED_CODE, FORMULA, *MARKUP):  # a formula may hold a "<"
        markdown = pattern.sub(" ", markdown)
    return markdown


def words(text: str) -> int:
    """How many words there are: all that stands between blanks, marks such as "·" and "|" too.

    >>> words("- **Two** words · `x = 1`")
    7
    """
    return len(text.split())
