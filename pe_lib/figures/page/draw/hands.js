// A pair of features as a hand in its plane: x to the right, y upwards, as in the formula.

import { s } from "./elements.js";
import { arrive } from "./motion.js";

/** A dial with the hands of q and k and the angle between them; a hand of length `longest` would
 *  reach the rim. `before`: hands drawn dotted. `from`: hands as they were, which move; the
 *  angle that they make then appears. */
export function handsDial(colours, size, longest, [q, k], before = [], from = []) {
  const radius = size / 2 - 1;
  const unit = radius / longest;
  const named = size > 80;
  const at = ([x, y], scale = unit) => [scale * x, -scale * y];
  const hues = [colours.blue, colours.orange];
  const hand = (tip, stroke, attributes) => {
    const [x2, y2] = at(tip);
    return s("line", { x2, y2, stroke, "stroke-linecap": "round", ...attributes });
  };
  const end = (tip, n) => {
    const [cx, cy] = at(tip);
    const [x, y] = at(tip, unit + 11 / Math.hypot(...tip));
    return [
      hand(tip, hues[n], { "stroke-width": named ? 3.5 : 2.5 }),
      s("circle", { cx, cy, r: named ? 4 : 2.5, fill: hues[n] }),
      named
        ? s(
            "text",
            {
              x,
              y: y + 4,
              "text-anchor": "middle",
              "font-size": 13,
              "font-weight": 650,
              fill: hues[n],
            },
            "qk"[n],
          )
        : null,
    ];
  };
  const moving = [q, k].map((tip, n) => s("g", {}, ...end(tip, n)));
  from.forEach((tip, n) => {
    arrive(moving[n], { transform: fromTo(tip, [q, k][n]) });
  });
  const shorter = unit * Math.min(Math.hypot(...q), Math.hypot(...k));
  const angle = s("g", {}, ...wedge(q, k, Math.max(0.6 * shorter, radius / 6), colours.purple));
  if (from.length) arrive(angle, { opacity: 0 });
  return s(
    "svg",
    {
      width: size,
      height: size,
      viewBox: `${-size / 2} ${-size / 2} ${size} ${size}`,
      style: "overflow: visible", // the name of a hand that reaches the rim
      "aria-hidden": "true",
    },
    s("circle", { r: radius, fill: colours.surface, stroke: colours.edge }),
    s("path", { d: `M${-radius},0H${radius}M0,${-radius}V${radius}`, stroke: colours.grid }),
    ...before.map((tip, n) => hand(tip, hues[n], { "stroke-width": 2, "stroke-dasharray": "1 5" })),
    angle,
    ...moving,
  );
}

/** The transform that takes a hand back, the shorter way round, to where it was. */
function fromTo(was, now) {
  const [from, to] = [was, now].map(([x, y]) => inDegrees(Math.atan2(y, x)));
  const back = ((((to - from + 180) % 360) + 360) % 360) - 180;
  return `rotate(${back}deg) scale(${Math.hypot(...was) / Math.hypot(...now)})`;
}

/** The sector from one hand to the other, the shorter way round. */
export function wedge(from, to, radius, colour) {
  const on = ([x, y]) => `${(radius * x) / Math.hypot(x, y)},${(-radius * y) / Math.hypot(x, y)}`;
  const clockwise = from[0] * to[1] - from[1] * to[0] < 0 ? 1 : 0;
  const arc = `A${radius},${radius} 0 0 ${clockwise} ${on(to)}`;
  return [
    s("path", { d: `M0,0L${on(from)}${arc}Z`, fill: colour, opacity: 0.25 }),
    s("path", { d: `M${on(from)}${arc}`, fill: "none", stroke: colour, "stroke-width": 3 }),
  ];
}

/** What is taken hold of: a knob with an arrow head to either side, the ways that it is dragged,
 *  turned clockwise from left and right by so many degrees. */
export function knob(x, y, fill, { surface }, degrees = 0) {
  return s(
    "g",
    { transform: `translate(${x} ${y}) rotate(${degrees})` },
    s("circle", { r: 9, fill }),
    s("path", {
      d: "M-3,-3l-3,3l3,3M3,-3l3,3l-3,3",
      fill: "none",
      stroke: surface,
      "stroke-width": 1.8,
      "stroke-linecap": "round",
      "stroke-linejoin": "round",
    }),
  );
}

/** An angle in radians, as degrees. */
export function inDegrees(angle) {
  return (180 * angle) / Math.PI;
}
