"""`make notebooks` and the check before the book is built, on small notebooks, good and bad."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from PIL import Image

from book.tools import notebooks

WIDGET = """\
import ipywidgets

class Figure(ipywidgets.IntSlider):
    def _repr_mimebundle_(self, **options):
        bundle = super()._repr_mimebundle_(**options)
        return {**bundle, "text/plain": "Figure()", "text/html": "<div></div>"}

Figure()"""


def write_notebook(path: Path, **sources: str) -> None:
    """A notebook with a set-up cell and one code cell for each keyword."""
    cells = [
        nbformat.v4.new_markdown_cell("# Title", id="title"),
        nbformat.v4.new_code_cell("import sys", id="setup", metadata={"tags": ["setup"]}),
        *(nbformat.v4.new_code_cell(source, id=name) for name, source in sources.items()),
    ]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)


@pytest.fixture(scope="session")
def executed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("notebook") / "small.ipynb"
    write_notebook(
        path,
        value="x = 20",
        printed="print(x + 1)\nimport sys\nprint(x + 2)",
        widget=WIDGET,
        folder="import os\nos.path.exists('small.ipynb')",
    )
    notebooks.run(path)
    return path


@pytest.fixture
def chapter(executed: Path, tmp_path: Path) -> Path:
    """An executed chapter to do harm to."""
    path = tmp_path / executed.name
    path.write_bytes(executed.read_bytes())
    return path


def change(path: Path, harm: Callable[[dict[str, NotebookNode]], object]) -> list[str]:
    """Do something to the cells of a notebook; gives what the check then finds."""
    notebook = notebooks.read(path)
    harm({cell.id: cell for cell in notebook.cells})
    nbformat.write(notebook, path)
    return notebooks.check(path)


def test_an_executed_chapter_is_accepted(chapter: Path) -> None:
    assert notebooks.check(chapter) == []
    assert notebooks.text_of(notebooks.read(chapter)) == chapter.read_text()


def test_executing_twice_gives_the_same_bytes(chapter: Path) -> None:
    before = chapter.read_bytes()
    notebooks.run(chapter)
    assert chapter.read_bytes() == before


def test_a_picture_is_stored_anew_only_where_it_shows_something_else(tmp_path: Path) -> None:
    path = tmp_path / "drawing.ipynb"
    image = Image.new("RGBA", (40, 30), "white")
    image.save(tmp_path / "drawn.png")
    write_notebook(path, drawing="from IPython.display import Image\nImage('drawn.png')")
    notebooks.run(path)
    first = path.read_bytes()
    image.putpixel((20, 10), (254, 254, 255, 255))  # as another processor might round
    image.save(tmp_path / "drawn.png")
    notebooks.run(path)
    assert path.read_bytes() == first
    image.paste("black", (20, 10, 25, 15))
    image.save(tmp_path / "drawn.png")
    notebooks.run(path)
    assert path.read_bytes() != first
    assert notebooks.check(path) == []


def test_what_differs_from_run_to_run_is_not_stored(chapter: Path) -> None:
    text = chapter.read_text()
    for word in ("widget-view", "model_id", "iopub", 'version":', "widget-state"):
        assert word not in text
    cells = {cell.id: cell for cell in notebooks.read(chapter).cells}
    assert cells["printed"].outputs[0].text == "21\n22\n"
    assert cells["widget"].outputs[0].data == {"text/plain": "Figure()", "text/html": "<div></div>"}
    assert cells["folder"].outputs[0].data["text/plain"] == "True", "not in the chapter's folder"
    assert [cell.execution_count for cell in notebooks.code_cells(notebooks.read(chapter))] == [
        *range(1, 6)
    ]


def test_changed_code_makes_its_outputs_and_all_below_stale(chapter: Path) -> None:
    problems = change(chapter, lambda cells: cells["printed"].update(source="print(x)"))
    assert [problem.split(": ")[1].split(" has")[0] for problem in problems] == [
        "code cell 3 (printed)",
        "code cell 4 (widget)",
        "code cell 5 (folder)",
    ]
    assert "has stale outputs" in problems[0]
    assert "`make notebooks`" in problems[0]
    assert str(chapter) in problems[0]


def test_a_cell_in_the_middle_that_was_never_executed_is_named(chapter: Path) -> None:
    problems = change(chapter, lambda cells: cells["printed"].metadata.pop("executed"))
    assert len(problems) == 1
    assert "code cell 3 (printed) was never executed" in problems[0]


def test_an_error_among_the_outputs_is_named(chapter: Path) -> None:
    error = nbformat.v4.new_output("error", ename="KeyError", evalue="'x'", traceback=[])
    (problem,) = change(chapter, lambda cells: cells["value"].outputs.append(error))
    assert "code cell 2 (value) holds an error: KeyError: 'x'" in problem


def test_a_warning_among_the_outputs_is_named(chapter: Path) -> None:
    warning = nbformat.v4.new_output("stream", name="stderr", text="UserWarning: x")
    (problem,) = change(chapter, lambda cells: cells["value"].outputs.append(warning))
    assert "code cell 2 (value) holds a warning: UserWarning: x" in problem


def test_a_chapter_stripped_of_its_outputs_is_refused(chapter: Path) -> None:
    def strip(cells: dict[str, NotebookNode]) -> None:
        for cell in cells.values():
            if cell.cell_type == "code":
                cell.outputs = []

    problems = change(chapter, strip)
    assert [problem.split("(")[1].split(")")[0] for problem in problems] == [
        "printed",
        "widget",
        "folder",
    ]
    assert "had its outputs removed" in problems[0]


def test_an_output_changed_by_hand_is_refused(chapter: Path) -> None:
    (problem,) = change(chapter, lambda cells: cells["printed"].outputs[0].update(text="23\n"))
    assert "(printed) had its outputs changed" in problem


def test_a_cell_executed_out_of_order_is_refused(chapter: Path) -> None:
    (problem,) = change(chapter, lambda cells: cells["value"].update(execution_count=7))
    assert "(value) was executed as number 7, out of order" in problem


def test_an_empty_cell_is_refused(chapter: Path) -> None:
    problems = change(chapter, lambda cells: cells["value"].update(source=" "))
    assert "(value) is empty. Delete it." in problems[0]


def test_the_set_up_cell_may_change_but_not_speak(chapter: Path) -> None:
    assert change(chapter, lambda cells: cells["setup"].update(source="import os")) == []
    said = nbformat.v4.new_output("stream", name="stdout", text="Installed.")
    (problem,) = change(chapter, lambda cells: cells["setup"].outputs.append(said))
    assert "(setup) is the set-up cell and must not have outputs" in problem


@pytest.mark.parametrize(
    ("source", "message"),
    [("x = {}\nx['key']", "KeyError: 'key'"), ("import os\nos._exit(1)", "Kernel died")],
)
def test_a_failing_cell_is_named_and_the_file_kept(
    tmp_path: Path, source: str, message: str
) -> None:
    path = tmp_path / "failing.ipynb"
    write_notebook(path, good="1 + 1", bad=source, after="2 + 2")
    before = path.read_bytes()
    with pytest.raises(RuntimeError, match=r"failing.ipynb: code cell 3 \(bad\) fails") as failure:
        notebooks.run(path)
    assert message in str(failure.value)
    assert path.read_bytes() == before


def test_a_cell_without_end_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notebooks, "SECONDS_PER_CELL", 1)
    path = tmp_path / "endless.ipynb"
    write_notebook(path, endless="while True: pass")
    with pytest.raises(RuntimeError, match=r"code cell 2 \(endless\) fails"):
        notebooks.run(path)


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A course of two chapters, the first of which uses the library; gives its folder."""
    for name in ("chapters", "pe_lib"):
        (tmp_path / name).mkdir()
    (tmp_path / "requirements.txt").write_text("torch==2.13.0\nnbformat==5.11.1\n")
    (tmp_path / "pe_lib" / "__init__.py").write_text("from pe_lib.tables import table\n")
    (tmp_path / "pe_lib" / "tables.py").write_text("def table(): return 1\n")
    (tmp_path / "pe_lib" / "biases.py").write_text("")
    # Looked at, not executed: the pe_lib that a kernel finds is the real one.
    code = "def later():\n    import nbformat\n    import pe_lib\n    return pe_lib.table()"
    write_notebook(tmp_path / "chapters" / "01_one.ipynb", cell="1 + 1", uses=code)
    write_notebook(tmp_path / "chapters" / "02_two.ipynb", cell="1 + 1")
    monkeypatch.setattr(notebooks, "ROOT", tmp_path)
    return tmp_path


def test_only_what_changed_is_executed(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def executed_now() -> list[str]:
        notebooks.run_changed()
        lines = capsys.readouterr().out.splitlines()
        return [line.strip().split(":")[0] for line in lines if "executed " in f"{line} "]

    one, two = "chapters/01_one.ipynb", "chapters/02_two.ipynb"
    assert executed_now() == [one, two]
    assert executed_now() == []
    change(course / two, lambda cells: cells["title"].update(source="# Another title"))
    assert executed_now() == []
    change(course / two, lambda cells: cells["cell"].update(source="1 + 2"))
    assert executed_now() == [two]
    change(course / one, lambda cells: cells["cell"].update(outputs=[]))
    assert executed_now() == [one]
    (course / "pe_lib" / "biases.py").write_text("x = 1\n")
    assert executed_now() == []
    (course / "pe_lib" / "tables.py").write_text("def table(): return 2\n")
    assert [problem.split(": what it uses")[0] for problem in notebooks.check_all()] == [one]
    assert executed_now() == [one]
    (course / "requirements.txt").write_text("torch==2.14.0\nnbformat==5.11.1\n")
    assert executed_now() == []
    (course / "requirements.txt").write_text("torch==2.14.0\nnbformat==5.12.0\n")
    assert executed_now() == [one]
    assert notebooks.check_all() == []


@pytest.mark.parametrize(
    ("harm", "reason"),
    [
        (lambda text: "", "it is empty"),
        (lambda text: text[: len(text) // 2], "line "),
        (lambda text: "{}", "it is empty"),
        (lambda text: "[1]", "it does not say nbformat 4"),
        (lambda text: text.replace('"nbformat": 4', '"nbformat": 3'), "does not say nbformat 4"),
        (lambda text: f"<<<<<<< HEAD\n{text}", "a conflict of git is left in it"),
        (lambda text: text.replace('"cell_type": "code"', '"cell_type": "cod"'), "'cod'"),
        (lambda text: text.replace('"id"', '"name"'), "cell 1 has no id"),
        (lambda text: re.sub(r'"id": "\w+"', '"id": "a"', text), "two cells have the id 'a'"),
        (lambda text: text.replace('"nbformat": 4', '"nbformat": NaN'), "NaN is no JSON"),
        (lambda text: "[" * 200_000, "recursion"),
    ],
)
def test_a_file_that_is_no_notebook_is_named(
    course: Path, harm: Callable[[str], str], reason: str
) -> None:
    (course / "chapters" / "01_one.ipynb").unlink()
    path = course / "chapters" / "02_two.ipynb"
    path.write_text(harm(path.read_text()))
    [problem] = notebooks.check_all()
    assert problem.startswith("chapters/02_two.ipynb: not a notebook (")
    assert reason in problem
    assert "mend it" in problem
    with pytest.raises(SystemExit, match=r"chapters/02_two.ipynb: not a notebook"):
        notebooks.run_changed()


def test_a_chapter_that_cannot_be_read_is_named(course: Path) -> None:
    (course / "chapters" / "01_one.ipynb").unlink()
    path = course / "chapters" / "02_two.ipynb"
    path.unlink()
    path.symlink_to("nowhere")
    [problem] = notebooks.check_all()
    assert problem.startswith("chapters/02_two.ipynb: not a notebook (No such file or directory)")


def test_the_minutes_are_those_of_the_chapter_as_it_is(course: Path) -> None:
    path = course / "chapters" / "01_one.ipynb"

    def title() -> str:
        return notebooks.read(path).cells[0].source

    change(path, lambda cells: cells["title"].update(source="**About 9 minutes.**"))
    notebooks.run_changed()  # executes it
    assert title() == "**About 1 minutes.**"
    text = f"**About 1 minutes.** {'word ' * 400}"
    change(path, lambda cells: cells["title"].update(source=text))
    notebooks.run_changed()  # has no code to execute
    assert title() == text.replace("1", "3")


def test_a_chapter_saved_by_an_editor_gets_back_its_form(course: Path) -> None:
    notebooks.run_changed()
    path = course / "chapters" / "01_one.ipynb"
    tidy = path.read_text()
    path.write_text(json.dumps(json.loads(tidy)))
    notebooks.run_changed()
    assert path.read_text() == tidy
