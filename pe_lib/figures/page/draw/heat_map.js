// Numbers as colours.

import { h } from "./elements.js";
import { between, show } from "./numbers.js";

/** Paint rows x cols values between -limit and +limit, one pixel each; CSS makes them large. */
export function paintHeatMap(canvas, { shape: [rows, cols], data }, colours, limit = 1) {
  if (canvas.width !== cols) canvas.width = cols; // set again, the page would be laid out again
  if (canvas.height !== rows) canvas.height = rows;
  // All that is drawn are its pixels: a graphics card would only be waited for.
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const image = context.createImageData(cols, rows);
  for (let cell = 0; cell < rows * cols; cell++) {
    image.data.set(shade(data[cell], colours, limit), 4 * cell);
    image.data[4 * cell + 3] = 255;
  }
  context.putImageData(image, 0, 0);
}

/** The colour [r, g, b] of a value between -limit and +limit. */
export function shade(value, { scale }, limit = 1) {
  const half = (scale.length - 1) / 2;
  return scale[Math.round(half * (1 + between(value / limit, -1, 1)))];
}

/** Black or white, whichever can be read on a colour: one of them always has a contrast of 4.5. */
export function textOn(rgb) {
  const [r, g, b] = rgb.map((c) =>
    c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? "#000" : "#fff";
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

/** A legend in one line: colours from low to high between these numbers. */
export function scaleLine(low, high, colours, limit = 1) {
  const bar = h("canvas", { class: "pe-pixels", "aria-hidden": "true" });
  const data = Float64Array.from({ length: 101 }, (_, n) => low + ((high - low) * n) / 100);
  paintHeatMap(bar, { shape: [1, 101], data }, colours, limit);
  return h("span", { class: "pe-scale" }, show(low), bar, show(high));
}
