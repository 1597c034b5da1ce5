// A recorded training of a position table: its rows, their cosines, its strongest directions.

import { matrix, range, rowsOf, stack, vector } from "../page/compute/arrays.js";
import { dot, inner } from "../page/compute/linear_algebra.js";
import { remembering } from "../page/compute/remembering.js";
import { lineChart } from "../page/draw/chart.js";
import { h, s } from "../page/draw/elements.js";
import { paintHeatMap, paintLegend } from "../page/draw/heat_map.js";
import { key } from "../page/draw/legends.js";
import { between, show } from "../page/draw/numbers.js";
import { readable } from "../page/draw/reading.js";
import { figure } from "../page/shell/figure.js";
import { playButton, showPlaying } from "../page/shell/playing.js";
import { CURVES, RECORDED } from "./learned_table.py";

const BEAT = 450; // ms from one snapshot to the next while it plays
const USED = RECORDED.used;
const TABLES = tablesOf(RECORDED);
const ROWS = TABLES[0].shape[0];
const LAST = TABLES.length - 1;
const DIRECTIONS = range(0, RECORDED.dim).map((n) => RECORDED.directions.map((row) => row[n]));

const STRONGEST = stack(DIRECTIONS.slice(0, CURVES));
const REACH = Math.max(
  ...TABLES.map((table) => Math.max(...inner(table, STRONGEST).data.map(Math.abs))),
);

/** Every snapshot's table: trained rows times that snapshot's scale, then the rows never used. */
function tablesOf({ dim, used, scales, unused_scale, trained, unused }) {
  const [moving, still] = [trained, unused].map((text) =>
    Int8Array.from(atob(text), (byte) => byte.charCodeAt(0)),
  );
  const size = used * dim;
  return scales.map((scale, n) => {
    const table = matrix(used + still.length / dim, dim);
    table.data.forEach((_, cell) => {
      table.data[cell] =
        cell < size ? moving[n * size + cell] * scale : still[cell - size] * unused_scale;
    });
    return table;
  });
}

/** The rows of every snapshot without the strongest directions: at length 1, and their lengths. */
const without = remembering((removed) =>
  TABLES.map((table) => {
    const rows = rowsOf(table).map((row) => {
      const left = row.slice();
      for (const direction of DIRECTIONS.slice(0, removed)) {
        const along = dot(row, direction);
        direction.forEach((x, n) => {
          left[n] -= along * x;
        });
      }
      return left;
    });
    const lengths = rows.map((row) => Math.sqrt(dot(row, row)));
    return {
      unit: stack(rows.map((row, n) => row.map((x) => x / lengths[n]))),
      lengths: vector(lengths),
    };
  }),
);

const history = remembering((removed) =>
  stack(
    without(removed).map(({ unit }, n) => {
      const rows = rowsOf(unit);
      const near = rows.slice(1).map((row, p) => dot(row, rows[p]));
      const mean = (values) => values.reduce((sum, x) => sum + x, 0) / values.length;
      return [RECORDED.steps[n], mean(near.slice(0, USED - 1)), mean(near.slice(USED))];
    }),
  ),
);

export function compute({ snapshot, removed }) {
  const { unit, lengths } = without(removed)[snapshot];
  return {
    rows: unit,
    lengths,
    cosines: inner(unit, unit),
    curves: inner(TABLES[snapshot], STRONGEST),
    history: history(removed),
    loss: RECORDED.losses[snapshot],
  };
}

function setup(view) {
  view.state = { row: 20, other: 24, playing: false };
  const toRow = (part, length) => Math.floor((part / length) * ROWS);
  const table = map(
    "The table. Up and down arrow keys move the row that is read.",
    (_x, y, box) => read(view, { row: toRow(y, box.height) }),
    (_right, down) => read(view, { row: view.state.row + down }),
  );
  const cosines = map(
    "Cosines of all pairs of rows. Arrow keys move the pair that is read.",
    (x, y, box) => read(view, { row: toRow(y, box.height), other: toRow(x, box.width) }),
    (right, down) => read(view, { row: view.state.row + down, other: view.state.other + right }),
  );
  const [curves, grown] = [
    "The table's strongest directions, by position",
    "Mean cosine of neighbours, by training step",
  ].map((label) => ({ legend: h("div"), svg: s("svg", { role: "img", "aria-label": label }) }));
  const player = playButton(view, "snapshot", BEAT, true);
  const moment = h("div");
  const axis = (...words) =>
    h("p", { class: "pe-axis" }, ...words.map((word) => h("span", {}, word)));
  view.stage.append(
    h("div", { class: "pe-bar" }, moment, player),
    h(
      "div",
      { class: "pe-pair", "data-pe-main": true },
      h("div", {}, axis("rows ↓", "columns →"), table.box, table.legend),
      h("div", {}, axis("cosines ↓", "with row →"), cosines.box, cosines.legend),
    ),
  );
  view.below.classList.add("pe-two");
  view.below.append(...[curves, grown].map(({ legend, svg }) => h("div", {}, legend, svg)));
  return { table, cosines, player, moment, curves, grown };
}

/** A square heat map that is read, with room for marks and a legend. */
function map(label, point, step) {
  const canvas = h("canvas", { class: "pe-pixels", "aria-hidden": "true" });
  const marks = h("div", { "aria-hidden": "true" });
  const box = h(
    "div",
    { class: "pe-heat", style: "aspect-ratio: 1", ...readable(label, point, step) },
    canvas,
    marks,
  );
  return { box, canvas, marks, legend: h("div", { class: "pe-legend" }) };
}

function read(view, place) {
  view.read(
    Object.fromEntries(Object.entries(place).map(([name, n]) => [name, between(n, 0, ROWS - 1)])),
  );
}

function render(view) {
  const {
    state,
    inputs: { snapshot },
    values: { rows, cosines },
    parts,
    colours,
  } = view;
  showPlaying(view, parts.player);
  // Before the first step there is only noise, and the button says what there is to see.
  const waiting = snapshot === 0 && !state.playing;
  parts.player.classList.toggle("pe-first", waiting);
  if (waiting) parts.player.textContent += " the training";
  parts.moment.textContent =
    `step ${show(RECORDED.steps[snapshot])} of ` + `${show(RECORDED.steps[LAST])}`;
  paint(parts.table, rows, colours, 2 / Math.sqrt(RECORDED.dim));
  paint(parts.cosines, cosines, colours, 1);
  const [row, other] = [state.row, state.other].map((n) => (100 * n) / ROWS);
  const size = 100 / ROWS;
  parts.table.marks.replaceChildren(boundary("top", colours), cursor(0, row, 100, size));
  parts.cosines.marks.replaceChildren(
    boundary("top", colours),
    boundary("left", colours),
    cursor(other, row, size, size),
  );
  drawCurves(view);
  drawHistory(view);
  view.say(inWords(view));
}

function paint({ canvas, legend }, values, colours, limit) {
  paintHeatMap(canvas, values, colours, limit);
  paintLegend(legend, colours, limit);
}

/** The table along its strongest directions, on one scale for all snapshots. */
function drawCurves({
  state: { row },
  values: { curves },
  parts: {
    curves: { legend, svg },
  },
  colours,
  width,
}) {
  const hues = [colours.blue, colours.orange, colours.green];
  const dashes = [null, "7 4", "2 4"];
  const chart = lineChart(svg, {
    width: svg.parentElement.clientWidth || width, // none while it is folded away
    height: 240,
    x: [0, ROWS - 1],
    y: [-1.05 * REACH, 1.05 * REACH],
    xLabel: "position",
    yLabel: "value",
    colours,
  });
  chart.rule(USED - 0.5, colours.ink);
  range(0, CURVES).forEach((n) => {
    const points = rowsOf(curves).map((values, p) => [p, values[n]]);
    chart.line(points, hues[n], { "stroke-dasharray": dashes[n] });
    chart.dot(...points[row], hues[n]);
  });
  legend.replaceChildren(
    key([hues[0], "strongest direction"], [hues[1], "second"], [hues[2], "third"]),
  );
}

function drawHistory({
  inputs: { snapshot },
  values: { history: means },
  parts: {
    grown: { legend, svg },
  },
  colours,
  width,
}) {
  const chart = lineChart(svg, {
    width: svg.parentElement.clientWidth || width, // none while it is folded away
    height: 240,
    x: [0, 1.04 * RECORDED.steps[LAST]],
    y: [-0.25, 1.05],
    xLabel: "training step",
    yLabel: "cosine of neighbours",
    colours,
  });
  const points = rowsOf(means).slice(0, snapshot + 1); // the rest has yet to happen
  const now = points[snapshot];
  chart.rule(now[0], colours.edge);
  [
    [1, colours.blue],
    [2, colours.orange],
  ].forEach(([n, colour]) => {
    chart.line(
      points.map((point) => [point[0], point[n]]),
      colour,
      { "stroke-width": 2.5 },
    );
    chart.dot(now[0], now[n], colour, 5);
  });
  legend.replaceChildren(key([colours.blue, "used rows"], [colours.orange, "rows never used"]));
}

/** The line between the rows that training uses and those it never does. */
function boundary(side, colours) {
  const across = side === "top" ? "left: 0; width: 100%" : "top: 0; height: 100%";
  return h("div", {
    style:
      `position: absolute; pointer-events: none; ${across}; ${side}: ${(100 * USED) / ROWS}%; ` +
      `border-${side}: 2px dashed ${colours.ink}`,
  });
}

function cursor(left, top, width, height) {
  return h("div", {
    class: "pe-cursor",
    style: `left: ${left}%; top: ${top}%; width: ${width}%; height: ${height}%`,
  });
}

function inWords({
  state: { row, other },
  inputs: { snapshot, removed },
  values: { lengths, cosines, history: means, loss },
}) {
  const [step, used, unused] = rowsOf(means)[snapshot];
  const left = removed
    ? ` Without the ${removed === 1 ? "strongest direction" : `${removed} strongest directions`},`
    : "";
  return (
    `After ${show(step)} steps, loss ${show(loss, 3)}.${left || " All directions:"} ` +
    `neighbours have a cosine of ${show(used, 3)} ` +
    `on average among the ${USED} rows that training uses, and of ${show(unused, 2)} among ` +
    `the ${ROWS - USED} that it never uses` +
    `${snapshot ? ", which are still as they were drawn" : ""}. Row ` +
    `${row}${row < USED ? "" : ", never used"}: ` +
    `length ${show(lengths.data[row], 3)}, cosine with row ` +
    `${other}${other < USED ? "" : " (never used)"} ` +
    `${show(cosines.data[row * ROWS + other], 2)}.`
  );
}

export default figure({ compute, setup, render });
