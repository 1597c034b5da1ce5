"""The parts of the book's Sphinx extension by themselves; test_pages.py sees the pages."""

import re
from collections import Counter
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import yaml
from bs4 import BeautifulSoup
from docutils import nodes
from docutils.utils import new_document
from jinja2 import Environment, StrictUndefined
from PIL import Image
from pydata_sphinx_theme import __file__ as pydata_theme
from pygments.styles import get_style_by_name
from sphinx_book_theme import __file__ as book_theme

from book.pe_book import colours, mathjax, pictures, terms, theme
from book.tools.notebooks import ROOT
from pe_lib import plots, sinusoidal_encoding
from pe_lib.course.palette import THEMES, css_variables
from tests.browser_support import PAGES

BOOK = ROOT / "book"
APACHE = "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30"
SETTINGS = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))["sphinx"]["config"]
OWN_FILES = [*BOOK.glob("static/*.css"), *BOOK.glob("templates/**/*.html")]


def contrast(one: str, other: str) -> float:
    """WCAG 2 contrast ratio of two colours, 1 to 21."""

    def luminance(colour: str) -> float:
        channels = [int(colour.strip("#")[i : i + 2], 16) / 255 for i in (0, 2, 4)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


class TestMathJax:
    def test_copies_what_it_loads_and_little_more(self, tmp_path):
        mathjax.copy(tmp_path)
        mathjax.copy(tmp_path)  # over an earlier build
        for component in mathjax.COMPONENTS:
            assert (tmp_path / f"{component}.js").stat().st_size > 1000
        assert (tmp_path / "startup.js").exists()
        assert sum(f.stat().st_size for f in tmp_path.rglob("*") if f.is_file()) < 1_600_000

    def test_copies_the_licence_beside_the_notice(self, tmp_path):
        mathjax.copy(tmp_path)
        assert "Apache License, Version 2.0" in (tmp_path / "NOTICE.txt").read_text("utf-8")
        # The hash of https://www.apache.org/licenses/LICENSE-2.0.txt: the whole text, unchanged
        text = (tmp_path / "LICENSE.txt").read_bytes()
        assert sha256(text).hexdigest() == APACHE, "the licence's text is not what Apache gives"

    def test_copies_every_font_that_it_names(self, tmp_path):
        mathjax.copy(tmp_path)
        named = re.findall(r"%%URL%%/(MathJax_[\w-]+\.woff)", self.output(tmp_path))
        assert len(named) > 15
        for name in named:
            assert (tmp_path / "output/chtml/fonts/woff-v2" / name).exists(), name

    def test_copies_every_extension_that_loads_on_demand(self, tmp_path):
        mathjax.copy(tmp_path)
        extensions = tmp_path / "input/tex/extensions"
        for name in ("boldsymbol", "cancel", "color", "physics", "mathtools"):
            assert (extensions / f"{name}.js").exists(), name

    @staticmethod
    def output(folder: Path) -> str:
        return (folder / "output/chtml/fonts/tex.js").read_text("utf-8")

    @pytest.mark.parametrize(
        ("content", "loads"), [(nodes.math, True), (nodes.math_block, True), (nodes.literal, False)]
    )
    def test_is_left_out_of_a_page_without_math(self, content, loads):
        page = new_document("page")
        page += nodes.paragraph("", "", content("", "x^2"))
        own = SimpleNamespace(filename="_static/doctools.js", attributes={})
        scripts = [
            own,
            SimpleNamespace(filename=None, attributes={"body": "window.MathJax = {}"}),
            SimpleNamespace(filename="_static/pe-formulas.js", attributes={}),
        ]
        context = {"script_files": list(scripts)}
        mathjax.leave_out(None, "page", "page.html", context, page)
        assert context["script_files"] == (scripts if loads else [own])


class TestColours:
    @pytest.mark.parametrize("name", THEMES)
    def test_every_colour_of_the_palette_is_a_variable(self, name):
        for colour, value in THEMES[name].items():
            assert f"--pe-{colour}: {value};" in css_variables(name)

    def test_dark_where_asked_for_and_light_on_paper(self):
        rules = re.findall(r"([^{}]+){([^{}]+)}", colours.style_sheet())
        surfaces = {
            " ".join(selector.split()[-1:]): re.search(r"--pe-surface: (#\w+)", body).group(1)
            for selector, body in rules
            if "--pe-surface" in body
        }
        light, dark = THEMES["light"]["surface"], THEMES["dark"]["surface"]
        assert surfaces == {
            "html": light,
            'html[data-theme="dark"]': dark,
            'html[data-theme="auto"]': dark,
            "html[data-theme]": light,
        }

    def test_only_variables_of_the_palette_are_used(self):
        known = {f"--pe-{name}" for name in THEMES["light"]}
        for file in OWN_FILES:
            text = file.read_text("utf-8")
            own = set(re.findall(r"(--pe-[\w-]+):", text)) | set(
                re.findall(r"(--pe-[\w-]+):", (BOOK / "static/text.css").read_text("utf-8"))
            )
            assert set(re.findall(r"var\((--pe-[\w-]+)\)", text)) <= known | own, file.name

    @pytest.mark.parametrize("name", THEMES)
    def test_code_can_be_read(self, name):
        style = get_style_by_name(SETTINGS["html_theme_options"][f"pygments_{name}_style"])
        for token, look in style:
            if look["color"]:
                background = look["bgcolor"] or THEMES[name]["raised"]
                assert contrast(look["color"], background) >= 4.5, token


class TestTheme:
    @pytest.mark.parametrize(
        "repository", ["https://github.com/ada/course", "https://github.com/ada/course/"]
    )
    def test_colab_opens_the_chapter(self, repository):
        assert theme.colab_address(repository, "main", "chapters/02.ipynb") == (
            "https://colab.research.google.com/github/ada/course/blob/main/chapters/02.ipynb"
        )

    @pytest.mark.parametrize("repository", ["", "https://codeberg.org/ada/course"])
    def test_no_colab_button_where_colab_cannot_read(self, repository):
        assert theme.colab_address(repository, "main", "chapters/02.ipynb") is None

    def test_repairs_the_citation_list_and_lets_wide_formulas_take_the_focus(self):
        assert "role=" not in theme.repair('<div role="list" class="citation-list"></div>')
        for kind in ("math", "amsmath math"):
            repaired = theme.repair(f'<div class="{kind} notranslate">x</div>')
            assert "pst-scrollable-table-container" in repaired
        inline = '<span class="math notranslate">x</span>'
        assert theme.repair(inline) == inline

    def test_the_button_that_unfolds_pages_has_a_name(self):
        contents = BeautifulSoup(
            '<ul><li><a href="00.html">00</a></li><li class="has-children"><a href="01.html">01</a>'
            "<details><summary><i></i></summary><ul></ul></details></li></ul>",
            "html.parser",
        )
        [button] = theme.name_toggles(contents)("summary")
        assert button["aria-label"] == "Pages under “01”"

    @pytest.mark.parametrize(("start", "end"), [("", ","), ("", ")."), ("“", "”"), ("(", "")])
    def test_a_formula_keeps_the_punctuation_around_it(self, start, end):
        formula = '<span class="math notranslate nohighlight">\\(q\\)</span>'
        kept = f"{start}{formula}{end}"
        repaired = theme.repair(f"<p>a {kept} b {formula} c</p>")
        assert repaired == f'<p>a <span class="pe-unbroken">{kept}</span> b {formula} c</p>'

    def test_korean_words_say_that_they_are(self):
        repaired = theme.repair('<p title="값">KV 캐시 (상대 위치)</p>')
        korean = [f'<span lang="ko">{words}</span>' for words in ("캐시", "상대 위치")]
        assert repaired == f'<p title="값">KV {korean[0]} ({korean[1]})</p>'

    def test_every_icon_is_drawn(self):
        shown = ["theme-switcher", "search-field", "search-button", "prev-next"]
        toggles = ["toggle-primary-sidebar", "toggle-secondary-sidebar", "page-toc"]
        pydata = Path(pydata_theme).parent / "theme/pydata_sphinx_theme"
        theme_book = Path(book_theme).parent / "theme/sphinx_book_theme"
        files = [
            pydata / "layout.html",
            *(pydata / f"components/{name}.html" for name in shown),
            *(theme_book / f"components/{name}.html" for name in toggles),
            *BOOK.glob("templates/*.html"),
        ]
        used = {icon for f in files for icon in re.findall(r"fa-[\w-]+", f.read_text("utf-8"))}
        drawn = set(re.findall(r"\.(fa-[\w-]+) \{", (BOOK / "static/icons.css").read_text("utf-8")))
        assert used - {"fa-solid", "fa-lg"} <= drawn


class TestPageNotFound:
    def page(self) -> str:
        source = (BOOK / "templates/page_not_found.html").read_text("utf-8")
        values = {"title": "A & B", "light": css_variables("light"), "dark": "--pe-ink: #fff;"}
        environment = Environment(undefined=StrictUndefined, autoescape=True)
        return environment.from_string(source).render(values)

    def test_needs_no_other_file(self):
        page = self.page()
        assert "A &amp; B" in page
        assert set(re.findall(r'(?:src|href)="([^"]*)"', page)) == {"data:,", "/"}
        assert "url(" not in page and "@import" not in page


class TestFiles:
    def test_style_sheets_are_there_and_named(self):
        named = set(SETTINGS["html_css_files"])
        assert named == {file.name for file in BOOK.glob("static/*.css")}

    @pytest.mark.parametrize("file", OWN_FILES, ids=lambda file: file.name)
    def test_nothing_is_loaded_from_another_host(self, file):
        loaded = re.findall(
            r"""(?:src|srcset|@import|url\()\s*[=("']*\s*(?:https?:)?//""", file.read_text("utf-8")
        )
        assert loaded == []

    def test_no_script_that_the_pages_do_not_use(self):
        assert not {"sphinx_thebe", "sphinx_togglebutton"} & set(SETTINGS["extensions"])


def test_pictures_are_shrunk_once_and_look_the_same(tmp_path: Path):
    path = tmp_path / "plot.png"
    plots.heat_map(sinusoidal_encoding(100, 64), xlabel="", ylabel="").savefig(
        path, transparent=True
    )
    before, drawn = path.stat().st_size, Image.open(path).convert("RGBA")

    pictures.shrink(path)

    assert path.stat().st_size < before / 2
    white = Image.new("RGBA", drawn.size, "white")
    shown = np.asarray(Image.alpha_composite(white, drawn).convert("RGB"), int)
    difference = np.abs(np.asarray(Image.open(path).convert("RGB"), int) - shown)
    assert difference.mean() < 1  # of 255 shades
    stored = path.read_bytes()
    pictures.shrink(path)
    assert path.read_bytes() == stored


def test_code_keeps_its_words_without_marks_that_show_nothing():
    code = '<span class="n">pe</span> <span class="o">=</span> <span class="mi">3</span>'
    assert theme.repair(code) == 'pe = <span class="mi">3</span>'


def test_a_word_leads_to_one_section_only() -> None:
    places = [words for page in terms.sections().values() for words in page.values()]
    found = Counter(word.lower() for words in places for word in words)
    assert [word for word, count in found.items() if count > 1] == []


def test_sections_with_words_are_on_the_pages_of_the_book() -> None:
    assert terms.sections().keys() <= {*PAGES}
