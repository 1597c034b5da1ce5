// A recorded training of a position table: its rows, their cosines, its strongest directions.

import { matrix, range, rowsOf, stack, vector } from "../page/compute/arrays.js";
import { dot, inner } from "../page/compute/linear_algebra.js";
import { remembering } from "../page/compute/remembering.js";
import { lineChart } from "../page/draw/chart.js";
import { blank, h, s } from "../page/draw/elements.js";
import { paintHeatMap, paintLegend } from "../page/draw/heat_map.js";
import { key } from "../page/draw/legends.js";
import { arrive, fadeOver } from "../page/draw/motion.js";
import { between, show } from "../page/draw/numbers.js";
import { dragging, steppable } from "../page/draw/reading.js";
import { figure } from "../page/shell/figure.js";
import { playButton, showPlaying } from "../page/shell/playing.js";
import { CURVES, RECORDED } from "./learned_table.py";

const BEAT = 450; // ms from one snapshot to the next while it plays
const [ENDS, TOP, BELOW] = [24, 48, 22]; // px: beside, above and below what the training draws
const STRONG = 0.35; // about twice the usual size of a row's features
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
  view.state = { row: 20, other: 60, playing: false };
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
  const player = playButton(view, "snapshot", BEAT, true);
  const grown = s("svg", { "aria-hidden": "true" });
  const training = h("div", { class: "pe-slide", ...draggable(view) }, grown);
  const curves = {
    legend: h("div"),
    svg: s("svg", { role: "img", "aria-label": "The table's strongest directions, by position" }),
  };
  const axis = (...words) =>
    h("p", { class: "pe-axis" }, ...words.map((word) => h("span", {}, word)));
  const panels = h(
    "div",
    { class: "pe-training" },
    h("div", {}, axis("cosine of neighbours ↑", "step →"), training, player),
    h("div", {}, axis("table rows ↓", "columns →"), table.box, table.legend),
    h("div", {}, axis("row ↓", "alike with row →"), cosines.box, cosines.legend),
  );
  view.stage.append(h("div", { "data-pe-main": true }, panels));
  view.below.append(h("div", {}, curves.legend, curves.svg));
  return { panels, table, cosines, player, training, grown, curves };
}

/** A square heat map on which a mark is dragged. */
function map(label, point, step) {
  const canvas = h("canvas", { class: "pe-pixels", "aria-hidden": "true" });
  const lines = h("div", { "aria-hidden": "true" });
  const mark = h("div", { class: "pe-row-mark", "aria-hidden": "true" });
  const box = h(
    "div",
    {
      class: "pe-heat pe-marked",
      style: "aspect-ratio: 1",
      ...steppable(label, step),
      ...dragging(point),
    },
    canvas,
    lines,
    mark,
  );
  return { box, canvas, lines, mark, legend: h("div", { class: "pe-legend" }) };
}

function read(view, place) {
  view.read(
    Object.fromEntries(Object.entries(place).map(([name, n]) => [name, between(n, 0, ROWS - 1)])),
  );
}

/** The training is dragged to one of its snapshots. */
function draggable(view) {
  const go = (snapshot) => {
    if (view.state.playing) view.read({ playing: false });
    view.set({ snapshot: between(Math.round(snapshot), 0, LAST) });
  };
  return {
    ...steppable("The training: how alike neighbours have become", (right, down) =>
      go(view.currentInputs().snapshot + right - 4 * down),
    ),
    role: "slider",
    "aria-valuemin": 0,
    "aria-valuemax": LAST,
    ...dragging((x, _, { width }) => go(((x - ENDS) / (width - 2 * ENDS)) * LAST)),
  };
}

function render(view) {
  const {
    state: { row, other, playing },
    inputs,
    values: { rows, cosines },
    parts,
    colours,
  } = view;
  showPlaying(view, parts.player);
  // Before the first step there is only noise, and the button says what there is to see.
  parts.player.classList.toggle("pe-first", inputs.snapshot === 0 && !playing);
  // Then, and while it plays, no single row matters unless the reader points at one.
  parts.panels.classList.toggle("pe-quiet", inputs.snapshot === 0 || playing);
  const before = parts.drawn ?? inputs;
  parts.drawn = inputs;
  // What is dragged follows at once; what plays, and what is taken away, fades over.
  const steps = inputs.snapshot - before.snapshot;
  const fades = inputs.removed !== before.removed || (playing && steps);
  paint(parts.table, rows, colours, STRONG, fades);
  paint(parts.cosines, cosines, colours, 1, fades);
  const [top, left] = [row, other].map((n) => (100 * n) / ROWS);
  const size = 100 / ROWS;
  parts.table.lines.replaceChildren(
    boundary("top", colours),
    part("used", 0, USED, colours.green),
    part("never used", USED, ROWS, colours.purple),
    h("div", {
      class: "pe-cursor",
      style: `left: 0; top: ${top}%; width: 100%; height: ${size}%`,
    }),
  );
  parts.cosines.lines.replaceChildren(
    boundary("top", colours),
    boundary("left", colours),
    h("div", { class: "pe-row-line", style: `top: ${top + size / 2}%` }),
  );
  parts.table.mark.textContent = row;
  parts.table.mark.style = `left: 18px; top: ${top + size / 2}%`;
  parts.cosines.mark.textContent = other;
  parts.cosines.mark.style = `left: ${left + size / 2}%; top: ${top + size / 2}%`;
  drawTraining(view, playing ? steps : 0);
  drawCurves(view);
  view.say(inWords(view));
}

function paint({ canvas, legend }, values, colours, limit, fades) {
  if (fades) fadeOver(canvas);
  paintHeatMap(canvas, values, colours, limit);
  paintLegend(legend, colours, limit);
}

/** How alike neighbours have become, as far as the training has got; its end is what is dragged. */
function drawTraining(view, steps) {
  const {
    inputs: { snapshot },
    values: { history: means },
    parts,
    colours,
  } = view;
  const svg = parts.grown;
  const width = Math.floor(parts.training.clientWidth);
  const bottom = parts.training.clientHeight - BELOW;
  const toX = (n) => ENDS + (n / LAST) * (width - 2 * ENDS);
  const toY = (cosine) => bottom - cosine * (bottom - TOP);
  const label = (x, y, text, attributes) =>
    s("text", { x, y, "font-size": 12, fill: colours.muted, ...attributes }, text);
  const middle = { "text-anchor": "middle" };
  const total = RECORDED.steps[LAST];
  const points = rowsOf(means).slice(0, snapshot + 1); // the rest has yet to happen
  blank(svg, width, bottom + BELOW);
  svg.append(
    ...[0, 1].flatMap((cosine) => [
      s("path", { d: `M${ENDS},${toY(cosine)}H${width - ENDS}`, stroke: colours.grid }),
      label(ENDS - 6, toY(cosine) + 4, cosine, { "text-anchor": "end" }),
    ]),
    ...[0, 100, 1000, total].map((step) =>
      label(toX(LAST * Math.sqrt(step / total)), bottom + 18, show(step), middle),
    ),
  );
  const [x, [, used, unused]] = [toX(snapshot), points[snapshot]];
  const text = `step ${show(RECORDED.steps[snapshot])}`;
  const half = 4 * text.length + 8;
  const at = between(x, half + 2, width - half - 2);
  const head = s(
    "g",
    { class: "pe-pill" },
    s("path", { d: `M${x},24V${toY(used)}`, stroke: colours.ink, "stroke-width": 1.5 }),
    s("rect", {
      x: at - half,
      y: 2,
      width: 2 * half,
      height: 22,
      rx: 11,
      fill: colours.surface,
      stroke: colours.ink,
      "stroke-width": 2,
    }),
    label(at, 17.5, text, { ...middle, fill: colours.ink, "font-size": 13, "font-weight": 650 }),
  );
  svg.append(head);
  if (steps > 0) arrive(head, { transform: `translateX(${toX(snapshot - steps) - x}px)` });
  [colours.green, colours.purple].forEach((stroke, part) => {
    const path = points.map(
      (point, n) => `${toX(n).toFixed(2)},${toY(point[part + 1]).toFixed(2)}`,
    );
    svg.append(
      s("polyline", { points: path.join(" "), fill: "none", stroke, "stroke-width": 2.5 }),
      s("circle", { cx: x, cy: toY(points[snapshot][part + 1]), r: 4.5, fill: stroke }),
    );
  });
  // The values stand where nothing has been drawn: ahead of the dots while there is room, and then
  // above their curves.
  const halo = { stroke: colours.surface, "stroke-width": 3, "paint-order": "stroke" };
  const [value, still] = [`used ${hundredths(used)}`, `never used ${hundredths(unused)}`];
  const [room, end] = [7 * value.length + 8, x + 10 + 7 * still.length];
  const behind = points.filter((_, n) => toX(n) > x - room).map((point) => point[1]);
  const low = toY(Math.max(unused, 0)) + (end < width ? 3 : -7);
  svg.append(
    x + room < width
      ? label(x + 10, between(toY(used) + 4, TOP + 14, low - 14), value, { fill: colours.green })
      : label(x - 8, toY(Math.max(...behind)) - 8, value, {
          fill: colours.green,
          "text-anchor": "end",
        }),
    end < width
      ? label(x + 10, low, still, { ...halo, fill: colours.purple })
      : label(width - ENDS, low, still, { fill: colours.purple, "text-anchor": "end" }),
  );
  if (!snapshot)
    svg.append(
      ...["Do neighbours", "grow alike?"].map((said, line) =>
        label(width / 2, toY(0.75) + 17 * line - 4, said, {
          ...middle,
          fill: colours.ink,
          "font-size": 13,
        }),
      ),
    );
  parts.training.setAttribute("aria-valuenow", snapshot);
  parts.training.setAttribute(
    "aria-valuetext",
    `${text}: neighbours have a cosine of ${hundredths(used)} on average in the used rows, and ` +
      `of ${hundredths(unused)} in the others`,
  );
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
  const hues = [colours.ink, colours.blue, colours.orange];
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

/** The line between the rows that training uses and those it never does. */
function boundary(side, colours) {
  const across = side === "top" ? "left: 0; width: 100%" : "top: 0; height: 100%";
  return h("div", {
    style:
      `position: absolute; pointer-events: none; ${across}; ${side}: ${(100 * USED) / ROWS}%; ` +
      `border-${side}: 2px dashed ${colours.ink}`,
  });
}

/** Rows of the table, with their name, in the colour of their curve. */
function part(name, from, to, colour) {
  const [top, bottom] = [from, ROWS - to].map((rows) => `${(100 * rows) / ROWS}%`);
  const style = `top: ${top}; bottom: ${bottom}; color: ${colour}`;
  return h("div", { class: "pe-part", style }, h("span", {}, name));
}

/** A cosine. */
function hundredths(x) {
  return (Number(x.toFixed(2)) || 0).toFixed(2).replace("-", "−");
}

function inWords({
  state: { row, other },
  inputs: { snapshot, removed },
  values: { cosines, loss },
}) {
  const named = (n) => `${n}${n < USED ? "" : " (never used)"}`;
  const near = row + 1 < ROWS ? row + 1 : row - 1;
  const cosine = (n) => hundredths(cosines.data[row * ROWS + n]);
  const after = `After ${show(RECORDED.steps[snapshot])} steps the loss is ${show(loss, 3)}.`;
  if (!snapshot) return `${after} Every row is still as it was drawn.`;
  const most = removed === 1 ? "strongest direction" : `${removed} strongest directions`;
  return (
    `${after} ${removed ? `Without the ${most}, row` : "Row"} ${named(row)} has a cosine of ` +
    `${cosine(near)} with its neighbour ${near} and of ${cosine(other)} with row ` +
    `${named(other)}. Rows ${USED} to ${ROWS - 1} are still as they were drawn.`
  );
}

export default figure({ compute, setup, render });
