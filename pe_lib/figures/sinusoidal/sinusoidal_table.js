// The sinusoidal table as a heat map, with one cell read out and its column drawn as a wave.

import { range } from "../page/compute/arrays.js";
import { sinusoidalEncoding, wavelengths } from "../page/compute/encodings.js";
import { lineChart } from "../page/draw/chart.js";
import { blank, h, s } from "../page/draw/elements.js";
import { paintHeatMap, scaleLine, shade } from "../page/draw/heat_map.js";
import { arrive, fadeOver, isStep, pushOut } from "../page/draw/motion.js";
import { between, show } from "../page/draw/numbers.js";
import { readable, steppable } from "../page/draw/reading.js";
import { figure } from "../page/shell/figure.js";
import { MOST } from "./sinusoidal_table.py";

const SLOWER = 2; // a cell is smaller than a finger can aim: it moves by so much less than one

export function compute({ dim, theta, offset, length, counter }) {
  const positions = range(offset, offset + length);
  const table = sinusoidalEncoding(positions, dim, theta);
  positions.forEach((position, row) => {
    for (let column = 0; column < dim; column++) {
      const pair = column >> 1;
      const bit = pair < 31 ? (position >> pair) & 1 : 0;
      table.data[row * dim + column] *= 1 - counter;
      table.data[row * dim + column] += counter * (2 * bit - 1);
    }
  });
  return { table, wavelengths: wavelengths(dim, theta) };
}

function setup(view) {
  view.state = { row: 5, column: 6 };
  const canvas = h("canvas", { class: "pe-pixels", "aria-hidden": "true" });
  const cross = h("div", { class: "pe-cursor" });
  const wholeColumn = h("div", { class: "pe-whole-column" });
  const flat = h("div", { class: "pe-flat" });
  const flatName = h("span");
  const map = h(
    "div",
    {
      class: "pe-heat pe-table-map",
      ...cellReading(view),
    },
    h("div", { class: "pe-passing" }, canvas),
    flat,
    wholeColumn,
    cross,
  );
  const ticks = s("svg", { "aria-hidden": "true" });
  const slide = (offset) => view.set({ offset: between(offset, 0, MOST) });
  const drop = () => {
    view.parts.held = undefined;
  };
  const ruler = h(
    "div",
    {
      class: "pe-positions",
      ...steppable(
        "Positions of the rows. Up and down arrow keys move the first one.",
        (right, down) => slide(view.currentInputs().offset + right + down),
      ),
      onpointerdown: (event) => {
        ruler.setPointerCapture(event.pointerId);
        // Where the ruler was taken hold of, and the offset then.
        view.parts.held = { y: event.clientY, offset: view.currentInputs().offset };
        const { top, height } = ruler.getBoundingClientRect();
        view.read({ row: Math.floor(((event.clientY - top) / height) * view.inputs.length) });
      },
      onpointermove: (event) => {
        const { held } = view.parts;
        if (!held) return;
        const row = ruler.clientHeight / view.inputs.length;
        slide(held.offset + Math.round((held.y - event.clientY) / row));
      },
      onpointerup: drop,
      onpointercancel: drop,
    },
    ticks,
  );
  const wave = s("svg", { role: "img", "aria-label": "The wave of the column that is read" });
  const legend = h("p", { class: "pe-key" });
  view.stage.append(
    h(
      "div",
      { "data-pe-main": true },
      h(
        "p",
        { class: "pe-axis" },
        h("span", {}, "positions ↕"),
        h("span", {}, "columns →"),
        flatName,
      ),
      h("div", { class: "pe-ruled" }, ruler, map),
      legend,
    ),
  );
  view.beside.append(h("div", {}, wave));
  return { canvas, cross, wholeColumn, flat, flatName, ruler, ticks, wave, legend };
}

/** A mouse reads the cell that it points at, a tap the one that it hits. A finger that is drawn
 *  across the table leads the cell from where it is, and so does not cover it. */
function cellReading(view) {
  let held; // where the finger was put down, and the cell that was read then
  const { onpointermove: point, ...keys } = readable(
    "Heat map. Arrow keys move the cell that is read.",
    (x, y, box) =>
      view.read({
        row: Math.floor((y / box.height) * view.inputs.length),
        column: Math.floor((x / box.width) * view.inputs.dim),
      }),
    (right, down) => view.read({ row: view.state.row + down, column: view.state.column + right }),
  );
  return {
    ...keys,
    onclick: point,
    onpointerdown: (event) => {
      held = { x: event.clientX, y: event.clientY, ...view.state };
    },
    onpointermove: (event) => {
      if (event.pointerType !== "touch") return point(event);
      const { clientWidth, clientHeight } = event.currentTarget;
      const [row, column] = [clientHeight / view.inputs.length, clientWidth / view.inputs.dim];
      view.read({
        row: held.row + Math.round((event.clientY - held.y) / row / SLOWER),
        column: held.column + Math.round((event.clientX - held.x) / column / SLOWER),
      });
    },
  };
}

function render(view) {
  const { dim, offset, length, counter } = view.inputs;
  const { table } = view.values;
  const { canvas, cross, wholeColumn, ruler, wave } = view.parts;
  // Read before anything is drawn, for what is read afterwards is laid out in between.
  const width = wave.parentElement.clientWidth;
  const ruled = [ruler.clientWidth, ruler.clientHeight];
  const moves = moved(view);
  const row = between(view.state.row, 0, length - 1);
  const column = between(view.state.column, 0, dim - 1);
  view.state = { row, column };
  if (moves.slid) pushOut(canvas, moves.slid);
  if (moves.other) fadeOver(canvas);
  paintHeatMap(canvas, table, view.colours);
  if (moves.stretched) arrive(canvas, { transform: `scaleY(${moves.stretched})` });
  const across = { left: `${(100 * column) / dim}%`, width: `${100 / dim}%` };
  Object.assign(wholeColumn.style, across);
  Object.assign(cross.style, across, {
    top: `${(100 * row) / length}%`,
    height: `${100 / length}%`,
  });

  drawRuler(view, moves, ruled);

  const chart = lineChart(wave, {
    width,
    height: view.root.classList.contains("pe-wide") ? 280 : 134,
    x: [offset, offset + length - 1],
    y: [-1.1, 1.1],
    xLabel: "position",
    yLabel: `column ${column}`,
    colours: view.colours,
  });
  const points = Array.from({ length }, (_, n) => [offset + n, table.data[n * dim + column]]);
  const curve = chart.curve(points, view.colours.blue, {
    "vector-effect": "non-scaling-stroke",
  });
  chart.rule(offset + row, view.colours.edge);
  chart.dot(...points[row], view.colours.orange, 5);
  view.parts.waveEnds = [offset, offset + length].map(chart.toX);
  moveWave(view, moves, curve);

  const what = counter === 1 ? digitInWords(column, view) : waveInWords(column, view);
  markFlat(view, moves, what.flat, counter === 1 ? "do not change ↓" : "under ¼ wave ↓");
  drawLegend(view, points[row][1]);
  view.say(
    `Position ${show(offset + row)}, column ${column}: ${what.cell}, value ` +
      `${show(points[row][1])}. ${what.table}`,
  );
}

/** How the table moves from what was drawn: by its height, upwards, where it has slid; to so many
 *  times its height; or into another. What is dragged follows at once, here or with a slider. */
function moved({ inputs, parts }) {
  const before = parts.drawn ?? inputs;
  parts.drawn = inputs;
  const changed = Object.keys(inputs).filter((name) => inputs[name] !== before[name]);
  if (!changed.length || !isStep(parts) || parts.held) return {};
  if (changed.length > 1) return { other: true };
  const { offset, length } = inputs;
  if (changed[0] === "offset") return { slid: between((offset - before.offset) / length, -1, 1) };
  if (changed[0] === "length") return { stretched: length / before.length };
  return { other: true };
}

/** The wave slides along with the table, is stretched, or becomes another; its dot stays on it. */
function moveWave({ inputs, values, state, parts }, { slid, other }, curve) {
  const { wave, waved: before } = parts;
  const dot = wave.lastChild;
  const turn = inputs.counter ? null : values.wavelengths.data[state.column >> 1];
  const now = { curve, turn, width: wave.getAttribute("width"), y: Number(dot.getAttribute("cy")) };
  parts.waved = now;
  if (!(slid || other) || before?.width !== now.width) return;
  arrive(dot, { transform: `translateY(${before.y - now.y}px)` });
  if (slid) slideWave(parts, before.curve, curve, slid);
  else if (turn && before.turn) stretchWave(parts, curve, before.turn / turn);
  else arrive(curve, { d: `path("${before.curve.getAttribute("d")}")` });
}

/** The wave as it was goes out at one end, the new one comes in at the other. */
function slideWave(parts, out, curve, slid) {
  const { width } = withinItsBox(parts, curve, out);
  out.style.transform = `translateX(${-slid * width}px)`;
  arrive(out, { transform: "none" });
  arrive(curve, { transform: `translateX(${slid * width}px)` });
}

/** Another wavelength is the same wave, stretched. */
function stretchWave(parts, curve, factor) {
  const { x } = withinItsBox(parts, curve);
  curve.style.transformOrigin = `${x}px 0`;
  arrive(curve, { transform: `scaleX(${factor})` });
}

/** Let nothing of the curve, or of others with it, be seen outside its place, which is given. */
function withinItsBox({ wave, waveEnds: [x, end] }, curve, ...others) {
  const width = end - x;
  const height = wave.getAttribute("height");
  const box = s("svg", { x, width, height, viewBox: `${x} 0 ${width} ${height}` });
  curve.replaceWith(box);
  box.append(curve, ...others);
  return { x, width };
}

/** The columns that change least here, at the right: a bracket over them, which moves. */
function markFlat({ inputs: { dim }, parts: { flat, flatName } }, { other }, count, name) {
  const { left } = flat.style;
  flat.style.left = `${100 * (1 - count / dim)}%`;
  flat.hidden = !count;
  flatName.textContent = count ? name : "";
  if (other && left !== flat.style.left) arrive(flat, { left });
}

/** The cell that is read, large and with its value, and what the colours stand for. */
function drawLegend({ parts, colours }, value) {
  const cell = h(
    "span",
    {},
    "this cell",
    h("i", { class: "pe-cell", style: `background: rgb(${shade(value, colours)})` }),
    show(value),
  );
  if (parts.explained === colours) return parts.legend.firstChild.replaceWith(cell);
  parts.explained = colours;
  parts.legend.replaceChildren(cell, scaleLine(-1, 1, colours));
}

/** The positions of some rows, beside them; they slide along with the table. */
function drawRuler({ inputs, parts: { ticks }, colours }, { slid }, [width, height]) {
  const { offset, length } = inputs;
  const row = height / length;
  const every = [1, 2, 4, 8, 16, 32].find((step) => step * row >= 24);
  blank(ticks, width, height);
  for (let p = Math.ceil(offset / every) * every; p < offset + length; p += every) {
    const y = (p - offset + 0.5) * row;
    ticks.append(
      s("path", { d: `M${width - 6} ${y}h6`, stroke: colours.edge }),
      s(
        "text",
        {
          x: width - 9,
          y: between(y + 4, 10, height - 2),
          "text-anchor": "end",
          "font-size": 12,
          fill: colours.muted,
        },
        show(p, 9),
      ),
    );
  }
  if (slid) arrive(ticks, { transform: `translateY(${slid * height}px)` });
}

function waveInWords(column, { inputs: { dim, length }, values: { wavelengths } }) {
  const pair = column >> 1;
  const slow = 2 * wavelengths.data.filter((turn) => turn > 4 * length).length;
  return {
    flat: slow,
    cell:
      `${column % 2 ? "cosine" : "sine"} of pair ${pair}, wavelength ` +
      `${show(wavelengths.data[pair])}`,
    table: slow
      ? `The last ${slow} of ${dim} columns show less than a quarter of their wave.`
      : `Every column shows at least a quarter of its wave.`,
  };
}

function digitInWords(column, { inputs: { dim, length }, values: { table } }) {
  const rows = range(0, length);
  const changing = range(0, dim).filter((n) =>
    rows.some((row) => table.data[row * dim + n] !== table.data[n]),
  ).length;
  return {
    flat: dim - changing,
    cell:
      `binary digit ${column >> 1}, the same again after ` +
      `${show(2 ** ((column >> 1) + 1))} positions`,
    table: `${changing} of ${dim} columns change over these ${length} positions.`,
  };
}

export default figure({ compute, setup, render });
