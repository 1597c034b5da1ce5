"""The glossary: every word once and in order, with its Korean, its meanings and its section."""

import re
from dataclasses import dataclass
from itertools import pairwise

from tests.chapters.anchors import anchor, anchors, links, text_of

PAGE = "glossary.md"
ENTRIES, _, INDEX = text_of(PAGE).partition("\n## Korean index\n")
ENTRY = re.compile(r"^### (.+)\n\n(.+)\n\n((?:.+\n)+)\n((?:.+\n)+)", re.MULTILINE)
# The search finds a word with a `!` first, before texts in which it occurs.
KOREAN = re.compile(r"\*\*\{index\}`!?([^`]+)`\*\*")
MAIN = re.compile(r"\{index\}`!([^`]+)`")
# The consonants with which a syllable may begin, double ones with the single ones.
INITIALS = "ㄱㄱㄴㄷㄷㄹㅁㅂㅂㅅㅅㅇㅈㅈㅊㅋㅌㅍㅎ"
SYLLABLES = range(0xAC00, 0xD7A4)
HANGUL = re.compile("[가-힣]")


@dataclass(frozen=True)
class Entry:
    """A word with the line under it (Korean, symbol, section) and its meaning in both languages."""

    english: str
    about: str
    meaning: str
    in_korean: str

    @property
    def korean(self) -> list[str]:
        return KOREAN.findall(self.about)


FOUND = [Entry(*parts) for parts in ENTRY.findall(ENTRIES)]


def letters(word: str) -> str:
    """What a word is sorted by: its letters and digits."""
    return re.sub(r"[^a-z0-9]", "", word.casefold())


def group(korean: str) -> str:
    """Where a word stands in the Korean index: its first consonant."""
    first = ord(korean[0])
    return INITIALS[(first - SYLLABLES[0]) // 588] if first in SYLLABLES else "0–9, A–Z"


def test_every_heading_begins_an_entry() -> None:
    assert len(FOUND) == ENTRIES.count("\n### ") > 100


def test_words_are_sorted_and_stand_once() -> None:
    assert all(a < b for a, b in pairwise(letters(entry.english) for entry in FOUND))
    korean = [word for entry in FOUND for word in entry.korean]
    assert len(set(korean)) == len(korean)


def test_a_letter_stands_before_its_words() -> None:
    sections = re.split(r"^## (.+)$", ENTRIES, flags=re.MULTILINE)
    assert len(sections) > 20
    for letter, section in zip(sections[1::2], sections[2::2], strict=True):
        words = re.findall(r"^### (.+)$", section, re.MULTILINE)
        assert {word[0].upper() for word in words} == {letter}


def test_an_entry_has_its_korean_its_meaning_and_its_section() -> None:
    for entry in FOUND:
        assert entry.korean
        assert entry.meaning.rstrip().endswith((".", ".)"))
        assert not HANGUL.search(entry.meaning)
        assert entry.in_korean.rstrip().endswith(("다.", "다.)"))
        ((name, page, section),) = links(entry.about, PAGE)
        assert section, "names no section"
        assert name.startswith(f"chapter {page.partition('_')[0]}")
        assert ("deeper" in name) == ("_deeper" in page)


def test_the_number_of_the_section_is_right() -> None:
    for entry in FOUND:
        ((name, page, section),) = links(entry.about, PAGE)
        number = None
        for level, counted, heading in re.findall(
            r"^(##+) (?:(\d+) · )?(.+)$", text_of(page), re.MULTILINE
        ):
            number = counted if level == "##" else number
            if anchor(heading) == section:
                break
        assert name.rpartition(" ")[2] == number


def test_the_search_finds_korean_words_first() -> None:
    main = {word for entry in FOUND for word in MAIN.findall(entry.about)}
    assert main >= {word for entry in FOUND for word in entry.korean if HANGUL.search(word)}


def test_an_entry_has_an_anchor() -> None:
    for entry in FOUND:
        assert anchor(entry.english) in anchors(PAGE)


def test_some_anchors_that_others_link_to() -> None:
    words = "kv-cache head-dim half-split-layout m-rope yarn causal-mask inverse-frequency"
    assert set(words.split()) <= anchors(PAGE)


def test_the_korean_index_holds_every_korean_word_in_order() -> None:
    expected: dict[str, list[tuple[str, str]]] = {}
    for entry in FOUND:
        for word in entry.korean:
            expected.setdefault(group(word), []).append((word, anchor(entry.english)))
    lines = dict(re.findall(r"^- \*\*(.+?)\*\* (.+)$", INDEX, re.MULTILINE))
    assert list(lines) == sorted(expected, key=lambda name: (not name.isalpha(), name))
    for name, line in lines.items():
        words = [(word, target) for word, _, target in links(line, PAGE)]
        assert words == sorted(expected[name], key=lambda pair: pair[0].casefold())
