// What colours stand for, and shares as bars.

import { h } from "./elements.js";
import { percent } from "./numbers.js";

/** What the colours stand for: key([colours.blue, "this"], [colours.orange, "that"]). */
export function key(...entries) {
  return h(
    "p",
    { class: "pe-key" },
    ...entries.map(([colour, text]) =>
      h("span", {}, h("i", { style: `background: ${colour}` }), text),
    ),
  );
}

/** Shares from 0 to 1 as bars, held back while the figure asks: bars(["this", 0.2], ["that", 1]) */
export function bars(...entries) {
  return h(
    "div",
    { class: "pe-bars" },
    ...entries.flatMap(([text, share]) => [
      h("span", {}, text),
      h("i", {}, h("i", { "data-pe-answer": true, style: `width: ${100 * share}%` })),
      h("b", { "data-pe-answer": true }, percent(share)),
    ]),
  );
}
