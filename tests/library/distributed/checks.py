"""What runs in two processes at once: every check is a function of this register, by its name."""

from collections.abc import Callable
from functools import partial

CHECKS: dict[str, Callable[[], None]] = {}


def check(*cases: tuple[str, ...]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Enter a function among the checks, once for each of these arguments."""

    def entered(function: Callable[..., None]) -> Callable[..., None]:
        for case in cases or [()]:
            CHECKS["-".join((function.__name__, *case))] = partial(function, *case)
        return function

    return entered
