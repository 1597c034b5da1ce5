"""A chapter's code, executed for its names: what a reader has after the last cell."""

import contextlib
import io
from typing import Any

import jaxtyping
import matplotlib.pyplot as plt
import torch

from book.tools import notebooks


def names_after(stem: str) -> dict[str, Any]:
    """The names of chapters/STEM.ipynb after its last cell; what it prints and draws is dropped."""
    names: dict[str, Any] = {"__name__": stem}
    cells = notebooks.code_cells(notebooks.read(notebooks.ROOT / f"chapters/{stem}.ipynb"))
    before = torch.get_default_dtype()
    jaxtyping.config.update("jaxtyping_disable", True)  # pe_lib as its readers have it
    try:
        with torch.random.fork_rng(), contextlib.redirect_stdout(io.StringIO()):
            for cell in cells:
                exec(compile(cell.source, f"{stem}:{cell.id}", "exec"), names)
                plt.close("all")
    finally:
        jaxtyping.config.update("jaxtyping_disable", False)
        torch.set_default_dtype(before)
        torch.set_printoptions(profile="default")
    return names
