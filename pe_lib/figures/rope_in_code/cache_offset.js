// Decoding with cached keys: which position every new word gets, and what it then sees.

import { DIM, VOCABULARY, W_K, W_Q, WORDS } from "../../course/running_sentence.py";
import { range, rowsOf, stack, vector } from "../page/compute/arrays.js";
import { attentionWeights } from "../page/compute/attention.js";
import { rotated, sinusoidalEncoding } from "../page/compute/encodings.js";
import { multiply } from "../page/compute/linear_algebra.js";
import { h } from "../page/draw/elements.js";
import { key } from "../page/draw/legends.js";
import { between } from "../page/draw/numbers.js";
import { readable } from "../page/draw/reading.js";
import { figure } from "../page/shell/figure.js";
import { playButton, showPlaying } from "../page/shell/playing.js";
import { PROMPT, THETA } from "./cache_offset.py";

const BEAT = 2500; // ms from one step to the next while it plays
const ROUNDING = 1e-5; // a smaller difference is none

const REASON = {
  cache: "the number of keys in the cache",
  mask: "the number of words before it",
  forgotten: "as its call counts from 0 again: it believes that it is the first word",
};

export function compute({ step, positions, padding, masked, encoding }) {
  const words = WORDS.slice(0, PROMPT + step).map((word) => VOCABULARY[word]);
  const pads = range(0, padding).map(() => new Float64Array(DIM));
  const given = givenPositions(positions, padding, words.length);
  const bias = (_, key) => (masked && key < padding ? -Infinity : 0);
  const weight = lastRow([...pads, ...words], given, encoding, bias);
  const full = lastRow(words, range(0, words.length), encoding);
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
function lastRow(words, positions, encoding, bias) {
  const x = stack(words);
  if (encoding === "sinusoidal")
    sinusoidalEncoding(positions, DIM, THETA).data.forEach((value, n) => {
      x.data[n] += value;
    });
  let [q, k] = [W_Q, W_K].map((weights) => multiply(x, stack(weights)));
  if (encoding === "rope")
    [q, k] = [q, k].map((rows) => rotated(rows, THETA, undefined, positions));
  return rowsOf(attentionWeights(stack(rowsOf(q).slice(-1)), k, { bias }))[0];
}

function setup(view) {
  view.state = { word: 1, playing: false }; // the first word is 0, pads are below
  const player = playButton(view, "step", BEAT, true);
  const asked = h("p", { class: "pe-asked" });
  const legend = h("div");
  const table = h("table", { class: "pe-table pe-cache" });
  const read = (word) => view.read({ word: within(view.inputs, word) });
  const keys = h(
    "div",
    {
      class: "pe-plot",
      ...readable(
        "The keys. Up and down arrow keys move the key that is read.",
        (_x, y, { top }) =>
          read(
            [...table.tBodies[0].rows].findLastIndex(
              (row) => row.getBoundingClientRect().top - top <= y,
            ) - view.inputs.padding,
          ),
        (right, down) => read(view.state.word + right + down),
      ),
    },
    table,
  );
  view.stage.append(
    h("div", { "data-pe-main": true }, h("div", { class: "pe-bar" }, asked, player), keys, legend),
  );
  return { player, asked, table, legend };
}

/** The nearest word, or pad, that the cache holds at this step. */
function within({ padding, step }, word) {
  return between(word, -padding, PROMPT + step - 1);
}

function render(view) {
  const {
    inputs: { step, padding, encoding },
    values,
    parts,
    state,
    colours,
  } = view;
  const slots = [...range(0, padding).map(() => "pad"), ...WORDS];
  const last = padding + PROMPT + step - 1;
  state.word = within(view.inputs, state.word);
  showPlaying(view, parts.player);
  const positions = values.position.data;
  const from = encoding === "rope" ? positions[padding] : 0;
  // For RoPE only distances count.
  const misplaced = (key) => key >= padding && positions[key] - from !== key - padding;
  parts.asked.replaceChildren(
    h("b", {}, `“${slots[last]}”`),
    " looks from position ",
    place(positions[last], misplaced(last)),
    ` at ${last + 1} keys`,
  );
  parts.legend.replaceChildren(
    key(
      [colours.green, "this step, as in the full pass"],
      [colours.orange, "this step, otherwise"],
      [colours.edge, "full pass"],
    ),
  );
  const bar = (share, colour) => h("i", { style: `width: ${100 * share}%; background: ${colour}` });
  const row = (word, key) => {
    const role =
      key < padding
        ? ""
        : key < padding + PROMPT
          ? "prompt"
          : key === last
            ? "new"
            : key < last
              ? "decoded"
              : "to come";
    const head = [h("th", { scope: "row" }, word), h("td", { class: "pe-role" }, role)];
    if (key > last)
      return h("tr", { class: "pe-later" }, ...head, h("td"), h("td"), h("td"), h("td"));
    const [weight, full] = [values.weight.data[key], values.full.data[key]];
    return h(
      "tr",
      { class: key === padding + state.word && "pe-chosen" },
      ...head,
      h("td", {}, place(positions[key], misplaced(key))),
      h(
        "td",
        { class: "pe-two-bars" },
        bar(weight, same(weight, full) ? colours.green : colours.orange),
        bar(full, colours.edge),
      ),
      h("td", {}, weight.toFixed(2)),
      h("td", {}, full.toFixed(2)),
    );
  };
  const heads = ["key", "", "position", "", "this step", "full pass"];
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
    h("tbody", {}, ...slots.map(row)),
  );
  view.say(inWords(view, slots, last));
}

function same(a, b) {
  return Math.abs(a - b) < ROUNDING;
}

/** A position, marked where it is wrong. */
function place(position, misplaced) {
  return h("b", { class: misplaced && "pe-wrong" }, position);
}

function inWords(
  { inputs: { positions, padding, masked, encoding }, values, state: { word } },
  slots,
  last,
) {
  const [position, weight, full] = [values.position, values.weight, values.full].map(
    ({ data }) => data,
  );
  const off = Math.max(...weight.map((share, n) => Math.abs(share - full[n])));
  const arrived =
    `Query and key of “${slots[last]}” get position ${position[last]}, ` + `${REASON[positions]}.`;
  const row =
    off < ROUNDING
      ? "Its weights are those of the full pass."
      : `Its weights are not those of the full pass: they are off by up to ${off.toFixed(2)}.`;
  const leaked = weight.slice(0, padding).reduce((sum, share) => sum + share, 0);
  const pads = !padding
    ? ""
    : !masked
      ? ` The pads take ${leaked.toFixed(2)} of its attention.`
      : positions === "mask"
        ? " The pads get nothing, and are not counted."
        : positions === "forgotten"
          ? " The pads get nothing."
          : encoding === "rope"
            ? ` The pads get nothing. They are counted, so every position is ${padding} ` +
              `higher; all distances stay, and RoPE sees distances alone.`
            : ` The pads get nothing. But they are counted, so every position is ${padding} ` +
              `higher: other rows of the table are added.`;
  const [first, second] = [padding, padding + 4]; // both “the”
  const twins =
    second <= last && position[first] === position[second]
      ? ` Both “the” have position ${position[first]}: their keys are one and the same, and ` +
        `get one and the same weight.`
      : "";
  return (
    `${arrived} ${row}${pads}${twins} ` +
    `${inDetail(slots, last, padding + word, padding, position, weight, full)}`
  );
}

/** One key: how far away it seems to be, and what it gets. */
function inDetail(slots, last, key, padding, position, weight, full) {
  if (key < padding) return `This pad gets ${weight[key].toFixed(2)}; the full pass has none.`;
  const seems = away(position[last] - position[key]);
  const truly = away(last - key);
  const where =
    key === last
      ? "is the new word itself"
      : seems === truly
        ? `is ${truly}`
        : `seems to be ${seems}, and is ${truly}`;
  const [gets, got] = [weight[key], full[key]].map((share) => share.toFixed(2));
  return (
    `“${slots[key]}” ${where}: it gets ` +
    `${gets}${gets === got ? "" : `, in the full pass ${got}`}.`
  );
}

function away(distance) {
  const words = Math.abs(distance) === 1 ? "1 word" : `${Math.abs(distance)} words`;
  return distance === 0 ? "at the same place" : `${words} ${distance > 0 ? "before" : "after"} it`;
}

export default figure({ compute, setup, render });
