// How alike PE(p) and PE(p+k) are by offset k, for several p; and what W_q and W_k make of it.

const OTHERS = [0, 7, 100, 1000]; // anchors drawn beside the chosen one
const HEAD_DIM = 16;

function compute({ dim, theta, anchor, reach, measure, projected }) {
  checkDim(dim);
  const size = 2 * reach + 1;
  const frequencies = Float64Array.from({ length: dim / 2 }, (_, pair) => theta ** (-(2 * pair) / dim));
  const encode = (p) => {
    const vector = new Float64Array(dim);
    for (let pair = 0; pair < dim / 2; pair++) {
      vector[2 * pair] = Math.sin(p * frequencies[pair]);
      vector[2 * pair + 1] = Math.cos(p * frequencies[pair]);
    }
    return vector;
  };
  const through = projected
    ? [randomWeights(dim, 0), randomWeights(dim, 1)].map((weights) => (vector) => project(vector, weights))
    : [(vector) => vector, (vector) => vector];
  const dot = measure === "dot";
  const unit = dot ? (projected ? Math.sqrt(HEAD_DIM) : dim / 2) : (projected ? 1 : Math.sqrt(dim / 2));

  const curves = matrix(1 + OTHERS.length, size);
  const one = encode(1);
  [anchor, ...OTHERS].forEach((p, row) => {
    const query = through[0](encode(p));
    const there = encode(p - reach);
    for (let n = 0; n < size; n++, turn(there, one)) {
      const other = through[1](there);
      let sum = 0;
      for (let i = 0; i < other.length; i++) sum += dot ? query[i] * other[i] : (other[i] - query[i]) ** 2;
      curves.data[row * size + n] = (dot ? sum : Math.sqrt(sum)) / unit;
    }
  });
  const formula = Float64Array.from({ length: size }, (_, n) => {
    const mean = (f) => frequencies.reduce((sum, frequency) => sum + f((n - reach) * frequency), 0) / (dim / 2);
    return dot ? mean(Math.cos) : 2 * Math.sqrt(mean((angle) => Math.sin(angle / 2) ** 2));
  });
  return { curves, formula: { shape: [size], data: formula } };
}

/** From PE(p) to PE(p+1), in place: every pair turns by what `one` = PE(1) holds, without new sines. */
function turn(vector, one) {
  for (let n = 0; n < vector.length; n += 2) {
    const [sin, cos] = [vector[n], vector[n + 1]];
    vector[n] = sin * one[n + 1] + cos * one[n];
    vector[n + 1] = cos * one[n + 1] - sin * one[n];
  }
}

/** W_q (which = 0) or W_k (1), (dim, HEAD_DIM): uniform with variance 1/dim, as in pe_lib. */
function randomWeights(dim, which) {
  const scale = Math.sqrt(3 / dim);
  return Float64Array.from({ length: dim * HEAD_DIM }, (_, n) =>
    ((hash32(n + (which ? 1 << 16 : 1)) + 0.5) / 2 ** 31 - 1) * scale);
}

function project(vector, weights) {
  const out = new Float64Array(HEAD_DIM);
  for (let i = 0; i < vector.length; i++) {
    for (let j = 0; j < HEAD_DIM; j++) out[j] += vector[i] * weights[i * HEAD_DIM + j];
  }
  return out;
}

function setup(view) {
  view.state = { offset: 5 };
  const svg = s("svg", { "aria-hidden": "true" });
  const read = (event) => {
    const pixel = event.clientX - svg.getBoundingClientRect().left;
    moveReading(view, Math.round(view.parts.fromX(pixel)));
  };
  const plot = h("div", { class: "pe-plot", tabindex: 0, role: "application",
    "aria-label": "Curve of similarity by offset. Left and right arrow keys move the offset that is read.",
    onpointermove: read, onpointerdown: read,
    onkeydown: (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1, PageDown: -10, PageUp: 10 }[event.key];
      if (!step) return;
      event.preventDefault();
      moveReading(view, view.state.offset + step);
    } }, svg);
  const legend = h("div");
  view.stage.append(h("div", {}, legend, plot));
  return { svg, legend };
}

function moveReading(view, offset) {
  view.state.offset = offset;
  view.draw();
}

function render(view) {
  const { inputs: { dim, anchor, reach, measure, projected }, values: { curves, formula }, parts, colours } = view;
  const k = (view.state.offset = Math.min(Math.max(view.state.offset, -reach), reach));
  const size = 2 * reach + 1;
  const points = (values) => Array.from(values, (value, n) => [n - reach, value]);
  const rows = [anchor, ...OTHERS].map((_, row) => curves.data.subarray(row * size, (row + 1) * size));
  const dot = measure === "dot";

  const all = [...curves.data, 0];
  const step = projected ? 0.5 : 0.25;
  const [low, high] = [Math.floor(Math.min(...all) / step) * step, Math.ceil(Math.max(...all) / step - 1e-9) * step];
  const margin = 0.03 * (high - low);
  const chart = lineChart(parts.svg, { width: view.width, height: 300, x: [-reach, reach], y: [low - margin, high + margin],
    xLabel: "offset k", colours,
    yLabel: (dot ? (projected ? "score q · k / √16" : "dot product / (dim/2)") : projected ? "distance |k − q|" : "distance / √(dim/2)") });
  parts.fromX = chart.fromX;
  chart.line([[-reach, 0], [reach, 0]], colours.edge, { "stroke-width": 1 });
  if (!projected) chart.line(points(formula.data), colours.green, { "stroke-width": 9, opacity: 0.3, "stroke-linecap": "round" });
  for (const row of rows.slice(1)) chart.line(points(row), colours.edge, { "stroke-width": 1.5 });
  chart.line(points(rows[0]), colours.blue, { "stroke-width": 2.5 });
  // Where all curves are one, the other anchors' dots still show that they lie on it.
  const apart = Math.max(2, Math.round(reach / 6));
  rows.slice(1).forEach((row, other) => {
    const first = Math.round((apart * (other + 0.5)) / OTHERS.length);
    for (let n = first; n < size; n += apart) chart.dot(n - reach, row[n], colours.muted, 3);
  });
  chart.rule(k, colours.edge);
  chart.dot(k, rows[0][k + reach], colours.orange, 5);
  parts.legend.replaceChildren(key([colours.blue, `anchor ${anchor}`], [colours.muted, `anchors ${OTHERS.join(", ")}`],
    ...(projected ? [] : [[colours.green, `formula, ${dot ? "mean of cos ωk" : "2 √ mean of sin² ωk/2"}`]])));
  view.say(inWords(view, rows, k));
}

function inWords({ inputs: { dim, anchor, reach, measure, projected } }, rows, k) {
  const dot = measure === "dot";
  const value = rows[0][k + reach];
  const here = rows.map((row) => row[k + reach]);
  const spread = Math.max(...rows[0].map((_, n) => {
    const column = rows.map((row) => row[n]);
    return Math.max(...column) - Math.min(...column);
  }));
  if (projected) {
    const what = dot ? `q · k / √${HEAD_DIM}` : "|k − q|";
    return `Offset ${show(k)}: ${what} is ${show(value)} for p = ${anchor}, but between ${show(Math.min(...here))} and ` +
      `${show(Math.max(...here))} over all the anchors. Random W_q and W_k destroy the pattern: at one and the same offset ` +
      `the anchors differ by up to ${show(spread)}. RoPE turns q and k after this step: there the offset alone counts again.`;
  }
  const [there, unit] = [show(anchor + k), dot ? dim / 2 : Math.sqrt(dim / 2)];
  const low = Math.min(...rows[0]), high = Math.max(...rows[0]);
  const what = dot
    ? `PE(${anchor}) · PE(${there}) = ${show(value * unit)}, that is ${show(value)} of what a position has with itself (dim/2 = ${unit}).`
    : `|PE(${there}) − PE(${anchor})| = ${show(value * unit)}, that is ${show(value)} of a position's own length (√${dim / 2} = ${show(unit)}).`;
  const reached = dot
    ? low > 0 ? `It falls from 1 but stays above ${show(Math.floor(1000 * low) / 1000)}: no two of these positions are orthogonal.`
      : `It falls from 1 to ${show(low)}; 0 is orthogonal.`
    : `It grows from 0 to ${show(high)}; orthogonal positions would be √2 = 1.414 apart.`;
  return `${what} All anchors have this one curve, the formula's (they differ by ${showRounding(spread)}): ` +
    `only the offset counts, and k and −k are the same. ${reached}`;
}

export default figure({ compute, setup, render });
