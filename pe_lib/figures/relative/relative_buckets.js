// Which distances T5's buckets tell apart: a staircase over the distance, and two keys on it.

import { range, vector } from "../page/compute/arrays.js";
import { lineChart } from "../page/draw/chart.js";
import { distanceAxis } from "../page/draw/distance_axis.js";
import { h, s } from "../page/draw/elements.js";
import { key } from "../page/draw/legends.js";
import { between, show } from "../page/draw/numbers.js";
import { steppable } from "../page/draw/reading.js";
import { figure } from "../page/shell/figure.js";
import { REACH } from "./relative_buckets.py";

const AXIS = distanceAxis(REACH);

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
  const move = (name, distance) => view.set({ [name]: between(distance, 1, REACH) });
  let held; // the key that the pointer moves
  const pointed = (event) => {
    const x = view.parts.fromX(event.clientX - event.currentTarget.getBoundingClientRect().left);
    const away = (name) => Math.abs(AXIS.place(view.inputs[name]) - x);
    held ??= away("near") < away("far") ? "near" : "far";
    move(held, AXIS.at(x));
  };
  const plot = h(
    "div",
    {
      class: "pe-plot",
      ...steppable(
        "Staircase of buckets by distance. Left and right arrow keys move the one key, up and " +
          "down the other.",
        (right, down) => {
          const { near, far } = view.currentInputs();
          if (right) move("near", near + right);
          else move("far", far - down);
        },
      ),
      onpointerdown: (event) => {
        held = undefined;
        event.currentTarget.setPointerCapture(event.pointerId);
        pointed(event);
      },
      onpointermove: (event) =>
        event.currentTarget.hasPointerCapture(event.pointerId) && pointed(event),
    },
    svg,
  );
  view.stage.append(h("div", { "data-pe-main": true }, legend, plot));
  return { svg, legend };
}

function render(view) {
  const {
    inputs: { near, far, buckets, bidirectional, clipped },
    values: { starts, keys },
    parts,
    colours,
  } = view;
  const steps = starts.data.length;
  const chart = lineChart(parts.svg, {
    ...AXIS.options,
    width: view.width,
    height: 290,
    y: [-0.04 * buckets, 1.02 * buckets],
    yLabel: "bucket",
    colours,
  });
  parts.fromX = chart.fromX;
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
      chart.dot(AXIS.place(distance), bucket, colour, 5);
  });
  parts.legend.replaceChildren(
    key(
      [colours.orange, `${show(near)} back`],
      [colours.green, `${show(far)} back`],
      [colours.blue, bidirectional ? "T5, keys behind" : "T5"],
      ...(bidirectional ? [[colours.purple, "T5, keys ahead"]] : []),
      ...(clipped ? [[colours.edge, `clipped at ${steps - 1}`]] : []),
    ),
  );
  view.say(inWords(view));
}

/** Where the step of a bucket begins: between its first distance and the one before. */
function edge(start) {
  return AXIS.place(Math.max(start - 0.5, 0));
}

function inWords({ inputs: { near, far, bidirectional, clipped }, values }) {
  const starts = values.starts.data;
  const [one, other] = values.keys.data;
  const [a, b] = [near, far].map((distance) => show(distance));
  const holds = (bucket) => {
    const [first, next] = starts.slice(bucket, bucket + 2);
    if (!next) return `${show(first)} and beyond`;
    return next - first > 1 ? `${show(first)} to ${show(next - 1)}` : `${show(first)} alone`;
  };
  const compared =
    near === far
      ? `Both keys are ${a} tokens back, in bucket ${one}, which holds ${holds(one)}.`
      : one === other
        ? `Keys ${a} and ${b} tokens back share bucket ${one}, which holds ${holds(one)}. Both ` +
          `scores get the same bias: by it, the model cannot tell the two apart.`
        : `A key ${a} tokens back is in bucket ${one}, which holds ${holds(one)}; one ${b} back ` +
          `is in bucket ${other}, which holds ${holds(other)}. Each bucket has its own bias: the ` +
          `model can tell the two apart.`;
  const shared = starts.find((start, n) => !(starts[n + 1] - start <= 1)); // first not alone
  const ahead = bidirectional
    ? `As far ahead, they are in buckets ${values.ahead.data.join(" and ")}.`
    : "Keys ahead are all in bucket 0.";
  const last = starts.length - 1;
  const shaw = clipped
    ? ` Clipped distances, with as many numbers to learn, are told apart up to ${last - 1}; ` +
      `${last} and all beyond are one.`
    : "";
  return `${compared} Distances up to ${shared - 1} have a bucket each. ${ahead}${shaw}`;
}

export default figure({ compute, setup, render });
