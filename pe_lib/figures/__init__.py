"""Live figures: alive with a kernel (pe_lib computes) and without one (the page computes).

A figure is a class ``NameOfIt`` in ``CHAPTER/name_of_it.py``, found by being there, with the
script ``name_of_it.js`` beside it. What the scripts share is in ``page/``.
"""

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from pe_lib.figures.base import Figure

MODULES = {
    module.name.title().replace("_", ""): f"{__name__}.{chapter.name}.{module.name}"
    for chapter in iter_modules(__path__)
    if chapter.ispkg
    for module in iter_modules([str(Path(__path__[0], chapter.name))])
}

__all__ = ["Figure", *sorted(MODULES)]


def __getattr__(name: str) -> type[Figure]:
    """The figure of this name, imported when it is first asked for."""
    if name not in MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    figure: type[Figure] = getattr(import_module(MODULES[name]), name)
    return figure


def __dir__() -> list[str]:
    return __all__
