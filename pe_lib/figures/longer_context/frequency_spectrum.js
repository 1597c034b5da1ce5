// Which pairs of a rotary head meet angles that training never showed, as the context grows.

import { range, rowsOf, stack, vector } from "../page/compute/arrays.js";
import { inverseFrequencies } from "../page/compute/encodings.js";
import { lineChart } from "../page/draw/chart.js";
import { blank, h, s } from "../page/draw/elements.js";
import { key } from "../page/draw/legends.js";
import { between, show, superscript } from "../page/draw/numbers.js";
import { readable } from "../page/draw/reading.js";
import { figure } from "../page/shell/figure.js";
import { FAST_TURNS, HIGH_TURNS, LOW_TURNS, ROUNDING, SLOW_TURNS } from "./frequency_spectrum.py";

const TURN = 2 * Math.PI;
const OPENING = 50 / 64; // how far along the pairs is the one that is read first

/** By how much each method slows a pair: its number n, how often it turns in training. */
const SLOWED = {
  none: () => () => 1,
  interpolation:
    ({ times }) =>
    () =>
      times,
  ntk:
    ({ times, dim }) =>
    (n) =>
      times ** (n / (dim / 2 - 1)),
  yarn(inputs) {
    const [first, last] = blended(inputs);
    return (n) => mixed((last - n) / (last - first), inputs.times);
  },
  llama3:
    ({ times }) =>
    (_, turns) =>
      mixed((turns - LOW_TURNS) / (HIGH_TURNS - LOW_TURNS), times),
};

/** A pair that keeps a part of its frequency, from 0 to 1, and has the rest divided. */
function mixed(part, times) {
  const kept = between(part, 0, 1);
  return 1 / (kept + (1 - kept) / times);
}

/** The last pair that YaRN keeps and the first that it divides. */
function blended({ theta, trained, dim }) {
  const pairOf = (turns) => ((dim / 2) * Math.log(trained / (turns * TURN))) / Math.log(theta);
  const high = Math.min(Math.ceil(pairOf(SLOW_TURNS)), dim - 1);
  const low = Math.min(Math.max(Math.floor(pairOf(FAST_TURNS)), 0), high);
  return [low, Math.max(high, low + 0.001)];
}

export function compute({ method, times, theta, trained, dim }) {
  const before = Array.from(inverseFrequencies(Number(dim), Number(theta)).data);
  const seen = before.map((frequency) => (trained * frequency) / TURN);
  const slowing = SLOWED[method]({ times, theta, trained, dim });
  const slowed = seen.map((turns, n) => slowing(n, turns));
  const farther = slowed.map((slower) => times / slower);
  const zoneOf = (slower) =>
    slower <= 1 + ROUNDING ? 0 : slower <= times * (1 - ROUNDING) ? 1 : 2;
  return {
    wavelengths: stack([
      before.map((frequency) => TURN / frequency),
      before.map((frequency, n) => (TURN * slowed[n]) / frequency),
    ]),
    turns: stack([seen, seen.map((turns, n) => turns * farther[n])]),
    zone: vector(slowed.map(zoneOf)),
    beyond: vector(
      seen.map((turns, n) => (turns < 1 && farther[n] > 1 + ROUNDING ? farther[n] : 1)),
    ),
  };
}

function setup(view) {
  view.state = { pair: null }; // none is chosen yet
  const [waves, angles] = [0, 1].map(() => s("svg", { "aria-hidden": "true" }));
  const legend = h("div");
  const read = (pair) => view.read({ pair: between(Math.round(pair), 0, lastPair(view)) });
  const plot = h(
    "div",
    {
      class: "pe-plot",
      ...readable(
        "The pairs of a head: how many positions a turn takes, and how much of their circle they " +
          "turn. Left and right arrow keys move the pair that is read, up and down by ten.",
        (x) => read(view.parts.fromX(x)),
        (right, down) => read(pairRead(view) + right - 10 * down),
      ),
    },
    waves,
    angles,
  );
  view.stage.append(h("div", { "data-pe-main": true }, legend, plot));
  const note = h("p", { class: "pe-note" });
  const dial = s("svg", { "aria-hidden": "true" });
  view.beside.append(h("div", {}, note, h("div", { class: "pe-dials" }, dial)));
  return { waves, angles, legend, note, dial };
}

/** The number of the slowest pair. */
function lastPair({ inputs: { dim } }) {
  return dim / 2 - 1;
}

/** The pair that is read: the chosen one, or the last of a head too small for it. */
function pairRead(view) {
  const last = lastPair(view);
  return Math.min(view.state.pair ?? Math.floor(OPENING * (last + 1)), last);
}

function render(view) {
  const { inputs, parts, colours } = view;
  parts.legend.replaceChildren(
    key(
      [colours.edge, "in training"],
      [colours.green, "unchanged"],
      [colours.purple, "divided by less"],
      [colours.blue, `divided by ${show(inputs.times, 3)}`],
      [colours.error, "never seen"],
    ),
  );
  drawWaves(view);
  drawAngles(view);
  drawDial(view);
  view.say(inWords(view));
}

/** A chart over the pairs, in which those that meet new angles are lit. */
function overPairs(view, svg, options, draw) {
  const { values, parts, colours, width } = view;
  const last = lastPair(view);
  const xTicks = range(0, 4)
    .map((n) => (n * (last + 1)) / 4)
    .concat(last);
  const chart = lineChart(svg, { width, colours, x: endsOf(view), xTicks, ...options });
  chart.answer(() => {
    values.beyond.data.forEach((far, n) => {
      if (far > 1)
        chart.bar(n - 0.5, options.y[1], colours.error, { opacity: 0.18, ...touching(chart) });
    });
  });
  draw(chart);
  parts.fromX = chart.fromX;
}

/** Bars of so many pairs touch: gaps of less than a pixel would mix the colours. */
function touching({ fromX }) {
  const unit = 1 / (fromX(1) - fromX(0));
  return unit < 3 ? { width: unit, "shape-rendering": "crispEdges" } : {};
}

/** Where the axis of the pairs begins and ends. */
function endsOf(view) {
  return [-0.6, lastPair(view) + 0.6];
}

/** How many positions a turn takes, on a logarithmic axis. */
function drawWaves(view) {
  const { inputs, values, parts, colours } = view;
  const { length, context } = lengths(inputs);
  const [before, after] = rowsOf(values.wavelengths);
  const most = Math.max(before[lastPair(view)] * inputs.times, context); // the same for all methods
  const options = {
    height: 190,
    y: [0, Math.ceil(Math.log10(most))],
    xLabel: "",
    yLabel: "positions a turn",
    yTick: (power) => `10${superscript(power)}`,
  };
  overPairs(view, parts.waves, options, (chart) => {
    const level = (positions, colour, pair, text, below) => {
      const y = Math.log10(positions);
      const ends = endsOf(view).map((x) => [x, y]);
      chart.line(ends, colour, { "stroke-width": 1.5, "stroke-dasharray": "6 4" });
      chart.text(pair, y, text, colour, below);
    };
    chart.line(
      Array.from(before, (positions, n) => [n, Math.log10(positions)]),
      colours.edge,
    );
    const zones = [colours.green, colours.purple, colours.blue];
    chart.answer(() => {
      after.forEach((positions, n) => {
        chart.dot(n, Math.log10(positions), zones[values.zone.data[n]], 2.5);
      });
    });
    chart.rule(pairRead(view), colours.ink); // beneath the texts
    const middle = before.length / 2;
    const free = before[middle] > length ? middle : 0; // below the line, where no dots are
    level(length, colours.ink, free, `trained on ${show(length, 6)}`, 14);
    if (context > length) level(context, colours.orange, 0, `context ${show(context, 7)}`, -5);
  });
}

/** How much of its circle each pair turns: in training, and beyond it in the context. */
function drawAngles(view) {
  const { values, parts, colours } = view;
  const [seen, now] = rowsOf(values.turns);
  const options = {
    height: 165,
    y: [0, 1.03],
    xLabel: "pair, from fast to slow",
    yLabel: "",
    yTick: (turns) => `${360 * turns}°`,
  };
  overPairs(view, parts.angles, options, (chart) => {
    chart.text(0, options.y[1], "how far each pair turns, up to a full circle", colours.muted, -2);
    chart.answer(() => {
      seen.forEach((turns, n) => {
        const bar = (reach, colour) =>
          chart.bar(n - 0.5, Math.min(reach, 1), colour, touching(chart));
        if (values.beyond.data[n] > 1) bar(now[n], colours.error);
        bar(turns, colours.edge);
      });
    });
    chart.rule(pairRead(view), colours.ink);
  });
}

/** The circle of the pair that is read: what training showed of it, and what is new. */
function drawDial(view) {
  const {
    values,
    parts: { dial, note },
    colours,
  } = view;
  const pair = pairRead(view);
  const radius = 92;
  const size = 2 * radius + 20;
  const [seen, now] = rowsOf(values.turns).map((turns) => Math.min(turns[pair], 1));
  note.textContent =
    `The circle of pair ${pair}, from 3 o'clock counter-clockwise: grey is what the distances of ` +
    "training turned it through, red what only the longer context does.";
  blank(dial, size, size);
  dial.setAttribute("viewBox", `${-size / 2} ${-size / 2} ${size} ${size}`);
  dial.append(
    s("circle", { r: radius, fill: colours.surface, stroke: colours.grid }),
    s(
      "g",
      { "data-pe-answer": true },
      sector(0, seen, radius, colours.edge),
      values.beyond.data[pair] > 1 ? sector(seen, now, radius, colours.error) : null,
    ),
    s("path", { d: `M0,0H${radius}`, stroke: colours.ink, "stroke-width": 2 }),
  );
}

/** The sector from one part of a turn to another; a whole turn is a disc. */
function sector(from, to, radius, colour) {
  if (to - from >= 1) return s("circle", { r: radius, fill: colour });
  const on = (turns) => `${radius * Math.cos(TURN * turns)},${-radius * Math.sin(TURN * turns)}`;
  const large = to - from > 0.5 ? 1 : 0;
  return s("path", {
    d: `M0,0L${on(from)}A${radius},${radius} 0 ${large} 0 ${on(to)}Z`,
    fill: colour,
  });
}

function lengths({ trained, times }) {
  const length = Number(trained);
  return { length, context: Math.round(length * times) };
}

function inWords(view) {
  return [ofMethod(view), ofUnseen(view), ofNeighbours(view), ofPair(view)].join(" ");
}

/** How many pairs the method leaves as they are, and how many it slows. */
function ofMethod({ inputs: { method, times }, values: { zone } }) {
  const [unchanged, partly, wholly] = [0, 1, 2].map(
    (wanted) => zone.data.filter((one) => one === wanted).length,
  );
  const by = `divided by ${show(times, 3)}`;
  if (method === "none") return `All ${unchanged} pairs turn as in training.`;
  if (times === 1) return `At the trained length no method changes any of the ${unchanged} pairs.`;
  if (method === "interpolation") return `All ${wholly} pairs are ${by}.`;
  if (method === "ntk")
    return `Pair 0 is unchanged, the last is ${by}, and the ${partly} between them by less.`;
  const first = unchanged === 1 ? "1 pair is" : `${unchanged} pairs are`;
  return `${first} unchanged, ${partly} blended (divided by less), ${wholly} ${by}.`;
}

/** Which pairs meet new angles, and how far they go. */
function ofUnseen({ inputs, values: { turns, beyond } }) {
  const { length } = lengths(inputs);
  const part = rowsOf(turns)[0].filter((seen) => seen < 1).length;
  const partly = `${part} pairs do not complete a turn within ${show(length, 6)} positions`;
  const lit = range(0, beyond.data.length).filter((n) => beyond.data[n] > 1);
  if (!lit.length) return `${partly}, but none meets an angle that training never showed.`;
  const all = lit.length === part ? "all of them" : `${lit.length} of them`;
  const most = show(Math.max(...beyond.data), 3);
  return (
    `${partly}, and ${all} (pairs ${lit[0]} to ${lit[lit.length - 1]}) meet angles that training ` +
    `never showed, up to ${most} times the largest of training.`
  );
}

/** What two neighbours lose of the angle that tells them apart best. */
function ofNeighbours({ values: { wavelengths } }) {
  const [before, after] = rowsOf(wavelengths).map(([fastest]) => 360 / fastest);
  const angle = (degrees) => `${show(degrees, 3)}°`;
  return after < before * (1 - ROUNDING)
    ? `Neighbours are ${angle(after)} apart in the fastest pair, no longer ${angle(before)}.`
    : `Neighbours are ${angle(before)} apart in the fastest pair, as in training.`;
}

/** The pair that is read. */
function ofPair(view) {
  const { inputs, values } = view;
  const pair = pairRead(view);
  const { context } = lengths(inputs);
  const [before, after] = rowsOf(values.wavelengths).map((row) => row[pair]);
  const [seen, now] = rowsOf(values.turns).map((row) => row[pair]);
  const angle = (turns) => `${show(360 * turns, 3)}°`;
  const slower = values.zone.data[pair] ? `, now in ${positions(after)}` : "";
  const ends =
    seen >= 1
      ? "training showed all its angles."
      : values.beyond.data[pair] > 1
        ? `training showed ${angle(seen)} of its circle, and ${show(context, 6)} positions turn ` +
          `it by ${angle(now)}.`
        : `training showed ${angle(seen)} of its circle, and the context turns it no farther.`;
  return `Pair ${pair} turns once in ${positions(before)} positions${slower}; ${ends}`;
}

/** A wavelength: whole positions, or one decimal below 100. */
function positions(wavelength) {
  return wavelength < 100 ? wavelength.toFixed(1) : show(Math.round(wavelength), 9);
}

export default figure({ compute, setup, render });
