"""pytest compares a notebook's pictures, and says which shows something else than is stored."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_notebook
from PIL import Image

from book.tools import notebooks
from book.tools.notebooks import ROOT

PYTEST = [sys.executable, "-m", "pytest", "-p", "nbval.plugin", "--nbval", "--nbval-current-env"]


def test_a_picture_that_changed_is_named_and_rounding_is_not(tmp_path: Path) -> None:
    shutil.copy(ROOT / "chapters" / "conftest.py", tmp_path)
    (tmp_path / "pytest.ini").touch()
    image = Image.new("RGBA", (40, 30), "white")
    for name in ("first", "second"):
        image.save(tmp_path / f"{name}.png")
    show = "from IPython.display import Image\nImage('{}.png')".format
    cells = [new_code_cell(show(name), id=name) for name in ("first", "second")]
    nbformat.write(new_notebook(cells=cells), tmp_path / "drawing.ipynb")
    notebooks.run(tmp_path / "drawing.ipynb")

    image.putpixel((20, 10), (254, 254, 255, 255))  # as another processor might round
    image.save(tmp_path / "first.png")
    image.paste("black", (20, 10, 25, 15))
    image.save(tmp_path / "second.png")
    alone = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [*PYTEST, "--color=no", tmp_path]
    run = subprocess.run(command, cwd=ROOT, env=alone, capture_output=True, text=True)
    assert "1 failed, 1 passed" in run.stdout, run.stdout
    assert "Cell 1: it draws something else than is stored. `make notebooks`" in run.stdout
    assert "picture 1: it differs between the pixels (18, 8) and (27, 17)" in run.stdout
