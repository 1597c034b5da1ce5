// What colours stand for, and shares as bars.

import { h, s } from "./elements.js";
import { percent } from "./numbers.js";

/** What the colours stand for: key([colours.blue, "this"], [colours.orange, "that"]). A line that
 *  is known by its dash too says so: key([colours.blue, "this", [8, 4]]); and so does what is only
 *  outlined: key([colours.surface, "this", "outline"]). */
export function key(...entries) {
  return h(
    "p",
    { class: "pe-key" },
    ...entries.map(([colour, text, look]) => h("span", {}, sample(colour, look), text)),
  );
}

function sample(colour, look) {
  if (Array.isArray(look)) return line(colour, look);
  return h("i", { class: look && `pe-${look}`, style: `background: ${colour}` });
}

function line(stroke, dash) {
  const length = 34; // two dashes of the longest kind
  return s(
    "svg",
    { width: length, height: 4, "aria-hidden": "true" },
    s("path", {
      d: `M0 2H${length}`,
      stroke,
      "stroke-width": 2.5,
      "stroke-dasharray": dash.join(" "),
    }),
  );
}

/** Shares from 0 to 1 as bars, held back while the figure asks:
 *  bars(["this", 0.2, colours.blue], ["that", 1, colours.green]) */
export function bars(...entries) {
  return h(
    "div",
    { class: "pe-bars" },
    ...entries.flatMap(([text, share, background]) => [
      h("span", {}, text),
      h("i", {}, bar(share, background)),
      h("b", {}, h("span", { "data-pe-answer": true }, percent(share))),
    ]),
  );
}

function bar(share, background) {
  return h("i", {
    "data-pe-answer": true,
    style: `width: ${100 * share}%; background: ${background}`,
  });
}
