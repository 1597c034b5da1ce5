// The score of one query and one key by their distance: what decays, what does not, what peaks.

import { range, rowsOf, stack, vector } from "../page/compute/arrays.js";
import { inverseFrequencies, turn } from "../page/compute/encodings.js";
import { fixedUniform } from "../page/compute/fixed_random.js";
import { dot } from "../page/compute/linear_algebra.js";
import { remembering } from "../page/compute/remembering.js";
import { lineChart } from "../page/draw/chart.js";
import { button, h, s } from "../page/draw/elements.js";
import { handsDial } from "../page/draw/hands.js";
import { key } from "../page/draw/legends.js";
import { arrive, uncover } from "../page/draw/motion.js";
import { between, show } from "../page/draw/numbers.js";
import { steppable } from "../page/draw/reading.js";
import { figure } from "../page/shell/figure.js";
import { DIALS, SAMPLE, TUNED, WIDEST } from "./rotary_score.py";

const HEIGHT = 226; // px: of the chart, where the hands are below it
const NEAR = 14; // px from a rule within which it is held
const SMALL = 0.32; // what few random scores exceed
const GIVEN = 0.15; // of the distances: what random draws show before the answer
const PILL = { width: 90, height: 24, inset: 8 }; // px: of the guess, inset from the right edge
const SMALLER = 2.5; // times, where one asks whether the typical size gets smaller
const ASKED = 70; // px: of the words before it
const PALE = { opacity: 0.7 };
const DASHED = { "stroke-dasharray": "5 4" };
const STEP = 0.01; // of the score: what a key press adds to the guess

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
  view.state = { distance: 1000, guess: null };
  const svg = s("svg", { "aria-hidden": "true" });
  const [legend, dials, caption, detail] = [
    h("div"),
    h("div", { class: "pe-many-hands" }),
    h("p", { class: "pe-note" }),
    h("p", { class: "pe-note" }),
  ];
  const hands = h("div", {}, caption, dials);
  const plot = h(
    "div",
    {
      class: "pe-slide pe-drawn",
      ...steppable(
        "Curve of the score by distance. Arrow keys move your guess of the typical size far " +
          "back; later, the distance that is read, left and right by one, up and down by ten.",
        (right, down) =>
          guesses(view)
            ? guess(view, guessed(view) + STEP * (right - down))
            : view.read({ distance: view.state.distance + right - 10 * down }),
      ),
      ...slidable(view),
    },
    svg,
  );
  const newDraw = button("New draw", () =>
    view.set({ draw: (view.currentInputs().draw + 1) % SAMPLE }),
  );
  newDraw.dataset.peAnswer = "";
  view.stage.append(
    h("div", { "data-pe-main": true }, h("div", { class: "pe-bar" }, legend, newDraw), plot, hands),
  );
  view.below.append(detail);
  return { svg, legend, plot, hands, dials, caption, detail };
}

/** Whether the reader is to guess how large random scores are far back. */
function guesses({ asking, inputs }) {
  return asking && inputs.vectors === "random";
}

function guess(view, size) {
  view.read({ guess: between(size, 0, SMALL) });
}

/** The guess, or where it waits to be moved: between the two answers. */
function guessed(view) {
  // Midway between the two ends that it is asked about, so that it suggests neither.
  return view.state.guess ?? (start(view)[1] * (1 + 1 / SMALLER)) / 2;
}

/** Where the guess sets out: the last distance of which the typical size is given, and that. */
function start({ inputs: { reach }, values: { mean_size: mean } }) {
  const last = Math.round(GIVEN * reach);
  return [last, mean.data[last]];
}

/** The distance that is read follows the pointer. The guess is dragged, while there is one to make,
 *  and so is the distance that k is tuned to. */
function slidable(view) {
  let held = false;
  const pointed = (event) => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  const holds = (event) => {
    const { vectors, tuned_to: tunedTo } = view.inputs;
    const [x] = pointed(event);
    if (guesses(view)) return "guess";
    return vectors === "tuned" && Math.abs(x - view.parts.chart.toX(tunedTo)) < NEAR && "peak";
  };
  const go = (event) => {
    const [x, y] = pointed(event);
    const distance = Math.round(view.parts.chart.fromX(x));
    if (held === "guess") guess(view, Math.abs(view.parts.chart.fromY(y)));
    else if (held) view.set({ tuned_to: between(distance, 0, TUNED) });
    else if (!guesses(view)) view.read({ distance: between(distance, 0, view.inputs.reach) });
  };
  return {
    onpointerdown(event) {
      event.currentTarget.setPointerCapture(event.pointerId);
      held = holds(event);
      if (held !== "peak") go(event);
    },
    onpointermove(event) {
      const cursor = { guess: "ns-resize", peak: "" };
      event.currentTarget.style.cursor = cursor[held || holds(event)] ?? "crosshair";
      go(event);
    },
    onlostpointercapture() {
      held = false;
    },
  };
}

function render(view) {
  const {
    inputs: { reach, vectors },
    parts,
    colours,
  } = view;
  const r = between(view.state.distance, 0, reach);
  view.state.distance = r;
  view.rows.get("tuned_to").element.style.visibility = vectors === "tuned" ? "" : "hidden";
  parts.legend.replaceChildren(
    key([colours.blue, vectors === "random" ? "one random q, k" : "q and k"]),
  );
  drawHands(view, r);
  drawChart(view, r, HEIGHT + roomOfHands(view));
  parts.detail.textContent = detail(view, r);
  view.say(inWords(view, r));
}

/** Hands that meet nowhere tell nothing: they leave their room, in px, to the chart. */
function roomOfHands({ inputs: { vectors }, parts: { plot, hands } }) {
  hands.hidden = false;
  const [upper, lower] = [plot, hands].map((part) => part.getBoundingClientRect().bottom);
  hands.hidden = vectors === "random";
  return hands.hidden ? lower - upper : 0;
}

function drawChart(view, r, height) {
  const {
    inputs: { reach, vectors, tuned_to: tunedTo, draw },
    values: { curve, mean_size: mean },
    parts,
    colours,
  } = view;
  const [random, tuned] = ["random", "tuned"].map((kind) => vectors === kind);
  const [low, high] = ends(view);
  const room = 0.05 * (high - low);
  const chart = lineChart(parts.svg, {
    width: view.width,
    height,
    x: [0, 1.03 * reach],
    y: [low - room, high + room],
    xLabel: "how far back the key stands, in tokens",
    yLabel: "score / |q| |k|",
    yTicks: high === SMALL ? [-0.2, 0, 0.2] : undefined,
    colours,
  });
  parts.chart = chart;
  chart.line(
    [
      [0, 0],
      [reach, 0],
    ],
    colours.edge,
    { "stroke-width": 1 },
  );
  if (tuned) {
    chart.rule(tunedTo, colours.green);
    parts.svg.append(grip(chart.toX(tunedTo), 8, colours.green));
    const beside = chart.fromX(chart.toX(tunedTo) + 16);
    chart.text(beside, high + room, `tuned to ${tunedTo}`, colours.green, 1);
  }
  const scores = (reached) => {
    const points = (values) => Array.from(values.slice(0, reached + 1), (value, n) => [n, value]);
    if (!random) return chart.curve(points(curve.data), colours.blue);
    const drawn = chart.curve(points(curve.data), colours.blue, { "stroke-width": 1.2, ...PALE });
    drawTypical(view, chart, points(mean.data));
    return drawn;
  };
  if (guesses(view)) scores(start(view)[0]);
  chart.answer((layer) => {
    chart.rule(r, colours.edge);
    const drawn = scores(reach);
    if (tuned) chart.dot(tunedTo, curve.data[tunedTo], colours.green, 5);
    chart.dot(r, curve.data[r], colours.orange, 5);
    const now = { vectors, draw, reach, path: drawn.getAttribute("d") };
    travel(view, now, drawn, layer);
  });
  if (random && view.state.guess !== null) drawGuess(view, chart);
  if (guesses(view)) ask(view, chart);
}

/** The band of typical sizes, and its name where it stays when the answer comes. */
function drawTypical(view, chart, sizes) {
  const { purple } = view.colours;
  const [above, below] = mirrored(sizes);
  chart.band(below, above, purple);
  for (const edge of [above, below]) chart.line(edge, purple, { "stroke-width": 1.25 });
  const given = view.values.mean_size.data.slice(0, start(view)[0] + 1);
  chart.text(chart.fromX(chart.toX(0) + 4), Math.max(...given), "typical size", purple, -6);
}

/** A line of sizes, and that of their negatives. */
function mirrored(sizes) {
  return [sizes, sizes.map(([x, size]) => [x, -size])];
}

/** How the typical size could go on, and the handle with which the reader says it. */
function ask(view, chart) {
  const [from, size] = start(view);
  const { colours } = view;
  const x = chart.toX(pillAt(view, chart));
  if (view.state.guess === null) {
    const words = x - PILL.width / 2 - ASKED;
    for (const [end, question] of [
      [size, "as large?"],
      [size / SMALLER, "smaller?"],
    ]) {
      chart.line(
        [
          [from, size],
          [chart.fromX(words - 6), end],
        ],
        colours.edge,
        DASHED,
      );
      chart.text(chart.fromX(words), end, question, colours.ink, 4);
    }
  }
  view.parts.svg.append(pill(x, chart.toY(guessed(view)), "your guess", colours));
}

/** The distance at which the guess is taken hold of; beyond it, it stays the same. */
function pillAt({ inputs: { reach } }, chart) {
  return chart.fromX(chart.toX(reach) - PILL.inset - PILL.width / 2);
}

/** What is dragged up and down: a name, with an arrow to either side. */
function pill(x, y, name, { purple, surface }) {
  const { width, height } = PILL;
  const at = height / 2 + 3;
  return s(
    "g",
    { class: "pe-pill", transform: `translate(${x},${y})` },
    s("rect", {
      x: -width / 2,
      y: -height / 2,
      width,
      height,
      rx: height / 2,
      fill: surface,
      stroke: purple,
      "stroke-width": 2,
    }),
    s("path", { d: `M-7,${-at}l7,-7l7,7zM-7,${at}l7,7l7,-7z`, fill: purple }),
    s(
      "text",
      { y: 4, fill: purple, "font-size": 12, "font-weight": 650, "text-anchor": "middle" },
      name,
    ),
  );
}

/** It stays, as a line over what it missed. */
function drawGuess(view, chart) {
  const {
    inputs: { reach },
    state: { guess },
    colours,
  } = view;
  const [above, below] = mirrored([start(view), [pillAt(view, chart), guess], [reach, guess]]);
  for (const edge of [above, below]) chart.line(edge, colours.ink, DASHED);
  if (view.asking) return chart.band(below, above, colours.purple);
  const top = 0.9 * SMALL;
  chart.line(
    [0.6, 0.69].map((share) => [share * reach, top]),
    colours.ink,
    DASHED,
  );
  chart.text(0.71 * reach, top, "your guess", colours.ink, 4);
}

/** Where the axis of scores ends: it stays as it is from one draw to the next, or nearly so. */
function ends({ inputs: { vectors }, values: { curve } }) {
  const inQuarters = (size) => Math.ceil(4 * size) / 4;
  if (vectors !== "random") return [-Math.max(0.5, inQuarters(-Math.min(...curve.data))), 1];
  const largest = Math.max(...curve.data.map(Math.abs));
  const end = largest > SMALL ? inQuarters(largest) : SMALL;
  return [-end, end];
}

/** Another draw's curve travels from where it was, and the answer runs from what was given to the
 *  farthest distance; other vectors appear anew. */
function travel({ inputs, values, parts, width, answering }, now, curve, layer) {
  const before = parts.curve;
  parts.curve = now;
  if (!before) return;
  if (before.vectors !== now.vectors) arrive(layer, { opacity: 0 });
  else if (answering) {
    const [from] = now.vectors === "random" ? start({ inputs, values }) : [0];
    uncover(layer, parts.chart.toX(from), width);
  } else if (before.draw !== now.draw && before.reach === now.reach)
    arrive(curve, { d: `path("${before.path}")` });
}

/** What shows that something can be dragged: a handle with an arrow to either side. */
function grip(x, y, fill) {
  const d = `M${x - 4},${y - 6}h8v12h-8zM${x - 7},${y - 5}l-5,5l5,5zM${x + 7},${y - 5}l5,5l-5,5z`;
  return s("path", { d, fill });
}

/** The hands of some pairs, from the fastest to the slowest, at the distance that is read. */
function drawHands({ inputs, values, parts, colours, width }, r) {
  const { query, key: keys, dials, turned } = values;
  const [q, k] = [query, keys].map((rows) => rowsOf(rows).map((row) => [...row]));
  const longest = 1.05 * Math.max(...[...q, ...k].map((hand) => Math.hypot(...hand)));
  const size = Math.min(Math.floor((width - 8 * DIALS) / DIALS), 54);
  const hands = Array.from(dials.data, (pair, n) => {
    const place = 2 * (r * dials.data.length + n);
    return [[...turned.data.slice(place, place + 2)], k[pair]];
  });
  const { vectors, draw, dim } = inputs;
  const was = parts.drawn;
  const others = was?.vectors !== vectors || was.draw !== draw;
  const moving = others && was?.dim === dim && vectors !== "random" ? was.hands : [];
  parts.drawn = { vectors, draw, dim, hands };
  parts.caption.textContent = `The hands of q and k ${show(r)} tokens apart, fast pairs to slow:`;
  parts.dials.replaceChildren(
    ...hands.map((both, n) =>
      h(
        "div",
        {},
        handsDial(colours, size, longest, both, [], moving[n]),
        h("span", {}, dials.data[n]),
      ),
    ),
  );
}

function inWords(
  { inputs: { vectors, tuned_to: tunedTo }, values: { curve, mean_size: mean } },
  r,
) {
  const at = (n) => show(curve.data[n], 3);
  const tenth = Math.floor(mean.data.length / 10);
  const average = (part) => show(part.reduce((sum, value) => sum + value, 0) / part.length, 3);
  const read = `At distance ${show(r)} the score is ${at(r)} of |q| |k|`;
  if (vectors === "random")
    return (
      `${read}. Over ${SAMPLE} draws its mean size is ${average(mean.data.slice(0, tenth))} near ` +
      `and ${average(mean.data.slice(-tenth))} far away: it doesn't fall.`
    );
  if (vectors === "tuned" && tunedTo)
    return (
      `${read}. At distance ${tunedTo} all hands meet, and it is 1, compared with ` +
      `${at(0)} at distance 0.`
    );
  return `${read}. All hands meet at distance 0, and then the fast pairs move apart first.`;
}

/** The bound, and what is near and far. */
function detail({ inputs: { vectors, tuned_to: tunedTo }, values: { bound } }, r) {
  if (vectors === "random")
    return (
      `The typical size is the mean over ${SAMPLE} draws. Near and far are the nearest and the ` +
      "farthest tenth of the distances."
    );
  if (vectors === "tuned")
    return `The key is the query rotated by ${tunedTo} positions: a head can seek a distance.`;
  const above = bound.data[r] < 1 ? "." : ", but no score is above 1, so the bound forces no fall.";
  return (
    `The upper bound of Su et al. (2021) allows ${show(bound.data[r], 3)} at distance ` +
    `${show(r)}${above}`
  );
}

export default figure({ compute, setup, render });
