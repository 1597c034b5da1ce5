"""What is looked at in an open page of the book, however it was opened."""

from axe_playwright_python.sync_playwright import Axe

from pe_lib import figures
from tests.browser_support import FIGURES, FigureProbe, Visit
from tests.helpers import ROOT

FAINT, CRAMPED, ONE_VIEW = (
    (ROOT / "tests" / "book" / f"{name}.js").read_text("utf-8")
    for name in ("faint", "cramped", "one_view")
)
MATH = """() => {
  const formulas = [...document.querySelectorAll(".math")].filter((f) => !f.closest("noscript"));
  return {
    unset: formulas.filter((f) => !f.querySelector("mjx-container mjx-math")).length,
    wrong: document.querySelectorAll("mjx-merror").length,
    raw: /(^|[^\\\\])\\\\[(\\[]/.test(document.querySelector("article")?.innerText ?? ""),
    formulas: formulas.length,
    fonts: [...document.fonts].filter((f) => /MJX/.test(f.family) && f.status === "loaded").length,
  };
}"""
BROKEN = "[...document.images].filter((i) => i.complete && !i.naturalWidth).map((i) => i.src)"
LUMINANCE = """element => {
  const [r, g, b] = getComputedStyle(element).backgroundColor.match(/[\\d.]+/g).map(Number);
  return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
}"""


def assert_complete_and_quiet(visited: Visit, page: str) -> None:
    """Formulas, pictures and figures stand, and nothing was asked of anybody else."""
    for root in visited.page.locator(".pe-root").all():
        root.scroll_into_view_if_needed()  # what takes long is computed when its figure comes near
        FigureProbe(root).wait()
    math = visited.page.evaluate(MATH)
    origins = visited.page.locator(".pe-figure .pe-origin").all_inner_texts()
    errors = visited.page.locator(".pe-alert:visible").all_inner_texts()
    assert visited.problems == []
    assert visited.page.evaluate(BROKEN) == []
    assert (math["unset"], math["wrong"], math["raw"]) == (0, 0, False)
    assert math["fonts"] > 0 or math["formulas"] == 0
    assert len(origins) == sum(place.page == page for place in FIGURES)
    assert set(origins) <= {"Computed by this page", "Measured beforehand"}
    assert errors == []


def assert_seen_together(visited: Visit, page: str) -> None:
    """Whichever control is moved, and wherever to, it and the main panel are seen together."""
    found = visited.page.evaluate(ONE_VIEW)
    problems = [f"{one['module']}: {problem}" for one in found for problem in one["problems"]]
    assert problems == []
    wanted = [place.module for place in FIGURES if place.page == page]
    assert [one["module"] for one in found] == wanted
    assert [one["controls"] for one in found] == [
        sum(not control.get("more") for control in getattr(figures, module).controls().values())
        for module in wanted
    ]
    assert visited.problems == []


def surfaces(visited: Visit) -> list[float]:
    """The luminance of the page and of every figure in it, 0 to 1."""
    found = visited.page.locator("body, .pe-root").all()
    return [surface.evaluate(LUMINANCE) for surface in found]


def themes(visited: Visit) -> set[str]:
    """What the figures take for the theme."""
    return set(
        visited.page.locator(".pe-root").evaluate_all("all => all.map(r => r.dataset.peTheme)")
    )


def violations(visited: Visit, **options: object) -> list[str]:
    """What axe holds to be serious or critical."""
    results = Axe().run(visited.page, options={"resultTypes": ["violations"], **options})
    return [
        f"{violation['impact']} {violation['id']}: {node['html'][:200]}"
        for violation in results.response["violations"]
        if violation["impact"] in ("serious", "critical")
        for node in violation["nodes"]
    ]
