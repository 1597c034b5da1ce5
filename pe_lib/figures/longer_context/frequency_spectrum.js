// Which pairs of a rotary head meet angles that training never showed, as the context grows.

import { RULE_COLOURS } from "../../course/palette.py";
import { range, rowsOf, stack, vector } from "../page/compute/arrays.js";
import { inverseFrequencies } from "../page/compute/encodings.js";
import { slowed } from "../page/compute/scaling.js";
import { lineChart } from "../page/draw/chart.js";
import { blank, button, h, s, set } from "../page/draw/elements.js";
import { key } from "../page/draw/legends.js";
import { arrive, REVEAL } from "../page/draw/motion.js";
import { between, show } from "../page/draw/numbers.js";
import { dragging, readable, steppable } from "../page/draw/reading.js";
import { figure } from "../page/shell/figure.js";
import { MODELS, MOST, ROUNDING, RULES } from "./frequency_spectrum.py";

const TURN = 2 * Math.PI;
const DIALS = 16;
const OPENING = 12; // the dial that arrow keys start from
const RIM = 46; // the dials' radius, in units of their own
const KNOB = 12; // the radius of the grip on a hand, likewise
const SEEN = "color-mix(in srgb, var(--pe-edge) 50%, var(--pe-surface))";
const DASHES = { interpolation: [8, 4], NTK: [2, 3], YaRN: [12, 3, 2, 3], "Llama 3": [1, 0] };
const REACH = 60; // of what turns a hand, beyond its dial: on a phone a finger covers the dial
const ENDS = 16; // px that are free at both ends of the ruler

export function compute(inputs) {
  const { method, times, theta, trained, dim } = inputs;
  const setting = { times, theta, trained: Number(trained), dim: Number(dim) };
  const before = Array.from(inverseFrequencies(setting.dim, theta).data);
  const seen = before.map((frequency) => (trained * frequency) / TURN);
  const slower = slowed(RULES[method], setting);
  const farther = slower.map((by) => times / by);
  const zoneOf = (by) => (by <= 1 + ROUNDING ? 0 : by <= times * (1 - ROUNDING) ? 1 : 2);
  return {
    wavelengths: stack([
      before.map((frequency) => TURN / frequency),
      before.map((frequency, n) => (TURN * slower[n]) / frequency),
    ]),
    turns: stack([seen, seen.map((turns, n) => turns * farther[n])]),
    zone: vector(slower.map(zoneOf)),
    beyond: vector(
      seen.map((turns, n) => (turns < 1 && farther[n] > 1 + ROUNDING ? farther[n] : 1)),
    ),
    slower: stack(Object.values(RULES).map((rule) => slowed(rule, setting))),
  };
}

function setup(view) {
  view.state = { pair: null }; // none is chosen yet
  const [legend, news, apart, models] = [
    h("div"),
    h("p", { class: "pe-stat" }),
    h("p", { class: "pe-stat" }),
    h("div", { class: "pe-buttons pe-small" }),
  ];
  for (const [name, { theta, trained, dim }] of Object.entries(MODELS))
    models.append(button(name, () => view.set({ theta, trained, dim })));
  const dials = range(0, DIALS).map(dial);
  const hand = dragged(view);
  dials.at(-1).circle.append(hand.element);
  const circles = h(
    "div",
    {
      class: "pe-circles",
      ...readable(
        "Sixteen pairs as dials, from fast to slow. Arrow keys move the pair that is read.",
        (x, y, { width, height }) => {
          const cell = (part, count) => between(Math.floor(part * count), 0, count - 1);
          readDial(view, (cell(y / height, 2) * DIALS) / 2 + cell(x / width, DIALS / 2));
        },
        (right, down) => readDial(view, dialRead(view) + right + (down * DIALS) / 2),
      ),
      onpointerleave: ({ pointerType }) => pointerType === "mouse" && view.read({ pair: null }),
    },
    ...dials.map(({ element }) => element),
  );
  const ruler = s("svg", { "aria-hidden": "true" });
  const scale = h(
    "div",
    {
      class: "pe-ruler",
      ...slidable(view),
    },
    ruler,
  );
  view.stage.append(
    h("div", { class: "pe-bar" }, models, legend),
    h(
      "div",
      { "data-pe-main": true },
      h("div", { class: "pe-stats" }, news, apart),
      circles,
      scale,
    ),
  );
  const plot = s("svg", { "aria-hidden": "true" });
  const names = h("div");
  const read = (pair) => view.read({ pair: between(Math.round(pair), 0, lastPair(view)) });
  view.below.append(
    h(
      "div",
      {},
      names,
      h(
        "div",
        {
          class: "pe-plot",
          ...readable(
            "By how much each rule slows each pair. Left and right arrow keys move the pair that " +
              "is read, up and down by ten.",
            (x) => read(view.parts.fromX(x)),
            (right, down) => read(pairRead(view) + right - 10 * down),
          ),
        },
        plot,
      ),
    ),
  );
  return { legend, news, apart, models, dials, hand, ruler, scale, names, plot };
}

/** A circle that shows, counter-clockwise from 3 o'clock, which angles a pair has met. */
function dial() {
  const sector = (radius, attributes) =>
    s("circle", { r: radius / 2, "stroke-width": radius, pathLength: 1, ...attributes });
  const rim = s("circle", { r: RIM, "stroke-width": 1.5, "vector-effect": "non-scaling-stroke" });
  const met = sector(RIM, { "data-pe-answer": true });
  const seen = sector(RIM);
  const [was, step] = [0, 1].map(() => sector(0.72 * RIM));
  const zero = s("path", { d: `M0,0H${RIM}`, "stroke-width": 1.5 });
  const circle = s(
    "g",
    { transform: "scale(1 -1)", fill: "none" },
    ...[met, seen, was, step, rim, zero],
  );
  const name = h("span");
  const element = h(
    "div",
    {},
    s("svg", { viewBox: "-50 -50 100 100", "aria-hidden": "true" }, circle),
    name,
  );
  return { element, circle, rim, met, seen, was, step, zero, name };
}

/** The slowest pair's hand: turned on by its grip, or from anywhere on its dial, it takes the
 *  context's end along. */
function dragged(view) {
  let angle; // of the pointer, in turns
  let turns; // of the hand
  const angleAt = (x, y, { width, height }) => Math.atan2(height / 2 - y, x - width / 2) / TURN;
  const take = (...place) => {
    angle = angleAt(...place);
    turns = handTurns(view);
  };
  const turn = (...place) => {
    const on = angleAt(...place) - angle;
    angle += on;
    turns += on - Math.round(on); // the shorter way round
    reach(view, turns / slowest(view)[0]);
  };
  const grip = s(
    "g",
    {},
    s("path", { d: `M0,0H${RIM}` }),
    s("circle", { cx: RIM - KNOB, r: KNOB }),
  );
  const element = s(
    "g",
    {
      class: "pe-turned",
      onpointermove: (event) => event.buttons && event.stopPropagation(), // no other dial is read
    },
    grip,
    s("circle", { r: REACH, ...dragging(turn, take) }),
  );
  return { element, grip };
}

/** The turns of the slowest pair in training, and now. */
function slowest({ values }) {
  return rowsOf(values.turns).map((row) => row.at(-1));
}

/** While the figure asks, the hand stands where training left it. */
function handTurns(view) {
  return slowest(view)[view.asking ? 0 : 1];
}

/** Move the context's end. */
function reach(view, times) {
  view.set({ times: Number(between(times, 1, MOST).toPrecision(3)) });
}

/** Dragging the ruler, and pressing it, moves the context's end; it catches at powers of two. */
function slidable(view) {
  const take = (octaves) => reach(view, 2 ** octaves);
  const pointed = (x, _, { width }) => {
    const octaves = ((x - ENDS) / (width - 2 * ENDS)) * Math.log2(MOST);
    const whole = Math.round(octaves);
    take(Math.abs(octaves - whole) < 0.12 ? whole : octaves);
  };
  return {
    ...steppable("Length of the context, as a multiple of the trained length", (right, down) => {
      const quarters = Math.round(4 * Math.log2(view.currentInputs().times)) + right - 4 * down;
      take(quarters / 4);
    }),
    role: "slider",
    "aria-valuemin": 1,
    "aria-valuemax": MOST,
    ...dragging(pointed),
  };
}

/** The number of the slowest pair. */
function lastPair({ inputs: { dim } }) {
  return dim / 2 - 1;
}

/** The pair of a dial: they are evenly spread, and the slowest is the last. */
function pairOf(view, dial) {
  return Math.round((dial * lastPair(view)) / (DIALS - 1));
}

/** The dial of the pair that is read, or of the one before it. */
function dialRead(view) {
  if (view.state.pair === null) return OPENING;
  return range(0, DIALS).findLastIndex((dial) => pairOf(view, dial) <= view.state.pair);
}

function readDial(view, dial) {
  view.read({ pair: pairOf(view, between(dial, 0, DIALS - 1)) });
}

/** The pair that is read: the chosen one, or else the opening dial's. */
function pairRead(view) {
  return view.state.pair ?? pairOf(view, OPENING);
}

function render(view) {
  const { inputs, state, parts, colours } = view;
  const before = parts.drawn ?? inputs;
  const changed = Object.keys(inputs).filter((name) => inputs[name] !== before[name]);
  if (changed.length) state.pair = null; // what is said now is about all pairs
  // What is dragged follows at once; a rule or a model moves what it moves.
  if (changed.length) view.root.classList.toggle("pe-eased", !isDragged(changed));
  parts.drawn = inputs;
  parts.legend.replaceChildren(key([SEEN, "seen in training"], [colours.error, "never seen"]));
  for (const one of parts.models.children) {
    const wanted = Object.entries(MODELS[one.textContent]);
    one.setAttribute(
      "aria-current",
      wanted.every(([name, value]) => inputs[name] === value),
    );
  }
  showNumbers(view);
  parts.dials.forEach((dial, n) => {
    drawDial(view, dial, pairOf(view, n));
  });
  drawHand(view);
  if (view.answering && !isDragged(changed)) reveal(view);
  drawRuler(view);
  drawRules(view);
  view.say(state.pair === null ? inWords(view) : ofPair(view, state.pair));
}

/** Whether one of the inputs moves by dragging. */
function isDragged(changed) {
  return changed.length === 1 && ["times", "theta"].includes(changed[0]);
}

/** How many pairs meet new angles, and what tells neighbours apart. */
function showNumbers({ inputs, values: { wavelengths, beyond }, parts: { news, apart } }) {
  const bad = (is) => (is ? "pe-bad" : "pe-good");
  const lit = beyond.data.filter((far) => far > 1).length;
  const [before, after] = neighbours(wavelengths);
  news.replaceChildren(
    h(
      "b",
      {},
      h("span", { "data-pe-answer": true, class: bad(lit > 0) }, lit),
      ` of ${beyond.data.length}`,
    ),
    h("small", {}, "pairs meet new angles"),
  );
  const closer = after < before * (1 - ROUNDING);
  apart.classList.toggle("pe-aside", !closer);
  apart.style.visibility = inputs.method === "none" ? "hidden" : "";
  apart.replaceChildren(
    h("b", { class: bad(closer) }, `${show(after, 3)}°`),
    h("small", {}, h("i"), `between neighbours (trained: ${show(before, 3)}°)`),
  );
}

/** By how many degrees the fastest pair turns from a token to the next, in training and now. */
function neighbours(wavelengths) {
  return rowsOf(wavelengths).map(([fastest]) => 360 / fastest);
}

/** A pair's circle: what training showed of it, what is new, and, with a scaling, the way to the
 *  next token. */
function drawDial({ inputs, values, colours, state }, dial, pair) {
  const [seen, now] = rowsOf(values.turns).map((turns) => Math.min(turns[pair], 1));
  const [before, after] = rowsOf(values.wavelengths).map((row) => 1 / row[pair]);
  const fill = (circle, turns, stroke, opacity = 1) =>
    set(circle, { stroke, opacity, "stroke-dasharray": `${turns.toFixed(5)} 2` });
  fill(dial.met, values.beyond.data[pair] > 1 ? now : seen, colours.error);
  fill(dial.seen, seen, SEEN);
  const scaled = Number(inputs.method !== "none");
  fill(dial.was, before, colours.surface, 0.7 * scaled);
  fill(dial.step, after, colours.blue, scaled);
  dial.rim.setAttribute("stroke", colours.edge);
  dial.zero.setAttribute("stroke", colours.ink);
  dial.element.className = pair === state.pair ? "pe-chosen" : "";
  dial.name.textContent = pair ? `${pair}` : "pair 0";
}

/** The hand is there to be turned where a longer context turns it on, and not yet right round. */
function drawHand(view) {
  const { inputs, colours, parts } = view;
  const { element, grip } = parts.hand;
  const turnable = inputs.method === "none" && slowest(view)[0] < 1;
  element.setAttribute("display", turnable ? "inline" : "none");
  grip.style.transform = `rotate(${handTurns(view)}turn)`;
  set(grip, { stroke: colours.orange, fill: colours.surface });
}

/** The context grows from the trained length to the chosen one. */
function reveal(view) {
  const [seen] = rowsOf(view.values.turns);
  view.parts.dials.forEach(({ met }, n) => {
    const turns = Math.min(seen[pairOf(view, n)], 1);
    arrive(met, { strokeDasharray: `${turns} 2` }, REVEAL);
  });
  arrive(view.parts.hand.grip, { transform: `rotate(${slowest(view)[0]}turn)` }, REVEAL);
}

/** The context's length on a logarithmic ruler that begins at the trained length. */
function drawRuler({ inputs, parts: { ruler, scale }, width, colours }) {
  const { length, context } = lengths(inputs);
  const [y, octaves] = [30, Math.log2(MOST)];
  const toX = (times) => ENDS + (Math.log2(times) / octaves) * (width - 2 * ENDS);
  const x = toX(inputs.times);
  const line = (from, to, stroke, thick) =>
    s("line", { x1: from, x2: to, y1: y, y2: y, stroke, "stroke-width": thick });
  const text = (x, y, content, attributes) =>
    s("text", { x, y, "text-anchor": "middle", "font-size": 12, ...attributes }, content);
  const said = `${show(inputs.times, 3)} × trained: ${show(context, 8)} tokens`;
  const outline = { stroke: colours.orange, "stroke-width": 2.5 };
  const thin = { stroke: colours.orange, "stroke-width": 2, fill: "none" };
  const half = 3.6 * said.length;
  blank(ruler, width, 60);
  ruler.append(
    line(toX(1), toX(MOST), colours.grid, 6),
    line(toX(1), x, colours.orange, 6),
    ...range(0, octaves + 1).flatMap((n) => [
      s("circle", { cx: toX(2 ** n), cy: y, r: 2, fill: colours.muted }),
      text(toX(2 ** n), y + 26, `${2 ** n}×`, { fill: colours.muted }),
    ]),
    s("circle", { cx: toX(1), cy: y, r: 5, fill: colours.edge }),
    s("circle", { cx: x, cy: y, r: 11, fill: colours.surface, ...outline }),
    s("path", { d: `M${x - 3},${y - 4}l-4,4l4,4M${x + 3},${y - 4}l4,4l-4,4`, ...thin }),
    text(between(x, half, width - half), 12, said, {
      fill: colours.orange,
      "font-size": 13,
      "font-weight": 650,
    }),
  );
  scale.setAttribute("aria-valuenow", inputs.times);
  scale.setAttribute(
    "aria-valuetext",
    `${show(inputs.times, 3)} times the trained ${show(length, 6)}, ${show(context, 8)} tokens`,
  );
}

/** What each rule divides each pair's frequency by, the chosen one in its colour. */
function drawRules(view) {
  const { inputs, values, parts, colours, width } = view;
  const last = lastPair(view);
  const looks = Object.values(RULES).map((name) => [colours[RULE_COLOURS[name]], DASHES[name]]);
  const xTicks = range(0, 4)
    .map((n) => (n * (last + 1)) / 4)
    .concat(last);
  const chart = lineChart(parts.plot, {
    width,
    height: 220,
    x: [-0.6, last + 0.6],
    y: [0, 1.08 * inputs.times],
    xLabel: "pair, from fast to slow",
    yLabel: "slower by",
    xTicks,
    colours,
  });
  parts.fromX = chart.fromX;
  const unfinished = rowsOf(values.turns)[0].findIndex((turns) => turns < 1);
  if (unfinished >= 0) chart.rule(unfinished - 0.5, colours.error);
  rowsOf(values.slower).forEach((row, rule) => {
    const chosen = Object.keys(RULES)[rule] === inputs.method;
    const [colour, dash] = looks[rule];
    chart.line(
      Array.from(row, (slower, n) => [n, slower]),
      colour,
      { "stroke-width": chosen ? 4 : 2, "stroke-dasharray": dash.join(" ") },
    );
  });
  const read = pairRead(view);
  chart.rule(read, colours.ink);
  parts.names.replaceChildren(
    key(
      ...Object.values(RULES).map((name, rule) => [looks[rule][0], name, looks[rule][1]]),
      ...(unfinished < 0
        ? []
        : [[colours.error, `less than a turn from pair ${unfinished}`, [4, 3]]]),
      [colours.ink, `pair ${read}`, [4, 3]],
    ),
  );
}

function lengths({ trained, times }) {
  const length = Number(trained);
  return { length, context: Math.round(length * times) };
}

/** What the rule does to the pairs, and which of them meet new angles. */
function inWords({ inputs: { method, times }, values: { turns, zone, beyond } }) {
  const [unchanged, partly, wholly] = [0, 1, 2].map(
    (wanted) => zone.data.filter((one) => one === wanted).length,
  );
  const by = show(times, 3);
  const are = (count) => (count === 1 ? "1 pair is" : `${count} pairs are`);
  const done =
    method === "none"
      ? `All ${unchanged} pairs turn as in training`
      : times === 1
        ? "At the trained length no rule changes anything"
        : method === "interpolation"
          ? `All ${wholly} pairs are divided by ${by}`
          : method === "ntk"
            ? `Pair 0 is unchanged, the last divided by ${by}, the others by less`
            : `${are(unchanged)} unchanged, ${partly} divided by less than ${by}, ` +
              `${wholly} by ${by}`;
  const lit = range(0, beyond.data.length).filter((n) => beyond.data[n] > 1);
  if (!lit.length) {
    const known = rowsOf(turns)[0].every((seen) => seen >= 1);
    if (method === "interpolation" && times > 1)
      return `${done}. No angle is new, but neighbours come closer.`;
    const why = known ? "All of them completed a turn in training: no" : "No";
    return `${done}. ${why} angle is new.`;
  }
  const most = show(Math.max(...beyond.data), 3);
  const reach =
    lit.length > 1 ? `Pairs ${lit[0]} to ${lit[lit.length - 1]} reach` : `Pair ${lit[0]} reaches`;
  return `${done}. ${reach} angles up to ${most} times those of training.`;
}

/** The pair that is read. */
function ofPair({ inputs, values }, pair) {
  const { context } = lengths(inputs);
  const [before, after] = rowsOf(values.wavelengths).map((row) => row[pair]);
  const [seen, now] = rowsOf(values.turns).map((row) => row[pair]);
  const angle = (turns) => `${show(360 * turns, 3)}°`;
  const slower = values.zone.data[pair] ? `, now in ${positions(after)}` : "";
  const ends =
    seen >= 1
      ? "Training showed all its angles."
      : values.beyond.data[pair] > 1
        ? `Training showed ${angle(seen)} of its circle; ${show(context, 8)} tokens turn it by ` +
          `${angle(now)}.`
        : `Training showed ${angle(seen)} of its circle, and the context turns it no farther.`;
  return `Pair ${pair} turns once in ${positions(before)} positions${slower}. ${ends}`;
}

/** A wavelength: whole positions, or one decimal below 100. */
function positions(wavelength) {
  return wavelength < 100 ? wavelength.toFixed(1) : show(Math.round(wavelength), 9);
}

export default figure({ compute, setup, render });
