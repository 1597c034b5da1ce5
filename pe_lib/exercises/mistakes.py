"""To declare a mistake, write a function that makes it, under ``@exercise.mistake(see=…)``."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Mistake:
    """A classic mistake.

    Attributes:
        name: a few words, stable: it is what ``Verdict.mistake`` gives.
        wrong: the function that makes the mistake, called like the learner's.
        message: what went wrong, in the words of the chapter, without the right code.
        where: title of the chapter's section that explains it.
    """

    name: str
    wrong: Callable[..., Any]
    message: str
    where: str


class Mistakes:
    """Mistakes in the order in which they were declared. If two fit, the first one is named.

    Every exercise is such a list. A list that is not an exercise holds the mistakes in one part of
    an answer, such as the angles of a turn. An exercise can take this list, and then it says how to
    make an answer from the part.

    Attributes:
        mistakes: the mistakes that have been declared so far.

    Example:
        >>> wrong_numbers = Mistakes()
        >>> @wrong_numbers.mistake(see="Counting")
        ... def counted_from_1(n: int) -> list[int]:
        ...     "your first number is 1."
        ...     return list(range(1, n + 1))
        >>> [known] = wrong_numbers.mistakes
        >>> known.name, known.message
        ('counted from 1', 'your first number is 1.')
        >>> sums = Mistakes()
        >>> sums.take(wrong_numbers, within=lambda numbers, n: sum(numbers(n)))
        >>> sums.mistakes[0].wrong(3)
        6
    """

    def __init__(self) -> None:
        self.mistakes: list[Mistake] = []

    def mistake(self, *, see: str) -> Callable[[Function], Function]:
        """Decorator for a function that makes a mistake; the function itself is not changed.

        The name of the function, in words, names the mistake, and its docstring is the message.

        Args:
            see: title of the chapter's section that explains it.
        """

        def declared(wrong: Function) -> Function:
            name = wrong.__name__.replace("_", " ")
            message = " ".join((wrong.__doc__ or "").split())
            self.mistakes.append(Mistake(name, wrong, message, where=see))
            return wrong

        return declared

    def take(self, others: "Mistakes", within: Callable[..., Any] | None = None) -> None:
        """Add the mistakes that another list holds so far.

        Args:
            others: the other list.
            within: for a list of wrong parts, a function that gives the answer with such a part. It
                gets the part first, and then the arguments of the learner's function.
        """
        for each in others.mistakes:
            wrong = partial(within, each.wrong) if within else each.wrong
            self.mistakes.append(replace(each, wrong=wrong))
