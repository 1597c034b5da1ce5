// The sinusoidal table as a heat map, with one cell read out and its column drawn as a wave.

import { range } from "../page/compute/arrays.js";
import { sinusoidalEncoding, wavelengths } from "../page/compute/encodings.js";
import { lineChart } from "../page/draw/chart.js";
import { h, s } from "../page/draw/elements.js";
import { paintHeatMap, paintLegend } from "../page/draw/heat_map.js";
import { between, show } from "../page/draw/numbers.js";
import { readable } from "../page/draw/reading.js";
import { figure } from "../page/shell/figure.js";

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
  const map = h(
    "div",
    {
      class: "pe-heat pe-table-map",
      ...readable(
        "Heat map. Arrow keys move the cell that is read.",
        (x, y, box) =>
          view.read({
            row: Math.floor((y / box.height) * view.inputs.length),
            column: Math.floor((x / box.width) * view.inputs.dim),
          }),
        (right, down) =>
          view.read({ row: view.state.row + down, column: view.state.column + right }),
      ),
    },
    canvas,
    cross,
  );
  const wave = s("svg", { role: "img", "aria-label": "The wave of the column that is read" });
  const legend = h("div", { class: "pe-legend" });
  view.stage.append(
    h(
      "div",
      { "data-pe-main": true },
      h("p", { class: "pe-axis" }, h("span", {}, "positions ↓"), h("span", {}, "columns →")),
      map,
    ),
  );
  view.beside.append(h("div", {}, wave, legend));
  return { canvas, cross, wave, legend };
}

function render(view) {
  const { dim, offset, length, counter } = view.inputs;
  const { table } = view.values;
  const { canvas, cross, wave, legend } = view.parts;
  const row = between(view.state.row, 0, length - 1);
  const column = between(view.state.column, 0, dim - 1);
  view.state = { row, column };
  paintHeatMap(canvas, table, view.colours);
  paintLegend(legend, view.colours);
  Object.assign(cross.style, {
    left: `${(100 * column) / dim}%`,
    top: `${(100 * row) / length}%`,
    width: `${100 / dim}%`,
    height: `${100 / length}%`,
  });

  const chart = lineChart(wave, {
    width: wave.parentElement.clientWidth,
    height: 270,
    x: [offset, offset + length - 1],
    y: [-1.1, 1.1],
    xLabel: "position",
    yLabel: `column ${column}`,
    colours: view.colours,
  });
  const points = Array.from({ length }, (_, n) => [offset + n, table.data[n * dim + column]]);
  chart.line(points, view.colours.blue);
  chart.rule(offset + row, view.colours.edge);
  chart.dot(...points[row], view.colours.orange, 5);

  const what = counter === 1 ? digitInWords(column, view) : waveInWords(column, view);
  view.say(
    `Position ${show(offset + row)}, column ${column}: ${what.cell}, value ` +
      `${show(points[row][1])}. ${what.table}`,
  );
}

function waveInWords(column, { inputs: { dim, length }, values: { wavelengths } }) {
  const pair = column >> 1;
  const slow = 2 * wavelengths.data.filter((turn) => turn > 4 * length).length;
  return {
    cell:
      `${column % 2 ? "cosine" : "sine"} of pair ${pair}, wavelength ` +
      `${show(wavelengths.data[pair])} positions`,
    table: slow
      ? `The last ${slow} of ${dim} columns look flat: over these ${length} positions they ` +
        `turn less than a quarter.`
      : `Every column turns at least a quarter over these ${length} positions.`,
  };
}

function digitInWords(column, { inputs: { dim, length }, values: { table } }) {
  const rows = range(0, length);
  const changing = range(0, dim).filter((n) =>
    rows.some((row) => table.data[row * dim + n] !== table.data[n]),
  ).length;
  return {
    cell:
      `binary digit ${column >> 1}, the same again after ` +
      `${show(2 ** ((column >> 1) + 1))} positions`,
    table:
      `${changing} of ${dim} columns change over these ${length} positions: the other ` +
      `digits wait for larger numbers.`,
  };
}

export default figure({ compute, setup, render });
