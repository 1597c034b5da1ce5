// Decoding with cached keys: which position every new word gets, and what it then sees.

import { DIM, VOCABULARY, W_K, W_Q, WORDS } from "../../course/running_sentence.py";
import { range, rowsOf, stack, vector } from "../page/compute/arrays.js";
import { attentionWeights } from "../page/compute/attention.js";
import { rotated, sinusoidalEncoding } from "../page/compute/encodings.js";
import { multiply } from "../page/compute/linear_algebra.js";
import { blank, h, s } from "../page/draw/elements.js";
import { knob } from "../page/draw/hands.js";
import { key } from "../page/draw/legends.js";
import { arrive } from "../page/draw/motion.js";
import { between, show } from "../page/draw/numbers.js";
import { steppable } from "../page/draw/reading.js";
import { figure } from "../page/shell/figure.js";
import { playButton, showPlaying } from "../page/shell/playing.js";
import { POSITIONS, PROMPT } from "./cache_offset.py";

const BEAT = 2500; // ms from one step to the next while it plays
const ROUNDING = 1e-5; // a smaller difference is none

const [BARS, MOST] = [96, 0.7]; // px: the height of this weight, which few are above
const [TOP, TILE, FALL] = [54, 28, 50]; // px: above the bars, a word, and the way to its position
const WORD = TOP + BARS + 6; // px from the top to the words
const AXIS = WORD + TILE + FALL; // and to the positions
const GRIP = 22; // px around the end of the newest word's line, where it is taken

export function compute({ step, positions, padding, masked, encoding, theta }) {
  const words = WORDS.slice(0, PROMPT + step).map((word) => VOCABULARY[word]);
  const pads = range(0, padding).map(() => new Float64Array(DIM));
  const given = givenPositions(positions, padding, words.length);
  const bias = (_, key) => (masked && key < padding ? -Infinity : 0);
  const weight = lastRow([...pads, ...words], given, encoding, theta, bias);
  const full = lastRow(words, range(0, words.length), encoding, theta);
  return {
    position: vector(given),
    weight: vector(weight),
    full: vector([...pads.map(() => 0), ...full]),
  };
}

/** The position of every key: pads, prompt, new words. */
function givenPositions(positions, padding, count) {
  const given = {
    cache: (slot) => slot,
    mask: (slot) => Math.max(slot - padding, 0),
    forgotten: (slot) => (slot < padding + PROMPT ? slot : 0),
  }[positions];
  return range(0, padding + count).map(given);
}

/** What the last word gives every key, with the running sentence's weights. */
function lastRow(words, positions, encoding, theta, bias) {
  const x = stack(words);
  if (encoding === "sinusoidal")
    sinusoidalEncoding(positions, DIM, theta).data.forEach((value, n) => {
      x.data[n] += value;
    });
  let [q, k] = [W_Q, W_K].map((weights) => multiply(x, stack(weights)));
  if (encoding === "rope")
    [q, k] = [q, k].map((rows) => rotated(rows, theta, undefined, positions));
  return rowsOf(attentionWeights(stack(rowsOf(q).slice(-1)), k, { bias }))[0];
}

function setup(view) {
  view.state = { playing: false };
  const player = playButton(view, "step", BEAT, true);
  const svg = s("svg", { "aria-hidden": "true" });
  const table = h("table", { class: "pe-table pe-cache" });
  const [legend, detail] = [h("div"), h("p", { class: "pe-note" })];
  const plot = h(
    "div",
    {
      class: "pe-plot pe-decoding",
      ...steppable(
        "The keys, their weights and positions. Left and right arrow keys move the key that is " +
          "read, up and down add a word or take it away.",
        (right, down) =>
          down
            ? decode(view, view.currentInputs().step - down)
            : view.read({ word: within(view.inputs, wordRead(view) + right) }),
      ),
      ...draggable(view),
    },
    svg,
  );
  view.stage.append(
    h("div", { "data-pe-main": true }, h("div", { class: "pe-bar" }, legend, player), plot),
  );
  view.below.append(detail, table);
  return { player, svg, legend, detail, table };
}

/** The newest word is dragged along the text, and the end of its line along the positions;
 *  elsewhere, the key below the pointer is read. */
function draggable(view) {
  let held = null;
  const pointed = (event) => {
    const { left, top } = view.parts.svg.getBoundingClientRect();
    const [x, y] = [event.clientX - left, event.clientY - top];
    const { padding, step } = view.inputs;
    const slot = Math.floor(x / view.parts.cell);
    const word = slot - padding;
    const end = (view.values.position.data.at(-1) + 0.5) * view.parts.cell;
    const decodes = word >= PROMPT + step - 1 && y >= WORD && y < WORD + TILE;
    const places = Math.hypot(x - end, y - AXIS) < GRIP;
    return { slot, word, taken: decodes ? "word" : places ? "position" : null };
  };
  const drag = ({ slot, word }) =>
    held === "word" ? decode(view, word - PROMPT + 1) : settle(view, slot);
  return {
    onpointerdown(event) {
      const at = pointed(event);
      held = at.taken;
      if (!held) return view.read({ word: within(view.inputs, at.word) });
      event.currentTarget.setPointerCapture(event.pointerId);
      drag(at);
    },
    onpointermove(event) {
      const at = pointed(event);
      if (held) return drag(at);
      event.currentTarget.style.cursor = at.taken ? "grab" : "";
      if (at.taken !== "position") view.read({ word: within(view.inputs, at.word) });
    },
    onlostpointercapture() {
      held = null;
    },
  };
}

/** Take the rule that gives the newest word the nearest position; if two do, the one there is. */
function settle(view, position) {
  const { positions, padding, step } = view.currentInputs();
  const off = (rule) => Math.abs(givenPositions(rule, padding, PROMPT + step).at(-1) - position);
  const nearest = Object.keys(POSITIONS).reduce(
    (best, rule) => (off(rule) < off(best) ? rule : best),
    positions,
  );
  if (nearest !== positions) view.set({ positions: nearest });
}

/** Come to a step. */
function decode(view, step) {
  view.set({ step: between(step, 1, WORDS.length - PROMPT) });
}

/** The nearest word, or pad, that the cache holds at this step. */
function within({ padding, step }, word) {
  return between(word, -padding, PROMPT + step - 1);
}

/** The word that is read; until one is chosen, that whose weight is most different. The first word
 *  is 0, pads are below. */
function wordRead({ inputs, values, state }) {
  const off = differences(values);
  const worst = Math.max(...off) < ROUNDING ? 2 : off.indexOf(Math.max(...off)) - inputs.padding;
  return within(inputs, state.word ?? worst);
}

/** How far every weight is from that of the full pass. */
function differences({ weight, full }) {
  return weight.data.map((share, n) => Math.abs(share - full.data[n]));
}

function render(view) {
  const {
    inputs: { step, padding, encoding },
    values,
    parts,
    colours,
  } = view;
  const slots = [...range(0, padding).map(() => "pad"), ...WORDS];
  const last = padding + PROMPT + step - 1;
  showPlaying(view, parts.player);
  const positions = values.position.data;
  const from = encoding === "rope" ? positions[padding] : 0;
  // For RoPE only distances count.
  const right = (key) => (key < padding ? positions[key] : key - padding + from);
  const misplaced = (key) => positions[key] !== right(key);
  const same = Math.max(...differences(values)) < ROUNDING;
  const hue = same ? colours.green : colours.error;
  parts.legend.replaceChildren(
    key(
      [hue, same ? "this step, right" : "this step, wrong"],
      [colours.surface, "should be", "outline"],
    ),
  );
  drawKeys(view, slots, last, right, hue);
  drawTable(view, slots, last, misplaced);
  parts.detail.textContent = detail(view, slots, last);
  view.say(inWords(view, slots, last));
}

/** In columns: the weights of every key, the key, and the way to the position that it gets. */
function drawKeys(view, slots, last, right, hue) {
  const {
    inputs: { padding, step },
    values,
    parts,
    colours,
    state,
    width,
  } = view;
  const read = padding + wordRead(view);
  const cell = width / slots.length;
  parts.cell = cell;
  const before = parts.drawn?.cell === cell && parts.drawn.padding === padding ? parts.drawn : null;
  const [positions, weights, full] = [values.position, values.weight, values.full].map(
    ({ data }) => data,
  );
  parts.drawn = { cell, padding, positions, weights, full };
  const toX = (n) => (n + 0.5) * cell;
  const base = TOP + BARS;
  blank(parts.svg, width, AXIS + 40);
  const add = (tag, attributes, ...children) => {
    const element = s(tag, attributes, ...children);
    parts.svg.append(element);
    return element;
  };
  const label = (x, y, content, fill, look = {}) =>
    add("text", { x, y, fill, "font-size": 12, "text-anchor": "middle", ...look }, content);
  const unit = BARS / Math.max(MOST, ...weights, ...full);
  const bar = (n, share, part, look) =>
    add("rect", {
      x: toX(n) - (part * cell) / 2,
      y: base - unit * share,
      width: part * cell,
      height: unit * share,
      ...look,
    });
  const ghost = { fill: colours.surface, stroke: colours.muted };
  const isRight = positions[last] === right(last);
  parts.svg.append(barsName(slots[last], positions[last], isRight, colours));
  if (state.word !== undefined)
    add("rect", {
      x: read * cell + 1,
      y: TOP - 28,
      width: cell - 2,
      height: WORD + TILE + 32 - TOP,
      rx: 6,
      fill: colours.raised,
    });
  add("path", { d: `M0,${base}H${width}`, stroke: colours.edge });
  for (const n of slots.keys()) {
    add("rect", {
      x: n * cell + 1,
      y: AXIS,
      width: cell - 2,
      height: 24,
      rx: 3,
      fill: colours.raised,
      stroke: colours.grid,
    });
    label(toX(n), AXIS + 18, n, colours.muted);
  }
  slots.forEach((word, n) => {
    const [newest, coming] = [n === last, n > last];
    add("rect", {
      x: n * cell + 2,
      y: WORD,
      width: cell - 4,
      height: TILE,
      rx: 6,
      fill: colours.surface,
      stroke: newest ? colours.ink : coming ? colours.grid : colours.edge,
      "stroke-width": newest ? 2.5 : 1,
    });
    label(toX(n), WORD + 19, word, coming || n < padding ? colours.muted : colours.ink, {
      "font-size": cell < 38 ? 12 : 14,
      "font-weight": newest && 650,
    });
    if (coming) return;
    const wanted = n < padding ? null : bar(n, full[n], 0.6, ghost);
    const share = bar(n, weights[n], 0.42, { fill: hue });
    const [x, end, top] = [toX(n), toX(positions[n]), WORD + TILE];
    const misplaced = positions[n] !== right(n);
    if (misplaced) {
      const cx = toX(right(n));
      add("path", { d: `M${x},${top}L${cx},${AXIS - 7}`, ...ghost, "stroke-dasharray": "4 3" });
      add("circle", { cx, cy: AXIS - 3, r: 4, ...ghost });
    }
    const stroke = misplaced ? colours.error : colours.edge;
    const cy = AXIS - 3;
    const way = add("path", {
      d: `M${x},${top}C${x},${top + FALL / 2} ${end},${AXIS - FALL / 2} ${end},${cy}`,
      fill: "none",
      stroke,
      "stroke-width": newest ? 3.5 : 2,
    });
    const dot = s("circle", { cx: end, cy, r: 3.5, fill: stroke });
    const tip = add("g", {}, newest ? knob(end, cy, stroke, colours) : dot);
    if (!before) return;
    // What leans is held at its word, and what grows at the line below it. A new word comes from
    // the position that it should have.
    const shift = ((before.positions[n] ?? right(n)) - positions[n]) * cell;
    const lean = shift / (cy - top);
    if (shift) {
      arrive(way, { transform: `matrix(1, 0, ${lean}, 1, ${-lean * top}, 0)` });
      arrive(tip, { transform: `translateX(${shift}px)` });
    }
    for (const [shape, was, now] of [
      [share, before.weights[n], weights[n]],
      [wanted, before.full[n], full[n]],
    ]) {
      const size = was / now;
      if (shape && size !== 1 && Number.isFinite(size))
        arrive(shape, { transform: `matrix(1, 0, 0, ${size}, 0, ${base * (1 - size)})` });
    }
  });
  const [given, wanted] = [weights[read], full[read]].map((share) => share.toFixed(2));
  const differs = read >= padding && given !== wanted;
  const half = differs ? 42 : 16; // px, of the text above the bar
  const near = range(0, last + 1).filter((n) => Math.abs(n - read) * cell < half + 0.3 * cell);
  const above = base - unit * Math.max(...near.flatMap((n) => [weights[n], full[n]]));
  const x = between(toX(read), half, width - half);
  label(x, above - (differs ? 22 : 7), given, hue, { "font-size": 14, "font-weight": 650 });
  if (differs) label(x, above - 7, `should be ${wanted}`, colours.ink);
  if (step < WORDS.length - PROMPT && cell > 50)
    add("path", {
      d: `M${(last + 1) * cell + 2},${WORD + TILE / 2 - 5}l5,5l-5,5`,
      fill: "none",
      stroke: colours.ink,
      "stroke-width": 2,
    });
  label(width / 2, AXIS + 36, "position", colours.muted);
}

/** What the bars are. */
function barsName(word, position, isRight, { ink, error, muted }) {
  const bold = (fill, text) => s("tspan", { fill, "font-weight": 650 }, text);
  return s(
    "text",
    { x: 0, y: 13, fill: muted, "font-size": 13 },
    "attention from ",
    bold(ink, `“${word}”`),
    " at position ",
    bold(isRight ? ink : error, position),
  );
}

/** The same as numbers. */
function drawTable(view, slots, last, misplaced) {
  const {
    inputs: { padding },
    values,
    parts,
  } = view;
  const read = padding + wordRead(view);
  const row = (word, key) => {
    const role =
      key < padding ? "" : key < padding + PROMPT ? "prompt" : key === last ? "new" : "decoded";
    return h(
      "tr",
      { class: key === read && "pe-chosen" },
      h("th", { scope: "row" }, word),
      h("td", { class: "pe-role" }, role),
      h("td", {}, place(values.position.data[key], misplaced(key))),
      ...[values.weight, values.full].map(({ data }) => h("td", {}, show(data[key], 4))),
    );
  };
  const heads = ["key", "", "position", "this step", "full pass"];
  parts.table.replaceChildren(
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        ...heads.map((text) => h(text ? "th" : "td", { scope: text ? "col" : null }, text)),
      ),
    ),
    h("tbody", {}, ...slots.slice(0, last + 1).map(row)),
  );
}

/** A position, marked where it is wrong. */
function place(position, misplaced) {
  return h("b", { class: misplaced && "pe-wrong" }, position);
}

/** Where the new word is, and what it gives the key that is read. */
function inWords(view, slots, last) {
  const {
    inputs: { padding },
    values,
  } = view;
  const word = wordRead(view);
  const [position, weight, full] = [values.position, values.weight, values.full].map(
    ({ data }) => data,
  );
  const instead = (shown, right) => (shown === right ? shown : `${shown} instead of ${right}`);
  const arrived = `“${slots[last]}” gets position ${instead(position[last], last - padding)}.`;
  const key = padding + word;
  if (word < 0) return `${arrived} It gives this pad a weight of ${weight[key].toFixed(2)}.`;
  const distance = instead(show(position[last] - position[key]), show(last - key));
  const gets = instead(weight[key].toFixed(2), full[key].toFixed(2));
  return (
    `${arrived} For it “${slots[key]}” is at distance ${distance}, ` +
    `and gets a weight of ${gets}.`
  );
}

/** All keys together, and what pads do. */
function detail({ inputs: { positions, padding, masked, encoding }, values }, slots, last) {
  const [position, weight] = [values.position.data, values.weight.data];
  const reason = {
    cache: "Its position is the number of keys in the cache.",
    mask: "Its position is the number of words before it.",
    forgotten: "Its call counts from 0 again, so it gets the position of the first word.",
  }[positions];
  const off = Math.max(...differences(values));
  const row =
    off < ROUNDING
      ? "Its weights are those of the full pass."
      : `Its weights differ from those of the full pass by up to ${off.toFixed(2)}.`;
  const leaked = weight.slice(0, padding).reduce((sum, share) => sum + share, 0);
  const higher = `But they are counted, so every position is ${padding} higher`;
  const pads = !padding
    ? ""
    : !masked
      ? ` The pads take ${leaked.toFixed(2)} of its attention.`
      : positions === "mask"
        ? " The pads get nothing, and are not counted."
        : positions === "forgotten"
          ? " The pads get nothing."
          : encoding === "rope"
            ? ` The pads get nothing. ${higher}. The distances stay the same, and RoPE depends ` +
              "on nothing else."
            : ` The pads get nothing. ${higher}, and different rows are added.`;
  const [first, second] = [padding, padding + 4]; // both “the”
  const twins =
    second <= last && position[first] === position[second]
      ? ` Both “the” have position ${position[first]}, so their keys are equal and get equal ` +
        "weights."
      : "";
  return `“${slots[last]}”: ${reason} ${row}${pads}${twins}`;
}

export default figure({ compute, setup, render });
