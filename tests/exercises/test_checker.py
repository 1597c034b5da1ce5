"""The engine of the exercises, on exercises small enough to see through."""

import numpy
import pytest
import torch

from pe_lib.exercises import Exercise, Verdict, call
from pe_lib.exercises.mistakes import Mistake

DOUBLE = Exercise(call(torch.tensor([1.25, 6.25, 9.0])), call(torch.tensor([3.5]), plus=0.75))
COUNT = Exercise(call(1), call(2))


@DOUBLE.answer
def my_double(values, plus=0):
    return values * 2 + plus


@DOUBLE.mistake(see="Doubling")
def squared(values, plus=0):
    """that is
    the square."""
    return values**2


@DOUBLE.mistake(see="Axes")
def no_such_axis(values, plus=0):
    """a vector has one axis."""
    return values.sum(dim=3)


@COUNT.answer
def my_count(n):
    return n + 0.5


@COUNT.mistake(see="Halves")
def whole(n):
    """a half is missing."""
    return n


def test_an_exercise_is_called_as_its_module_and_shows_what_to_write():
    assert repr(DOUBLE) == "check.test_checker: checks your my_double(values, plus=0)"


def exercise(answer, *calls, **options):
    """An exercise without mistakes."""
    made = Exercise(*calls, **options)
    made.answer(answer)
    return made


def shown(function, exercise=DOUBLE):
    """What a learner reads under the cell."""
    verdict = exercise(function)
    assert isinstance(verdict, Verdict)
    assert not verdict.passed
    assert not verdict
    return repr(verdict)


@pytest.mark.parametrize(
    "function",
    [
        lambda values, plus=0: values * 2 + plus,
        lambda values, plus=0: values.double() * 2 + plus,
        lambda values, plus=0: values.numpy() * 2 + plus,
        lambda values, plus=0: numpy.flip(numpy.flip(values.numpy() * 2.0)) + plus,
        lambda values, plus=0: torch.nn.Parameter(values * 2 + plus),
        lambda values, plus=0: values * 2.00001 + plus,
    ],
    ids=["torch", "float64", "numpy", "numpy view", "needs grad", "rounded"],
)
def test_right_in_any_style(function):
    verdict = DOUBLE(function)
    assert verdict.passed
    assert verdict
    assert verdict.mistake is None
    assert repr(verdict) == "Right: my_double passes all 2 hidden calls."


@pytest.mark.parametrize("kind", [float, torch.tensor, numpy.float32, numpy.float64, numpy.array])
def test_right_numbers_of_any_kind(kind):
    assert COUNT(lambda n: kind(n + 0.5)).passed


def test_the_learners_name_is_used():
    def twice(values, plus=0):
        return values * 2 + plus

    assert repr(DOUBLE(twice)) == "Right: twice passes all 2 hidden calls."


def test_a_catalogued_mistake_is_named_and_placed():
    verdict = DOUBLE(lambda values, plus=0: values.numpy().astype("float64") ** 2)
    assert verdict.mistake == "squared"
    assert repr(verdict) == "Not yet: that is the square.\nRead again: “Doubling”."


def test_a_mistake_in_half_precision_is_named_too():
    assert DOUBLE(lambda values, plus=0: (values**2).bfloat16()).mistake == "squared"


def test_a_mistake_that_raises_is_named_too():
    assert DOUBLE(lambda values, plus=0: values.mean().sum() + values.sum(dim=3)).mistake == (
        "no such axis"
    )


def test_a_mistake_that_finds_nothing_on_some_calls_is_named_too():
    count = exercise(lambda n: n + 1, call(1), call(2))

    @count.mistake(see="Small numbers")
    def small(n):
        """2 is lost."""
        return None if n == 2 else n

    assert count(lambda n: n if n < 2 else None).mistake == "small"
    assert count(lambda n: n).mistake is None
    assert count(lambda n: None).mistake is None


def test_another_exception_of_the_same_type_is_another_mistake():
    verdict = DOUBLE(lambda values, plus=0: values.sum(dim=2))
    assert verdict.mistake is None
    assert "raised IndexError" in repr(verdict)


def test_a_mistake_on_some_calls_only_is_not_named():
    verdict = DOUBLE(lambda values, plus=0: values**2 + plus)
    assert verdict.mistake is None


def test_not_written_yet():
    def my_double(values, plus=0):
        raise NotImplementedError

    assert shown(my_double) == (
        "Not yet: my_double(values) with values of shape (3,) is not written yet."
    )
    for stub in (None, ...):
        assert shown(lambda n, stub=stub: stub, COUNT) == (
            f"Not yet: my_count(1) gave back {'None' if stub is None else '...'}.\n"
            "If you have written your code, does it end with a `return`?"
        )


def test_exception_with_its_call_and_line():
    def my_count(n):
        return n / 0

    assert shown(my_count, COUNT) == (
        "Not yet: my_count(1) raised ZeroDivisionError: division by zero\n"
        "It happened at: return n / 0"
    )


def test_exception_where_only_the_second_call_fails():
    message = shown(lambda n: [1.5][n - 1], COUNT)
    assert message.startswith("Not yet: my_count(2) raised IndexError: list index out of range\n")


def test_exception_texts_are_stable():
    def my_count(n):
        lines = [f"odd {object()!r}", "and more"]
        raise ValueError("\n".join(lines))

    assert shown(my_count, COUNT) == (
        "Not yet: my_count(1) raised ValueError: odd <object object at 0x…>\n"
        'It happened at: raise ValueError("\\n".join(lines))'
    )

    def my_silent(n):
        raise ValueError

    assert shown(my_silent, COUNT).startswith("Not yet: my_silent(1) raised ValueError.\n")


def test_not_implemented_with_a_text_is_an_exception_like_others():
    def my_count(n):
        raise NotImplementedError("no kernel for this dtype")

    assert "raised NotImplementedError: no kernel for this dtype" in shown(my_count, COUNT)


def test_wrong_parameters():
    message = shown(lambda: 1, COUNT)
    assert "raised TypeError: " in message
    assert message.endswith("The exercise asks for my_count(n).")


def test_code_without_a_source_line():
    names = {}
    exec("def my_count(n):\n    return n / 0", names)
    assert shown(names["my_count"], COUNT) == (
        "Not yet: my_count(1) raised ZeroDivisionError: division by zero"
    )


@pytest.mark.parametrize(
    ("gives", "says"),
    [
        ([2.0], "gave back a list, expected a tensor (or a NumPy array)."),
        ("text", "gave back a str, expected a tensor (or a NumPy array)."),
        (numpy.array(["a"]), "gave back an ndarray, expected a tensor (or a NumPy array)."),
        (2.0, "gave back shape (), expected shape (3,)."),
        (torch.zeros(1, 3), "gave back shape (1, 3), expected shape (3,)."),
        (torch.zeros(3, dtype=torch.int64), "gave back dtype int64, expected float32 or float64."),
        (torch.zeros(3, dtype=torch.bfloat16), "gave back dtype bfloat16, expected float32"),
        (torch.zeros(3, dtype=torch.complex64), "gave back dtype complex64, expected float32"),
        (numpy.zeros(3, dtype="float16"), "gave back dtype float16, expected float32 or float64."),
        (torch.zeros(2) + 0j, "float64, with real and imaginary part as two numbers."),
    ],
    ids=lambda value: type(value).__name__,
)
def test_wrong_type_shape_and_dtype(gives, says):
    assert says in " ".join(shown(lambda values, plus=0: gives).split())


@pytest.mark.parametrize(
    ("gives", "says"),
    [
        ([1.5], "gave back a list, expected one number."),
        (True, "gave back a bool, expected one number."),
        (torch.tensor(True), "gave back a bool, expected one number."),
        (1.5 + 0j, "gave back a complex, expected one number."),
        (torch.ones(1), "gave back shape (1,), expected one number, shape ()."),
    ],
    ids=lambda value: type(value).__name__,
)
def test_wrong_kind_of_number(gives, says):
    assert shown(lambda n: gives, COUNT) == f"Not yet: my_count(1) {says}"


def my_rows(n):
    return torch.arange(n)


def test_whole_numbers_where_whole_numbers_are_right():
    rows = exercise(my_rows, call(2))
    assert rows(torch.arange).passed
    assert rows(lambda n: torch.arange(n) * 1.0).passed
    assert shown(lambda n: torch.arange(n).half(), rows) == (
        "Not yet: my_rows(2) gave back dtype float16, expected int64."
    )
    assert shown(lambda n: torch.arange(n) + 1, rows) == (
        "Not yet: my_rows(2) is not right.\n"
        "First at [0]: yours is 1.\n"
        "0 of 1 hidden calls are right."
    )


def test_floats_are_refused_where_whole_numbers_are_asked_for():
    rows = exercise(my_rows, call(2), whole_numbers=True)
    assert rows(torch.arange).passed
    assert rows(lambda n: numpy.arange(n)).passed
    verdict = rows(lambda n: torch.arange(n) * 1.0)
    assert verdict.mistake == "floats for whole numbers"
    assert " ".join(repr(verdict).split()) == (
        "Not yet: the numbers are right, but my_rows(2) gave back dtype float32. The exercise "
        "asks for whole numbers (int64)."
    )
    assert rows(lambda n: torch.arange(n) + 0.5).mistake is None


THIRDS = Exercise(call(torch.tensor([1.0, 4.0], dtype=torch.bfloat16)), call(torch.tensor([2.0])))


@THIRDS.answer
def my_thirds(values):
    return values / 3


@THIRDS.mistake(see="Thirds")
def halves(values):
    """these are halves."""
    return values / 2


def test_half_precision_where_it_is_right():
    assert THIRDS(lambda values: values / 3).passed
    assert THIRDS(lambda values: (values.double() / 3).to(values.dtype)).passed
    assert THIRDS(lambda values: values.float() / 2).mistake == "halves"
    assert "gave back dtype float32, expected bfloat16." in " ".join(
        shown(lambda values: values.float() / 3, THIRDS).split()
    )


def test_half_precision_forgives_what_it_rounds_and_no_more():
    """A hundredth of the largest number, which is 1.33 here, and nothing of the kind in float32."""

    def off(by):
        return lambda values: values / 3 + by * (values.dtype == torch.bfloat16)

    assert THIRDS(off(0.008)).passed
    assert shown(off(0.03), THIRDS).endswith("1 of 2 hidden calls are right.")
    assert not THIRDS(lambda values: values / 3 + 0.008).passed


def test_integers_are_no_fault_where_the_right_floats_are_whole():
    def my_halves(n):
        return torch.arange(n) / 2

    halves = exercise(my_halves, call(1), call(2))
    says = "Not yet: my_halves(1) is not right.\nFirst at [0]: yours is 7.\n"
    assert shown(lambda n: torch.full((n,), 7), halves).startswith(says)
    assert shown(lambda n: torch.arange(n) // 2, halves) == (
        "Not yet: my_halves(2) gave back dtype int64, expected float32 or float64."
    )


EVEN = Exercise(call(1), call(2), call(4))


@EVEN.answer
def my_even(n):
    return n % 2 == 0


@EVEN.mistake(see="Halves")
def odd(n):
    """these are odd."""
    return n % 2 == 1


@pytest.mark.parametrize("kind", [bool, numpy.bool_, torch.tensor, numpy.array])
def test_a_truth_value_of_any_kind(kind):
    assert EVEN(lambda n: kind(n % 2 == 0)).passed
    assert EVEN(lambda n: kind(n % 2 == 1)).mistake == "odd"
    assert shown(lambda n: kind(n == 2), EVEN) == (
        "Not yet: my_even(4) is not right: yours is False.\n2 of 3 hidden calls are right."
    )


@pytest.mark.parametrize("gives", [1, 0.0, "yes", torch.tensor([False]), numpy.zeros(2, bool)])
def test_neither_true_nor_false(gives):
    says = "Not yet: my_even(1) gave back neither True nor False."
    assert shown(lambda n: gives, EVEN) == says


def test_first_difference_shows_the_learners_value_only():
    message = shown(lambda values, plus=0: torch.tensor([2.5, 6.5, 18.0])[: len(values)])
    assert message == (
        "Not yet: my_double(values) with values of shape (3,) is not right.\n"
        "First at [1]: yours is 6.5.\n"
        "0 of 2 hidden calls are right."
    )
    assert "12.5" not in message


def test_right_for_some_calls_only():
    message = shown(lambda n: 1.5 if n == 1 else 7, COUNT)
    assert (
        message == "Not yet: my_count(2) is not right: yours is 7.\n1 of 2 hidden calls are right."
    )


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_nan_and_infinity_are_not_right(value):
    assert f"yours is {value}." in shown(lambda n: value, COUNT)


def test_keyword_arguments_are_shown_as_typed():
    message = shown(lambda values, plus=0: values * 2)
    assert "my_double(values, plus=0.75) with values of shape (1,)" in message


def test_functions_are_shown_by_their_name():
    def my_next(f, n):
        return f(n) + 1

    after = exercise(my_next, call(lambda n: n, 2))
    assert shown(lambda f, n: f(n), after).startswith("Not yet: my_next(f, 2) is not right")


def test_changed_in_place():
    def my_double(values, plus=0):
        values *= 2
        values += plus
        return values

    verdict = DOUBLE(my_double)
    assert not verdict.passed
    assert verdict.mistake == "changed in place"
    assert "my_double(values) with values of shape (3,) changed" in verdict.message
    assert DOUBLE(lambda values, plus=0: values * 2 + plus).passed, "the inputs were spoilt"


def test_a_result_that_changes_later_counts_as_it_was():
    kept = torch.zeros(())

    def my_count(n):
        return kept.fill_(n + 0.5)

    assert COUNT(my_count).passed


@pytest.mark.parametrize("value", [3, torch.zeros(2), None])
def test_not_a_function(value):
    says = r"check\.test_checker: expected your function itself.*check\.test_checker\(my_count\)"
    with pytest.raises(TypeError, match=says):
        COUNT(value)


def test_notebooks_show_the_message():
    from IPython.lib.pretty import pretty

    verdict = COUNT(lambda n: n)
    assert pretty(verdict) == repr(verdict) == "Not yet: a half is missing.\nRead again: “Halves”."


def test_long_messages_fit_the_page():
    long = exercise(lambda n: n, call(1))
    long.mistakes.append(Mistake("zero", lambda n: 0, "word " * 90, "Words"))
    assert max(map(len, shown(lambda n: 0, long).splitlines())) <= 80
