"""What the theme's pages lack: the reader's buttons, and repairs that accessibility asks for."""

import re
from pathlib import PurePosixPath

from bs4 import BeautifulSoup
from docutils.nodes import document
from pydata_sphinx_theme.utils import get_theme_options_dict
from sphinx.application import Sphinx

COLAB = "https://colab.research.google.com/github"
GITHUB = "https://github.com/"


def colab_address(repository: str, branch: str, notebook: str) -> str | None:
    """Where Colab opens a notebook of this repository; None where it cannot (Colab reads GitHub).

    >>> colab_address("https://github.com/ada/course", "main", "chapters/02.ipynb")
    'https://colab.research.google.com/github/ada/course/blob/main/chapters/02.ipynb'
    """
    if not repository.startswith(GITHUB):
        return None
    name = repository.removeprefix(GITHUB).strip("/").removesuffix(".git")
    return f"{COLAB}/{name}/blob/{branch}/{notebook}"


# What to change in a page's content, so that assistive technology does not stumble over it
REPAIRS = {
    # A citation list claims the role `list`, but its entries are no list items.
    '<div role="list" class="citation-list">': '<div class="citation-list">',
    # The theme's script makes a box of this class focusable while it is too narrow for its content.
    '<div class="math ': '<div class="pst-scrollable-table-container math ',
    '<div class="amsmath ': '<div class="pst-scrollable-table-container amsmath ',
}

# Names, operators, punctuation and blanks are shown as plain code: quieter, and without their 4,000
# elements a chapter is a third smaller.
PLAIN_CODE = re.compile(r'<span class="[nopw]">([^<]*)</span>')

# A browser may break a line on either side of a formula, also before the comma that follows it or
# after the bracket that opens before it.
MATH = r'<span class="math [^"]*">[^<]*</span>'
PUNCTUATED_MATH = re.compile(rf"[(“]{MATH}[.,;:!?)”]*|{MATH}[.,;:!?)”]+")

# A long signature has each parameter on a line of its own, in a list of definitions without terms.
PARAMETERS = re.compile(r'<dl>\s*((?:<dd><em class="sig-param">.*?</dd>\s*)+)</dl>', re.DOTALL)

# Korean words, said with another voice and set in another font; not those inside a tag
KOREAN = re.compile(r"[ㄱ-ㅎ가-힣]+(?: [가-힣]+)*(?![^<>]*>)")


def repair(body: str) -> str:
    """A page's content with every repair made, and without marks that show nothing."""
    for wrong, right in REPAIRS.items():
        body = body.replace(wrong, right)
    body = PARAMETERS.sub(parameter_lines, body)
    body = PUNCTUATED_MATH.sub(r'<span class="pe-unbroken">\g<0></span>', body)
    body = KOREAN.sub(r'<span lang="ko">\g<0></span>', body)
    return PLAIN_CODE.sub(r"\1", body)


def parameter_lines(parameters: re.Match[str]) -> str:
    """The parameters of a signature, as lines that are no list."""
    lines = parameters[1].replace("<dd>", '<span class="pe-parameter">')
    return f'<span class="pe-parameters">{lines.replace("</dd>", "</span>")}</span>'


def name_toggles(contents: BeautifulSoup) -> BeautifulSoup:
    """The contents at the side, where a button that unfolds more pages says which they are."""
    for entry in contents.select("li.has-children"):
        entry.summary["aria-label"] = f"Pages under “{entry.a.get_text()}”"
    return contents


def add_to_page(
    app: Sphinx, page: str, template: str, context: dict, doctree: document | None
) -> None:
    """Give the templates the notebook's two addresses and the repaired content."""
    options = get_theme_options_dict(app)
    repository = options.get("repository_url", "")
    notebook = context.get("sourcename", "")
    if notebook.endswith(".ipynb"):
        context["notebook_name"] = PurePosixPath(notebook).name
        context["notebook_address"] = context["pathto"](f"_sources/{notebook}", 1)
        context["colab_address"] = colab_address(
            repository, options.get("repository_branch", "main"), notebook
        )
    context["repository_address"] = repository
    if "body" in context:
        context["body"] = repair(context["body"])


def repair_contents(
    app: Sphinx, page: str, template: str, context: dict, doctree: document | None
) -> None:
    """Have the theme's function for the contents at the side give them with names."""
    made_by_theme = context["generate_toctree_html"]
    context["generate_toctree_html"] = lambda **options: name_toggles(made_by_theme(**options))


def drop_page_name(
    app: Sphinx, page: str, template: str, context: dict, doctree: document | None
) -> None:
    """Take away the one script within a page that differs from page to page.

    It is for a choice among versions, which the book does not offer. What is left is the same
    everywhere, so that a content security policy can name it.
    """
    context["script_files"][:] = (
        script
        for script in context["script_files"]
        if not script.attributes.get("body", "").startswith("DOCUMENTATION_OPTIONS.pagename")
    )


def setup(app: Sphinx) -> None:
    """Called by the book's extension."""
    app.connect("html-page-context", add_to_page)
    app.connect("html-page-context", repair_contents, priority=600)  # after the theme's own
    app.connect("html-page-context", drop_page_name, priority=900)  # after the theme has added it
