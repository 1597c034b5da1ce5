// The three places where a position can enter a Transformer block, and one map that changes.

import { NAMES } from "../../course/encodings.py";
import { TWIN, VOCABULARY, W_K, W_Q, WORDS } from "../../course/running_sentence.py";
import { range, rowsOf, stack } from "../page/compute/arrays.js";
import { attentionWeights } from "../page/compute/attention.js";
import { rotated, sinusoidalEncoding } from "../page/compute/encodings.js";
import { fixedUniform } from "../page/compute/fixed_random.js";
import { multiply } from "../page/compute/linear_algebra.js";
import { attentionMap } from "../page/draw/attention_map.js";
import { h, s } from "../page/draw/elements.js";
import { key } from "../page/draw/legends.js";
import { figure } from "../page/shell/figure.js";
import { DIM, LENGTH, T5_AFTER, T5_BEFORE, THETA, XPOS_BASE } from "./where_it_enters.py";

const TWIN_PLACE = [0, 5, 2, 3, 4, 1]; // where the twin sentence has each word, and back

// From top to bottom: what lies below an open door carries positions.
const DOORS = [
  { name: "at the input", encodings: ["sinusoidal", "learned"], y: 46 },
  { name: "at q and k", encodings: ["rope", "xpos"], y: 116 },
  { name: "at the score", encodings: ["alibi", "t5"], y: 182 },
];

const EXPLAINED = {
  none: "No encoding: all doors are shut.",
  sinusoidal:
    "Sinusoidal, at the input: row p of a fixed table is added to word p. So q, k and v carry " +
    "positions, and every later block inherits them.",
  learned:
    "Learned, at the input: row p of a table is added to word p. Training will shape it; here " +
    "it is still random.",
  rope:
    "RoPE, at q and k: both are turned by an angle that grows with p. v stays as it is. " +
    "Every block does it again.",
  xpos:
    `xPos, at q and k: turned as by RoPE, and scaled so that far words before count less ` +
    `(by base ${XPOS_BASE}; the paper’s 512 needs a longer text).`,
  alibi:
    "ALiBi, at the score: half of the distance is taken off (a steep head; others take less). " +
    "Vectors stay as they are. Every block does it again.",
  t5:
    "T5, at the score: one number for each distance is added, here by a head that likes the " +
    "word before. Every block does it again.",
};

export function compute({ encoding, twin, causal }) {
  const [shown, other] = twin ? [TWIN, WORDS] : [WORDS, TWIN];
  return {
    weights: weightsOf(shown, encoding, causal),
    plain: weightsOf(shown, "none", causal),
    other: weightsOf(other, encoding, causal),
  };
}

function weightsOf(words, encoding, causal) {
  const x = stack(words.map((word) => VOCABULARY[word]));
  const added = {
    sinusoidal: () => sinusoidalEncoding(range(0, LENGTH), DIM, THETA).data,
    learned: () => range(0, LENGTH * DIM).map(fixedUniform),
  }[encoding]?.();
  added?.forEach((value, n) => {
    x.data[n] += value;
  });
  let [q, k] = [W_Q, W_K].map((weights) => multiply(x, stack(weights)));
  if (encoding === "rope" || encoding === "xpos") {
    const decay = (p, pair) => ((2 * pair + 0.4 * DIM) / (1.4 * DIM)) ** (p / XPOS_BASE);
    const scale = encoding === "xpos" ? decay : () => 1;
    q = rotated(q, THETA, scale);
    k = rotated(k, THETA, (p, pair) => 1 / scale(p, pair));
  }
  const bias = {
    alibi: (i, j) => -Math.abs(i - j) / 2,
    t5: (i, j) => (j > i ? T5_AFTER : T5_BEFORE)[Math.abs(i - j)],
  }[encoding];
  return attentionWeights(q, k, { bias, causal });
}

function setup(view) {
  view.state = { row: 2, column: 1 };
  const svg = s("svg", { "aria-hidden": "true", viewBox: "0 0 340 304" });
  const doors = DOORS.map(({ name, encodings, y }) => {
    // The first encoding of this door, or the one after the present one.
    const next = () => (encodings.indexOf(view.inputs.encoding) + 1) % encodings.length;
    const open = () => view.set({ encoding: encodings[next()] });
    return h(
      "button",
      { type: "button", class: "pe-door", onclick: open, style: `top: ${y / 3.04}%` },
      h("b", {}, name),
      h("span", {}, encodings.map((encoding) => NAMES[encoding]).join(", ")),
    );
  });
  const map = attentionMap(view);
  const legend = h("div");
  view.stage.append(
    h(
      "div",
      { class: "pe-two", "data-pe-main": true },
      h("div", {}, h("div", { class: "pe-block" }, svg, ...doors), legend),
      h(
        "div",
        {},
        h(
          "p",
          { class: "pe-axis" },
          h("span", {}, "the word that looks ↓"),
          h("span", {}, "the word it looks at →"),
        ),
        map.element,
      ),
    ),
  );
  return { svg, doors, map, legend };
}

function render(view) {
  const {
    inputs: { encoding, twin, causal },
    values: { weights, plain, other },
    parts,
    state,
    colours,
  } = view;
  const open = DOORS.findIndex((door) => door.encodings.includes(encoding));
  drawBlock(parts.svg, open, causal, colours);
  for (const [n, door] of parts.doors.entries()) door.setAttribute("aria-pressed", n === open);
  parts.legend.replaceChildren(
    key([colours.orange, "carries positions"], [colours.edge, "does not"]),
  );
  const rows = rowsOf(weights);
  const apart = largest(rows[0].map((weight, n) => weight - rows[4][n]));
  const same = apart < 1e-9;
  parts.map.draw(
    twin ? TWIN : WORDS,
    weights,
    range(0, LENGTH).map((n) => (n % 4 === 0 ? (same ? "=" : "≠") : "")),
  );

  const { row, column } = state;
  const inTwin = (i, j) => rowsOf(other)[TWIN_PLACE[i]][TWIN_PLACE[j]];
  const moved = largest(
    rows.flatMap((weights, i) => Array.from(weights, (weight, j) => weight - inTwin(i, j))),
  );
  const the = same
    ? "The rows of the two “the” are equal."
    : `The rows of the two “the” differ by up to ${apart.toFixed(2)}.`;
  const name = twin ? "the sentence" : "the twin";
  const order =
    moved < 1e-9
      ? `In ${name} every word gives every word the same weight as here.`
      : `In ${name} the same words get other weights: they differ by up to ${moved.toFixed(2)}.`;
  const [looking, looked] = [row, column].map((n) => `“${(twin ? TWIN : WORDS)[n]}”`);
  const known =
    encoding === "none"
      ? causal
        ? " Only the mask tells earlier words from later ones."
        : " The map knows words only."
      : "";
  const before =
    encoding === "none" ? "" : `${rowsOf(plain)[row][column].toFixed(2)} without an encoding, `;
  view.say(
    `${EXPLAINED[encoding]}${known} ${the} ${order} ${looking} gives ${looked} ` +
      `${rows[row][column].toFixed(2)} ` +
      `(${before}${inTwin(row, column).toFixed(2)} in ${name}).`,
  );
}

function largest(differences) {
  return Math.max(...Array.from(differences, Math.abs));
}

/** The block: whatever lies below the open door carries positions, and is drawn in orange. */
function drawBlock(svg, open, causal, colours) {
  const carries = (level) => open >= 0 && level > open;
  const colour = (level) => (carries(level) ? colours.orange : colours.edge);
  const line = (level, d) =>
    s("path", {
      d,
      fill: "none",
      stroke: colour(level),
      "stroke-width": carries(level) ? 2.5 : 1.5,
      "data-pe-answer": "stroke",
    });
  const box = (level, x, y, width, text) => [
    s("rect", {
      x: x - width / 2,
      y,
      width,
      height: 26,
      rx: 6,
      fill: colours.raised,
      stroke: colour(level),
      "stroke-width": 1.5,
      "data-pe-answer": "stroke",
    }),
    s("text", { x, y: y + 18, "text-anchor": "middle", fill: colours.ink, "font-size": 14 }, text),
  ];
  const door = (n, xs, y, sign) => [
    s("path", {
      d: `M112 ${y} H${xs.at(-1)}`,
      stroke: n === open ? colours.orange : colours.edge,
      "stroke-dasharray": "3 4",
    }),
    ...xs.flatMap((x) => [
      s("circle", {
        cx: x,
        cy: y,
        r: 10,
        fill: colours.surface,
        stroke: n === open ? colours.orange : colours.edge,
        "stroke-width": n === open ? 2.5 : 1.5,
      }),
      s(
        "text",
        {
          x,
          y: y + 5,
          "text-anchor": "middle",
          fill: n === open ? colours.orange : colours.muted,
          "font-size": 15,
        },
        n === open ? sign : "",
      ),
    ]),
  ];
  svg.replaceChildren(
    line(0, "M233 28 V46"),
    line(1, "M233 46 V72 M233 62 H160 V72 M233 62 H306 V72 M306 98 V240"),
    line(1, "M160 98 V116 M233 98 V116"),
    line(2, "M160 116 V138 M233 116 V138 M196 164 V182"),
    line(3, "M196 182 V204 M196 230 V240 M233 266 V276"),
    ...box(0, 233, 2, 150, "word vectors x"),
    ...box(1, 160, 72, 58, "q"),
    ...box(1, 233, 72, 58, "k"),
    ...box(1, 306, 72, 58, "v"),
    ...box(2, 196, 138, 132, "q · k / √8"),
    ...box(3, 196, 204, 132, causal ? "mask, softmax" : "softmax"),
    ...box(3, 233, 240, 206, "map × v"),
    ...box(3, 233, 276, 206, "add x, feed-forward"),
    ...door(0, [233], 46, "+"),
    ...door(1, [160, 233], 116, "↻"),
    ...door(2, [196], 182, "+"),
  );
}

export default figure({ compute, setup, render });
