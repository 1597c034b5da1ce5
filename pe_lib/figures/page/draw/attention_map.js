// An attention map as a table: the words that look down the side, the words looked at on top.

import { rowsOf } from "../compute/arrays.js";
import { h } from "./elements.js";
import { shade, textOn } from "./heat_map.js";
import { arrive } from "./motion.js";
import { between } from "./numbers.js";
import { readable } from "./reading.js";

export const STRONGEST = 0.7; // weights from this on look alike

/** A map whose read cell, view.state's {row, column}, has its number: {element, draw(words,
 *  weights, joined)}. joined: {rows: [first, last], sign}, two rows that a bracket with a sign
 *  compares. Where words change places, `placeOf` leads from a number in view.state to its place in
 *  the map, and back. */
export function attentionMap(view, placeOf = (n) => n) {
  const table = h("table", { class: "pe-map" });
  const read = (row, column) => {
    const last = table.rows.length - 2;
    const within = (n) => placeOf(between(n, 0, last));
    view.read({ row: within(row), column: within(column) });
  };
  const place = () => [view.state.row, view.state.column].map(placeOf);
  const element = h(
    "div",
    {
      class: "pe-plot",
      ...readable(
        "Attention map. Arrow keys move the weight that is read.",
        (x, y) => {
          const { offsetLeft, offsetTop, offsetWidth, offsetHeight } = table.rows[1].cells[1];
          read(
            Math.floor((y - offsetTop) / offsetHeight),
            Math.floor((x - offsetLeft) / offsetWidth),
          );
        },
        (right, down) => {
          const [row, column] = place();
          read(row + down, column + right);
        },
      ),
    },
    table,
  );
  const head = (word, chosen) => h("th", { class: chosen && "pe-chosen" }, word);
  const bracket = ({ rows: [first, last], sign }) =>
    h("th", { class: "pe-joined", rowspan: last - first + 1 }, h("div", {}, sign));
  let drawn = {};

  return {
    element,
    draw(words, weights, joined) {
      const { colours } = view;
      const [atRow, atColumn] = place();
      const cell = (weight, row, column) => {
        const [r, g, b] = shade(weight, colours, STRONGEST);
        const isRead = row === atRow && column === atColumn;
        return h(
          "td",
          {
            class: isRead && "pe-chosen",
            style: `background: rgb(${r} ${g} ${b}); color: ${textOn([r, g, b])}`,
          },
          isRead ? weight.toFixed(2) : "",
        );
      };
      table.replaceChildren(
        h(
          "tr",
          {},
          h("th"),
          ...words.map((word, column) => head(word, column === atColumn)),
          h("th", { class: "pe-mark" }),
        ),
        ...rowsOf(weights).map((row, n) =>
          h(
            "tr",
            {},
            head(words[n], n === atRow),
            ...Array.from(row, (weight, column) => cell(weight, n, column)),
            n === joined.rows[0] ? bracket(joined) : null,
          ),
        ),
      );
      fade(words);
    },
  };

  /** Where the words have stayed, colours change from what they were. */
  function fade(words) {
    const cells = [...table.querySelectorAll("td")];
    const was = drawn;
    drawn = { words, colours: cells.map((cell) => cell.style.background) };
    if (was.words !== words) return;
    cells.forEach((cell, n) => {
      const background = was.colours[n];
      if (background !== drawn.colours[n]) arrive(cell, { background });
    });
  }
}
