"""What readers paste under an exercise is recognised: by the page's script, in plain Node."""

import json
import shutil
import subprocess
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
import torch

from book.pe_book import exercises
from pe_lib.exercises import check
from tests.exercises_support import page_of, printed
from tests.helpers import cannot_run

pytestmark = pytest.mark.usefixtures("without_shape_checks")
HERE = Path(__file__).parent
SCRIPT = Path(exercises.__file__).with_name("recognise.js")
# One call that gives four numbers, and a mistake for everything that can go wrong.
TABLE = {
    "whole": False,
    "right": {"numbers": [0, 1, 0.84147, 0.5403], "shapes": [[2, 2]]},
    "mistakes": [
        {"message": "swapped", "numbers": [1, 0, 0.5403, 0.84147], "shapes": [[2, 2]]},
        {"message": "one row", "numbers": [0, 1, 0.84147, 0.5403], "shapes": [[1, 4]]},
        {"message": "nearly", "numbers": [0, 1, 0.84147, 0.5435], "shapes": [[2, 2]]},
        {"message": "nothing", "numbers": ["nan", "inf", "-inf", "None"], "shapes": [[2, 2]]},
        {"message": "no axis", "error": "IndexError: no such axis"},
    ],
}
# Two calls that give a number each; a mistake that they don't show, and two that are alike.
COUNTS = {
    "whole": True,
    "right": {"numbers": [3, 12], "shapes": [[], []]},
    "mistakes": [
        {"message": "unseen", "numbers": [3, 12], "shapes": [[], []]},
        {"message": "one less", "numbers": [2, 11], "shapes": [[], []]},
        {"message": "without the first", "numbers": [2, 11], "shapes": [[], []]},
    ],
}
PRINTS = [
    "tensor([[0.0000, 1.0000],\n        [0.8415, 0.5403]], dtype=torch.float64)",
    "tensor([[0.0000, 1.0000],\n        [0.8415, 0.5403]], grad_fn=<CatBackward0>)",
    "tensor([[0., 1.], [0.8415, 0.5403]], device='cuda:0', requires_grad=True)",
    "tensor([[0.0000e+00, 1.0000e+00],\n        [8.4147e-01, 5.4030e-01]])",
    "Parameter containing:\ntensor([[0.0000, 1.0000],\n        [0.8415, 0.5403]])",
    "[[0.0, 1.0], [0.8414709848078965, 0.5403023058681398]]",
    "((0, 1), (0.841, 0.540))",
    "[[0.         1.        ]\n [0.84147098 0.54030231]]",
    "array([[0.        , 1.        ],\n       [0.84147098, 0.54030231]], dtype=float32)",
    "[[np.float64(0.0), np.float64(1.0)], [np.float64(0.8415), np.float64(0.5403)]]",
    "[tensor([0., 1.]), tensor([0.8415, 0.5403])]",
    "0 1\n.8415 .5403",
    "0, True, 0.8415, 0.5403",
    "−0.0 1 0.8415 0.5403",
]


@pytest.fixture(scope="module")
def recognised() -> Callable[[list[tuple[str, dict]]], list[dict]]:
    """What the script finds in many texts, each with the exercise that it was pasted for."""
    node = shutil.which("node")
    if node is None:
        cannot_run("Node is not installed (on Debian and Ubuntu: apt install nodejs)")
    program = (HERE / "recognise_in_node.js").read_text("utf-8")

    def found(pairs: list[tuple[str, dict]]) -> list[dict]:
        asked = json.dumps({"source": SCRIPT.read_text("utf-8"), "pairs": pairs})
        command = [node, "--input-type=module", "--eval", program]
        run = subprocess.run(command, input=asked, capture_output=True, text=True, check=True)
        return json.loads(run.stdout)

    return found


# --- every exercise -----------------------------------------------------------------------------


def in_style(style: Callable, function: Callable) -> Callable:
    """The function with its result as readers may print it."""
    return lambda *args, **kwargs: style(function(*args, **kwargs))


def answers_to(name: str) -> ModuleType:
    """The answers of learners with which the exercise is tested."""
    chapter = getattr(check, name).reference.__module__.split(".")[-2]
    return import_module(f"tests.exercises.answers.{chapter}.{name}")


def as_it_is(result: object) -> object:
    return result


def as_dense(result: object) -> object:
    return result.to_dense() if isinstance(result, torch.Tensor) else result


def as_list(result: object) -> object:
    return result.tolist() if isinstance(result, torch.Tensor) else result


def with_four_digits(result: object) -> str:
    result = as_list(result)
    if isinstance(result, list):
        return f"[{', '.join(map(with_four_digits, result))}]"
    return f"{result:.4g}" if isinstance(result, float) else str(result)


def test_every_right_answer_is_recognised_however_it_is_printed(recognised) -> None:
    asked = [
        (name, style.__name__, (printed(asked_of.code, data["function"], styled), data))
        for name in dir(check)
        for asked_of, data in [page_of(name)]
        for style in (as_it_is, as_list, with_four_digits)
        for styled in [in_style(style, getattr(check, name).reference)]
    ]
    found = recognised([pair for *_, pair in asked])
    kinds = {(name, style): one["kind"] for (name, style, _), one in zip(asked, found, strict=True)}
    assert kinds == dict.fromkeys(kinds, "right")


def test_every_right_answer_of_learners_is_recognised(recognised) -> None:
    asked = [
        (name, function.__name__, (printed(asked_of.code, data["function"], dense), data))
        for name in dir(check)
        for asked_of, data in [page_of(name)]
        for function in answers_to(name).RIGHT
        for dense in [in_style(as_dense, function)]
    ]
    found = recognised([pair for *_, pair in asked])
    missed = [
        (name, own, finding["kind"], text)
        for (name, own, (text, _)), finding in zip(asked, found, strict=True)
        if finding["kind"] != "right"
    ]
    assert missed == []


def test_every_mistake_that_is_told_apart_is_recognised(recognised) -> None:
    asked = [
        (name, mistake, (printed(asked_of.code, data["function"], mistake.wrong), data))
        for name in dir(check)
        for asked_of, data in [page_of(name)]
        for mistake, apart in zip(getattr(check, name).mistakes, asked_of.told_apart, strict=True)
        if apart
    ]
    found = recognised([pair for *_, pair in asked])
    named = [
        (name, [other["message"] for other in one.get("mistakes", [])])
        for (name, *_), one in zip(asked, found, strict=True)
    ]
    assert named == [(name, [mistake.message]) for name, mistake, _ in asked]


@pytest.mark.parametrize("name", dir(check))
def test_most_mistakes_of_every_exercise_are_told_apart(name) -> None:
    """And those that are not, from the right answer: its page can say that much."""
    asked, _ = page_of(name)
    unnoticed = [wrong for wrong in asked.wrong if not wrong.differs(asked.right)]
    assert sum(asked.told_apart) >= 0.7 * len(asked.wrong)
    assert len(unnoticed) <= 0.15 * len(asked.wrong)


# --- what readers paste -------------------------------------------------------------------------


def test_a_right_answer_in_any_print(recognised) -> None:
    found = recognised([(text, TABLE) for text in PRINTS])
    assert [(text, one["kind"]) for text, one in zip(PRINTS, found, strict=True)] == [
        (text, "right") for text in PRINTS
    ]


def test_a_mistake_is_told_by_numbers_by_shape_and_by_what_it_raises(recognised) -> None:
    texts = {
        "[[1.0, 0.0], [0.5403, 0.8415]]": "swapped",
        "tensor([[0.0000, 1.0000, 0.8415, 0.5403]])": "one row",
        "tensor([[0.0000, 1.0000],\n        [0.8415, 0.5435]])": "nearly",
        "tensor([[nan, inf], [-inf, None]])": "nothing",
        'Traceback (most recent call last):\n  File "a.py"\nIndexError: no such axis': "no axis",
    }
    found = recognised([(text, TABLE) for text in texts])
    named = [[mistake["message"] for mistake in one["mistakes"]] for one in found]
    assert named == [[message] for message in texts.values()]


def test_what_is_neither_right_nor_a_mistake(recognised) -> None:
    texts = {
        "tensor([0.0000, 1.0000, 0.8415, 0.5403])": ("shape", {"shape": [4], "wanted": [2, 2]}),
        "[[0, 1], [0.8415, 0.5403], [0]]": ("count", {"count": 5, "wanted": 4}),
        "[[0, 1], [0.8415], [0.5403]]": ("shape", {"shape": None, "wanted": [2, 2]}),
        "0 1 0.8 0.5": ("digits", {}),
        "0 1 0.84 0.54": ("digits", {}),
        "[[0, 1], [0.8415, 0.777]]": ("unknown", {"agreeing": 3, "count": 4, "at": 3}),
        "[[nan, 1], [0.8415, 0.5403]]": ("unknown", {"agreeing": 3, "at": 0, "number": "nan"}),
        "ValueError: not this one\n": ("error", {"error": "ValueError: not this one"}),
    }
    found = recognised([(text, TABLE) for text in texts])
    for text, one, (kind, holds) in zip(texts, found, texts.values(), strict=True):
        assert (text, one["kind"], one | holds) == (text, kind, one)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "Paste what"),
        (" \n ", "Paste what"),
        ("my result", "no numbers"),
        ("dtype=torch.float64", "no numbers"),
        ("<function my_table at 0x7f3c5e>", "the function itself"),
        ("tensor([[0., 1., ..., 2.]])", "shortened"),
        ("[1, 2, … 3]", "shortened"),
        ("tensor([0.5403+0.8415j, 1.+0.j])", "complex"),
        ("tensor(indices=tensor([[0], [4]]), size=(5, 5), layout=torch.sparse_coo)", "sparse"),
        ("0., 1.]])", "without its ["),
        ("tensor([[0., 1.]", "without its ]"),
    ],
)
def test_a_text_that_no_function_prints(text, problem, recognised) -> None:
    [found] = recognised([(text, TABLE)])
    assert found["kind"] == "unreadable"
    assert problem in found["problem"]


def test_several_calls_and_mistakes_that_these_inputs_do_not_tell_apart(recognised) -> None:
    texts = [
        "3\n12",
        "tensor(3)\ntensor(12)",
        "[3, 12]",
        "tensor([3, 12])",
        "3 11",
        "2\n11",
        "3.0\n12.0",
    ]
    kinds = ["right", "right", "right", "right", "unknown", "mistake", "whole"]
    found = recognised([(text, COUNTS) for text in texts])
    assert [one["kind"] for one in found] == kinds
    assert [mistake["message"] for mistake in found[0]["alike"]] == ["unseen"]
    assert [one["message"] for one in found[5]["mistakes"]] == ["one less", "without the first"]
