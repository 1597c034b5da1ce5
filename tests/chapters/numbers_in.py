"""Find the numbers in a chapter: in its prose, in its code and in its outputs.

Numbers are compared by value, without their sign: 1,000 and 1e3 are the same number, and "falls by
0.25" stands for an output of -0.25. A number is not rounded to be found: 3.14 is not 3.1416.
"""

import re
from decimal import Decimal

from nbformat import NotebookNode

from book.tools.prose import FENCED_CODE, MARKUP

SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
SUPERSCRIPT_RUN = re.compile("[⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")

# What is not prose, or is no number that an output could give.
NOT_PROSE = [
    FENCED_CODE,
    *MARKUP,
    re.compile(r"https?://\S+|doi:\S+", re.IGNORECASE),
    re.compile(r"arxiv:? ?\d{4}\.\d{4,5}(v\d+)?", re.IGNORECASE),
    re.compile(r"\bpp?\. ?\d+(?:\s?[-–]\s?\d+)?"),
    re.compile(r"#[0-9a-fA-F]+"),  # issue numbers and colours
    re.compile(r"(?<![\d.])\d+(?:\.\d+){2,}"),  # versions
]

THOUSANDS = re.compile(r"(?<=\d)(?:,|\{,\}|\\,|\\;|[\u00a0\u2009\u202f_])(?=\d{3}(?!\d))")
TIMES = r"(?:×|x|\*|\\times|\\cdot|·)"
NUMBER = re.compile(
    r"(?<![\w.])(?P<digits>\d+(?:\.\d+)?|\.\d+)"
    rf"(?:[eE](?P<e>[+-]?\d+)\b|\s*{TIMES}\s*10\s*(?:\^|\*\*)\s*\{{?(?P<power>[-−]?\d+)\}}?)?"
)


def numbers(text: str) -> list[str]:
    """The numbers of a text, each in plain digits (1000, 0.25) or with an exponent (2.5e-4)."""
    text = SUPERSCRIPT_RUN.sub(lambda run: "^" + run[0].translate(SUPERSCRIPTS), text)
    text = THOUSANDS.sub("", text)
    text = re.sub(r"(?<=\d)[x×](?=\d)(?!10\^)", " ", text)  # sizes: 64x128
    found = []
    for match in NUMBER.finditer(text):
        exponent = (match["e"] or match["power"] or "").replace("−", "-")
        found.append(match["digits"] + (f"e{int(exponent)}" if exponent else ""))
    return found


def significant_digits(number: str) -> int:
    """512 has 3, 0.025 has 2, 1.00 has 3. Zeros that end a whole number do not count: 200 has 1."""
    digits = number.split("e")[0]
    if "." not in digits:
        digits = digits.rstrip("0")
    return len(digits.replace(".", "").lstrip("0"))


def is_year(number: str) -> bool:
    """True for 1950 to 2035, but for the round 2000, which is more often something else."""
    return number.isdigit() and 1950 <= int(number) <= 2035 and number != "2000"


def claims(prose: str) -> list[str]:
    """The numbers of a markdown text that have to stand in an output: see the course's rules."""
    for pattern in NOT_PROSE:
        prose = pattern.sub(" ", prose)
    return [
        number
        for number in numbers(prose)
        if significant_digits(number) >= 3 and not is_year(number)
    ]


def values(text: str) -> set[Decimal]:
    return {Decimal(number) for number in numbers(text)}


def output_text(cell: NotebookNode) -> str:
    """All that a code cell's outputs say in words; HTML without its tags."""
    texts = []
    for output in cell.get("outputs", []):
        texts.append(output.get("text", ""))
        for kind, text in output.get("data", {}).items():
            if kind.startswith("text/"):
                texts.append(re.sub(r"<[^>]*>", " ", text) if kind == "text/html" else text)
    return "\n".join(texts)


def code_text(notebook: NotebookNode) -> str:
    """The chapter's code: its code cells, and the fenced code of its prose."""
    texts = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            texts.append(cell.source)
        else:
            texts.extend(match[0] for match in FENCED_CODE.finditer(cell.source))
    return "\n".join(texts)


def unfounded(notebook: NotebookNode) -> list[str]:
    """The claims that no output of the chapter makes good, each with the cell that holds it."""
    shown = "\n".join(output_text(cell) for cell in notebook.cells)
    founded = values(shown) | values(code_text(notebook))
    return [
        f"{cell.id}: {claim}"
        for cell in notebook.cells
        if cell.cell_type == "markdown"
        for claim in claims(cell.source)
        if Decimal(claim) not in founded
    ]
