// The score of one query and one key by their distance: what decays, what does not, what peaks.

import { range, rowsOf, stack, vector } from "../page/compute/arrays.js";
import { inverseFrequencies, turn } from "../page/compute/encodings.js";
import { fixedUniform } from "../page/compute/fixed_random.js";
import { dot } from "../page/compute/linear_algebra.js";
import { remembering } from "../page/compute/remembering.js";
import { lineChart } from "../page/draw/chart.js";
import { h, s } from "../page/draw/elements.js";
import { handsDial } from "../page/draw/hands.js";
import { key } from "../page/draw/legends.js";
import { between, show } from "../page/draw/numbers.js";
import { readable } from "../page/draw/reading.js";
import { figure } from "../page/shell/figure.js";
import { DIALS, SAMPLE, SHOWN, WIDEST } from "./rotary_score.py";

export function compute({ dim, theta, reach, vectors, tuned_to: tunedTo, draw }) {
  const frequencies = inverseFrequencies(dim, theta).data;
  const all = (vectors === "random" ? range(0, SAMPLE) : [draw]).map((number) =>
    vectorsOf(vectors, number, frequencies, tunedTo),
  );
  const scores = stack(
    all.map(([q, k]) => {
      const size = Math.hypot(...q.flat()) * Math.hypot(...k.flat());
      const [along, across] = products(q, k).map((part) => part.map((value) => value / size));
      return tables(dim, theta, reach).map(([cos, sin]) => dot(along, cos) + dot(across, sin));
    }),
  );
  const rows = rowsOf(scores);
  const drawn = vectors === "random" ? draw : 0;
  const [q, k] = all[drawn];
  const [along, across] = products(q, k);
  const next = (part, n) => (part[n + 1] ?? 0) - part[n];
  const largest = Math.max(...along.map((_, n) => Math.hypot(next(along, n), next(across, n))));
  const dials = dialsOf(dim / 2);
  const unit = largest / (Math.hypot(...q.flat()) * Math.hypot(...k.flat()));
  return {
    curve: vector(rows[drawn]),
    others: stack(rows.slice(0, SHOWN)),
    mean_size: vector(
      range(0, reach + 1).map(
        (r) => rows.reduce((sum, row) => sum + Math.abs(row[r]), 0) / rows.length,
      ),
    ),
    bound: vector(tables(dim, theta, reach).map(([cos, sin]) => unit * sumOfSizes(cos, sin))),
    query: stack(q),
    key: stack(k),
    dials: vector(dials),
    turned: {
      shape: [reach + 1, dials.length, 2],
      data: Float64Array.from(
        range(0, reach + 1).flatMap((r) =>
          dials.flatMap((pair) => turn(q[pair], r * frequencies[pair])),
        ),
      ),
    },
  };
}

/** The pairs whose hands are drawn: evenly spread, from the fastest to the slowest. */
function dialsOf(pairs) {
  const count = Math.min(DIALS, pairs);
  return range(0, count).map((n) => Math.round((n * (pairs - 1)) / Math.max(count - 1, 1)));
}

/** Cosine and sine of every pair's angle, for every distance. */
const tables = remembering((dim, theta, reach) => {
  const frequencies = inverseFrequencies(dim, theta).data;
  return range(0, reach + 1).map((r) =>
    [Math.cos, Math.sin].map((f) => frequencies.map((frequency) => f(r * frequency))),
  );
});

/** What q and k have along each other in each pair, and across. */
function products(q, k) {
  return [
    q.map(([a, b], pair) => a * k[pair][0] + b * k[pair][1]),
    q.map(([a, b], pair) => a * k[pair][1] - b * k[pair][0]),
  ];
}

/** The sum of |S| in equation 37 of Su et al. 2021: the hands are laid end to end, pair by pair. */
function sumOfSizes(cos, sin) {
  let x = 0;
  let y = 0;
  let sum = 0;
  for (let pair = 0; pair < cos.length; pair++) {
    x += cos[pair];
    y += sin[pair];
    sum += Math.hypot(x, y);
  }
  return sum;
}

/** The hands of q and k: lists of [first, second] feature. */
function vectorsOf(vectors, number, frequencies, tunedTo) {
  const feature = (n) => fixedUniform(2 * WIDEST * number + n);
  const pairs = range(0, frequencies.length);
  const random = (start) =>
    pairs.map((pair) => [feature(start + 2 * pair), feature(start + 2 * pair + 1)]);
  if (vectors === "random") return [random(0), random(WIDEST)];
  if (vectors === "equal") {
    const q = random(0).map(([part]) => [Math.cos(Math.PI * part), Math.sin(Math.PI * part)]);
    return [q, q];
  }
  return [random(0), random(0).map((hand, pair) => turn(hand, tunedTo * frequencies[pair]))];
}

function setup(view) {
  view.state = { distance: 1000 };
  const svg = s("svg", { "aria-hidden": "true" });
  const [legend, dials, caption] = [
    h("div"),
    h("div", { class: "pe-many-hands" }),
    h("p", { class: "pe-note" }),
  ];
  const plot = h(
    "div",
    {
      class: "pe-plot",
      ...readable(
        "Curve of the score by distance. Left and right arrow keys move the distance that is " +
          "read, up and down by ten.",
        (x) => view.read({ distance: Math.round(view.parts.fromX(x)) }),
        (right, down) => view.read({ distance: view.state.distance + right - 10 * down }),
      ),
    },
    svg,
  );
  view.stage.append(h("div", { "data-pe-main": true }, legend, plot));
  view.below.append(h("div", {}, caption, dials));
  return { svg, legend, dials, caption };
}

function render(view) {
  const {
    inputs: { reach, vectors, tuned_to: tunedTo },
    values: { curve, others, mean_size: mean },
    parts,
    colours,
  } = view;
  const r = between(view.state.distance, 0, reach);
  view.state.distance = r;
  const random = vectors === "random";
  const low = Math.min(-0.5, Math.floor(4 * Math.min(...curve.data, ...others.data)) / 4);
  const chart = lineChart(parts.svg, {
    width: view.width,
    height: 290,
    x: [0, 1.03 * reach],
    y: [low - 0.05, 1.05],
    xLabel: "distance m − n: how far back the key stands",
    yLabel: "score / |q| |k|",
    colours,
  });
  parts.fromX = chart.fromX;
  const points = (values) => Array.from(values, (value, n) => [n, value]);
  chart.line(
    [
      [0, 0],
      [reach, 0],
    ],
    colours.edge,
    { "stroke-width": 1 },
  );
  chart.rule(tunedTo, colours.green);
  chart.rule(r, colours.edge);
  chart.answer(() => {
    for (const row of random ? rowsOf(others) : [])
      chart.line(points(row), colours.grid, { "stroke-width": 1 });
    chart.line(points(curve.data), colours.blue, { "stroke-width": random ? 1.5 : 2 });
    if (random) chart.line(points(mean.data), colours.purple, { "stroke-width": 3 });
    chart.dot(tunedTo, curve.data[tunedTo], colours.green, 5);
    chart.dot(r, curve.data[r], colours.orange, 5);
  });
  parts.legend.replaceChildren(
    key(
      [colours.blue, random ? "this q and k" : "q and k"],
      ...(random
        ? [
            [colours.grid, "other q and k"],
            [colours.purple, `mean size of ${SAMPLE}`],
          ]
        : []),
      [colours.green, `${tunedTo} back`],
    ),
  );
  drawHands(view, r);
  view.say(inWords(view, r));
}

/** The hands of some pairs, from the fastest to the slowest, at the distance that is read. */
function drawHands({ values: { query, key: keys, dials, turned }, parts, colours, width }, r) {
  const [q, k] = [query, keys].map((rows) => rowsOf(rows).map((row) => [...row]));
  const longest = 1.05 * Math.max(...[...q, ...k].map((hand) => Math.hypot(...hand)));
  const size = Math.min(Math.floor((width - 8 * DIALS) / DIALS), 78);
  const apart = `Hands of q and k ${show(r)} tokens apart`;
  parts.caption.textContent = `${apart}, in pairs from the fastest to the slowest:`;
  parts.dials.replaceChildren(
    ...Array.from(dials.data, (pair, n) => {
      const place = 2 * (r * dials.data.length + n);
      const hand = [...turned.data.slice(place, place + 2)];
      return h("div", {}, handsDial(colours, size, longest, [hand, k[pair]]), h("span", {}, pair));
    }),
  );
}

function inWords(
  { inputs: { reach, vectors, tuned_to: tunedTo }, values: { curve, mean_size: mean, bound } },
  r,
) {
  const at = (n) => show(curve.data[n], 3);
  const tenth = Math.floor(reach / 10);
  const average = (part) => show(part.reduce((sum, value) => sum + value, 0) / part.length, 3);
  const read =
    `Distance ${show(r)}: the score is ${at(r)} of |q| |k|; ${tunedTo} tokens back ` +
    `it is ${at(tunedTo)}. `;
  if (vectors === "random") {
    return (
      `${read}Over all ${SAMPLE} draws its size is ${average(mean.data.slice(0, tenth))} on ` +
      `average in the nearest tenth ` +
      `of the distances and ${average(mean.data.slice(-tenth))} in the farthest: nothing decays.`
    );
  }
  if (vectors === "tuned") {
    return (
      `${read}k is q turned by ${tunedTo} positions: ${tunedTo} tokens back all hands meet. ` +
      (tunedTo
        ? `Side by side the score is ${at(0)}, lower: a head can look for a distance.`
        : "Choose another distance to meet at.")
    );
  }
  return (
    `${read}With q = k all hands meet at distance 0; then the fast pairs part first, alike in ` +
    `every draw. The upper bound of Su et al. (2021) ` +
    `allows ${show(bound.data[r], 3)} ` +
    `here${bound.data[r] < 1 ? "." : ", though no score is above 1: it forces nothing to fall."}`
  );
}

export default figure({ compute, setup, render });
