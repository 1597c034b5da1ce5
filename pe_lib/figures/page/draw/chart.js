// A line chart drawn at its real size, so that its text stays readable on a phone.

import { blank, s } from "./elements.js";
import { show } from "./numbers.js";

/** lineChart(svg, {width, height, x: [low, high], y: [low, high], xLabel, yLabel, colours})
 *  clears the svg, draws the axes and gives {line, curve, band, dot, text, rule, bar, answer, toX,
 *  toY, fromX, fromY}. For an axis of logarithms xTick or yTick writes the number that one stands
 *  for. xTicks and yTicks are the places of the ticks where they are not a few round numbers;
 *  `right` is the room beside the chart, in pixels. */
export function lineChart(
  svg,
  {
    width,
    height,
    x,
    y,
    xLabel,
    yLabel,
    colours,
    xTicks,
    yTicks,
    xTick = show,
    yTick = show,
    right = 10,
  },
) {
  const left = 46;
  const top = 12;
  const bottom = 38;
  const toX = (value) => left + ((value - x[0]) / (x[1] - x[0])) * (width - left - right);
  const toY = (value) =>
    height - bottom - ((value - y[0]) / (y[1] - y[0])) * (height - top - bottom);
  const fromX = (pixel) => x[0] + ((pixel - left) / (width - left - right)) * (x[1] - x[0]);
  const fromY = (pixel) =>
    y[0] + ((height - bottom - pixel) / (height - top - bottom)) * (y[1] - y[0]);
  const path = (points) =>
    points.map(([px, py]) => `${toX(px).toFixed(2)},${toY(py).toFixed(2)}`).join(" ");
  blank(svg, width, height);

  const label = (content, px, py, attributes = {}) => {
    svg.append(
      s("text", { x: px, y: py, fill: colours.muted, "font-size": 12, ...attributes }, content),
    );
  };
  for (const tick of xTicks ?? ticks(x, Math.max(3, Math.floor(width / 90)))) {
    svg.append(
      s("line", {
        x1: toX(tick),
        x2: toX(tick),
        y1: top,
        y2: height - bottom,
        stroke: colours.grid,
      }),
    );
    label(xTick(tick), toX(tick), height - bottom + 15, { "text-anchor": "middle" });
  }
  for (const tick of yTicks ?? ticks(y, Math.max(2, Math.floor(height / 55)))) {
    svg.append(
      s("line", {
        x1: left,
        x2: width - right,
        y1: toY(tick),
        y2: toY(tick),
        stroke: colours.grid,
      }),
    );
    label(yTick(tick), left - 6, toY(tick) + 4, { "text-anchor": "end" });
  }
  label(xLabel, (left + width - right) / 2, height - 5, { "text-anchor": "middle" });
  label(yLabel, 13, (top + height - bottom) / 2, {
    "text-anchor": "middle",
    transform: `rotate(-90 13 ${(top + height - bottom) / 2})`,
  });

  let layer = svg;
  return {
    toX,
    toY,
    fromX,
    fromY,
    line(points, colour, attributes = {}) {
      layer.append(
        s("polyline", {
          points: path(points),
          fill: "none",
          stroke: colour,
          "stroke-width": 2,
          "stroke-linejoin": "round",
          ...attributes,
        }),
      );
    },
    /** A line that can travel from where it was: arrive(curve(points, colour), {d}). */
    curve(points, colour, attributes = {}) {
      const d = `M${path(points).replaceAll(" ", "L")}`;
      const drawn = s("path", {
        d,
        fill: "none",
        stroke: colour,
        "stroke-width": 2,
        ...attributes,
      });
      layer.append(drawn);
      return drawn;
    },
    /** The room between two lines over the same places. */
    band(low, high, colour) {
      const points = path([...low, ...high.toReversed()]);
      layer.append(s("polygon", { points, fill: colour, opacity: 0.2 }));
    },
    dot(px, py, colour, radius = 4) {
      layer.append(s("circle", { cx: toX(px), cy: toY(py), r: radius, fill: colour }));
    },
    /** A text that begins at a place, some pixels below it. */
    text(px, py, content, colour, below = 0) {
      layer.append(
        s(
          "text",
          {
            x: toX(px),
            y: toY(py) + below,
            fill: colour,
            stroke: colours.surface, // around it, where it crosses lines
            "stroke-width": 4,
            "paint-order": "stroke",
            "font-size": 12,
          },
          content,
        ),
      );
    },
    rule(px, colour) {
      layer.append(
        s("line", {
          x1: toX(px),
          x2: toX(px),
          y1: top,
          y2: height - bottom,
          stroke: colour,
          "stroke-width": 1.5,
          "stroke-dasharray": "4 3",
        }),
      );
    },
    /** What is drawn in here, or put into the layer, is held back while the figure asks. */
    answer(draw) {
      const outer = layer;
      layer = s("g", { "data-pe-answer": true });
      outer.append(layer);
      draw(layer);
      layer = outer;
    },
    /** A bar over the unit from px to px + 1, from 0 up. */
    bar(px, py, colour, attributes = {}) {
      const unit = toX(1) - toX(0);
      layer.append(
        s("rect", {
          x: toX(px) + 0.1 * unit,
          y: toY(py),
          width: 0.8 * unit,
          height: toY(0) - toY(py),
          fill: colour,
          ...attributes,
        }),
      );
    },
  };
}

/** Round numbers inside a range, about `count` of them. */
function ticks([low, high], count) {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough);
  const found = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + 1e-9 * step; n++)
    found.push(n * step);
  return found;
}
