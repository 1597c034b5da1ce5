// How alike PE(p) and PE(p+k) are by offset k, for several p; and what W_q and W_k make of it.

import { matrix, range, rowsOf, vector } from "../page/compute/arrays.js";
import { inverseFrequencies, sinusoidalEncoding } from "../page/compute/encodings.js";
import { fixedUniform } from "../page/compute/fixed_random.js";
import { dot, inner } from "../page/compute/linear_algebra.js";
import { lineChart } from "../page/draw/chart.js";
import { h, s } from "../page/draw/elements.js";
import { key } from "../page/draw/legends.js";
import { between, show, showRounding } from "../page/draw/numbers.js";
import { readable } from "../page/draw/reading.js";
import { figure } from "../page/shell/figure.js";
import { HEAD_DIM, OTHERS } from "./position_similarity.py";

export function compute({ dim, theta, anchor, reach, measure, projected }) {
  const offsets = range(-reach, reach + 1);
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
  view.state = { offset: 5 };
  const svg = s("svg", { "aria-hidden": "true" });
  const legend = h("div");
  const plot = h(
    "div",
    {
      class: "pe-plot",
      ...readable(
        "Curve of similarity by offset. Left and right arrow keys move the offset that is " +
          "read, up and down by ten.",
        (x) => view.read({ offset: Math.round(view.parts.fromX(x)) }),
        (right, down) => view.read({ offset: view.state.offset + right - 10 * down }),
      ),
    },
    svg,
  );
  view.stage.append(h("div", { "data-pe-main": true }, legend, plot));
  return { svg, legend };
}

function render(view) {
  const {
    inputs: { anchor, reach, measure, projected },
    values: { curves, formula },
    parts,
    colours,
  } = view;
  const k = between(view.state.offset, -reach, reach);
  view.state.offset = k;
  const points = (values) => Array.from(values, (value, n) => [n - reach, value]);
  const rows = rowsOf(curves);
  const byDot = measure === "dot";

  const all = [...curves.data, 0];
  const step = projected ? 0.5 : 0.25;
  const [low, high] = [
    Math.floor(Math.min(...all) / step) * step,
    Math.ceil(Math.max(...all) / step - 1e-9) * step,
  ];
  const margin = 0.03 * (high - low);
  const chart = lineChart(parts.svg, {
    width: view.width,
    height: 290,
    x: [-reach, reach],
    y: [low - margin, high + margin],
    xLabel: "offset k",
    colours,
    yLabel: byDot
      ? projected
        ? "score q · k / √16"
        : "dot product / (dim/2)"
      : projected
        ? "distance |k − q|"
        : "distance / √(dim/2)",
  });
  parts.fromX = chart.fromX;
  chart.line(
    [
      [-reach, 0],
      [reach, 0],
    ],
    colours.edge,
    { "stroke-width": 1 },
  );
  chart.answer(() => {
    if (!projected)
      chart.line(points(formula.data), colours.green, {
        "stroke-width": 9,
        opacity: 0.3,
        "stroke-linecap": "round",
      });
    for (const row of rows.slice(1)) chart.line(points(row), colours.edge, { "stroke-width": 1.5 });
  });
  chart.line(points(rows[0]), colours.blue, { "stroke-width": 2.5 });
  // Where all curves are one, the other anchors' dots still show that they lie on it.
  const apart = Math.max(2, Math.round(reach / 6));
  chart.answer(() =>
    rows.slice(1).forEach((row, other) => {
      const first = Math.round((apart * (other + 0.5)) / OTHERS.length);
      for (let n = first; n < row.length; n += apart)
        chart.dot(n - reach, row[n], colours.muted, 3);
    }),
  );
  chart.rule(k, colours.edge);
  chart.dot(k, rows[0][k + reach], colours.orange, 5);
  const legend = key(
    [colours.blue, `anchor ${anchor}`],
    [colours.muted, `anchors ${OTHERS.join(", ")}`],
    ...(projected
      ? []
      : [[colours.green, `formula, ${byDot ? "mean of cos ωk" : "2 √ mean of sin² ωk/2"}`]]),
  );
  for (const other of [...legend.children].slice(1)) other.dataset.peAnswer = "";
  parts.legend.replaceChildren(legend);
  view.say(inWords(view, rows, k));
}

function inWords({ inputs: { dim, anchor, reach, measure, projected } }, rows, k) {
  const byDot = measure === "dot";
  const value = rows[0][k + reach];
  const here = rows.map((row) => row[k + reach]);
  const spread = Math.max(
    ...rows[0].map((_, n) => {
      const column = rows.map((row) => row[n]);
      return Math.max(...column) - Math.min(...column);
    }),
  );
  if (projected) {
    const what = byDot ? `q · k / √${HEAD_DIM}` : "|k − q|";
    return (
      `Offset ${show(k)}: ${what} is ${show(value)} for p = ${anchor}, but between ` +
      `${show(Math.min(...here))} and ` +
      `${show(Math.max(...here))} over all the anchors. Random W_q and W_k destroy the ` +
      `pattern: at one and the same offset ` +
      `the anchors differ by up to ${show(spread)}. RoPE turns q and k after this step: there ` +
      `the offset alone counts again.`
    );
  }
  const [there, unit] = [show(anchor + k), byDot ? dim / 2 : Math.sqrt(dim / 2)];
  const low = Math.min(...rows[0]);
  const high = Math.max(...rows[0]);
  const what = byDot
    ? `PE(${anchor}) · PE(${there}) = ${show(value * unit)}, that is ${show(value)} of what a ` +
      `position has with itself (dim/2 = ${unit}).`
    : `|PE(${there}) − PE(${anchor})| = ${show(value * unit)}, that is ${show(value)} of a ` +
      `position's own length (√${dim / 2} = ${show(unit)}).`;
  const reached = byDot
    ? low > 0
      ? `It falls from 1 but stays above ${show(Math.floor(1000 * low) / 1000)}: no two of ` +
        `these positions are orthogonal.`
      : `It falls from 1 to ${show(low)}; 0 is orthogonal.`
    : `It grows from 0 to ${show(high)}; orthogonal positions would be √2 = 1.414 apart.`;
  return (
    `${what} All anchors have this one curve, the formula's (they differ by ` +
    `${showRounding(spread)}): ` +
    `only the offset counts, and k and −k are the same. ${reached}`
  );
}

export default figure({ compute, setup, render });
