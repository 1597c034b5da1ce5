"""What a page asks in an exercise, and what functions print for it."""

import io
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import cache

from book.pe_book import exercises
from book.tools.on_page import OnPage, on_page
from pe_lib.exercises import check


@cache
def page_of(name: str) -> tuple[OnPage, dict]:
    """An exercise as its page asks it, and what the page's script gets."""
    exercise = getattr(check, name)
    asked = on_page(exercise)
    return asked, exercises.data(exercise, asked, lambda title: f"#{title}")


def printed(code: str, name: str, function: Callable) -> str:
    """What the page's code prints with this function, or the end of the traceback."""
    said = io.StringIO()
    try:
        with redirect_stdout(said):
            exec(code, {name: function})
    except Exception as error:
        return f"Traceback (most recent call last):\n  File …\n{type(error).__name__}: {error}"
    return said.getvalue()
