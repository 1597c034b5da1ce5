"""The modules whose names are made up: still Python, and nothing but the names is by chance."""

import ast
import builtins
import io
import keyword
import random
import tokenize

import pytest

from pe_lib.experiments.sources import (
    LONGEST,
    NAME,
    SHORTEST,
    UNSEEN,
    VALIDATION,
    modules,
    sources_hash,
    training_modules,
    unseen_modules,
    validation_modules,
    with_names,
)

PYTHONS_OWN = {*keyword.kwlist, *keyword.softkwlist, *dir(builtins), "self", "cls"}


def text_of(module):
    return bytes(module.tolist()).decode()


def is_module(path, text):
    """Whether what stands between the names of a module stands in the text, in this order."""
    at = 0
    for between in NAME.split(modules()[path]):
        at = text.find(between, at) + len(between)
        if text[at - len(between) : at] != between:
            return False
    return at == len(text)


def test_every_module_is_python_and_every_name_in_it_made_up():
    for path, nameless in modules().items():
        text = with_names(nameless, random.Random(path))
        ast.parse(text)
        names = {
            token.string
            for token in tokenize.generate_tokens(io.StringIO(text).readline)
            if token.type == tokenize.NAME
        }
        made_up = names - PYTHONS_OWN
        assert len(made_up) <= len({*NAME.findall(nameless)}), path
        for name in made_up:
            assert SHORTEST <= len(name) <= LONGEST and name.isalpha() and name.islower(), path


def test_a_name_is_the_same_throughout_and_another_in_the_next_copy():
    first, second = (with_names("\ue001 \ue000 \ue001", random.Random(seed)) for seed in (1, 2))
    a, b, c = first.split()
    assert a == c != b
    assert not {a, b} & {*second.split()}


def test_copies_differ_in_their_names_alone():
    paths = sorted(modules().keys() - {*VALIDATION, *UNSEEN})
    both = training_modules(seed=0, copies=2)
    once, again = both[: len(paths)], both[len(paths) :]
    for path, one, other in zip(paths, map(text_of, once), map(text_of, again), strict=True):
        assert is_module(path, one) and is_module(path, other), path
        assert one != other, path


def test_no_module_is_in_two_of_the_three_parts():
    assert not {*VALIDATION} & {*UNSEEN}
    assert {*VALIDATION, *UNSEEN} < modules().keys()
    unseen = [text_of(module) for module in unseen_modules()]
    for path, text in zip(UNSEEN, unseen, strict=True):
        assert is_module(path, text), path
    assert len(validation_modules()) == len(VALIDATION)


def test_the_hash_is_of_the_texts(monkeypatch):
    few = {path: modules()[path] for path in ("queue.py", *VALIDATION, *UNSEEN)}
    monkeypatch.setattr("pe_lib.experiments.sources.modules", lambda: few)
    before = sources_hash()
    assert before == sources_hash()
    for path in ("queue.py", VALIDATION[0], UNSEEN[-1]):
        changed = few | {path: few[path] + "#"}
        monkeypatch.setattr("pe_lib.experiments.sources.modules", lambda changed=changed: changed)
        assert sources_hash() != before, path


def test_too_few_copies_are_refused():
    with pytest.raises(ValueError, match="copies: expected"):
        training_modules(seed=0, copies=0)
