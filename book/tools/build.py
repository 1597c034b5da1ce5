"""Build the book's HTML from the outputs stored in its chapters.

    .venv/bin/python -m book.tools.build

Nothing is executed. What has not changed is not built again. Every warning is an error.
"""

import shutil
import sys

from jupyter_book.cli.main import main as jupyter_book

from book.tools import notebooks
from book.tools.notebooks import ROOT


def main() -> None:
    if problems := notebooks.check_all():
        sys.exit("\n".join(problems))
    html = ROOT / "_build" / "html"
    try:
        jupyter_book.main(
            ["build", str(ROOT), "-W", "-n", "--keep-going", "-q"], standalone_mode=False
        )
    except BaseException:
        # Sphinx warns about a page when it reads it. What it has read must be forgotten, or the
        # next build would succeed without a word.
        shutil.rmtree(html.parent / ".doctrees", ignore_errors=True)
        raise
    print(f"\nThe book is at {html / 'index.html'}")
    print("`make serve` opens it in a browser.")


if __name__ == "__main__":
    main()
