// Which distances T5's buckets tell apart: a staircase over the distance, and two keys on it.

import { range, vector } from "../page/compute/arrays.js";
import { lineChart } from "../page/draw/chart.js";
import { distanceAxis } from "../page/draw/distance_axis.js";
import { h, s } from "../page/draw/elements.js";
import { key } from "../page/draw/legends.js";
import { arrive } from "../page/draw/motion.js";
import { between, show } from "../page/draw/numbers.js";
import { dragging, steppable } from "../page/draw/reading.js";
import { figure } from "../page/shell/figure.js";
import { REACH } from "./relative_buckets.py";

const AXIS = distanceAxis(REACH);
const HEIGHT = 280; // px
const AXIS_Y = HEIGHT - 38; // where a lineChart has its axis

export function compute({ near, far, buckets, max_distance: maxDistance, bidirectional }) {
  const steps = bidirectional ? Math.floor(buckets / 2) : buckets;
  const exact = Math.floor(steps / 2);
  const starts = range(0, steps).map((bucket) => {
    if (bucket <= exact) return bucket;
    const start = exact * (maxDistance / exact) ** ((bucket - exact) / (steps - exact));
    return Math.ceil(start * (1 - 1e-12)); // rounding must not push a whole number to the next
  });
  const bucketOf = (distance) => starts.findLastIndex((start) => start <= distance);
  const keys = [near, far].map(bucketOf);
  return {
    starts: vector(starts),
    keys: vector(keys),
    ahead: vector(keys.map((bucket) => (bidirectional ? steps + bucket : 0))),
    clipped: vector([near, far].map((distance) => Math.min(distance, steps - 1))),
  };
}

function setup(view) {
  const svg = s("svg", { "aria-hidden": "true" });
  const legend = h("div");
  const plot = h(
    "div",
    {
      class: "pe-plot pe-staircase",
      ...steppable(
        "Staircase of buckets by distance. Left and right arrow keys move the one key, up and " +
          "down the other.",
        (right, down) => {
          const { near, far } = view.currentInputs();
          if (right) move(view, "near", near + right);
          else move(view, "far", far - down);
        },
      ),
      ...draggable(view),
    },
    svg,
  );
  view.stage.append(h("div", { "data-pe-main": true }, legend, plot));
  const note = h("p", { class: "pe-note" });
  view.below.append(note);
  return { svg, legend, note };
}

function move(view, name, distance) {
  const { low, high } = view.controls.find((control) => control.name === name);
  view.set({ [name]: between(distance, low, high) });
}

/** A key is dragged by its line, and the largest distance by its mark on the axis. */
function draggable(view) {
  let held;
  const distanceAt = (x) => AXIS.at(view.parts.fromX(x));
  const nearest = (x, y) => {
    const away = (name) => Math.abs(view.parts.toPixel(AXIS.place(view.inputs[name])) - x);
    const onAxis = y > AXIS_Y - 14 && away("max_distance") < 24;
    return onAxis ? "max_distance" : away("near") < away("far") ? "near" : "far";
  };
  const drag = (x) => move(view, held, distanceAt(x));
  return dragging(drag, (x, y) => {
    held = nearest(x, y);
    drag(x);
  });
}

function render(view) {
  const { inputs, values, parts, colours } = view;
  const { near, far, buckets, bidirectional, clipped } = inputs;
  const { starts, keys } = values;
  const steps = starts.data.length;
  const chart = lineChart(parts.svg, {
    ...AXIS.options,
    width: view.width,
    height: HEIGHT,
    y: [-0.04 * buckets, (view.width < 420 ? 1.28 : 1.1) * buckets], // where the handles overlap
    yLabel: "bucket",
    colours,
  });
  parts.fromX = chart.fromX;
  parts.toPixel = (x) => (x - chart.fromX(0)) / (chart.fromX(1) - chart.fromX(0));
  const marks = [
    [near, keys.data[0], colours.orange],
    [far, keys.data[1], colours.green],
  ];
  for (const [distance, , colour] of marks) chart.rule(AXIS.place(distance), colour);
  const step = (bucket, y) => [
    [edge(starts.data[bucket]), y],
    [bucket + 1 < steps ? edge(starts.data[bucket + 1]) : AXIS.options.x[1], y],
  ];
  const staircase = (first, shift) =>
    range(first, steps).flatMap((bucket) => step(bucket, bucket + shift));
  chart.answer(() => {
    if (clipped) {
      const corner = steps - 1;
      const points = range(0, steps).map((n) => [AXIS.place(n), n]);
      chart.line([...points, [AXIS.options.x[1], corner]], colours.edge, { "stroke-width": 1.5 });
    }
    const together = marks[0][1] === marks[1][1];
    for (const [, bucket, colour] of together ? [[0, marks[0][1], colours.muted]] : marks)
      chart.line(step(bucket, bucket), colour, { "stroke-width": 12, opacity: 0.3 });
    chart.line(staircase(0, 0), colours.blue);
    if (bidirectional) chart.line(staircase(1, steps), colours.purple);
    for (const [distance, bucket, colour] of marks)
      chart.dot(AXIS.place(distance), bucket, colour, 7);
  });
  if (parts.drawn && parts.drawn.bidirectional !== bidirectional) {
    const drawn = parts.svg.querySelector("[data-pe-answer]");
    drawn.style.transformOrigin = `0 ${AXIS_Y}px`;
    arrive(drawn, { transform: `scaleY(${bidirectional ? 2 : 0.5})` });
  }
  parts.drawn = inputs;
  drawHandles(view, marks);
  parts.legend.replaceChildren(
    key(
      [colours.blue, bidirectional ? "T5 behind" : "T5"],
      ...(bidirectional ? [[colours.purple, "T5 ahead"]] : []),
      ...(clipped ? [[colours.edge, `clipped at ${steps - 1}`]] : []),
    ),
  );
  parts.note.textContent = ofAll(view);
  view.say(inWords(view));
}

/** What can be dragged: both keys by their distances, and the largest distance on the axis. */
function drawHandles({ inputs, parts: { svg, toPixel }, width, colours }, marks) {
  const texts = marks.map(([distance]) => `${show(distance)} back`);
  const halves = texts.map((text) => 4 * text.length + 8);
  const middles = marks.map(([distance], n) =>
    between(toPixel(AXIS.place(distance)), halves[n], width - halves[n] - 2),
  );
  const overlap = Math.abs(middles[0] - middles[1]) < halves[0] + halves[1];
  marks.forEach(([, , stroke], n) => {
    const y = overlap && n ? 27 : 2;
    svg.append(
      s("rect", {
        x: middles[n] - halves[n],
        y,
        width: 2 * halves[n],
        height: 22,
        rx: 11,
        fill: colours.surface,
        stroke,
        "stroke-width": 2,
      }),
      s(
        "text",
        {
          x: middles[n],
          y: y + 15.5,
          fill: stroke,
          "font-size": 13,
          "font-weight": 650,
          "text-anchor": "middle",
        },
        texts[n],
      ),
    );
  });
  const x = toPixel(AXIS.place(inputs.max_distance));
  const right = x < width - 110; // room for its name
  svg.append(
    s("path", {
      d: `M${x},${AXIS_Y - 11}l8,8l-8,8l-8,-8Z`,
      fill: colours.surface,
      stroke: colours.blue,
      "stroke-width": 2.5,
    }),
    s(
      "text",
      {
        x: right ? x + 14 : x - 14,
        y: AXIS_Y - 8,
        "text-anchor": right ? "start" : "end",
        fill: colours.blue,
        stroke: colours.surface,
        "stroke-width": 4,
        "paint-order": "stroke",
        "font-size": 12,
      },
      "max distance",
    ),
  );
}

/** Where the step of a bucket begins: between its first distance and the one before. */
function edge(start) {
  return AXIS.place(Math.max(start - 0.5, 0));
}

/** What is true of all distances. */
function ofAll({ inputs: { bidirectional, clipped }, values }) {
  const starts = values.starts.data;
  const shared = starts.find((start, n) => !(starts[n + 1] - start <= 1)); // first not alone
  const last = starts.length - 1;
  const ahead = bidirectional
    ? `As far ahead, the keys are in buckets ${values.ahead.data.join(" and ")}.`
    : "Keys ahead are all in bucket 0.";
  const shaw = clipped
    ? ` Clipped distances, with as many numbers to learn, are told apart up to ${last - 1}; ` +
      `${last} and all beyond are one.`
    : "";
  return `Distances up to ${shared - 1} have a bucket each. ${ahead}${shaw}`;
}

/** Whether the two keys can be told apart. */
function inWords({ inputs: { near, far }, values }) {
  const starts = values.starts.data;
  const [one, other] = values.keys.data;
  const [a, b] = [near, far].map((distance) => show(distance));
  const holds = (bucket) => {
    const [first, next] = starts.slice(bucket, bucket + 2);
    if (!next) return `${show(first)} and beyond`;
    return next - first > 1 ? `${show(first)} to ${show(next - 1)}` : `${show(first)} alone`;
  };
  if (near === far)
    return `Both keys are ${a} tokens back, in bucket ${one}, which holds ${holds(one)}.`;
  if (one === other)
    return (
      `Keys ${a} and ${b} tokens back share bucket ${one}, which holds ${holds(one)}. By their ` +
      "bias the model cannot tell them apart."
    );
  return (
    `A key ${a} tokens back is in bucket ${one}, which holds ${holds(one)}; one ${b} back is in ` +
    `bucket ${other}, which holds ${holds(other)}. The model can tell them apart.`
  );
}

export default figure({ compute, setup, render });
