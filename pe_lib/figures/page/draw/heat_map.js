// A table of numbers as colours.

import { h } from "./elements.js";
import { show } from "./numbers.js";

/** Paint rows x cols values between -limit and +limit, one pixel each; CSS makes them large. */
export function paintHeatMap(canvas, { shape: [rows, cols], data }, colours, limit = 1) {
  canvas.width = cols;
  canvas.height = rows;
  const context = canvas.getContext("2d");
  const image = context.createImageData(cols, rows);
  const { scale } = colours;
  const half = (scale.length - 1) / 2;
  for (let cell = 0; cell < rows * cols; cell++) {
    const level = Math.round(half * (1 + Math.max(-1, Math.min(1, data[cell] / limit))));
    image.data.set(scale[level], 4 * cell);
    image.data[4 * cell + 3] = 255;
  }
  context.putImageData(image, 0, 0);
}

/** The heat map's legend: colours from -limit to +limit, with the numbers below. */
export function paintLegend(holder, colours, limit = 1) {
  const bar = h("canvas", { class: "pe-pixels", "aria-hidden": "true" });
  const levels = Float64Array.from({ length: 101 }, (_, n) => (n - 50) / 50);
  paintHeatMap(bar, { shape: [1, 101], data: levels }, colours);
  holder.replaceChildren(
    bar,
    h("div", {}, ...[-limit, 0, limit].map((value) => h("span", {}, show(value)))),
  );
}
