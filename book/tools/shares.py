"""Measure what fills the pages of the built chapters, and count the guesses that they ask for.

    .venv/bin/python -m book.tools.shares

A page is measured with its answers open and all other folds closed, in a window as for the budgets.
"""

from playwright.sync_api import Page

from book.tools.budgets import WINDOW, built_pages
from book.tools.guesses import guesses_of
from book.tools.notebooks import chapters, read

# What is looked for, so that no part of the page is of two kinds
PARTS = {
    "idea code": ".tag_idea > .cell_input",
    "plumbing": "details.pe-code",
    "output": ".cell_output > .output:not(:has(.pe-figure))",
    "still": ".cell_output img",
    "live": ".pe-figure",
}
ROW = "{:41}{:>13}" + "{:>11}" * len(PARTS) + "{:>9}{:>7}"

# Heights in pixels: of the article, down to its first figure (null: it has none), and of the parts
HEIGHTS = """(article, parts) => {
  for (const answer of article.querySelectorAll(".pe-answer")) answer.open = true;
  const height = (part) => part.getBoundingClientRect().height;
  const found = (selector) => [...article.querySelectorAll(selector)];
  const top = (part) => part.getBoundingClientRect().top;
  return {
    whole: height(article),
    first: found(".pe-figure").map((figure) => top(figure) - top(article))[0] ?? null,
    parts: parts.map((selector) => found(selector).reduce((sum, part) => sum + height(part), 0)),
  };
}"""


def measured(page: Page) -> tuple[float | None, dict[str, float]]:
    """How many screens lie above an open page's first live figure, and each part's share of the
    article's height."""
    heights = page.locator("article").evaluate(HEIGHTS, list(PARTS.values()))
    shares = (part / heights["whole"] for part in heights["parts"])
    above = None if heights["first"] is None else heights["first"] / WINDOW["height"]
    return above, dict(zip(PARTS, shares, strict=True))


def main() -> None:
    pages = {stem: measured(page) for stem, page in built_pages()}
    print(ROW.format("", "first figure", *PARTS, "guesses", "kept"))
    for path in chapters():
        above, shares = pages.get(path.stem, (None, {}))
        guesses = guesses_of(read(path))
        print(
            ROW.format(
                path.stem,
                "–" if above is None else f"{above:.1f}",
                *(f"{shares[part]:.0%}" if shares else "–" for part in PARTS),
                guesses.total(),
                guesses["kept"],
            )
        )


if __name__ == "__main__":
    main()
