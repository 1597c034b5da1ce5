// For every figure of the page: how many main panels and controls it has, whether its card is too
// high or changes its height in use, and what cannot be seen wholly together with its main panel.
// Every control is moved to both ends and to every option, and every button of the picture is
// pressed; a figure draws before the script goes on.
() => {
  const scroll = (by) => window.scrollBy({ top: by, behavior: "instant" });
  const seen = (element) => element.getClientRects().length > 0;

  /** The height of what stays above the text while the page is scrolled. */
  const barHeight = (text) => {
    scroll(text.getBoundingClientRect().top + 200);
    const middle = text.getBoundingClientRect().left + 20;
    let y = 0;
    while (!text.contains(document.elementFromPoint(middle, y))) y += 1;
    return y;
  };

  /** Scroll both right under the bar; what is missing then. */
  const missing = (figure, main, control, bar) => {
    const boxes = () => [main, control].map((element) => element.getBoundingClientRect());
    scroll(Math.min(...boxes().map(({ top }) => top)) - bar);
    const over = Math.max(...boxes().map(({ bottom }) => bottom)) - innerHeight;
    if (over > 0) return `${Math.ceil(over)} px too tall`;
    const shown = boxes().every(({ left, right, top, bottom }) =>
      [left + 2, (left + right) / 2, right - 2].every((x) =>
        [top + 2, bottom - 2].every((y) => figure.contains(document.elementFromPoint(x, y))),
      ),
    );
    return shown ? "" : "covered";
  };

  const moves = (input) => {
    const to = (value) => () => {
      input.value = value;
      input.dispatchEvent(new Event("input", { bubbles: true }));
    };
    if (input.type === "range")
      return [
        ["lowest", to(input.min)],
        ["highest", to(input.max)],
      ];
    if (input.type === "text") return [["longest", to("3 1 2 ".repeat(40))]];
    return [[input.value, () => input.click()]];
  };

  const figures = [...document.querySelectorAll(".pe-figure[data-module]")];
  const highest = innerWidth < 600 ? 760 : 640; // px
  const bar = figures.length ? barHeight(document.querySelector("article")) : 0;
  return figures.map((figure) => {
    const [main, ...more] = figure.querySelectorAll("[data-pe-main]");
    const problems = main && !more.length ? [] : ["there is not exactly one main panel"];
    const tall = (drawn) => drawn.getBoundingClientRect().height > 100;
    if (
      ![
        ...(main?.querySelectorAll("svg, canvas, table, .pe-shuffle, .pe-circles, .pe-bytes") ??
          []),
      ].some(tall)
    )
      problems.push("nothing is drawn in the main panel");
    const controls = [...figure.querySelectorAll(".pe-controls .pe-control")].filter(seen);
    const card = figure.querySelector(".pe-root");
    const height = () => Math.round(card.getBoundingClientRect().height);
    const rest = height();
    if (rest > highest) problems.push(`the card is ${rest} px high, and may be ${highest}`);
    const look = (control, name) => {
      const problem = missing(figure, main, control, bar);
      if (problem) problems.push(`${name}: ${problem}`);
      // A longer sentence has more rows.
      if (Math.abs(height() - rest) > 1 && !control.querySelector?.("input[type=text]"))
        problems.push(`${name}: the card is ${height()} px high, and ${rest} at rest`);
    };
    const reset = () => figure.querySelector(".pe-reset").click();
    for (const control of main ? controls : []) {
      look(control, `${control.textContent.trim()}, as it opens`);
      for (const input of control.querySelectorAll("[data-input]")) {
        for (const [where, move] of moves(input)) {
          move();
          look(control, `${input.dataset.input}, ${where}`);
        }
      }
      reset();
    }
    for (const button of main ? figure.querySelectorAll(".pe-stage button") : []) {
      button.click();
      look(button, `the button ${button.textContent}`);
      reset();
    }
    return { module: figure.dataset.module, controls: controls.length, problems };
  });
};
