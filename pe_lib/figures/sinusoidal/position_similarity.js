// How alike PE(p) and PE(p+k) are by offset k, for several p; and what W_q and W_k make of it.

import { matrix, range, rowsOf, vector } from "../page/compute/arrays.js";
import { inverseFrequencies, sinusoidalEncoding } from "../page/compute/encodings.js";
import { fixedUniform } from "../page/compute/fixed_random.js";
import { dot, inner } from "../page/compute/linear_algebra.js";
import { lineChart } from "../page/draw/chart.js";
import { h, s } from "../page/draw/elements.js";
import { arrive, REVEAL } from "../page/draw/motion.js";
import { between, show, showRounding } from "../page/draw/numbers.js";
import { dragging, steppable } from "../page/draw/reading.js";
import { figure } from "../page/shell/figure.js";
import { HEAD_DIM, LAST, OTHERS } from "./position_similarity.py";

const HEIGHT = 284; // px: of the chart
const PILL = 22; // px: the height of what is dragged, above the curve
const FORMULA_LOOK = { "stroke-width": 9, opacity: 0.3, "stroke-linecap": "round" };
const LANDED = 0.4; // opacity of the other anchors' curves where they lie on the anchor's

export function compute({ dim, theta, anchor, measure, projected }) {
  const offsets = range(-LAST, LAST + 1);
  const [wQ, wK] = [1, 1 << 16].map((start) => randomWeights(dim, start));
  const encode = (positions, weights) => {
    const encoding = sinusoidalEncoding(positions, dim, theta);
    return rowsOf(projected ? inner(encoding, weights) : encoding);
  };
  const byDot = measure === "dot";
  const unit = byDot
    ? projected
      ? Math.sqrt(HEAD_DIM)
      : dim / 2
    : projected
      ? 1
      : Math.sqrt(dim / 2);
  const compare = byDot ? dot : distance;
  const anchors = [anchor, ...OTHERS];
  const queries = encode(anchors, wQ);
  const curves = anchors.flatMap((p, row) =>
    encode(
      offsets.map((k) => p + k),
      wK,
    ).map((key) => compare(queries[row], key) / unit),
  );
  const frequencies = inverseFrequencies(dim, theta).data;
  const formula = offsets.map((k) => {
    const mean = (f) =>
      frequencies.reduce((sum, frequency) => sum + f(k * frequency), 0) / (dim / 2);
    return byDot ? mean(Math.cos) : 2 * Math.sqrt(mean((angle) => Math.sin(angle / 2) ** 2));
  });
  return {
    curves: { shape: [anchors.length, offsets.length], data: Float64Array.from(curves) },
    formula: vector(formula),
  };
}

function distance(a, b) {
  return Math.sqrt(a.reduce((sum, value, n) => sum + (value - b[n]) ** 2, 0));
}

/** W_q or W_k transposed, (HEAD_DIM, dim): uniform with variance 1/dim, as in pe_lib. */
function randomWeights(dim, start) {
  const weights = matrix(HEAD_DIM, dim);
  weights.data.forEach((_, n) => {
    weights.data[n] =
      fixedUniform(start + (n % dim) * HEAD_DIM + Math.floor(n / dim)) * Math.sqrt(3 / dim);
  });
  return weights;
}

function setup(view) {
  view.state = { offset: 30, before: null };
  const remember = () => {
    view.state.before = view.parts.drawn;
  };
  for (const begins of ["pointerdown", "focusin"])
    view.root.addEventListener(begins, remember, { capture: true });
  const svg = s("svg", { "aria-hidden": "true" });
  const [legend, note] = [h("div"), h("p", { class: "pe-note" })];
  const plot = h(
    "div",
    {
      class: "pe-slide pe-alike",
      ...steppable(
        "Curve of similarity by position. Left and right arrow keys move the position that is " +
          "compared, up and down by ten.",
        (right, down) =>
          compareWith(view, view.inputs.anchor + offsetRead(view) + right - 10 * down),
      ),
      ...draggable(view),
    },
    svg,
  );
  view.stage.append(h("div", { "data-pe-main": true }, plot, legend));
  view.below.append(note);
  return { svg, legend, note };
}

/** The anchor is dragged by its mark or its line, the position that it is compared with by all the
 *  rest of the picture. */
function draggable(view) {
  let held; // how far the pointer is from the anchor's line while that is dragged, or null
  const drag = (x) => {
    const position = Math.round(view.parts.chart.fromX(x - (held ?? 0)));
    if (held === null) compareWith(view, position);
    else view.set({ anchor: between(position, 0, LAST) });
  };
  return dragging(drag, (x, y) => {
    const onMark = view.parts.marks.findIndex(
      (mark) => Math.abs(x - mark.middle) < mark.half && y > mark.y - 3 && y < mark.y + PILL + 3,
    );
    const [toAnchor, toOther] = view.parts.marks.map((mark) => x - mark.x);
    const near = Math.abs(toAnchor) < Math.min(24, Math.abs(toOther));
    held = onMark === 0 || (onMark < 0 && near) ? toAnchor : null;
    if (held === null && onMark < 0) drag(x);
  });
}

/** The offsets that are drawn: within the curve, and to positions on the axis. */
function offsetsOf({ inputs: { anchor } }) {
  return [-anchor, LAST - anchor];
}

function offsetRead(view) {
  return between(view.state.offset, ...offsetsOf(view));
}

function compareWith(view, position) {
  view.read({ offset: between(position - view.inputs.anchor, ...offsetsOf(view)) });
}

function render(view) {
  const {
    inputs: { anchor, measure, projected },
    values: { curves, formula },
    parts,
    colours,
  } = view;
  const k = offsetRead(view);
  const rows = rowsOf(curves);
  const byDot = measure === "dot";
  const [first, last] = offsetsOf(view);
  const drawn = (row) =>
    range(first, last + 1).map((offset) => [anchor + offset, row[offset + LAST]]);

  const all = [...curves.data, 0];
  const step = projected ? 1 : 0.25; // large, so that the axis stays while the anchor is dragged
  const [low, high] = [
    Math.floor(Math.min(...all) / step + 1e-9) * step,
    Math.ceil(Math.max(...all) / step - 1e-9) * step,
  ];
  const chart = lineChart(parts.svg, {
    width: view.width,
    height: HEIGHT,
    x: [0, LAST + 4], // room for the last tick's number
    y: [low - 0.03 * (high - low), high + 0.24 * (high - low)], // room for the marks
    xLabel: "position",
    colours,
    yLabel: byDot
      ? projected
        ? "score q · k / √16"
        : "dot product / (dim/2)"
      : projected
        ? "distance |k − q|"
        : "distance / √(dim/2)",
  });
  parts.chart = chart;
  chart.line(
    [
      [0, 0],
      [LAST, 0],
    ],
    colours.edge,
    { "stroke-width": 1 },
  );
  const points = drawn(rows[0]);
  chart.answer(() => {
    if (!projected) chart.line(drawn(formula.data), colours.green, FORMULA_LOOK);
  });
  const lines = [chart.curve(points, colours.blue, { "stroke-width": 2.25 })];
  chart.answer((layer) => {
    const others = rows
      .slice(1)
      .map((row) => chart.curve(drawn(row), colours.ink, { "stroke-width": 1 }));
    layer.append(clipped(chart, s("g", othersLook(projected), ...others)));
    lines.push(...others);
  });
  drawGhost(view);
  chart.dot(anchor, rows[0][LAST], colours.blue, 5);
  chart.dot(anchor + k, rows[0][k + LAST], colours.orange, 5);
  drawMarks(view, k, rows[0]);
  travel(view, lines, points);
  drawLegend(view);
  const spread = Math.max(...points.map((_, n) => spreadAt(rows, n + first + LAST)));
  parts.note.textContent = ofAll(view, rows[0], spread);
  view.say(inWords(view, rows, k));
}

/** Where all curves are one, the others lie on the anchor's and let it show through. */
function othersLook(projected) {
  return projected ? {} : { "stroke-dasharray": "4 4", opacity: LANDED };
}

/** What is drawn cannot leave the chart's axes while it slides. */
function clipped({ toX }, drawn) {
  const [x, width] = [toX(0), toX(LAST + 4) - toX(0)];
  const viewBox = `${x} 0 ${width} ${HEIGHT}`;
  return s("svg", { x, width, height: HEIGHT, viewBox }, drawn);
}

/** The curve as it was before the anchor was moved, and alone was. */
function drawGhost({ inputs, state: { before }, parts: { chart }, width, colours }) {
  if (!before) return;
  const { anchor, ...others } = before.inputs;
  if (anchor === inputs.anchor || !alike(others, inputs)) return;
  chart.line(before.points, colours.muted, { "stroke-width": 1.5, "stroke-dasharray": "7 4" });
  const [x, now] = [anchor, inputs.anchor].map(chart.toX);
  if (inputs.projected || Math.abs(x - now) < 60) return; // no room for its name
  const [, height] = before.points.find(([position]) => position === anchor);
  chart.text(chart.fromX(Math.min(x + 8, width - 52)), height, "before", colours.muted, 4);
}

/** What can be dragged: the anchor, and the position that it is compared with. */
function drawMarks({ inputs: { anchor }, asking, parts, width, colours }, k, row) {
  const { svg, chart } = parts;
  const marks = [
    { offset: 0, text: `anchor ${anchor}`, stroke: colours.blue },
    { offset: k, text: `position ${anchor + k}`, stroke: colours.orange, dash: "4 3" },
  ];
  for (const mark of marks) {
    mark.x = chart.toX(anchor + mark.offset);
    mark.half = 4 * mark.text.length + 8;
    mark.middle = between(mark.x, mark.half + 2, width - mark.half - 2);
  }
  const [one, other] = marks;
  const overlap = Math.abs(one.middle - other.middle) < one.half + other.half + 4;
  const hinted = asking && anchor < LAST / 4;
  one.y = 2;
  other.y = overlap || hinted ? PILL + 6 : 2;
  for (const { x, y, offset, stroke, dash } of marks)
    svg.append(
      s("line", {
        x1: x,
        x2: x,
        y1: y + PILL,
        y2: chart.toY(Math.min(0, row[offset + LAST])),
        stroke,
        "stroke-width": 1.5,
        "stroke-dasharray": dash,
      }),
    );
  for (const { text, stroke, middle, half, y } of marks)
    svg.append(
      s(
        "g",
        { class: "pe-pill" },
        s("rect", {
          x: middle - half,
          y,
          width: 2 * half,
          height: PILL,
          rx: PILL / 2,
          fill: colours.surface,
          stroke,
          "stroke-width": 2,
        }),
        s(
          "text",
          {
            x: middle,
            y: y + 15.5,
            fill: stroke,
            "font-size": 13,
            "font-weight": 650,
            "text-anchor": "middle",
          },
          text,
        ),
      ),
    );
  if (hinted)
    svg.append(
      s(
        "text",
        { x: one.middle + one.half + 8, y: 17.5, "font-size": 13, fill: colours.ink },
        "→ drag it: the same curve?",
      ),
    );
  parts.marks = marks;
}

/** The key shows the marks as they are drawn. */
function drawLegend({ inputs: { measure, projected }, parts, colours }) {
  const entry = (text, ...marks) =>
    h(
      "span",
      { "data-pe-answer": true },
      s("svg", { width: 30, height: 10, "aria-hidden": "true" }, ...marks),
      text,
    );
  const line = (from, to, stroke, look) => s("path", { d: `M${from} 5H${to}`, stroke, ...look });
  const others = entry(
    `anchors ${OTHERS.join(", ")}${projected ? ", moved here" : ": under this curve"}`,
    line(0, 30, colours.ink, { "stroke-width": 1, ...othersLook(projected) }),
  );
  const formula = entry(
    `formula, ${measure === "dot" ? "mean of cos ωk" : "2 √ mean of sin² ωk/2"}`,
    line(5, 25, colours.green, FORMULA_LOOK),
  );
  if (projected) formula.style.visibility = "hidden"; // no formula knows of the matrices
  parts.legend.replaceChildren(h("p", { class: "pe-key" }, others, formula));
}

/** Another measure, and the matrices, move the curves: they arrive from where they were. With the
 *  answer, the other anchors' curves come from where those stand, even while the anchor is
 *  dragged. */
function travel({ inputs, answering, width, parts }, lines, points) {
  const before = parts.drawn;
  const dots = [...parts.svg.querySelectorAll(":scope > circle")];
  parts.drawn = {
    inputs,
    points,
    width,
    paths: lines.map((line) => line.getAttribute("d")),
    heights: dots.map((dot) => dot.getAttribute("cy")),
  };
  if (!before || before.width !== width) return;
  const { measure, projected, ...others } = before.inputs;
  if (measure === inputs.measure && projected === inputs.projected) {
    if (answering) parts.answered = performance.now();
    slide(lines.slice(1), inputs.anchor, parts);
    return;
  }
  if (!alike(others, inputs)) return;
  lines.forEach((line, n) => {
    arrive(line, { d: `path("${before.paths[n]}")` });
  });
  dots.forEach((dot, n) => {
    arrive(dot, { transform: `translateY(${before.heights[n] - parts.drawn.heights[n]}px)` });
  });
}

/** They fade as they land. Each drawing goes on where the one before it was. */
function slide(others, anchor, { answered, chart: { toX } }) {
  const since = performance.now() - answered;
  if (!(since < REVEAL)) return; // nor before the answer
  const together = others[0].parentElement;
  arrive(together, { opacity: 1, easing: "ease-in" }, REVEAL);
  others.forEach((line, n) => {
    arrive(line, { transform: `translateX(${toX(OTHERS[n]) - toX(anchor)}px)` }, REVEAL);
  });
  for (const motion of together.getAnimations({ subtree: true })) motion.currentTime = since;
}

function alike(some, inputs) {
  return Object.entries(some).every(([name, value]) => inputs[name] === value);
}

/** How far the anchors' curves are apart at one of their places. */
function spreadAt(rows, n) {
  const values = rows.map((row) => row[n]);
  return Math.max(...values) - Math.min(...values);
}

/** What is true of all offsets, and of all anchors. */
function ofAll({ inputs: { dim, measure, projected } }, row, spread) {
  if (projected)
    return (
      `W_q and W_k are random matrices with ${HEAD_DIM} columns. At one and the same offset the ` +
      `anchors differ by up to ${show(spread)}. RoPE rotates q and k after this step, so there ` +
      "the offset alone counts again."
    );
  const one = `The five anchors' curves differ by ${showRounding(spread)}.`;
  const [low, high] = [Math.min(...row), Math.max(...row)];
  if (measure !== "dot")
    return (
      `${one} The distance grows from 0 to ${show(high)} of a position's own length, ` +
      `√${dim / 2}; two orthogonal positions would be √2 = 1.414 apart.`
    );
  return low > 0
    ? `${one} The dot product falls from 1 but stays above ` +
        `${show(Math.floor(1000 * low) / 1000)}, so no two of these positions are orthogonal.`
    : `${one} The dot product falls from 1 to ${show(low)}; 0 is orthogonal.`;
}

function inWords({ inputs: { dim, anchor, measure, projected } }, rows, k) {
  const byDot = measure === "dot";
  const value = rows[0][k + LAST];
  const there = anchor + k;
  if (projected) {
    const here = rows.map((row) => row[k + LAST]);
    const [least, most] = [Math.min(...here), Math.max(...here)].map((x) => show(x, 3));
    return (
      `For anchor ${anchor} and position ${there}, ${byDot ? `q · k / √${HEAD_DIM}` : "|k − q|"} ` +
      `is ${show(value, 3)}. At the same offset, ${show(k)}, the five anchors have values from ` +
      `${least} to ${most}, so the offset alone no longer decides.`
    );
  }
  const unit = byDot ? dim / 2 : Math.sqrt(dim / 2);
  const size = show(value * unit, 3);
  const what = byDot
    ? `PE(${anchor}) · PE(${there}) = ${size}, which is ${show(value, 3)} of the ` +
      `${show(unit)} that every position has with itself.`
    : `PE(${anchor}) and PE(${there}) are ${size} apart, which is ${show(value, 3)} of the ` +
      `length ${show(unit, 3)} that every position has.`;
  const back = k ? `, and ${show(-k)} gives the same` : "";
  return (
    `${what} Every anchor has this same curve: ` + `only the offset counts, here ${show(k)}${back}.`
  );
}

export default figure({ compute, setup, render });
