// What low precision leaves of a position: the exact hand of a pair beside the rounded one.

import { range, rowsOf, stack, vector } from "../page/compute/arrays.js";
import { inverseFrequencies } from "../page/compute/encodings.js";
import { remembering } from "../page/compute/remembering.js";
import { lineChart } from "../page/draw/chart.js";
import { blank, h, s } from "../page/draw/elements.js";
import { inDegrees, knob, wedge } from "../page/draw/hands.js";
import { key } from "../page/draw/legends.js";
import { arrive } from "../page/draw/motion.js";
import { between, show, superscript } from "../page/draw/numbers.js";
import { steppable } from "../page/draw/reading.js";
import { figure } from "../page/shell/figure.js";
import { playButton, showPlaying } from "../page/shell/playing.js";
import {
  BINS,
  FIRST,
  FORMATS,
  LAST,
  MOST,
  OCTAVES,
  SCANNED,
  STRIP,
  WHERE,
} from "./precision_loss.py";

const BEAT = 900; // ms from one position to the next while it plays
const FLOOR = -8; // errors below 10^-8 are drawn as 0

const STEPS = Object.keys(WHERE); // of the hand's making, each of which may be rounded
const WORD = new Float32Array(1);
const BITS = new Uint32Array(WORD.buffer);

/** The nearest number that a format has, ties to even: by way of float32, as torch does it. */
function rounded(x, { bits, lowest, largest }) {
  WORD[0] = x;
  const exponent = ((BITS[0] >>> 23) & 255) - 127;
  const step = 2 ** (Math.max(exponent, lowest) - bits);
  const even = 1.5 * 2 ** 52; // there the step is 1
  const near = (WORD[0] / step + even - even) * step;
  return Math.abs(near) > largest ? Math.sign(near) * Infinity : near;
}

/** The head's last pair, where it does not have that many. */
function pairOf({ pair, dim }) {
  return Math.min(pair, dim / 2 - 1);
}

/** The angle of a position; cosine and sine come after it, so for them it is exact. */
function lowAngle(p, frequency, where, format) {
  if (where === "positions") return rounded(p, format) * frequency;
  if (where === "frequencies") return p * rounded(frequency, format);
  return where === "angles" ? rounded(p * frequency, format) : p * frequency;
}

/** The largest distance between the hands' tips in every bin of positions, by what is rounded. */
const worstErrors = remembering((frequency, dtype) => {
  const format = FORMATS[dtype];
  const edges = range(0, OCTAVES * BINS + 1).map((n) => Math.ceil(FIRST * 2 ** (n / BINS)));
  const missed = (x) => (rounded(x, format) - x) ** 2;
  const error = (p, where) =>
    where === "tables"
      ? Math.sqrt(missed(Math.cos(p * frequency)) + missed(Math.sin(p * frequency)))
      : 2 * Math.abs(Math.sin((lowAngle(p, frequency, where, format) - p * frequency) / 2));
  return stack(
    STEPS.map((where) =>
      edges.slice(1).map((end, n) => {
        // An odd step comes by every remainder of the powers of two, which the rounding goes by.
        const step = Math.ceil((end - edges[n]) / MOST) | 1;
        let most = 0;
        for (let p = edges[n]; p < end; p += step) most = Math.max(most, error(p, where));
        return most;
      }),
    ),
  );
});

export function compute({ position, pair, dtype, where, dim, theta }) {
  const format = FORMATS[dtype];
  const frequency = inverseFrequencies(dim, theta).data[pairOf({ pair, dim })];
  const angles = Float64Array.from({ length: SCANNED }, (_, p) =>
    lowAngle(p, frequency, where, format),
  );
  const angle = position * frequency;
  const made = tip(angles[position]);
  const before = {
    positions: position,
    frequencies: frequency,
    angles: angle,
    tables: Math.cos(angle),
  }[where];
  const start = stripStart(position);
  const shared = angles[position];
  return {
    exact: vector(tip(angle)),
    low: vector(where === "tables" ? made.map((x) => rounded(x, format)) : made),
    rounding: vector([before, rounded(before, format)]),
    strip: vector(angles.slice(start, start + STRIP)),
    shared: vector([angles.indexOf(shared), angles.lastIndexOf(shared)]),
    different: angles.slice(0, position).filter((angle, p, before) => angle !== before[p - 1])
      .length,
    errors: worstErrors(frequency, dtype),
    wavelength: (2 * Math.PI) / frequency,
  };
}

/** Where the hand of an angle ends. */
function tip(angle) {
  return [Math.cos(angle), Math.sin(angle)];
}

/** The first position in view: every power of two from 16 on is in the middle. */
function stripStart(position) {
  return Math.floor((position + STRIP / 2) / STRIP) * STRIP - STRIP / 2;
}

function setup(view) {
  view.state = { playing: false };
  const player = playButton(view, "position", BEAT);
  const legend = h("div");
  const strip = s("svg");
  const dial = s("svg", { "aria-hidden": "true" });
  const curves = h("div");
  const chart = s("svg");
  const go = (position) => view.set({ position: between(position, FIRST, LAST) });
  const pointed = (event) => {
    const box = strip.getBoundingClientRect();
    const { first, count } = view.state.inView;
    const cell = Math.floor(((event.clientX - box.left) / box.width) * count);
    go(first + between(cell, 0, count - 1));
  };
  const cells = h(
    "div",
    {
      class: "pe-slide",
      ...steppable("Positions in a row. Arrow keys move the position.", (right, down) =>
        go(view.currentInputs().position + right + down),
      ),
      onpointerdown: (event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        pointed(event);
      },
      onpointermove: (event) =>
        event.currentTarget.hasPointerCapture(event.pointerId) && pointed(event),
    },
    strip,
  );
  const read = h("div");
  view.stage.append(
    h(
      "div",
      { "data-pe-main": true },
      h("div", { class: "pe-bar" }, legend, player),
      cells,
      h(
        "div",
        { class: "pe-hand-read" },
        h("div", { class: "pe-turn", ...turnable(view) }, dial),
        read,
      ),
    ),
  );
  view.below.append(curves, h("div", {}, chart));
  return { player, legend, strip, dial, read, curves, chart };
}

/** The hand is turned by dragging round its dial: so many positions on or back. */
function turnable(view) {
  let held;
  const angle = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    const [x, y] = [
      event.clientX - box.left - box.width / 2,
      event.clientY - box.top - box.height / 2,
    ];
    return Math.atan2(-y, x);
  };
  return {
    onpointerdown(event) {
      event.currentTarget.setPointerCapture(event.pointerId);
      held = { angle: angle(event), turns: 0, position: view.inputs.position };
    },
    onpointermove(event) {
      if (!held) return;
      const by = angle(event) - held.angle;
      held.angle += by;
      held.turns += by / (2 * Math.PI) - Math.round(by / (2 * Math.PI));
      const position = Math.round(held.position + held.turns * view.values.wavelength);
      view.set({ position: between(position, FIRST, LAST) });
    },
    onlostpointercapture() {
      held = undefined;
    },
  };
}

function render(view) {
  const {
    inputs: { dtype, where },
    parts,
    colours,
  } = view;
  const { orange, purple, blue, green } = colours;
  const colour = { positions: orange, frequencies: purple, angles: blue, tables: green };
  showPlaying(view, parts.player);
  parts.legend.replaceChildren(
    key([colours.edge, "exact"], [colour[where], `${dtype}, ${WHERE[where]} rounded`]),
  );
  parts.curves.replaceChildren(
    h("p", { class: "pe-note", "data-pe-answer": true }, handsBefore(view)),
    h("p", { class: "pe-note" }, "How far the tip of the hand is off at most, if this is rounded:"),
    key(...STEPS.map((name) => [colour[name], WHERE[name]])),
  );
  view.state.inView = inView(view);
  drawStrip(view, colour[where]);
  drawDial(view, colour[where]);
  showRead(view, colour[where]);
  drawErrors(view, colour);
  view.say(inWords(view));
}

/** The whole strip, or on a phone half of it, which stays while the position is in it: so it does
 *  under a finger. */
function inView({ inputs: { position }, state, root }) {
  const start = stripStart(position);
  if (root.classList.contains("pe-wide")) return { first: start, count: STRIP };
  const count = STRIP / 2;
  const before = state.inView?.count === count ? position - state.inView.first : NaN;
  if (0 <= before && before < count) return state.inView;
  const quarter = Math.floor((position - start) / (STRIP / 4));
  return { first: start + [0, 4, 4, 8][quarter], count };
}

/** A clock with both hands for each position; those whose rounded hand is one share a frame. */
function drawStrip({ inputs: { position }, values, parts, state, width, colours }, colour) {
  const { strip } = parts;
  const { first, count } = state.inView;
  const skipped = first - stripStart(position);
  const now = position - first;
  const exact = range(first, first + count).map((p) => tip((2 * Math.PI * p) / values.wavelength));
  const cell = width / count;
  const size = Math.min(cell - 2, 36);
  const top = 22;
  const toX = (n) => (n + 0.5) * cell;
  const text = (n, y, content, look) =>
    s(
      "text",
      {
        x: between(toX(n), 4 * content.length, width - 4 * content.length),
        y,
        "font-size": 12,
        "text-anchor": "middle",
        fill: colours.muted,
        ...look,
      },
      content,
    );
  const frame = (from, to, look) =>
    s("rect", {
      x: toX(from) - size / 2,
      y: top,
      width: (to - from) * cell + size,
      height: size,
      rx: size / 2,
      fill: colours.surface,
      ...look,
    });
  const hand = ([cos, sin], stroke, width) =>
    s("line", {
      x2: 0.42 * size * cos,
      y2: -0.42 * size * sin,
      stroke,
      "stroke-width": width * size,
      "stroke-linecap": "round",
    });
  const clock = (n, rounded) =>
    s(
      "g",
      { transform: `translate(${toX(n)}, ${top + size / 2})` },
      hand(exact[n], colours.edge, 0.15),
      rounded,
    );
  const dashed = (stroke) => ({ stroke, "stroke-dasharray": "4 3" });
  const isAsked = (from, to) => to > now || to > from;
  const unknown = (n) => text(n, 13, "?", { class: "pe-unknown" });
  const block = (angle, from, to) => {
    const lost = !Number.isFinite(angle);
    return s(
      "g",
      { "data-pe-answer": isAsked(from, to) },
      frame(from, to, lost ? dashed(colours.error) : { stroke: colour, "stroke-width": 1.5 }),
      ...range(from, to + 1).map((n) => clock(n, lost ? null : hand(tip(angle), colour, 0.08))),
    );
  };
  blank(strip, width, top + size + 19);
  let from = 0;
  values.strip.data.slice(skipped, skipped + count).forEach((angle, n, angles) => {
    strip.append(frame(n, n, dashed(colours.edge)), clock(n));
    if (angle === angles[n + 1]) return;
    strip.append(block(angle, from, n));
    const others = range(from, n + 1).filter((other) => other !== now);
    if (isAsked(from, n)) strip.append(...others.map(unknown));
    from = n + 1;
  });
  strip.append(
    s("path", { d: `M${toX(now) - 5},${top - 6}h10l-5,5z`, fill: colours.ink }),
    text(now, 13, show(position), { fill: colours.ink, "font-weight": 650 }),
    ...[1, 2, 3]
      .map((quarters) => (quarters * count) / 4)
      .map((n) => text(n, top + size + 18, show(first + n))),
  );
}

/** Both hands, from 3 o'clock counter-clockwise, and what lies between them. While the figure asks
 *  there is only the exact one, and across from it a question mark. */
function drawDial({ inputs: { where, dtype, position }, values, parts, colours }, colour) {
  const { dial } = parts;
  const radius = 63;
  const size = 2 * radius + 18; // the knob is on the rim
  const end = ([cos, sin], part) => [part * radius * cos, -part * radius * sin];
  const hand = (to, stroke, width) =>
    s("line", { x2: to[0], y2: to[1], stroke, "stroke-width": width, "stroke-linecap": "round" });
  const [exact, low] = [values.exact.data, values.low.data];
  const text = (x, y, content, look) =>
    s("text", { x, y, "text-anchor": "middle", ...look }, content);
  const answer = { "data-pe-answer": true };
  const lost = Number.isNaN(low[0]);
  blank(dial, size, size);
  dial.setAttribute("viewBox", `${-size / 2} ${-size / 2} ${size} ${size}`);
  const rim = end(exact, 1);
  const across = inDegrees(Math.atan2(rim[1], rim[0])) + 90;
  const right = s("g", {}, hand(rim, colours.edge, 7), knob(...rim, colours.edge, colours, across));
  const none = text(0, (exact[1] < 0 ? -radius : radius) / 2, "no hand", {
    fill: colours.error,
    "font-size": 12,
  });
  const made = s("g", answer, lost ? none : hand(end(low, 0.82), colour, 3.5));
  const gap = s("g", answer, ...(lost ? [] : wedge(exact, low, 0.6 * radius, colour)));
  dial.append(
    s("circle", { r: radius, fill: colours.surface, stroke: colours.edge }),
    ...[0, 90, 180, 270].map((degrees) =>
      s("line", {
        x1: radius,
        x2: radius - 6,
        stroke: colours.edge,
        transform: `rotate(${degrees})`,
      }),
    ),
    gap,
    right,
    made,
    text((-radius * exact[0]) / 2, (radius * exact[1]) / 2 + 12, "?", {
      class: "pe-unknown",
      fill: colour,
      "font-size": 34,
      "font-weight": 650,
    }),
    s("circle", { r: 3, fill: colours.muted }),
  );
  const { wavelength } = values;
  const now = { rule: `${where} ${dtype}`, position, wavelength, lost, apart: apart(values) };
  if (parts.drawn && !lost && !parts.drawn.lost) turn({ right, made, gap }, parts.drawn, now);
  parts.drawn = now;
}

/** The hands come from where they were. From position to position the exact one turns evenly, and
 *  the rounded one with it where it keeps pace; else it stands still, or jumps. */
function turn({ right, made, gap }, before, now) {
  const from = (degrees) => ({ transform: `rotate(${degrees}deg)` });
  const change = now.apart - before.apart;
  const gained = inDegrees(Math.atan2(Math.sin(change), Math.cos(change)));
  if (before.rule !== now.rule) return arrive(made, from(gained));
  const turned = (360 * (now.position - before.position)) / now.wavelength;
  if (!turned || before.wavelength !== now.wavelength || Math.abs(turned) > 360) return;
  arrive(right, from(turned));
  if (Math.abs(gained) < Math.abs(turned) / 4) arrive(made, from(turned + gained));
  else arrive(gap, { opacity: 0 });
}

/** How far apart the two hands are, and which positions look alike. */
function showRead({ inputs, values, parts }, colour) {
  const { low, wavelength } = values;
  const lost = Number.isNaN(low.data[0]);
  parts.read.replaceChildren(
    h("span", {}, `pair ${pairOf(inputs)}: ${show(wavelength)} positions per turn`),
    h(
      "b",
      { style: `color: ${colour}` },
      h("span", { "data-pe-answer": true }, lost ? "no hand" : `${degreesOff(values)} off`),
    ),
    h("strong", { "data-pe-answer": true }, lost ? "" : alike(inputs, values)),
  );
}

/** Which positions in a row share the hand. */
function alike({ position }, { shared }) {
  const [first, last] = shared.data;
  if (first === last) return `${show(position)} has its own hand`;
  return `${show(first)} ${last === first + 1 ? "and" : "to"} ${show(last)} look alike`;
}

function handsBefore({ inputs: { position }, values: { different } }) {
  return `The ${show(position)} positions before it have ${show(different)} different hands.`;
}

function degreesOff(values) {
  return `${show(inDegrees(Math.abs(apart(values))), 3)}°`;
}

/** The angle from the exact hand to the low one, in radians. */
function apart({
  exact: {
    data: [cos, sin],
  },
  low: {
    data: [lowCos, lowSin],
  },
}) {
  return Math.atan2(cos * lowSin - sin * lowCos, cos * lowCos + sin * lowSin);
}

/** How far the tip is off at most, for every bin of positions, on two logarithmic axes. */
function drawErrors(
  { inputs: { position, where }, values, parts: { chart, curves }, colours },
  colour,
) {
  const drawn = (error) => Math.max(Math.log10(error), FLOOR);
  const x = (p) => Math.log2(p) / 4; // a tick at every 16-fold position
  const lines = lineChart(chart, {
    width: curves.clientWidth,
    height: 280,
    x: [x(FIRST), x(LAST)],
    y: [FLOOR, 0.5],
    xLabel: "position",
    yLabel: "",
    colours,
    xTick: (power) => show(16 ** power),
    yTick: (power) => (power === FLOOR ? "0" : power === 0 ? "1" : `10${superscript(power)}`),
  });
  lines.rule(x(position), colours.muted);
  const rows = rowsOf(values.errors);
  const chosen = STEPS.indexOf(where);
  const draw = (n, look) =>
    lines.line(
      Array.from(rows[n], (error, bin) => [
        x(FIRST * 2 ** ((bin + 0.5) / BINS)),
        drawn(error),
      ]).filter(([, y]) => !Number.isNaN(y)),
      colour[STEPS[n]],
      look,
    );
  lines.answer(() => {
    for (const n of STEPS.keys()) {
      if (n !== chosen) draw(n, { "stroke-width": 1.5, "stroke-dasharray": "5 4" });
    }
    draw(chosen, { "stroke-width": 3.5 });
  });
}

function inWords({ inputs, values }) {
  const { position, dtype, where } = inputs;
  const {
    rounding: {
      data: [before, after],
    },
    shared: {
      data: [first, last],
    },
  } = values;
  const pair = pairOf(inputs);
  const kept = before === after;
  const small = (x) => show(x, x < 1e-3 ? 2 : 4);
  const p = show(position);
  const digits = range(4, 16).find(
    (digits) => kept || show(before, digits) !== show(after, digits),
  ); // that tell the two apart
  const [given, became] = [before, after].map((x) => show(x, digits));
  if (!Number.isFinite(after))
    return (
      `${dtype} ends at 65,504: the ${where === "angles" ? "angle" : "position"} ${given} ` +
      "becomes infinite and has no cosine. The table has NaN in this row."
    );
  const tip = Math.hypot(...values.exact.data.map((x, n) => x - values.low.data[n]));
  const off = `the hand of pair ${pair} is ${degreesOff(values)} off.`;
  const frozen = first < last ? ` It stands still from ${show(first)} to ${show(last)}.` : "";
  return {
    positions: kept
      ? `${dtype} has the number ${p}, so the hand is right.${frozen}`
      : `${dtype} has no ${p} and takes ${became}: ${off}${frozen}`,
    frequencies: kept
      ? `${dtype} has the frequency of pair ${pair}, ${given}, so the hand is right everywhere. ` +
        "Try a different pair."
      : `The frequency ${given} becomes ${became}, and the error adds up: at ${p} ${off}`,
    angles: kept
      ? `${dtype} has the angle ${given} rad, so the hand is right.${frozen}`
      : `The angle ${given} rad becomes ${became}: ${off}${frozen}`,
    tables:
      `Only the cosine and sine are rounded. The tip is off by ${small(tip)}, and at no position ` +
      `by more than ${small(Math.SQRT2 * 2 ** -(FORMATS[dtype].bits + 2))}.`,
  }[where];
}

export default figure({ compute, setup, render });
