// A sentence, its words in another order, and which of their outputs notice.

import { DIM, VOCABULARY, W_K, W_Q, W_V } from "../../course/running_sentence.py";
import { range, rowsOf, stack, vector } from "../page/compute/arrays.js";
import { attentionWeights } from "../page/compute/attention.js";
import { sinusoidalEncoding } from "../page/compute/encodings.js";
import { fixedUniform, hash32 } from "../page/compute/fixed_random.js";
import { multiply } from "../page/compute/linear_algebra.js";
import { fail } from "../page/compute/refusal.js";
import { blank, button, h, s } from "../page/draw/elements.js";
import { paintHeatMap, paintLegend } from "../page/draw/heat_map.js";
import { arrive } from "../page/draw/motion.js";
import { between, show } from "../page/draw/numbers.js";
import { steppable } from "../page/draw/reading.js";
import { figure } from "../page/shell/figure.js";
import { MOST, ROUNDING, SEPARATORS, THETA } from "./token_shuffle.py";

const ROW = 32; // px from one word to the next

export function compute({ sentence, order, layers, causal, positions }) {
  const words = wordsOf(sentence);
  const places = placesOf(order, words.length);
  const x = words.map(wordVector);
  const before = outputs(x, layers, causal, positions);
  const after = outputs(
    places.map((word) => x[word]),
    layers,
    causal,
    positions,
  );
  const change = places.map((word, place) => furthest(rowsOf(after)[place], rowsOf(before)[word]));
  return {
    before,
    after,
    order: vector(places),
    change: vector(change.map((size) => (size < ROUNDING ? 0 : size))),
  };
}

function wordsOf(sentence) {
  const words = sentence.split(new RegExp(SEPARATORS)).filter(Boolean);
  if (words.length < 1 || words.length > MOST)
    fail(`sentence: this figure draws 1 to ${MOST} words, got ${words.length}`);
  return words;
}

/** The largest difference between two rows of numbers. */
function furthest(a, b) {
  return Math.max(...a.map((value, n) => Math.abs(value - b[n])));
}

/** The number of the word at each place: those that are named, then the rest as typed. */
function placesOf(order, count) {
  const named = [];
  for (const part of order.split(/\s+/).filter(Boolean)) {
    if (!/^[0-9]+$/.test(part)) fail(`order: expected numbers of words, as in 2 0 1, got ${part}`);
    if (named.includes(Number(part)))
      fail(`order: expected each word once, got ${Number(part)} twice`);
    named.push(Number(part));
  }
  return [...named.filter((n) => n < count), ...range(0, count).filter((n) => !named.includes(n))];
}

/** The word's row in the running sentence's table, or numbers made of its letters. */
function wordVector(word) {
  const name = word.toLowerCase();
  if (Object.hasOwn(VOCABULARY, name)) return VOCABULARY[name];
  const seed = [...name].reduce((seed, letter) => hash32(seed ^ letter.codePointAt(0)), 0);
  return range(0, DIM).map((n) => fixedUniform(seed + n));
}

/** The words after so many layers of x + attention(x). */
function outputs(words, layers, causal, positions) {
  const add = (a, b) => ({ shape: a.shape, data: a.data.map((value, n) => value + b.data[n]) });
  let x = stack(words);
  if (positions) x = add(x, sinusoidalEncoding(range(0, words.length), DIM, THETA));
  for (let layer = 0; layer < layers; layer++) {
    const [q, k, v] = [W_Q, W_K, W_V].map((weights) => multiply(x, stack(weights)));
    x = add(x, multiply(attentionWeights(q, k, { causal }), v));
  }
  return x;
}

function setup(view) {
  view.state = { word: 1 };
  const [typed, middle, strands] = [h("div"), h("div"), s("svg", { "aria-hidden": "true" })];
  middle.append(strands);
  const drop = () => {
    delete view.parts.held;
  };
  const shuffled = h("div", {
    class: "pe-moving",
    ...steppable(
      "The words in their new order. Up and down arrow keys choose a word, left and right move it.",
      (right, down) =>
        down ? choose(view, placeOf(view) + down) : move(view, placeOf(view) + right),
    ),
    onpointerdown: (event) => {
      choose(view, placeAt(event));
      if (!event.target.closest(".pe-grip")) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      view.parts.held = view.state.word;
    },
    onpointermove: (event) => {
      if (event.currentTarget.hasPointerCapture(event.pointerId)) move(view, placeAt(event));
    },
    onpointerup: drop,
    onpointercancel: drop,
  });
  const means = h("div", { class: "pe-shuffle" });
  const legend = h("div", { class: "pe-legend" });
  const shuffle = (last) => () => setOrder(view, reshuffled(orderNow(view), last));
  view.stage.append(
    h(
      "div",
      { "data-pe-main": true },
      h(
        "div",
        { class: "pe-shuffle" },
        h("p", { class: "pe-note" }, "as typed"),
        h("p"),
        h("p", { class: "pe-note" }, "now: drag a word"),
        typed,
        middle,
        shuffled,
      ),
      means,
    ),
    h(
      "div",
      { class: "pe-buttons" },
      button("Shuffle", shuffle(false)),
      button("Shuffle all but the last", shuffle(true)),
      button("As typed", () => setOrder(view, range(0, orderNow(view).length))),
    ),
  );
  view.below.append(
    h(
      "div",
      { class: "pe-buttons" },
      button("▴ Earlier", () => move(view, placeOf(view) - 1)),
      button("▾ Later", () => move(view, placeOf(view) + 1)),
    ),
    h(
      "p",
      { class: "pe-note" },
      "A chosen word is moved with Earlier and Later too. = its output is the same, ≠ it has " +
        "changed.",
    ),
    legend,
  );
  return { typed, strands, shuffled, means, legend };
}

/** The order that was asked for last, drawn already or not. */
function orderNow(view) {
  return placesOf(view.currentInputs().order, view.values.before.shape[0]);
}

function setOrder(view, order) {
  view.set({ order: order.join(" ") });
}

function placeAt(event) {
  return Math.floor((event.clientY - event.currentTarget.getBoundingClientRect().top) / ROW);
}

function placeOf(view) {
  return orderNow(view).indexOf(view.state.word);
}

function choose(view, place) {
  const order = orderNow(view);
  view.read({ word: order[between(place, 0, order.length - 1)] });
}

/** Put the chosen word at another place; the words between make room. */
function move(view, place) {
  const { word } = view.state;
  const order = orderNow(view);
  const others = order.filter((other) => other !== word);
  others.splice(between(place, 0, order.length - 1), 0, word);
  if (String(others) !== String(order)) setOrder(view, others);
}

/** A third order, neither this one nor as typed; with `keepLast` the word typed last stays. */
function reshuffled(order, keepLast) {
  const words = range(0, order.length);
  const moving = keepLast ? words.slice(0, -1) : words;
  let seed = order.reduce((sum, word) => hash32(sum ^ word), order.length);
  for (let tries = 0; tries < 9; tries++, seed++) {
    const draw = (word) => fixedUniform(hash32(seed) + word);
    const found = [...moving].sort((a, b) => draw(a) - draw(b)).concat(words.slice(moving.length));
    if (![order, words].some((known) => String(known) === String(found))) return found;
  }
  return words; // too few words for a third order
}

function render(view) {
  const { inputs, state, values, parts, colours } = view;
  const words = wordsOf(inputs.sentence);
  const order = [...values.order.data];
  const count = words.length;
  state.word = Math.min(state.word, count - 1);
  const before = rowsOf(values.before);
  const after = rowsOf(values.after);
  const limit =
    Math.ceil(10 * Math.max(...[...values.before.data, ...values.after.data].map(Math.abs))) / 10;
  const chosen = (word) => word === state.word && "pe-chosen";
  const strip = (numbers, answer = false) => {
    const canvas = h("canvas", { class: "pe-pixels", "data-pe-answer": answer });
    paintHeatMap(canvas, { shape: [1, DIM], data: numbers }, colours, limit);
    return canvas;
  };
  const sign = (change) =>
    h(
      "b",
      { "data-pe-answer": true, style: `color: ${change ? colours.orange : colours.green}` },
      change ? "≠" : "=",
    );
  parts.typed.replaceChildren(
    ...before.map((row, word) =>
      h(
        "div",
        { class: `pe-token ${chosen(word) || ""}` },
        h("i", {}, word),
        h("span", { title: words[word] }, words[word]),
        strip(row),
      ),
    ),
  );
  parts.shuffled.replaceChildren(
    ...after.map((row, place) =>
      h(
        "div",
        { class: `pe-token ${chosen(order[place]) || ""}` },
        strip(row, true),
        h("span", { class: "pe-grip", title: words[order[place]] }, words[order[place]]),
        sign(values.change.data[place]),
      ),
    ),
  );
  drawStrands(view, order);
  const [mean, meanAfter] = [before, after].map((rows) =>
    rows[0].map((_, n) => rows.reduce((sum, row) => sum + row[n], 0) / count),
  );
  const meanChanged = furthest(mean, meanAfter) >= ROUNDING;
  parts.means.replaceChildren(
    h("div", { class: "pe-token" }, h("i"), h("span", {}, "mean"), strip(mean)),
    h("p"),
    h(
      "div",
      { class: "pe-token" },
      strip(meanAfter, true),
      h("span", {}, "mean"),
      sign(meanChanged),
    ),
  );
  paintLegend(parts.legend, colours, limit);
  travel(view, order);
  view.say(inWords(words, order, values, state.word, meanChanged));
}

/** From each word's place to its new place: solid where the output is the same. */
function drawStrands({ values, parts: { strands }, colours, state }, order) {
  const width = strands.parentElement.clientWidth;
  const middle = (place) => (place + 0.5) * ROW;
  blank(strands, width, order.length * ROW);
  order.forEach((word, place) => {
    const [a, b] = [middle(word), middle(place)];
    const changed = values.change.data[place];
    strands.append(
      s("path", {
        d: `M0,${a} C${width / 2},${a} ${width / 2},${b} ${width},${b}`,
        fill: "none",
        stroke: changed ? colours.orange : colours.green,
        "stroke-width": word === state.word ? 4 : 2,
        "stroke-dasharray": changed && "5 5",
        "data-pe-answer": "stroke",
      }),
    );
  });
}

/** Words travel to their new places with their strands, and outputs that another rule gives appear;
 *  the word that is dragged follows at once. */
function travel({ inputs, parts }, order) {
  const paths = [...parts.strands.children];
  const before = parts.drawn;
  parts.drawn = { inputs, order, paths: paths.map((path) => path.getAttribute("d")) };
  if (!before || before.inputs.sentence !== inputs.sentence) return;
  order.forEach((word, place) => {
    const from = before.order.indexOf(word);
    if (from === place) return;
    arrive(paths[place], { d: `path("${before.paths[from]}")` });
    if (word !== parts.held)
      arrive(parts.shuffled.children[place], {
        transform: `translateY(${(from - place) * ROW}px)`,
      });
  });
  const rules = ["layers", "causal", "positions"];
  if (rules.every((name) => inputs[name] === before.inputs[name])) return;
  for (const output of parts.shuffled.querySelectorAll("canvas")) arrive(output, { opacity: 0 });
  for (const path of paths) arrive(path, { opacity: 0 });
}

function inWords(words, order, { after, change }, word, meanChanged) {
  const count = words.length;
  const changed = order.filter((_, place) => change.data[place]);
  const moved = order.some((word, place) => word !== place);
  const unchanged = range(0, count).filter((n) => !changed.includes(n));
  const kept = quoted(words, unchanged);
  const all = !moved
    ? "The order is as typed."
    : !changed.length
      ? "No output has changed: each has moved with its word."
      : changed.length === count
        ? "Every output has changed."
        : `${changed.length} of ${count} outputs have changed; unchanged: ${kept}.`;
  const place = order.indexOf(word);
  const size = change.data[place];
  const stayed = place === word;
  const way = stayed ? `is at place ${place} as before` : `went from place ${word} to ${place}`;
  const one =
    `“${words[word]}” ${way}: ` +
    `its output ${size ? `changed by up to ${show(size, 2)}` : "is the same"}.`;
  const pool = moved
    ? `The mean of all outputs ${meanChanged ? "has changed" : "is the same"}. `
    : "";
  return `${all} ${pool}${one} ${alike(words, order, rowsOf(after))}`;
}

function quoted(words, numbers) {
  return numbers.map((n) => `“${words[n]}” (word ${n})`).join(", ");
}

/** Whether a word that stands twice has one output or two. */
function alike(words, order, after) {
  const twice = order.map((word) => words[word].toLowerCase());
  const first = twice.findIndex((word, place) => twice.indexOf(word, place + 1) > place);
  if (first < 0) return "";
  const second = twice.indexOf(twice[first], first + 1);
  const same = furthest(after[first], after[second]) < ROUNDING;
  return `“${twice[first]}” appears twice, with ${same ? "the same output" : "two outputs"}.`;
}

export default figure({ compute, setup, render });
