"""Building the book: what is wrong is named, again and again; what is done is not done twice."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from filelock import FileLock

from book.tools import notebooks, repository


@pytest.fixture(scope="module")
def small_course(clean_copy: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The book's machinery, without an address, with a cover and one small executed chapter."""
    folder = tmp_path_factory.mktemp("small") / "course"
    shutil.copytree(clean_copy, folder, ignore=shutil.ignore_patterns("chapters"))
    repository.configure("", folder / "_config.yml")
    chapter = folder / "chapters" / "01_small.ipynb"
    chapter.parent.mkdir()
    cells = [
        nbformat.v4.new_markdown_cell("# Small", id="title"),
        nbformat.v4.new_code_cell("6 * 7", id="product"),
    ]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), chapter)
    notebooks.run(chapter)
    (folder / "index.md").write_text("# Cover\n")
    (folder / "_toc.yml").write_text(
        "format: jb-book\nroot: index\nchapters:\n  - file: chapters/01_small\n"
    )
    return folder


@pytest.fixture
def course(small_course: Path, tmp_path: Path) -> Path:
    """A copy of the small course, to do anything with."""
    return shutil.copytree(small_course, tmp_path, dirs_exist_ok=True)


def tool(course: Path, *command: str) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-m", *command]
    shell = os.environ | {"PYTHONPATH": str(course)}  # in kernels too, pe_lib is the course's own
    return subprocess.run(program, cwd=course, capture_output=True, text=True, env=shell)


def build(course: Path) -> subprocess.CompletedProcess[str]:
    return tool(course, "book.tools.build")


def test_a_chapter_that_is_not_up_to_date_stops_the_build(course: Path) -> None:
    chapter = course / "chapters" / "01_small.ipynb"
    chapter.write_text(chapter.read_text().replace("6 * 7", "6 * 8"))
    refused = build(course)
    assert refused.returncode == 1
    assert "chapters/01_small.ipynb: code cell 1 (product) has stale outputs" in refused.stderr
    assert not (course / "_build" / "html").exists()


@pytest.mark.slow
def test_a_book_is_built_once_and_a_warning_fails_every_time(course: Path) -> None:
    tool(course, "book.tools.repository", "https://github.com/owner/name").check_returncode()
    tool(course, "book.tools.notebooks", "run").check_returncode()
    first = build(course)
    assert first.returncode == 0, first.stderr
    html = course / "_build" / "html"
    assert f"The book is at {html / 'index.html'}" in first.stdout
    page = html / "chapters" / "01_small.html"
    assert "42" in page.read_text()
    colab = "https://colab.research.google.com/github/owner/name/blob/main/chapters/01_small"
    assert colab in page.read_text()
    written = page.stat().st_mtime_ns

    second = build(course)
    assert "The book is up to date." in second.stdout
    assert page.stat().st_mtime_ns == written

    kept = course / "_build" / "student" / "kept.ipynb"
    kept.parent.mkdir()
    kept.touch()
    page.unlink()
    assert build(course).returncode == 0
    assert "42" in page.read_text()

    (course / "_build" / "built.json").write_text('{"sources":')  # a stamp broken off
    cover = course / "index.md"
    cover.write_text("# Cover\n\n[Nowhere](nowhere.md)\n")
    for _ in range(2):
        refused = build(course)
        assert refused.returncode != 0
        assert "nowhere.md" in refused.stderr
        assert "the old one stays" in refused.stderr
    assert "42" in page.read_text()

    cover.write_text("# Another cover\n")
    os.utime(cover, (0, 0))  # a file that was moved here is older than the book
    mended = build(course)
    assert mended.returncode == 0, mended.stderr
    assert "Another cover" in (html / "index.html").read_text()
    assert json.loads((course / "_build" / "built.json").read_text())
    assert kept.exists()


@pytest.mark.parametrize(
    ("name", "old", "new", "problem"),
    [
        ("_toc.yml", "chapters:", "chapterz:", "_toc.yml: cannot be read (Unknown keys found"),
        ("_toc.yml", "01_small", "02_small", "_toc.yml: there is no page chapters/02_small"),
        ("_config.yml", "title: ", "title: [", "_config.yml: cannot be read (while parsing"),
        ("_config.yml", "execute:", "exekute:", "_config.yml: there is no setting 'exekute'"),
    ],
)
def test_settings_are_read_before_anything_is_built(
    course: Path, name: str, old: str, new: str, problem: str
) -> None:
    text = (course / name).read_text()
    (course / name).write_text(text.replace(old, new, 1))
    refused = build(course)
    assert refused.returncode == 1
    assert problem in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.slow
def test_a_second_build_waits_for_the_first(course: Path) -> None:
    (course / "_build").mkdir()
    with FileLock(course / "_build" / "lock"):
        program = [sys.executable, "-u", "-m", "book.tools.build"]
        second = subprocess.Popen(program, cwd=course, stdout=subprocess.PIPE, text=True)
        assert second.stdout is not None
        assert "waiting for its end" in second.stdout.readline()
        assert not (course / "_build" / "html").exists()
    said, _ = second.communicate()
    assert second.returncode == 0
    assert "The book is at" in said


def test_a_folder_that_cannot_be_written_is_named(course: Path) -> None:
    (course / "_build").write_text("a file in the way")
    refused = build(course)
    assert refused.returncode == 1
    assert "The book cannot be written: File exists" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_a_folder_that_is_read_only_is_named(course: Path) -> None:
    folder = course / "_build"
    folder.mkdir()
    folder.chmod(0o555)
    # Root may write everywhere, but for this.
    right = "--bounding-set=-dac_override"
    as_user = ["setpriv", right, "--inh-caps=-all"] if os.geteuid() == 0 else []
    program = [*as_user, sys.executable, "-m", "book.tools.build"]
    refused = subprocess.run(program, cwd=course, capture_output=True, text=True)
    folder.chmod(0o755)
    assert refused.returncode == 1
    lock = folder / "lock"
    assert refused.stderr == f"The book cannot be written: Permission denied ({lock})\n"


def test_a_folder_may_have_any_name_and_the_shell_any_language(course: Path) -> None:
    elsewhere = course.rename(course.with_name("Bücher für Ölpreise"))
    shell = os.environ | {"LC_ALL": "C", "LANG": "C"}
    program = [sys.executable, "-m", "book.tools.build"]
    done = subprocess.run(program, cwd=elsewhere, capture_output=True, env=shell)
    assert done.returncode == 0, done.stderr
    assert str(elsewhere / "_build" / "html" / "index.html").encode() in done.stdout


def test_warnings_of_other_packages_are_no_errors_whatever_the_shell_says() -> None:
    show = ["make", "--no-print-directory", "--eval", "show: ; @echo [$$PYTHONWARNINGS]", "show"]
    shell = os.environ | {"PYTHONWARNINGS": "error"}
    done = subprocess.run(show, cwd=notebooks.ROOT, capture_output=True, text=True, env=shell)
    assert done.stdout == "[]\n"
