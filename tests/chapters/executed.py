"""A chapter's code, executed for its names: what a reader has after the last cell."""

import contextlib
import io
from collections.abc import Collection, Mapping
from typing import Any

import jaxtyping
import matplotlib.pyplot as plt
import torch

from book.tools import notebooks


def names_after(
    stem: str, cells: Collection[str] | None = None, before: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The names of chapters/STEM.ipynb after its last cell; what it prints and draws is dropped.

    Args:
        stem: the notebook's name.
        cells: ids of the cells to execute, where the others would take long; by default all.
        before: names that these cells find.
    """
    names: dict[str, Any] = {"__name__": stem, **(before or {})}
    code = notebooks.code_cells(notebooks.read(notebooks.ROOT / f"chapters/{stem}.ipynb"))
    chosen = [cell for cell in code if cells is None or cell.id in cells]
    if cells is not None and len(chosen) < len(cells):
        raise ValueError(f"cells: expected ids in {stem}, got {cells}")
    dtype = torch.get_default_dtype()
    jaxtyping.config.update("jaxtyping_disable", True)  # pe_lib as its readers have it
    try:
        with torch.random.fork_rng(), contextlib.redirect_stdout(io.StringIO()):
            for cell in chosen:
                exec(compile(cell.source, f"{stem}:{cell.id}", "exec"), names)
                plt.close("all")
    finally:
        jaxtyping.config.update("jaxtyping_disable", False)
        torch.set_default_dtype(dtype)
        torch.set_printoptions(profile="default")
    return names
