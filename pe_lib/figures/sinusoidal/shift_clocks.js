// Every pair as a clock: the hand of PE(p), the hand of PE(p+k), and the turn between them.

import { matrix, range, rowsOf, vector } from "../page/compute/arrays.js";
import { inverseFrequencies, sinusoidalEncoding, wavelengths } from "../page/compute/encodings.js";
import { dot } from "../page/compute/linear_algebra.js";
import { lineChart } from "../page/draw/chart.js";
import { h, keep, s, set } from "../page/draw/elements.js";
import { inDegrees } from "../page/draw/hands.js";
import { key } from "../page/draw/legends.js";
import { arrive } from "../page/draw/motion.js";
import { between, show, showRounding } from "../page/draw/numbers.js";
import { steppable } from "../page/draw/reading.js";
import { figure } from "../page/shell/figure.js";
import { playButton, showPlaying } from "../page/shell/playing.js";
import { FITTED, SPAN } from "./shift_clocks.py";

const ABOVE = 26; // px above a dial, for its name
const ENDS = [0.76, 0.9]; // of a dial's radius: how far both hands reach
const BEAT = 700; // ms from one position to the next while it plays

export function compute({ dim, theta, position, shift }) {
  const [here, there] = rowsOf(sinusoidalEncoding([position, position + shift], dim, theta));
  const turn = matrix(dim, dim);
  const moved = new Float64Array(dim);
  inverseFrequencies(dim, theta).data.forEach((frequency, pair) => {
    const cos = Math.cos(shift * frequency);
    const sin = Math.sin(shift * frequency);
    const row = 2 * pair;
    const next = row + 1;
    turn.data.set([cos, sin], row * dim + row);
    turn.data.set([-sin, cos], next * dim + row);
    moved.set([cos * here[row] + sin * here[next], cos * here[next] - sin * here[row]], row);
  });
  const [sines, shifted] = [0, shift].map((start) => sinesFrom(start, dim, theta));
  const factors = range(0, dim / 2).map((pair) => {
    const [before, after] = [sines, shifted].map((table) => column(table, pair).slice(0, FITTED));
    return dot(before, after) / dot(before, before);
  });
  return {
    here: vector(here),
    turn,
    moved: vector(moved),
    there: vector(there),
    wavelengths: wavelengths(dim, theta),
    sines,
    shifted,
    factors: vector(factors),
  };
}

/** The even columns of the encoding from a position on. */
function sinesFrom(start, dim, theta) {
  const encoding = sinusoidalEncoding(
    range(0, SPAN).map((p) => p + start),
    dim,
    theta,
  );
  return { shape: [SPAN, dim / 2], data: encoding.data.filter((_, n) => n % 2 === 0) };
}

function column({ shape: [, cols], data }, which) {
  return data.filter((_, n) => n % cols === which);
}

function setup(view) {
  view.state = { pair: 0, playing: false };
  let held; // the hand that is dragged, the pointer's angle, and the input as it would be unrounded
  const take = (event) => {
    const dial = event.target.closest("svg");
    if (!dial) return;
    const pair = [...dials.children].indexOf(dial);
    const name = event.target.dataset.hand;
    if (name) {
      const box = dial.getBoundingClientRect();
      const middle = [box.left + box.width / 2, box.top + view.parts.radius + ABOVE];
      held = { name, pair, middle, value: view.currentInputs()[name] };
      held.angle = angleOf(event);
      dials.setPointerCapture(event.pointerId);
    }
    view.read({ pair });
  };
  /** The pointer's angle, clockwise from 12. */
  const angleOf = ({ clientX, clientY }) =>
    Math.atan2(clientX - held.middle[0], held.middle[1] - clientY);
  const drag = (event) => {
    if (!held) return;
    const angle = angleOf(event);
    const turn = Math.round((angle - held.angle) / (2 * Math.PI)); // past 6 there is no jump
    const part = (angle - held.angle) / (2 * Math.PI) - turn;
    held.angle = angle;
    const { low, high } = view.controls.find(({ name }) => name === held.name);
    held.value += part * view.values.wavelengths.data[held.pair];
    view.set({ [held.name]: between(Math.round(held.value), low, high) });
  };
  const drop = () => {
    held = undefined;
  };
  const dials = h("div", {
    class: "pe-dials pe-clocks",
    onpointerdown: take,
    onpointermove: drag,
    onpointerup: drop,
    onpointercancel: drop,
    ...steppable("One clock a pair. Arrow keys choose the pair that is read.", (right, down) =>
      view.read({ pair: view.state.pair + right + down }),
    ),
  });
  const player = playButton(view, "position", BEAT);
  const bar = h("div", { class: "pe-bar" }, h("div"), player);
  const detail = h("div");
  view.stage.append(h("div", { "data-pe-main": true }, bar, dials));
  view.below.append(
    detail,
    h(
      "p",
      { class: "pe-note" },
      "x is the sine and y the cosine: hands start at 12 and run clockwise. RoPE's usual " +
        "convention, " +
        "x the cosine and y the sine, starts at 3 and turns the other way.",
    ),
  );
  return { dials, player, bar, detail };
}

function render(view) {
  const {
    state,
    inputs: { dim, position, shift, cosine },
    parts,
    colours,
  } = view;
  state.pair = between(state.pair, 0, dim / 2 - 1);
  showPlaying(view, parts.player);
  const [p, k] = [show(position), show(shift)];
  const target = `PE(${show(position + shift)})`;
  parts.bar.firstChild.replaceWith(
    cosine
      ? view.asking
        ? h("p", { class: "pe-asked" }, `A shift by ${k}: where does each hand go? Turn one.`)
        : key(
            [colours.edge, `hand at ${p}`],
            [colours.orange, `hand at ${show(position + shift)}`],
            [colours.blue, `turn by T(${k}), up to the ring`],
          )
      : key(
          [colours.edge, `sine of ${p}`],
          [colours.orange, `sine of ${show(position + shift)}`],
          [colours.blue, "best factor"],
          [colours.error, "its miss"],
        ),
  );
  const room = roomFor(dim / 2, view.width);
  parts.radius = room.radius;
  parts.dials.style.minHeight = `${room.height}px`;
  const moves = moved(view);
  for (const [pair, svg] of keep(parts.dials, dim / 2, newDial).entries())
    drawDial(svg, view, pair, room.radius, moves);
  if (cosine) showNumbers(view, p, k, target);
  else showMiss(view, p, k);
}

/** What moves by itself: all hands where it plays, and what stays of them without the cosine. */
function moved({ inputs, state: { playing }, parts }) {
  const before = parts.drawn ?? inputs;
  parts.drawn = inputs;
  const changed = Object.keys(inputs).filter((name) => inputs[name] !== before[name]);
  if (changed.length !== 1) return {};
  const [name] = changed;
  if (name === "position" && playing) return { positions: inputs.position - before.position };
  return { flattened: name === "cosine" };
}

/** The largest dials that all fit into a width and the height that goes with it. */
function roomFor(count, width) {
  const height = width < 500 ? 292 : 220;
  const fits = (radius) => {
    const columns = Math.floor((width + 8) / (2 * radius + 30));
    return Math.ceil(count / columns) * (heightOf(radius) + 4) <= height + 4;
  };
  return {
    height,
    radius: range(0, 28)
      .map((n) => 66 - 2 * n)
      .find(fits),
  };
}

function isLarge(radius) {
  return radius > 45;
}

function heightOf(radius) {
  return 2 * radius + (isLarge(radius) ? 70 : 54);
}

/** What is drawn, and above it where the two hands are taken hold of. */
function newDial() {
  const grips = ["position", "shift"].map((name) =>
    s("circle", { class: "pe-hand", "data-hand": name }),
  );
  return s("svg", {}, s("g"), ...grips);
}

function drawDial(svg, view, pair, radius, { positions, flattened }) {
  const {
    state,
    inputs: { cosine },
    values,
    colours,
  } = view;
  const wide = 2 * radius + 22;
  const turn = show(values.wavelengths.data[pair], 3);
  const label = (y, text) =>
    s("text", { y, "text-anchor": "middle", "font-size": 12, fill: colours.muted }, text);
  const [drawn, ...grips] = svg.children;
  svg.setAttribute("width", wide);
  svg.setAttribute("height", heightOf(radius));
  svg.setAttribute("viewBox", `${-wide / 2} ${-radius - ABOVE} ${wide} ${heightOf(radius)}`);
  svg.setAttribute("class", pair === state.pair ? "pe-chosen" : "");
  for (const [n, { data }] of [values.here, values.there].entries()) {
    const [across, up] = data.slice(2 * pair);
    const away = ENDS[n] * radius;
    const display = cosine ? "inline" : "none"; // the sines alone have no hand to drag
    set(grips[n], { cx: away * across, cy: -away * up, r: 14, display });
  }
  const middle = s("g", {}, ...(cosine ? hands : sinesAlone)(view, pair, radius));
  drawn.replaceChildren(
    label(-radius - 10, `pair ${pair}`),
    s("circle", { r: radius, fill: colours.surface, stroke: colours.edge }),
    ...[0, 90, 180, 270].map((degrees) =>
      s("line", {
        y1: -radius,
        y2: 5 - radius,
        stroke: colours.edge,
        transform: `rotate(${degrees})`,
      }),
    ),
    middle,
    s("circle", { r: 3, fill: colours.muted }),
    label(radius + 18, isLarge(radius) ? `${turn} positions` : turn),
    ...(isLarge(radius) ? [label(radius + 34, "a turn")] : []),
  );
  if (positions > 0)
    arrive(middle, {
      transform: `rotate(${(-360 * positions) / values.wavelengths.data[pair]}deg)`,
    });
  if (flattened && cosine) arrive(middle, { transform: "scaleY(0)" });
  if (flattened && !cosine)
    for (const spot of middle.querySelectorAll("[data-from]"))
      arrive(spot, { transform: `translateY(${spot.dataset.from}px)` });
}

function line([x1, y1], [x2, y2], colour, width, dashes) {
  return s("line", {
    x1,
    y1,
    x2,
    y2,
    stroke: colour,
    "stroke-width": width,
    "stroke-linecap": "round",
    "stroke-dasharray": dashes,
  });
}

function spot([cx, cy], r, colour) {
  return s("circle", { cx, cy, r, fill: colour });
}

function ring([cx, cy], r, colour) {
  return s("circle", { cx, cy, r, fill: "none", stroke: colour, "stroke-width": 2.5 });
}

/** What the figure asks for. */
function answer(...shapes) {
  return s("g", { "data-pe-answer": true }, ...shapes);
}

/** Both hands, the turn from one to the other, and a ring where T(k) leads. */
function hands(view, pair, radius) {
  const {
    inputs: { shift },
    values,
    colours,
  } = view;
  const tip = ({ data }, part) => [
    part * radius * data[2 * pair],
    -part * radius * data[2 * pair + 1],
  ];
  const [here, there, moved] = [
    tip(values.here, ENDS[0]),
    tip(values.there, ENDS[1]),
    tip(values.moved, ENDS[1]),
  ];
  const [sin, cos] = values.here.data.slice(2 * pair);
  const start = Math.atan2(sin, cos);
  const angle = (2 * Math.PI * shift) / values.wavelengths.data[pair];
  const size = between(radius / 6, 4, 7.5);
  return [
    answer(...turning(start, angle, radius, colours.blue)),
    line([0, 0], here, colours.edge, 6),
    ...knob(here, size, colours.edge, colours),
    view.asking && pair === view.state.pair ? bothWays(here, start, size, colours.ink) : null,
    answer(
      line([0, 0], there, colours.orange, 2.5),
      ...knob(there, size - 1.5, colours.orange, colours),
      ring(moved, size + 1.5, colours.blue),
    ),
  ];
}

/** Where a hand is taken hold of. */
function knob(place, size, colour, { surface }) {
  return [spot(place, size, colour), spot(place, 0.4 * size, surface)];
}

/** Arrow heads on both sides of a knob: it can be turned. */
function bothWays([x, y], angle, size, stroke) {
  const head = (side) => `M${side * (size + 5)},-5l${side * 5},5l${-side * 5},5`;
  return s("path", {
    d: head(-1) + head(1),
    transform: `translate(${x} ${y}) rotate(${inDegrees(angle)})`,
    fill: "none",
    stroke,
    "stroke-width": 2,
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
  });
}

/** An arrow by an angle from where the first hand stands; more than one turn winds up. */
function turning(start, angle, radius, colour) {
  const turns = Math.abs(angle) / (2 * Math.PI);
  const inside = 0.45 * radius;
  const growth = (0.28 * radius) / Math.max(turns, 4);
  const at = (part, aside = 0) => {
    const away = inside + growth * turns * part + aside;
    const now = start + angle * part;
    return `${(away * Math.sin(now)).toFixed(2)},${(-away * Math.cos(now)).toFixed(2)}`;
  };
  const steps = Math.max(2, Math.ceil(turns * 60));
  const path = range(0, steps + 1)
    .map((n) => at(n / steps))
    .join(" ");
  // Where the arrow's head begins, as part of the turn.
  const back = 1 - 7 / inside / Math.abs(angle);
  return [
    s("polygon", { points: `0,0 ${path}`, fill: colour, opacity: 0.14 }),
    s("polyline", { points: path, fill: "none", stroke: colour, "stroke-width": 2 }),
    back > 0.3
      ? s("polygon", { points: `${at(1)} ${at(back, 4.5)} ${at(back, -4.5)}`, fill: colour })
      : null,
  ];
}

/** The sines alone, on the clock's horizontal line: two hands fit the first of them. */
function sinesAlone({ values, colours }, pair, radius) {
  const [here, there] = [values.here, values.there].map(({ data }) => radius * data[2 * pair]);
  const guess = values.factors.data[pair] * here;
  const tall = radius * values.here.data[2 * pair + 1];
  return [
    line([-radius, 0], [radius, 0], colours.muted, 1.5),
    line([0, 0], [here, tall], colours.edge, 1.5, "2 5"),
    line([0, 0], [here, -tall], colours.edge, 1.5, "2 5"),
    line([guess, 0], [there, 0], colours.error, 4),
    fallen(spot([here, 0], 6, colours.edge), -tall),
    fallen(spot([there, 0], 4.5, colours.orange), -radius * values.there.data[2 * pair + 1]),
    ring([guess, 0], 7, colours.blue),
  ];
}

/** The sine of a hand, and how far below it the hand's end was: it falls from there. */
function fallen(element, from) {
  element.dataset.from = from;
  return element;
}

/** T(k) PE(p) = PE(p+k) in numbers, for the chosen pair. */
function showNumbers(view, p, k, target) {
  const {
    state: { pair },
    inputs: { dim, shift },
    values: { here, turn, moved, there, wavelengths },
  } = view;
  const places = view.width < 420 ? 3 : 4;
  const cell = (value, asked = true) =>
    h(
      "td",
      { "data-pe-answer": asked },
      (Number(value.toFixed(places)) || 0).toFixed(places).replace("-", "−"),
    );
  const row = (name, n) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, name),
      ...[...turn.data.slice(n * dim + 2 * pair, n * dim + 2 * pair + 2)].map((x) => cell(x)),
      cell(here.data[n], false),
      cell(moved.data[n]),
      cell(there.data[n]),
    );
  const difference = Math.max(...moved.data.map((value, n) => Math.abs(value - there.data[n])));
  view.parts.detail.replaceChildren(
    h(
      "table",
      { class: "pe-table" },
      h(
        "caption",
        {},
        `Pair ${pair}: features ${2 * pair} and ${2 * pair + 1}. Over all ${dim} features, ` +
          `T(${k}) PE(${p}) and ${target} differ by ${showRounding(difference)}.`,
      ),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th"),
          h("th", { colspan: 2, scope: "colgroup" }, `block of T(${k})`),
          ...[`PE(${p})`, `T(${k}) PE(${p})`, target].map((name) =>
            h("th", { scope: "col" }, name),
          ),
        ),
      ),
      h("tbody", {}, row("sin", 2 * pair), row("cos", 2 * pair + 1)),
    ),
  );
  const turns = shift / wavelengths.data[pair];
  view.say(
    `Pair ${pair} turns once in ${show(wavelengths.data[pair], 3)} positions, so a shift of ${k} ` +
      `turns its hand by ${show(2 * Math.PI * turns, 3)} rad, ${show(Math.abs(turns), 3)} of a ` +
      `turn${shift < 0 ? " back" : ""}, from every position. In every pair, T(${k}) PE(${p}) ` +
      `lands on ${target}.`,
  );
}

/** Without the cosine: what the best single factor makes of the sines, and how far off it is. */
function showMiss(view, p, k) {
  const {
    state: { pair },
    inputs: { position, shift },
    values: { here, there, sines, shifted, factors },
    colours,
  } = view;
  const factor = factors.data[pair];
  const truth = [...column(shifted, pair)];
  const guess = [...column(sines, pair)].map((sine) => factor * sine);
  const worst = Math.max(...truth.slice(0, FITTED).map((value, n) => Math.abs(value - guess[n])));
  const limit = 1.1 * Math.max(...[...truth, ...guess].map(Math.abs));
  const svg = s("svg", {
    role: "img",
    "data-pe-answer": true,
    "aria-label": "Sine after the shift, and the best factor's guess, by position",
  });
  const chart = lineChart(svg, {
    width: view.width,
    height: 210,
    x: [0, SPAN - 1],
    y: [-limit, limit],
    xLabel: "position p",
    yLabel: `sine of pair ${pair}`,
    colours,
  });
  chart.line([...truth.entries()], colours.orange);
  chart.line([...guess.entries()], colours.blue, { "stroke-dasharray": "6 4" });
  const [meant, guessed] = [there.data[2 * pair], factor * here.data[2 * pair]];
  chart.line(
    [
      [position, meant],
      [position, guessed],
    ],
    colours.error,
    { "stroke-width": 3 },
  );
  chart.dot(position, meant, colours.orange);
  chart.dot(position, guessed, colours.blue);
  view.parts.detail.replaceChildren(
    svg,
    h(
      "p",
      { class: "pe-note" },
      `The best factor has the least squared error over positions 0 to ${FITTED - 1}. At ` +
        "position 0 all sines are 0, so no factor and no matrix leads from there to " +
        `${show(shifted.data[pair], 3)}, the sine of pair ${pair} at position ${k}.`,
    ),
  );
  view.say(
    shift === 0
      ? "Moving by 0 changes nothing, with the cosine or without. Move the shift."
      : `One sine fits two hands (dashed), and they move on to different places. The best factor ` +
          `for pair ${pair}, ${show(factor, 3)}, misses by ${show(Math.abs(meant - guessed), 3)} ` +
          `at position ${p} and by up to ${show(worst, 3)}.`,
  );
}

export default figure({ compute, setup, render });
