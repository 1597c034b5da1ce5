// The sinusoidal table as a heat map, with one cell read out and its column drawn as a wave.

function compute({ dim, theta, offset, length, counter }) {
  checkDim(dim);
  const table = matrix(length, dim);
  const wavelengths = matrix(1, dim / 2);
  for (let pair = 0; pair < dim / 2; pair++) {
    const frequency = theta ** (-(2 * pair) / dim);
    wavelengths.data[pair] = (2 * Math.PI) / frequency;
    for (let row = 0; row < length; row++) {
      const angle = (offset + row) * frequency;
      const bit = pair < 31 ? ((offset + row) >> pair) & 1 : 0;
      const cell = row * dim + 2 * pair;
      table.data[cell] = (1 - counter) * Math.sin(angle) + counter * (2 * bit - 1);
      table.data[cell + 1] = (1 - counter) * Math.cos(angle) + counter * (2 * bit - 1);
    }
  }
  return { table, wavelengths: { shape: [dim / 2], data: wavelengths.data } };
}

function setup(view) {
  view.state = { row: 5, column: 6 };
  const canvas = h("canvas", { class: "pe-pixels", "aria-hidden": "true" });
  const cross = h("div", { class: "pe-cursor" });
  const map = h("div", { class: "pe-heat", tabindex: 0, role: "application",
    "aria-label": "Heat map. Arrow keys move the cell that is read.",
    onpointermove: (event) => readAt(view, event),
    onpointerdown: (event) => readAt(view, event),
    onkeydown: (event) => moveCursor(view, event) }, canvas, cross);
  const wave = s("svg", { role: "img", "aria-label": "The wave of the column that is read" });
  view.stage.classList.add("pe-two");
  const legend = h("div", { class: "pe-legend" });
  view.stage.append(
    h("div", {}, h("p", { class: "pe-axis" }, h("span", {}, "positions ↓"), h("span", {}, "features →")), map),
    h("div", {}, wave, legend));
  return { canvas, cross, map, wave, legend };
}

function readAt(view, event) {
  const box = view.parts.map.getBoundingClientRect();
  const { dim, length } = view.inputs;
  moveTo(view, Math.floor(((event.clientY - box.top) / box.height) * length),
    Math.floor(((event.clientX - box.left) / box.width) * dim));
}

function moveCursor(view, event) {
  const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
  if (!step) return;
  event.preventDefault();
  moveTo(view, view.state.row + step[0], view.state.column + step[1]);
}

function moveTo(view, row, column) {
  view.state = { row, column };
  view.draw();
}

function render(view) {
  const { dim, offset, length, counter } = view.inputs;
  const { table, wavelengths } = view.values;
  const { canvas, cross, map, wave, legend } = view.parts;
  const row = Math.min(Math.max(view.state.row, 0), length - 1);
  const column = Math.min(Math.max(view.state.column, 0), dim - 1);
  view.state = { row, column };
  paintHeatMap(canvas, table, view.colours);
  paintLegend(legend, view.colours);
  Object.assign(cross.style, { left: `${(100 * column) / dim}%`, top: `${(100 * row) / length}%`,
    width: `${100 / dim}%`, height: `${100 / length}%` });
  map.style.aspectRatio = `${Math.max(dim, 24)} / ${Math.min(Math.max(length, 16), 96)}`;

  const chart = lineChart(wave, { width: wave.parentElement.clientWidth, height: 230, x: [offset, offset + length - 1],
    y: [-1.1, 1.1], xLabel: "position", yLabel: `column ${column}`, colours: view.colours });
  const points = Array.from({ length }, (_, n) => [offset + n, table.data[n * dim + column]]);
  chart.line(points, view.colours.blue);
  chart.rule(offset + row, view.colours.edge);
  chart.dot(...points[row], view.colours.orange, 5);

  const pair = Math.floor(column / 2);
  const wavelength = wavelengths.data[pair];
  const slow = wavelengths.data.filter((length_) => length_ > 4 * length).length;
  const what = counter === 1 ? `binary digit ${pair}` : `${column % 2 ? "cosine" : "sine"} of pair ${pair}`;
  view.say(`Position ${show(offset + row)}, column ${column}: ${what}, wavelength ${show(wavelength)} positions, ` +
    `value ${show(points[row][1])}. ` +
    (slow ? `The last ${2 * slow} of ${dim} columns look flat: over these ${length} positions they turn less than a quarter.`
      : `Every column turns at least a quarter over these ${length} positions.`));
}

export default figure({ compute, setup, render });
