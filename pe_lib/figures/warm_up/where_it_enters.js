// The three places where a position can enter a Transformer block, and one map that changes.

import { NAMES } from "../../course/encodings.py";
import { TWIN, VOCABULARY, W_K, W_Q, WORDS } from "../../course/running_sentence.py";
import { range, rowsOf, stack } from "../page/compute/arrays.js";
import { attentionWeights } from "../page/compute/attention.js";
import { rotated, sinusoidalEncoding } from "../page/compute/encodings.js";
import { fixedUniform } from "../page/compute/fixed_random.js";
import { multiply } from "../page/compute/linear_algebra.js";
import { attentionMap, STRONGEST } from "../page/draw/attention_map.js";
import { h, s, set } from "../page/draw/elements.js";
import { scaleLine } from "../page/draw/heat_map.js";
import { key } from "../page/draw/legends.js";
import { arrive } from "../page/draw/motion.js";
import { between } from "../page/draw/numbers.js";
import { steppable } from "../page/draw/reading.js";
import { figure } from "../page/shell/figure.js";
import { DIM, LENGTH, T5_AFTER, T5_BEFORE, THETA, XPOS_BASE } from "./where_it_enters.py";

const TWIN_PLACE = [0, 5, 2, 3, 4, 1]; // where the twin sentence has each word, and back

// From top to bottom: what lies below an open door carries positions.
const DOORS = [
  { name: "at the input", encodings: ["sinusoidal", "learned"], sign: "+" },
  { name: "at q and k", encodings: ["rope", "xpos"], sign: "↻" },
  { name: "at the score", encodings: ["alibi", "t5"], sign: "+" },
  { name: "nowhere", encodings: ["none"] },
];
const NOWHERE = DOORS.length - 1;
const WHOLE = "inset(-3px)"; // with what a stroke has outside its shape
const HALF = 11; // px: of the height of a box
const SHORT = { ...NAMES, learned: "learned" };

const EXPLAINED = {
  none: "No positions: the map depends on the words alone.",
  sinusoidal: "Row p of a fixed table is added to word p, so q, k and v carry positions.",
  learned: "Row p of an untrained table is added to word p, so q, k and v carry positions.",
  rope: "q and k are rotated by an angle that grows with p, in every block.",
  xpos: "q and k are rotated and scaled, so that distant earlier words count less.",
  alibi: "This head subtracts half the distance from each score, in every block.",
  t5: "This head adds one number per distance to each score, in every block.",
};
const ONLY_A_MASK = "No positions: only the mask tells earlier words from later ones.";

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
  const [drawing, pill] = [s("g"), newPill()];
  const svg = s("svg", { "aria-hidden": "true" }, drawing, pill.outer);
  const block = h(
    "div",
    {
      class: "pe-block",
      ...steppable(
        "Transformer block. Up and down arrow keys move the encoding to another way in, left and " +
          "right choose another one for this way in.",
        (right, down) => {
          const door = doorOf(view.inputs.encoding) + down;
          if (right) another(view);
          else enter(view, between(door, 0, DOORS.length - 1));
        },
      ),
      onpointerdown: (event) => {
        block.setPointerCapture(event.pointerId);
        const y = heightOf(event);
        const held = event.target.closest(".pe-pill") !== null;
        grip = {
          y,
          held,
          moved: false,
          off: held ? y - view.parts.places.doors[doorNow(view)] : 0,
        };
        if (held) return;
        const door = nearest(view, y);
        if (door === doorNow(view)) another(view);
        else enter(view, door);
      },
      onpointermove: (event) => {
        if (!block.hasPointerCapture(event.pointerId)) return;
        const y = heightOf(event);
        grip.moved ||= Math.abs(y - grip.y) > 4;
        if (!grip.moved) return;
        const { doors } = view.parts.places;
        view.state.drag = between(y - grip.off, doors[0], doors.at(-1));
        enter(view, nearest(view, view.state.drag));
        drawPill(view);
      },
      onpointerup: () => {
        if (grip?.held && !grip.moved) another(view);
        release();
      },
      onpointercancel: () => release(),
    },
    svg,
  );
  let grip; // how the encoding is held, while it is
  const release = () => {
    grip = undefined;
    view.state.drag = undefined;
    drawPill(view);
  };
  const heightOf = (event) => event.clientY - svg.getBoundingClientRect().top;
  const map = attentionMap(view, (n) => (view.inputs.twin ? TWIN_PLACE[n] : n));
  const scale = h("p", { class: "pe-note pe-of-map" });
  view.stage.append(
    h(
      "div",
      { class: "pe-two pe-block-and-map", "data-pe-main": true },
      h("div", {}, block, h("div", { class: "pe-ways", "data-pe-answer": true })),
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
        scale,
      ),
    ),
  );
  view.below.append(
    h(
      "p",
      { class: "pe-note" },
      `The learned table is not trained yet. xPos has base ${XPOS_BASE}, so that six words show ` +
        "it; the paper has 512. ALiBi’s head is the steepest of eight, and T5’s looks at the " +
        "word before.",
    ),
  );
  return { svg, drawing, pill, map, scale, legend: block.nextElementSibling };
}

function doorOf(encoding) {
  return DOORS.findIndex(({ encodings }) => encodings.includes(encoding));
}

/** The door that was asked for last, drawn already or not. */
function doorNow(view) {
  return doorOf(view.currentInputs().encoding);
}

/** Through this door, with its first encoding. */
function enter(view, door) {
  if (door !== doorNow(view)) view.set({ encoding: DOORS[door].encodings[0] });
}

/** The other encoding of the same door. */
function another(view) {
  const { encodings } = DOORS[doorNow(view)];
  view.set({ encoding: encodings.find((one) => one !== view.currentInputs().encoding) ?? "none" });
}

function nearest(view, y) {
  const far = view.parts.places.doors.map((door) => Math.abs(door - y));
  return far.indexOf(Math.min(...far));
}

function render(view) {
  const {
    inputs: { encoding, twin, causal },
    values: { weights, plain, other },
    parts,
    state,
    colours,
  } = view;
  drawBlock(view, doorOf(encoding));
  drawPill(view);
  parts.legend.replaceChildren(
    key([colours.orange, "carries positions"], [colours.edge, "does not"]),
  );
  const rows = rowsOf(weights);
  const same = largest(rows[0].map((weight, n) => weight - rows[4][n])) < 1e-9;
  const hue = same ? colours.green : colours.orange;
  const sign = h(
    "span",
    {},
    "“the” rows equal? ",
    h("b", { "data-pe-answer": true, style: `color: ${hue}` }, same ? "yes" : "no"),
  );
  parts.map.draw(twin ? TWIN : WORDS, weights, { rows: [0, 4], sign });
  parts.scale.replaceChildren("weight ", scaleLine(0, STRONGEST, colours, STRONGEST), " or more");
  if (parts.twin !== undefined && parts.twin !== twin) changePlaces(parts.map.element);
  parts.twin = twin;

  const read = [state.row, state.column]; // numbers of words, at their places in the sentence
  const inSentence = ([row, column], map) => rowsOf(map)[row][column].toFixed(2);
  const inTwin = (places, map) =>
    inSentence(
      places.map((n) => TWIN_PLACE[n]),
      map,
    );
  const [here, there] = twin ? [inTwin, inSentence] : [inSentence, inTwin];
  const [weight, elsewhere, without] = [here(read, weights), there(read, other), here(read, plain)];
  const where = twin ? "in the sentence" : "in the twin";
  let compared = `: ${elsewhere} ${where}, ${without} without positions`;
  if (encoding === "none") {
    // Until it is asked for, the weight in the twin is the reader's to guess.
    const same = weight === elsewhere ? `, just as ${where}` : `: ${elsewhere} ${where}`;
    compared = twin ? same : "";
  }
  const [looking, looked] = read.map((n) => `“${WORDS[n]}”`);
  const how = encoding === "none" && causal ? ONLY_A_MASK : EXPLAINED[encoding];
  view.say(`${how} ${looking} gives ${looked} ${weight}${compared}.`);
}

function largest(differences) {
  return Math.max(...Array.from(differences, Math.abs));
}

/** The words have changed places: their cells travel there from where they were. */
function changePlaces(map) {
  const rows = [...map.querySelectorAll("tr")];
  const boxes = rows.map((row) => [...row.cells].map((cell) => [cell.offsetLeft, cell.offsetTop]));
  const was = (n) => (n === 0 || n > LENGTH ? n : TWIN_PLACE[n - 1] + 1);
  rows.forEach((row, i) => {
    [...row.cells].forEach((cell, j) => {
      const [from, to] = [boxes[was(i)][was(j)], boxes[i][j]];
      const [x, y] = [from[0] - to[0], from[1] - to[1]];
      if (x || y) arrive(cell, { transform: `translate(${x}px, ${y}px)` });
    });
  });
}

/** Where things are in the block, from its width and height. */
function placesIn(width, height) {
  const left = 124; // the width of a way in
  const bar = (width - left - 30) / 3;
  const [q, k, v] = range(0, 3).map((n) => left + 18 + bar / 2 + n * (bar + 5));
  // The gaps between five boxes, the first one with room for a fork below its door.
  const gap = (height - 10 * HALF - 2) / 112;
  const gaps = [0, 40, 26, 26, 20].map((part) => part * gap);
  const level = gaps.map(
    (_, n) => 1 + HALF + 2 * HALF * n + gaps.slice(0, n + 1).reduce((a, b) => a + b),
  );
  const above = [1, 2, 3].map((n) => (level[n - 1] + level[n]) / 2);
  return {
    left,
    bar,
    q,
    k,
    v,
    middle: (q + k) / 2,
    level,
    doors: [above[0] - 6 * gap, above[1], above[2], level[4]],
  };
}

/** The block: whatever lies below the open door carries positions, and is drawn in orange. */
function drawBlock({ inputs: { encoding, causal }, root, parts, colours, asking }, open) {
  const width = Math.min(parts.svg.parentElement.clientWidth, 340);
  const height = root.classList.contains("pe-wide") ? 292 : 198;
  parts.places = placesIn(width, height);
  set(parts.svg, { width, height, viewBox: `0 0 ${width} ${height}` });
  const { left, bar, q, k, v, middle, level, doors } = parts.places;
  const [inputs, vectors, score, shares, output] = level;
  const line = (from, d) => ({ from, tag: "path", at: { d } });
  const box = (from, centre, y, length, content) => ({
    from,
    tag: "rect",
    at: { x: centre - length / 2, y: y - HALF, width: length, height: 2 * HALF, rx: 6 },
    content: text(centre, y + 5, 13, colours.ink, content),
  });
  const text = (x, y, size, fill, content, attributes = {}) =>
    s("text", { x, y, "font-size": size, fill, "text-anchor": "middle", ...attributes }, content);
  /** A way in: the slot for its encodings, and what they do there. */
  const way = (n, xs) => {
    const { name, encodings, sign } = DOORS[n];
    const [y, here] = [doors[n], n === open];
    const wire = here ? colours.orange : colours.edge;
    const bold = here ? { "font-weight": 650 } : {};
    const other = encodings.find((one) => one !== encoding);
    const words = asking
      ? s("tspan", { ...bold, dx: 8, fill: colours.orange }, "drag me")
      : other && ` or ${SHORT[other]}`;
    return [
      s(
        "text",
        { x: 4, y: y - HALF - 4, "font-size": 12, fill: colours.muted },
        s("tspan", here ? { ...bold, fill: colours.ink } : {}, name),
        here ? words : null,
      ),
      s("rect", {
        x: 1,
        y: y - HALF,
        width: left,
        height: 2 * HALF,
        rx: HALF,
        fill: "none",
        stroke: colours.edge,
        "stroke-dasharray": "3 3",
      }),
      text(
        left / 2 + 1,
        y + 4,
        12,
        colours.muted,
        encodings.map((encoding) => SHORT[encoding]).join(" · "),
      ),
      s("path", {
        d: xs.length ? `M${left + 1} ${y}H${xs.at(-1)}` : "",
        stroke: wire,
        "stroke-width": here ? 2.5 : 1.5,
        "stroke-dasharray": here ? "none" : "3 4",
      }),
      ...xs.flatMap((x) => [
        s("circle", {
          cx: x,
          cy: y,
          r: 8.5,
          fill: colours.surface,
          stroke: wire,
          "stroke-width": here ? 2.5 : 1.5,
        }),
        text(x, y + 5, 14, here ? colours.orange : colours.muted, sign, bold),
      ]),
    ];
  };

  const above = (y) => y - HALF;
  const below = (y) => y + HALF;
  const fork = doors[0] + 14;
  const pieces = [
    line(0, `M${k} ${below(inputs)}V${doors[0]}`),
    line(1, `M${k} ${doors[0]}V${above(vectors)}`),
    line(1, `M${q} ${above(vectors)}V${fork}H${v}V${above(vectors)}`),
    line(1, `M${v} ${below(vectors)}V${above(output)}`),
    line(1, `M${q} ${below(vectors)}V${doors[1]}M${k} ${below(vectors)}V${doors[1]}`),
    line(2, `M${q} ${doors[1]}V${above(score)}M${k} ${doors[1]}V${above(score)}`),
    line(2, `M${middle} ${below(score)}V${doors[2]}`),
    line(3, `M${middle} ${doors[2]}V${above(shares)}`),
    line(3, `M${middle} ${below(shares)}V${above(output)}`),
    box(0, k, inputs, 2 * bar + 5, "word vectors x"),
    box(1, q, vectors, bar, "q"),
    box(1, k, vectors, bar, "k"),
    box(1, v, vectors, bar, "v"),
    box(2, middle, score, 2 * bar + 5, "q · k / √8"),
    box(3, middle, shares, 2 * bar + 5, causal ? "mask, softmax" : "softmax"),
    box(3, k, output, v - q + bar, "weights × v"),
  ];
  parts.drawing.replaceChildren(
    ...pieces.map(({ tag, at, content }) => {
      const fill = content ? colours.raised : "none";
      const shape = s(tag, { ...at, fill, stroke: colours.edge, "stroke-width": 1.5 });
      return s("g", {}, shape, content);
    }),
    ...carriers(pieces, open, asking ? open : (parts.open ?? open), colours.orange),
    ...way(0, [k]),
    ...way(1, [q, k]),
    ...way(2, [middle]),
    ...way(3, []),
  );
  parts.open = asking ? NOWHERE : open;
}

/** The pieces that carry positions once more, in colour. When another door opens, it runs down to
 *  those that carry them now, and out of those that do no longer. */
function carriers(pieces, open, before, stroke) {
  const carries = (from, door) => door < NOWHERE && from > door;
  const group = (chosen, end, start) => {
    const shapes = pieces.filter(({ from }) => chosen(carries(from, open), carries(from, before)));
    const look = { fill: "none", stroke, "stroke-width": 2, "data-pe-answer": true };
    const drawn = s(
      "g",
      { ...look, style: `clip-path: ${end}` },
      ...shapes.map(({ tag, at }) => s(tag, at)),
    );
    if (shapes.length && start) arrive(drawn, { clipPath: start });
    return drawn;
  };
  return [
    group((now, then) => now && then, "none"),
    group((now, then) => now && !then, WHOLE, "inset(-3px -3px 100%)"),
    group((now, then) => then && !now, "inset(100% -3px -3px)", WHOLE),
  ];
}

/** What holds the encoding: an outer group at its place, an inner one that travels there, and what
 *  is in it. It stays the same element while it is dragged, so that a finger does not lose it. */
function newPill() {
  const bar = s("rect", { x: 1, y: -HALF, height: 2 * HALF, rx: HALF, "stroke-width": 2 });
  const text = s("text", { y: 4.5, "text-anchor": "middle", "font-size": 13, "font-weight": 650 });
  const dots = range(0, 6).map((n) =>
    s("circle", { cx: 14 + 5 * (n % 2), cy: 5 * Math.floor(n / 2) - 5, r: 1.4 }),
  );
  const inner = s("g", { class: "pe-pill" }, bar, ...dots, text);
  return { outer: s("g", {}, inner), inner, bar, text, at: undefined };
}

/** The encoding, where it is or where it is dragged to. */
function drawPill({ inputs: { encoding }, state, parts: { pill, places }, colours }) {
  const y = state.drag ?? places.doors[doorOf(encoding)];
  const hue = encoding === "none" ? colours.muted : colours.orange;
  pill.inner.setAttribute("fill", hue);
  pill.bar.setAttribute("width", places.left);
  pill.bar.setAttribute("fill", colours.surface);
  pill.bar.setAttribute("stroke", hue);
  pill.text.setAttribute("x", places.left / 2 + 8);
  pill.text.textContent = SHORT[encoding];
  pill.outer.setAttribute("transform", `translate(0 ${y})`);
  if (pill.at !== undefined && state.drag === undefined && pill.at !== y)
    arrive(pill.inner, { transform: `translateY(${pill.at - y}px)` });
  pill.at = y;
}

export default figure({ compute, setup, render });
