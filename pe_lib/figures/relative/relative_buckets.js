// Which distances T5's buckets tell apart: a staircase over the distance, and two keys on it.

import { range, vector } from "../page/compute/arrays.js";
import { lineChart } from "../page/draw/chart.js";
import { distanceAxis } from "../page/draw/distance_axis.js";
import { blank, h, s, set } from "../page/draw/elements.js";
import { key } from "../page/draw/legends.js";
import { arrive, isStep } from "../page/draw/motion.js";
import { between, show } from "../page/draw/numbers.js";
import { dragging, steppable } from "../page/draw/reading.js";
import { figure } from "../page/shell/figure.js";
import { REACH } from "./relative_buckets.py";

const AXIS = distanceAxis(REACH);
const HEIGHT = 270; // px
const AXIS_Y = HEIGHT - 38; // where a lineChart has its axis
const HANDLES = 26; // px from the top to below the handles of the keys
const CELL = 4.8; // px: a token on the strip
const STRIP = { top: 23, cells: 14, height: 40 }; // px

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
  const strip = s("svg", { "aria-hidden": "true" });
  const toScale = h("div", { class: "pe-staircase", ...draggableToScale(view) }, strip);
  view.stage.append(h("div", { "data-pe-main": true }, legend, h("div", {}, plot, toScale)));
  const note = h("p", { class: "pe-note" });
  view.below.append(note);
  // The buckets of the keys, kept, so that they flash on while a key is dragged.
  const [bands, blocks] = [0, 1].map(() => [s("path"), s("path")]);
  return { svg, legend, strip, bands, blocks, note };
}

function move(view, name, distance) {
  const { low, high } = view.controls.find((control) => control.name === name);
  view.set({ [name]: between(distance, low, high) });
}

/** A key is dragged by its handle or its line, and the largest distance by its mark on the axis. */
function draggable(view) {
  let held; // a name, and how far its place is to the right of the pointer
  const lineOf = (name) => view.parts.toPixel(AXIS.place(view.inputs[name]));
  const nearest = (x, y) => {
    const onHandles = y < HANDLES;
    const places = onHandles ? view.parts.handles : ["near", "far"].map(lineOf);
    const [near, far] = places.map((place) => Math.abs(place - x));
    const name = near < far ? "near" : "far";
    if (onHandles) return { name, off: lineOf(name) - x };
    const onMark = y > AXIS_Y - 22 && Math.abs(lineOf("max_distance") - x) < 24;
    return { name: onMark ? "max_distance" : name, off: 0 };
  };
  const drag = (x) => move(view, held.name, AXIS.at(view.parts.fromX(x + held.off)));
  return dragging(drag, (x, y) => {
    held = nearest(x, y);
    drag(x);
  });
}

/** On the strip the nearer of the two keys is dragged. */
function draggableToScale(view) {
  let held;
  const drag = (x) => move(view, held, Math.floor(x / CELL));
  return dragging(drag, (x) => {
    const [near, far] = ["near", "far"].map((name) => Math.abs(view.inputs[name] - x / CELL));
    held = near <= far ? "near" : "far";
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
    y: [-0.04 * buckets, 1.1 * buckets], // below the handles
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
  const ends = (bucket) =>
    [bucket, bucket + 1].map((n) => (n < steps ? edge(starts.data[n]) : AXIS.options.x[1]));
  const staircase = (first, shift) =>
    range(first, steps).flatMap((bucket) => ends(bucket).map((x) => [x, bucket + shift]));
  const together = keys.data[0] === keys.data[1];
  const { travels, crossed } = moved(view);
  const before = parts.stairs ?? [];
  // What stands alone is an example; how it goes on is the question.
  if (view.asking) chart.line(staircase(0, 0).slice(0, 2 * firstShared(starts.data)), colours.blue);
  chart.answer(() => {
    if (clipped) {
      const corner = steps - 1;
      const points = range(0, steps).map((n) => [AXIS.place(n), n]);
      chart.line([...points, [AXIS.options.x[1], corner]], colours.edge, { "stroke-width": 1.5 });
    }
    const stairs = [chart.curve(padded(staircase(0, 0)), colours.blue)];
    if (bidirectional) stairs.push(chart.curve(padded(staircase(1, steps)), colours.purple));
    parts.stairs = stairs.map((drawn) => `path("${drawn.getAttribute("d")}")`);
    if (travels)
      for (const [n, drawn] of stairs.entries()) arrive(drawn, { d: before[n] ?? before[0] });
    chart.answer((layer) => {
      layer.append(...parts.bands);
      marks.forEach(([distance, bucket, colour], n) => {
        const [x, x2] = ends(bucket).map(chart.toX);
        set(parts.bands[n], { d: `M${x} ${chart.toY(bucket)}H${x2}`, "stroke-width": 12 });
        chart.dot(AXIS.place(distance), bucket, colour, 7);
      });
      if (travels) arrive(layer, { opacity: 0 });
    });
  });
  drawHandles(view, marks, view.asking ? "?" : together ? "same bucket" : "told apart");
  drawLargest(view);
  drawToScale(view, marks);
  for (const shown of [parts.bands, parts.blocks])
    shown.forEach((band, n) => {
      const [, , hue] = marks[n];
      set(band, { stroke: together ? colours.muted : hue, opacity: together && n ? 0 : 0.5 });
      if (crossed[n]) arrive(band, { opacity: 1, strokeWidth: "28px" });
    });
  parts.legend.replaceChildren(
    key(
      [colours.blue, bidirectional ? "T5 behind" : "T5’s buckets"],
      ...(bidirectional ? [[colours.purple, "ahead"]] : []),
      ...(clipped ? [[colours.edge, `clipped at ${steps - 1}`]] : []),
    ),
  );
  parts.note.textContent = ofAll(view);
  view.say(inWords(view));
}

/** Whether the staircase travels from another, which it does at a single step: what is dragged or
 *  slid follows at once. And which keys have crossed into another of its buckets. */
function moved({ values, parts }) {
  const now = { shape: values.starts.data.join(), keys: [...values.keys.data] };
  const before = parts.drawn ?? now;
  const other = now.shape !== before.shape;
  parts.drawn = now;
  return {
    travels: other && isStep(parts),
    crossed: now.keys.map((bucket, n) => !other && bucket !== before.keys[n]),
  };
}

/** As many points for every staircase, so that one can become another. */
function padded(points) {
  return range(0, 128).map((n) => points[Math.min(n, points.length - 1)]);
}

/** The keys by their distances, and what is true of both: between them where there is room. */
function drawHandles({ parts, width, colours }, marks, verdict) {
  const { svg, toPixel } = parts;
  const texts = marks.map(([distance]) => show(distance));
  const halves = texts.map((text) => 4 * text.length + 9);
  parts.handles = sideBySide(
    marks.map(([distance]) => toPixel(AXIS.place(distance))),
    halves,
    width - 2,
  );
  const text = (x, content, attributes) =>
    s(
      "text",
      { x, y: 17.5, "font-size": 13, "font-weight": 650, "text-anchor": "middle", ...attributes },
      content,
    );
  const [left, right] = parts.handles.map((x, n) => [x - halves[n], x + halves[n]]).sort(rising);
  const between = right[0] - left[1] > 7 * verdict.length + 10;
  const beside = left[0] > width - right[1] ? [left[0] - 8, "end"] : [right[1] + 8, "start"];
  const [x, anchor] = between ? [(left[1] + right[0]) / 2, "middle"] : beside;
  if (between) svg.append(s("path", { d: `M${left[1]} 13H${right[0]}`, stroke: colours.edge }));
  svg.append(
    text(x, verdict, {
      "font-size": 12,
      "text-anchor": anchor,
      fill: colours.ink,
      stroke: colours.surface,
      "stroke-width": 8,
      "paint-order": "stroke",
    }),
  );
  marks.forEach(([, , stroke], n) => {
    svg.append(
      s("rect", {
        x: parts.handles[n] - halves[n],
        y: 2,
        width: 2 * halves[n],
        height: 22,
        rx: 11,
        fill: colours.surface,
        stroke,
        "stroke-width": 2,
      }),
      text(parts.handles[n], texts[n], { fill: stroke }),
    );
  });
}

/** The middles of two things that wide, as near to their places as the width lets them be. */
function sideBySide(places, halves, width) {
  const [left, right] = places[0] <= places[1] ? [0, 1] : [1, 0];
  const apart = halves[0] + halves[1] + 4;
  const push = Math.max(0, apart - places[right] + places[left]) / 2;
  const middles = [];
  middles[left] = between(places[left] - push, halves[left] + 1, width - halves[right] - apart);
  middles[right] = between(places[right] + push, middles[left] + apart, width - halves[right]);
  return middles;
}

function rising([a], [b]) {
  return a - b;
}

/** The largest distance, on the axis. */
function drawLargest({ inputs, parts: { svg, toPixel }, width, colours }) {
  const x = toPixel(AXIS.place(inputs.max_distance));
  const right = x < width - 110; // room for its name
  svg.append(
    s("path", {
      d: `M${x},${AXIS_Y - 17}l8,8l-8,8l-8,-8Z`,
      fill: colours.surface,
      stroke: colours.blue,
      "stroke-width": 2.5,
    }),
    s(
      "text",
      {
        x: right ? x + 14 : x - 14,
        y: AXIS_Y - 15,
        "text-anchor": right ? "start" : "end",
        fill: colours.blue,
        stroke: colours.surface,
        "stroke-width": 6, // no line shows between the letters
        "paint-order": "stroke",
        "font-size": 12,
      },
      "max distance",
    ),
  );
}

/** The buckets as wide as they are: a cell for each token, in a colour for each bucket. */
function drawToScale({ asking, width, values, parts, colours }, marks) {
  const starts = values.starts.data;
  const shown = Math.floor(width / CELL);
  const { top: y, cells: height } = STRIP;
  blank(parts.strip, width, STRIP.height);
  const cells = (first, next, fill, opacity = 1) =>
    s("rect", { x: CELL * first, y, width: CELL * (next - first), height, fill, opacity });
  const nextOf = (bucket) => Math.min(starts[bucket + 1] ?? shown, shown);
  const filled = range(0, starts.length).filter((bucket) => nextOf(bucket) > starts[bucket]);
  const ofKeys = marks.map(([, bucket]) => bucket);
  ofKeys.forEach((bucket, n) => {
    const [x, x2] = [starts[bucket], nextOf(bucket)].map((token) => CELL * Math.min(token, shown));
    set(parts.blocks[n], { d: `M${x} ${y + height / 2}H${x2}`, "stroke-width": height });
  });
  const open = asking ? firstShared(starts) : shown; // as far as the staircase
  parts.strip.append(
    s(
      "text",
      { y: y - 7, fill: colours.muted, "font-size": 12 },
      "To scale: a cell is a token, a block is a bucket",
    ),
    cells(0, shown, colours.grid),
    ...filled
      .map((bucket, n) => [bucket, n % 2 ? 0.35 : 0.85])
      .filter(([bucket]) => nextOf(bucket) <= open && (asking || !ofKeys.includes(bucket)))
      .map(([bucket, tint]) => cells(starts[bucket], nextOf(bucket), colours.blue, tint)),
    ...(asking ? [] : parts.blocks),
    s("path", {
      d: range(1, shown)
        .map((n) => `M${CELL * n} ${y}v${height}`)
        .join(""),
      stroke: colours.surface,
    }),
    ...marks
      .filter(([distance]) => distance < shown)
      .map(([distance, , fill]) =>
        s("rect", { x: CELL * distance, y: y - 3, width: CELL, height: height + 6, rx: 2, fill }),
      ),
  );
}

/** Where the step of a bucket begins: between its first distance and the one before. */
function edge(start) {
  return AXIS.place(Math.max(start - 0.5, 0));
}

/** The first distance that is not alone in its bucket. */
function firstShared(starts) {
  return starts.find((start, n) => !(starts[n + 1] - start <= 1));
}

/** What is true of all distances. */
function ofAll({ inputs: { bidirectional, clipped }, values }) {
  const starts = values.starts.data;
  const last = starts.length - 1;
  const ahead = bidirectional
    ? `As far ahead, the keys are in buckets ${values.ahead.data.join(" and ")}.`
    : "Keys ahead are all in bucket 0.";
  const shaw = clipped
    ? ` Clipped distances, with as many numbers to learn, are told apart up to ${last - 1}; ` +
      `${last} and all beyond are one.`
    : "";
  return `Distances up to ${firstShared(starts) - 1} have a bucket each. ${ahead}${shaw}`;
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
