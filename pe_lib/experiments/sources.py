"""A text whose names have to be remembered: Python's library, with all names made up.

Most of a text follows from the few bytes before it, so a model can do without the far past. Here
each name of a module is replaced by letters drawn at random, anew in every copy: it can be known
only from where it stood before.

Origin and licence: ``python_sources.licence.txt``, beside the text.
"""

import hashlib
import json
import lzma
import random
import re
from functools import cache
from pathlib import Path
from string import ascii_lowercase

import torch
from jaxtyping import Int
from torch import Tensor

from pe_lib.common._checks import check_count

FILE = Path(__file__).with_name("python_sources.json.xz")
NAME = re.compile("[\ue000-\uf8ff]")  # U+E000 stands for the first name of a module
SHORTEST, LONGEST = 3, 8  # letters of a name that is made up

# Modules that share hardly a line with others.
VALIDATION = (  # to choose settings by
    *("configparser.py", "email/message.py", "fractions.py", "pprint.py"),
    *("selectors.py", "textwrap.py", "webbrowser.py"),
)
UNSEEN = (  # to measure on, once all is chosen
    *("calendar.py", "csv.py", "dataclasses.py", "html/parser.py", "http/client.py", "pathlib.py"),
    *("plistlib.py", "random.py", "shutil.py", "statistics.py", "tokenize.py", "unittest/case.py"),
)

Module = Int[Tensor, " tokens"]


@cache
def modules() -> dict[str, str]:
    """All modules by path, with one character in place of every name.

    Example:
        >>> len(modules()), modules()["csv.py"][:8].encode("ascii", "replace")
        (178, b'import ?')
    """
    found: dict[str, str] = json.loads(lzma.decompress(FILE.read_bytes()))
    return found


def with_names(text: str, chance: random.Random) -> str:
    """The text, each of its names made up of letters: the same name wherever it stands.

    Example:
        >>> with_names("def \\ue000(\\ue001): return \\ue001", random.Random(0))
        'def ynbiqp(zjplsg): return zjplsg'
    """
    names: dict[str, str] = {}

    def name(place: re.Match[str]) -> str:
        if place[0] not in names:
            letters = chance.randint(SHORTEST, LONGEST)
            names[place[0]] = "".join(chance.choice(ascii_lowercase) for _ in range(letters))
        return names[place[0]]

    return NAME.sub(name, text)


def training_modules(seed: int, copies: int) -> list[Module]:
    """The modules that no measurement uses, several times over, with other names each time.

    Args:
        seed: of the names.
        copies: how many times, at least 1.

    Raises:
        TypeError, ValueError: ``copies`` is not an int, or below 1.

    Example:
        >>> len(training_modules(seed=0, copies=2))
        318
    """
    check_count(copies, "copies")
    paths = sorted(modules().keys() - {*VALIDATION, *UNSEEN})
    return [_tokens(path, f"{seed} {copy}") for copy in range(copies) for path in paths]


def validation_modules() -> list[Module]:
    """Seven modules that no training sees, to choose settings by.

    Example:
        >>> sum(len(module) for module in validation_modules()) > 100_000
        True
    """
    return [_tokens(path, "validation") for path in VALIDATION]


def unseen_modules() -> list[Module]:
    """Twelve modules that neither a training nor a choice has seen, to measure on.

    Example:
        >>> sum(len(module) for module in unseen_modules()) > 200_000
        True
    """
    return [_tokens(path, "unseen") for path in UNSEEN]


def sources_hash() -> str:
    """The first digits of a SHA-256 of modules with names: with the same hash, all are the same.

    Example:
        >>> len(sources_hash())
        12
    """
    together = hashlib.sha256()
    for some in (training_modules(0, 1), validation_modules(), unseen_modules()):
        for module in some:
            together.update(bytes(module.tolist()))
    return together.hexdigest()[:12]


def _tokens(path: str, names: str) -> Module:
    """A module, one token a byte. The path and ``names`` decide which names are made up."""
    text = with_names(modules()[path], random.Random(f"{names} {path}"))
    return torch.tensor(list(text.encode()))
