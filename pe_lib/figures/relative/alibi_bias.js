// How far back a head looks with ALiBi: its penalty by distance, and what softmax makes of it.

import { WORDS } from "../../course/running_sentence.py";
import { matrix, range, rowsOf, stack, vector } from "../page/compute/arrays.js";
import { lineChart } from "../page/draw/chart.js";
import { distanceAxis } from "../page/draw/distance_axis.js";
import { h, s } from "../page/draw/elements.js";
import { key } from "../page/draw/legends.js";
import { between, percent, show } from "../page/draw/numbers.js";
import { readable } from "../page/draw/reading.js";
import { figure } from "../page/shell/figure.js";
import { REACH } from "./relative_buckets.py";

const AXIS = distanceAxis(REACH);
const LOWEST = -5; // the bias at the bottom of its chart
const STRONGEST = 3; // the penalty from which on cells of the map look alike

export function compute({ heads, head, length, causal }) {
  const slopes = slopesOf(heads);
  const onePercent = slopes.map((slope) => Math.log(100) / slope);
  const distances = drawnDistances(length);
  const bias = stack(slopes.map((slope) => distances.map((distance) => -slope * distance)));
  // The sum of exp(-slope * distance) over the nearest `count` keys.
  const nearest = (slope, count) => Math.expm1(-slope * count) / Math.expm1(-slope);
  const weights = slopes.map((slope) =>
    distances.map((distance) => Math.exp(-slope * distance) / nearest(slope, length)),
  );
  const map = matrix(WORDS.length, WORDS.length);
  const slope = slopes[Math.min(head, heads) - 1];
  rowsOf(map).forEach((row, query) => {
    for (const word of row.keys())
      row[word] = causal && word > query ? NaN : -slope * Math.abs(query - word);
  });
  return {
    slopes: vector(slopes),
    distances: vector(distances),
    bias,
    weights: stack(weights),
    one_percent: vector(onePercent),
    within: vector(
      slopes.map((slope, n) => {
        const count = Math.min(Math.floor(onePercent[n]) + 1, length);
        return nearest(slope, count) / nearest(slope, length);
      }),
    ),
    map,
  };
}

/** Powers of two, evenly spaced; what a power of two of heads leaves over stands between them. */
function slopesOf(heads) {
  const power = 2 ** Math.floor(Math.log2(heads));
  return range(0, heads).map(
    (head) => 2 ** ((-8 * (head < power ? head + 1 : head - power + 0.5)) / power),
  );
}

/** Every distance up to 32, then 16 from one power of two to the next, and the last. */
function drawnDistances(length) {
  const distances = [0];
  for (let last = 0; last < length - 1; distances.push(last))
    last = Math.min(last + 2 ** Math.max(0, 27 - Math.clz32(last)), length - 1);
  return distances;
}

function setup(view) {
  view.state = { distance: 8 };
  const [bias, weights] = [0, 1].map(() => s("svg", { "aria-hidden": "true" }));
  const legend = h("div");
  const plot = h(
    "div",
    {
      class: "pe-plot",
      ...readable(
        "Curves of the bias and of the weight by distance. Left and right arrow keys move the " +
          "distance that is read, up and down by ten steps.",
        (x) => view.read({ distance: AXIS.at(view.parts.fromX(x)) }),
        (right, down) => step(view, right - 10 * down),
      ),
    },
    bias,
    weights,
  );
  view.stage.append(h("div", { "data-pe-main": true }, legend, plot));
  const table = h("table", { class: "pe-map", style: "font-size: 12px" });
  const caption = h("p", { class: "pe-note" });
  view.beside.append(caption, table);
  return { bias, weights, legend, table, caption };
}

/** Read the drawn distance some steps farther back. */
function step(view, steps) {
  const { data } = view.values.distances;
  const n = nearestTo(view.state.distance, data) + steps;
  view.read({ distance: data[between(n, 0, data.length - 1)] });
}

/** The number of the drawn distance that is nearest to one. */
function nearestTo(distance, drawn) {
  return drawn.reduce(
    (best, other, n) => (Math.abs(other - distance) < Math.abs(drawn[best] - distance) ? n : best),
    0,
  );
}

function render(view) {
  const { inputs, values, parts, colours } = view;
  const chosen = Math.min(inputs.head, inputs.heads) - 1;
  const read = nearestTo(view.state.distance, values.distances.data);
  view.state.distance = values.distances.data[read];
  const slope = values.slopes.data[chosen];
  const legend = key(
    [colours.blue, `head ${chosen + 1}: slope ${inWords(slope)}`],
    ...(inputs.heads > 1 ? [[colours.edge, "other heads"]] : []),
    [colours.purple, "start of the text"],
    [colours.green, "1 % of the nearest weight"],
  );
  legend.lastChild.dataset.peAnswer = "";
  parts.legend.replaceChildren(legend);
  drawCurves(view, chosen, read);
  drawMap(view, slope);
  view.say(said(view, chosen, read));
}

/** The bias above, the weight below, over one axis; the weight is held back while it asks. */
function drawCurves({ inputs: { length }, values, parts, colours, width }, chosen, read) {
  const distances = [...values.distances.data];
  const place = AXIS.place(values.one_percent.data[chosen]);
  const draw = (svg, options, rows, held) => {
    const chart = lineChart(svg, { width, colours, ...AXIS.options, ...options });
    const line = (row, colour, look) =>
      chart.line(within(distances, row, options.y[0]), colour, look);
    const lines = () => {
      for (const [n, row] of rows.entries())
        if (n !== chosen) line(row, colours.edge, { "stroke-width": 1, opacity: 0.6 });
      line(rows[chosen], colours.blue, { "stroke-width": 2.5 });
    };
    chart.rule(AXIS.place(length - 1), colours.purple);
    if (held) chart.answer(lines);
    else lines();
    chart.answer(() => {
      if (values.one_percent.data[chosen] <= length - 1) chart.rule(place, colours.green);
      if (rows[chosen][read] >= options.y[0])
        chart.dot(AXIS.place(distances[read]), rows[chosen][read], colours.orange, 5);
    });
    parts.fromX = chart.fromX;
  };
  draw(
    parts.bias,
    { height: 165, y: [LOWEST, 0.2], xLabel: "", yLabel: "bias" },
    rowsOf(values.bias),
    false,
  );
  draw(
    parts.weights,
    { height: 185, y: [-0.03, 1.04], yLabel: "weight / nearest" },
    rowsOf(values.weights).map((row) => row.map((weight) => weight / row[0])),
    true,
  );
}

/** The points of a falling curve, as far down as the chart reaches. */
function within(distances, row, lowest) {
  const points = distances.map((distance, n) => [distance, row[n]]);
  const out = points.findIndex(([, value]) => value < lowest);
  if (out >= 0) {
    const [[before, high], [after, low]] = points.slice(out - 1, out + 1);
    const end = before + ((after - before) * (high - lowest)) / (high - low);
    points.splice(out, Infinity, [end, lowest]);
  }
  return points.map(([distance, value]) => [AXIS.place(distance), value]);
}

/** What is added to the score of every pair of words. */
function drawMap({ values: { map }, inputs: { causal }, parts, colours: { scale } }, slope) {
  const ahead = causal ? "−∞ shuts a key out." : "Keys ahead cost as much as those behind.";
  parts.caption.textContent =
    `The bias of this head, slope ${inWords(slope)}: the word that looks down the side, the word ` +
    `looked at on top. ${ahead}`;
  const middle = (scale.length - 1) / 2;
  const cell = (bias) => {
    if (Number.isNaN(bias)) return h("td", {}, "−∞");
    const level = middle * (1 - 0.5 * Math.min(-bias / STRONGEST, 1));
    return h(
      "td",
      { style: `background: rgb(${scale[Math.round(level)].join(" ")})` },
      show(bias, slope < 0.05 ? 3 : 2),
    );
  };
  parts.table.replaceChildren(
    h("tr", {}, h("th"), ...WORDS.map((word) => h("th", {}, word))),
    ...rowsOf(map).map((row, n) => h("tr", {}, h("th", {}, WORDS[n]), ...[...row].map(cell))),
  );
}

/** A slope: 1/8, or 0.3536 where it is not one over a whole number. */
function inWords(slope) {
  return Number.isInteger(1 / slope) ? `1/${1 / slope}` : show(slope);
}

/** A distance that need not be whole: one decimal below 100. */
function tokens(distance) {
  return distance < 100 ? distance.toFixed(1) : show(Math.round(distance));
}

function said({ inputs: { heads, length, causal }, values }, chosen, read) {
  const { slopes, distances, bias, weights, one_percent: onePercent } = values;
  const slope = inWords(slopes.data[chosen]);
  const far = onePercent.data[chosen];
  const [ofBias, ofWeight] = [bias, weights].map((table) => rowsOf(table)[chosen]);
  const share = (n) => {
    const percents = 100 * (ofWeight[n] / ofWeight[0]);
    return percents < 0.01 ? "less than 0.01\u00a0%" : `${show(percents, 3)}\u00a0%`;
  };
  const last = distances.data.length - 1;
  const reaches =
    far <= length - 1
      ? `The weight falls to 1\u00a0% of the nearest token's after ${tokens(far)} tokens, and ` +
        `${percent(values.within.data[chosen])} of all weight lies within them.`
      : `The weight would fall to 1\u00a0% of the nearest token's after ` +
        `${tokens(far)} tokens, more than this text has: its first token still gets ` +
        `${share(last)}.`;
  const gentlest = slopes.data.indexOf(Math.min(...slopes.data));
  const farthest =
    gentlest === chosen
      ? "No head looks farther."
      : `Head ${gentlest + 1}, the gentlest (slope ${inWords(slopes.data[gentlest])}), looks ` +
        `farthest: ${tokens(onePercent.data[gentlest])} tokens.`;
  const ahead = causal ? "" : " The last query has no key ahead: its curves stay the same.";
  return (
    `Head ${chosen + 1} of ${heads} takes ${slope} off the score for every token of distance. ` +
    `${reaches} ${farthest} Read at ${show(distances.data[read])} tokens back: bias ` +
    `${show(ofBias[read])}, weight ${share(read)} of the nearest token's.${ahead}`
  );
}

export default figure({ compute, setup, render });
