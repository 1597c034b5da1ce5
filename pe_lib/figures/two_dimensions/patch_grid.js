// Which patches of a picture a rotary encoding takes for near ones, in one dimension and in two.

import { matrix, range } from "../page/compute/arrays.js";
import { inverseFrequencies } from "../page/compute/encodings.js";
import { fail } from "../page/compute/refusal.js";
import { lineChart } from "../page/draw/chart.js";
import { h, s } from "../page/draw/elements.js";
import { scaleLine, shade, textOn } from "../page/draw/heat_map.js";
import { key } from "../page/draw/legends.js";
import { arrive } from "../page/draw/motion.js";
import { between } from "../page/draw/numbers.js";
import { dragging, steppable } from "../page/draw/reading.js";
import { figure } from "../page/shell/figure.js";
import { GOLDEN_ANGLE, LIT, SIDE } from "./patch_grid.py";

// In the query's patch: it can be dragged.
const ARROWHEADS = "M.5 .17l.1 .1h-.2zM.5 .83l.1 -.1h-.2zM.17 .5l.1 .1v-.2zM.83 .5l-.1 .1v-.2z";
// How far from the middle of a number the line ends, in patches: else it looks like its minus.
const CLEAR = 0.62;

/** By how much each pair turns from a patch to the one at its right, and to the one below. */
const STEPS = {
  "1d": ({ theta, dim }, side, scale) =>
    frequencies(dim, theta).map((f) => [f * scale ** 2, f * side * scale ** 2]),
  axial: (inputs, _, scale) =>
    frequenciesOfAxes(inputs).flatMap((f) => [
      [f * scale, 0],
      [0, f * scale],
    ]),
  mixed: (inputs, _, scale) =>
    frequenciesOfAxes(inputs).flatMap((f, n) => {
      const [x, y] = [Math.cos, Math.sin].map((of) => f * scale * of(n * GOLDEN_ANGLE));
      return [
        [x, y],
        [-y, x],
      ];
    }),
};

const frequencies = (dim, theta) => Array.from(inverseFrequencies(dim, theta).data);

function frequenciesOfAxes({ theta, dim }) {
  if (dim % 4)
    fail(`dim: expected an int >= 4 divisible by 4 (half of the pairs for each axis), got ${dim}`);
  return frequencies(dim / 2, theta);
}

export function compute(inputs) {
  const trained = scores({ ...inputs, patches: "8" });
  return { scores: inputs.patches === "8" ? trained : scores(inputs), trained };
}

/** The mean cosine of what the pairs turn by from the query to each patch. */
function scores(inputs) {
  const { way, patches } = inputs;
  const side = patches === "8" ? SIDE : 2 * SIDE;
  const steps = STEPS[way](inputs, side, patches === "stretched" ? 0.5 : 1);
  const [row, column] = queryOf(inputs);
  const table = matrix(side, side);
  table.data.forEach((_, n) => {
    const [down, right] = [Math.floor(n / side) - row, (n % side) - column];
    const sum = steps.reduce((all, [x, y]) => all + Math.cos(right * x + down * y), 0);
    table.data[n] = sum / steps.length;
  });
  return table;
}

/** The query's row and column among the patches that are shown; of four, it is the outermost. */
function queryOf({ patches, row, column }) {
  if (patches === "8") return [row, column];
  return [row, column].map((place) => 2 * place + (place >= SIDE / 2 ? 1 : 0));
}

function setup(view) {
  const patches = h("div", { class: "pe-patches" });
  const lines = s("svg", { "aria-hidden": "true", preserveAspectRatio: "none" });
  const move = (row, column) =>
    view.set({ row: between(row, 0, SIDE - 1), column: between(column, 0, SIDE - 1) });
  const point = (x, y, { width, height }) =>
    move(Math.floor((SIDE * y) / height), Math.floor((SIDE * x) / width));
  const grid = h(
    "div",
    {
      class: "pe-picture",
      ...steppable("Patches of a picture. Arrow keys move the query.", (right, down) =>
        move(view.inputs.row + down, view.inputs.column + right),
      ),
      ...dragging(point),
    },
    patches,
    lines,
  );
  const legend = h("p", { class: "pe-axis" });
  view.stage.append(
    h("div", { "data-pe-main": true }, h("div", { class: "pe-of-picture" }, legend, grid)),
  );
  const note = h("p", { class: "pe-note" });
  const cuts = s("svg", { role: "img", "aria-label": "Scores along the query's row and column" });
  const names = h("div");
  const second = h("div", {}, cuts, names);
  view.below.append(note);
  return { patches, lines, legend, note, second, cuts, names };
}

function render(view) {
  const { inputs, values, parts, colours } = view;
  const {
    shape: [side],
    data,
  } = values.scores;
  const [row, column] = queryOf(inputs);
  const query = row * side + column;
  // Next to the picture where there is room, and under More where there is none.
  const place = view.root.classList.contains("pe-wide") ? view.beside : view.below;
  if (parts.second.parentElement !== place) place.prepend(parts.second);
  const near = nearOf(side, query);
  const kind = (n) => (n === query ? "pe-query" : near.includes(n) ? "pe-near" : false);
  parts.patches.style.setProperty("--pe-side", side);
  parts.patches.replaceChildren(
    ...Array.from(data, (score, n) => {
      const colour = shade(score, colours);
      const style = `background: rgb(${colour.join(" ")}); color: ${textOn(colour)}`;
      const look = { style, class: kind(n), "data-pe-answer": n !== query };
      return h("div", look, h("span", {}, n === query ? "q" : inDigits(score)));
    }),
  );
  changeColours(view, side);
  drawLines(view, side, [row, column]);
  parts.legend.replaceChildren(
    h("span", {}, "score ", scaleLine(-1, 1, colours)),
    h("span", { class: "pe-framed" }, `${LIT.toFixed(2)} or more`),
  );
  parts.note.textContent =
    `${detail(view)} The same vector is in every patch, so the colours show positions alone, and ` +
    "not what the picture shows." +
    (side === SIDE
      ? ""
      : " Each of the 8 × 8 patches is four now, and the query is the outermost of its four.");
  drawCuts(view, side, [row, column]);
  view.say(inWords(view));
}

/** The patches that show their number: one step along the line, and one row up or down; smaller
 *  patches have no room for it. */
function nearOf(side, query) {
  return side === SIDE ? [-SIDE, -1, 1, SIDE].map((step) => query + step) : [];
}

/** By another rule, or cut into more patches, every place changes its colour from what it had. */
function changeColours({ inputs, parts }, side) {
  const patches = [...parts.patches.children];
  const rule = `${inputs.way} ${inputs.patches}`;
  const was = parts.drawn;
  parts.drawn = { rule, side, colours: patches.map((patch) => patch.style.background) };
  if (!was || was.rule === rule) return;
  patches.forEach((patch, n) => {
    const [row, column] = [Math.floor(n / side), n % side].map((place) =>
      Math.floor((place * was.side) / side),
    );
    arrive(patch, { background: was.colours[row * was.side + column] });
  });
}

/** The 8 x 8 patches, the line on which "1d" counts, a frame around what is lit, and the query. */
function drawLines({ inputs, values: { scores }, parts, colours }, side, [row, column]) {
  const pixel = side / parts.lines.clientWidth;
  const inside = (at, pixels) => between(at, pixels * pixel, side - pixels * pixel);
  const lit = (i, j) =>
    i >= 0 && i < side && j >= 0 && j < side && isLit(scores.data[i * side + j]);
  const edges = [];
  for (const i of range(0, side + 1)) {
    for (const j of range(0, side + 1)) {
      if (lit(i, j) !== lit(i - 1, j)) edges.push(`M${j},${inside(i, 1)}h1`);
      if (lit(i, j) !== lit(i, j - 1)) edges.push(`M${inside(j, 1)},${i}v1`);
    }
  }
  const path = (d, stroke, width, attributes) =>
    s("path", {
      d,
      stroke,
      fill: "none",
      "stroke-width": width,
      "stroke-linecap": "square",
      "vector-effect": "non-scaling-stroke",
      ...attributes,
    });
  const inner = range(1, SIDE).map((n) => (n * side) / SIDE);
  const counted = inputs.way === "1d";
  const query = row * side + column;
  const { rows, whole, cut } = lineOf(side, [query, ...nearOf(side, query)]);
  const along = path(rows, colours.ink, 1.5, { opacity: counted ? 0.55 : 0 });
  const back = path(counted ? whole : cut, colours.ink, 1.2, {
    opacity: counted ? 0.55 : 0,
    "stroke-dasharray": "1 4",
  });
  const frame = 1 - 4 * pixel;
  const square = `M${column + 2 * pixel},${row + 2 * pixel}h${frame}v${frame}h-${frame}z`;
  parts.lines.setAttribute("viewBox", `0 0 ${side} ${side}`);
  parts.lines.replaceChildren(
    path(inner.map((n) => `M${n},0v${side}M0,${n}h${side}`).join(""), colours.surface, 1.5),
    along,
    back,
    path(edges.join(""), colours.surface, 5, { "data-pe-answer": true }),
    path(edges.join(""), colours.ink, 2, { "data-pe-answer": true }),
    path(square, colours.surface, 6),
    path(square, colours.ink, 3),
    s("path", {
      d: side === SIDE ? ARROWHEADS : "",
      fill: colours.surface,
      transform: `translate(${column} ${row})`,
    }),
  );
  if (parts.counted !== undefined && parts.counted !== counted) {
    arrive(along, { opacity: counted ? 0 : 0.55 });
    arrive(back, { opacity: counted ? 0 : 0.55, d: `path("${counted ? cut : whole}")` });
  }
  parts.counted = counted;
}

/** The line through all patches, which gives way to the numbers of some: its rows, and the ways
 *  back to the next row, whole or cut in the middle. */
function lineOf(side, numbered) {
  const away = (n) => (numbered.includes(n) ? CLEAR : 0);
  const middle = (n) => [(n % side) + 0.5, Math.floor(n / side) + 0.5];
  const line = { rows: "", whole: "", cut: "" };
  for (const n of range(1, side ** 2)) {
    const [[x, y], [toX, toY]] = [middle(n - 1), middle(n)];
    const at = (part) => `${x + part * (toX - x)},${y + part * (toY - y)}`;
    const length = Math.abs(toX - x);
    const [start, end] = [away(n - 1) / length, 1 - away(n) / length];
    if (n % side) line.rows += start < end ? `M${at(start)}L${at(end)}` : "";
    else {
      line.whole += `M${at(start)}L${at(0.5)}M${at(0.5)}L${at(end)}`;
      line.cut += `M${at(start)}L${at(start)}M${at(end)}L${at(end)}`;
    }
  }
  return line;
}

/** The scores along the query's row and column, over the way in patches of the 8 x 8. */
function drawCuts({ inputs, values, parts: { cuts, names }, colours, root }, side, query) {
  const chart = lineChart(cuts, {
    width: cuts.parentElement.clientWidth,
    height: root.classList.contains("pe-wide") ? 266 : 222,
    x: [0.5 - SIDE, SIDE - 0.5],
    y: [-0.5, 1.05],
    xLabel: "patches of the 8 × 8 to the right, or down",
    yLabel: "score",
    colours,
  });
  const draw = ({ shape: [size], data }, [row, column], alongRow, alongColumn) => {
    const line = (from, at, look) =>
      chart.line(
        range(0, size).map((place) => [((place - from) * SIDE) / size, data[at(place)]]),
        ...look,
      );
    line(column, (place) => row * size + place, alongRow);
    line(row, (place) => place * size + column, alongColumn);
  };
  chart.dot(0, 1, colours.ink);
  chart.text(0.35, 1, "q", colours.ink, 4);
  const before = [colours.edge, { "stroke-width": 8, opacity: 0.35 }];
  const dashed = { "stroke-dasharray": "7 5" };
  chart.answer(() => {
    if (side > SIDE) draw(values.trained, [inputs.row, inputs.column], before, before);
    draw(values.scores, query, [colours.blue], [colours.purple, dashed]);
  });
  names.replaceChildren(
    key(
      [colours.blue, "along its row"],
      [colours.purple, "along its column", [7, 5]],
      ...(side > SIDE ? [[colours.edge, "the same on 8 × 8"]] : []),
    ),
  );
}

/** Whether a score, as it is written, is one of the framed. */
function isLit(score) {
  return Math.round(100 * score) >= 100 * LIT;
}

/** Two digits; 1 is the query's own. */
function inDigits(score) {
  const text = between(score, -0.99, 0.99).toFixed(2);
  return text === "-0.00" ? "0.00" : text.replace("-", "−");
}

function inWords({ inputs, values: { scores, trained } }) {
  const [side] = scores.shape;
  const at = (i, j) => inDigits(scores.data[i * side + j]);
  const before = side > SIDE ? `, ${lit(trained)} on 8 × 8` : "";
  return (
    `Row ${inputs.row}, column ${inputs.column}: ${neighbours(inputs, side, at)}. Framed: ` +
    `${lit(scores)}${before}.`
  );
}

/** What more there is to say. */
function detail({ inputs, values: { scores, trained } }) {
  const [side] = scores.shape;
  const at = (i, j) => inDigits(scores.data[i * side + j]);
  const words = [`The frame holds what scores ${LIT.toFixed(2)} or more.`];
  if (side > SIDE) words.push(oldPatches(inputs, at, trained.data));
  if (inputs.way === "1d" && inputs.patches === "stretched") words.push(NO_FACTOR);
  else words.push(WHY[inputs.way]);
  return words.join(" ");
}

/** The next patch on the line, and the one below. */
function neighbours(inputs, side, at) {
  const [row, column] = queryOf(inputs);
  const below = row < side - 1;
  const next = at(below ? row + 1 : row - 1, column);
  const vertical = `the patch ${below ? "below" : "above"} ${next}`;
  if (column < side - 1) return `its right neighbour scores ${at(row, column + 1)}, ${vertical}`;
  if (!below) return `its left neighbour scores ${at(row, column - 1)}, ${vertical}`;
  return `the first of the next row scores ${at(row + 1, 0)}, ${vertical}`;
}

/** How many patches are lit. */
function lit({ data }) {
  return `${data.filter(isLit).length} of ${data.length} patches`;
}

/** The places at which the neighbours among 8 x 8 patches were. */
function oldPatches(inputs, at, trained) {
  const { row, column } = inputs;
  const [i, j] = queryOf(inputs);
  const [across, down] = [column ? -1 : 1, row < SIDE - 1 ? 1 : -1];
  const before = (r, c) => inDigits(trained[r * SIDE + c]);
  return (
    `One old patch to the ${across > 0 ? "right" : "left"} scores ${at(i, j + 2 * across)}, one ` +
    `${down > 0 ? "below" : "above"} ${at(i + 2 * down, j)}; on 8 × 8 they scored ` +
    `${before(row, column + across)} and ${before(row + down, column)}.`
  );
}

const NO_FACTOR =
  "No one factor fits a line: rows are as far apart now as on 8 × 8, but columns only half as far.";

const WHY = {
  "1d": "Only the distance along the line counts.",
  axial:
    "A score is the mean of one for the columns and one for the rows; in the query's own row and " +
    "column one of the two is 1, which makes a cross.",
  mixed:
    "The directions are spread evenly here, so that no row or column stands out; a trained model " +
    "learns its own.",
};

export default figure({ compute, setup, render });
