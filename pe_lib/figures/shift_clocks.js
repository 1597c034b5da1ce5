// Every pair as a clock: the hand of PE(p), the hand of PE(p+k), and the turn between them.

const SPAN = 101; // positions drawn where the cosine is hidden
const FITTED = 64; // positions that the single factor is fitted on
const BEAT = 700; // ms from one position to the next while it plays

function compute({ dim, theta, position, shift }) {
  checkDim(dim);
  const pairs = dim / 2;
  const vector = (data) => ({ shape: [data.length], data });
  const frequencies = Float64Array.from({ length: pairs }, (_, pair) => theta ** (-(2 * pair) / dim));
  const encode = (p) => Float64Array.from({ length: dim }, (_, n) =>
    n % 2 ? Math.cos(p * frequencies[n >> 1]) : Math.sin(p * frequencies[n >> 1]));
  const here = encode(position);
  const moved = new Float64Array(dim), factors = new Float64Array(pairs);
  const turn = matrix(dim, dim), sines = matrix(SPAN, pairs), shifted = matrix(SPAN, pairs);
  for (let pair = 0; pair < pairs; pair++) {
    const cos = Math.cos(shift * frequencies[pair]), sin = Math.sin(shift * frequencies[pair]);
    const row = 2 * pair, next = row + 1;
    turn.data.set([cos, sin], row * dim + row);
    turn.data.set([-sin, cos], next * dim + row);
    moved[row] = cos * here[row] + sin * here[next];
    moved[next] = -sin * here[row] + cos * here[next];
    let products = 0, squares = 0;
    for (let p = 0; p < SPAN; p++) {
      const sine = (sines.data[p * pairs + pair] = Math.sin(p * frequencies[pair]));
      const target = (shifted.data[p * pairs + pair] = Math.sin((p + shift) * frequencies[pair]));
      if (p < FITTED) [products, squares] = [products + sine * target, squares + sine * sine];
    }
    factors[pair] = products / squares;
  }
  return { here: vector(here), turn, moved: vector(moved), there: vector(encode(position + shift)),
    wavelengths: vector(frequencies.map((frequency) => (2 * Math.PI) / frequency)), sines, shifted,
    factors: vector(factors) };
}

function setup(view) {
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  view.state = { pair: 0, playing: false, shown: null, still };
  const dials = s("svg", { tabindex: 0, role: "application",
    "aria-label": "One clock a pair. Arrow keys choose the pair that is read.",
    onclick: (event) => choosePair(view, pairAt(view, event)),
    onkeydown: (event) => {
      const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
      if (!step) return;
      event.preventDefault();
      choosePair(view, view.state.pair + step);
    } });
  const button = h("button", { type: "button", onclick: () => play(view, !view.state.playing) });
  const bar = h("div", { class: "pe-bar" }, h("div"), button);
  const detail = h("div");
  const note = h("p", { class: "pe-note" },
    "x is the sine and y the cosine: hands start at 12 and run clockwise. RoPE's usual convention, " +
    "x the cosine and y the sine, starts at 3 and turns the other way.");
  view.stage.append(bar, dials, note, detail);
  still.addEventListener("change", () => play(view, false)); // another word on the button, too
  new IntersectionObserver(([entry]) => !entry.isIntersecting && view.state.playing && play(view, false)).observe(dials);
  return { dials, button, bar, detail };
}

/** Start or stop the position moving by itself; with reduced motion, one step a press. */
function play(view, start) {
  const { state } = view;
  if (start && state.still.matches) return stepOn(view);
  if (start) requestAnimationFrame((now) => sweep(view, now));
  state.playing = start;
  view.draw();
}

function stepOn(view) {
  const { position } = view.inputs;
  const last = view.controls.find(({ name }) => name === "position").high;
  view.set({ position: position < last ? Math.min(position + 1, last) : 0 });
}

/** One frame of playing: the hands follow the position smoothly. */
function sweep(view, now) {
  const { state } = view;
  if (!state.playing) return;
  if (!(now < state.next)) {
    state.next = now + BEAT;
    stepOn(view);
  }
  state.shown += (view.inputs.position - state.shown) * 0.12;
  placeHands(view);
  requestAnimationFrame((later) => sweep(view, later));
}

function choosePair(view, pair) {
  view.state.pair = pair;
  view.draw();
}

function layOut({ width, inputs: { dim } }) {
  const count = dim / 2;
  const rows = Math.ceil(count / Math.floor(width / 100));
  const columns = Math.ceil(count / rows);
  const cell = Math.min(width / columns, 200);
  const radius = Math.min(cell / 2 - 11, 66);
  return { columns, rows, cell, radius, left: (width - columns * cell) / 2, tall: 2 * radius + 76 };
}

function pairAt(view, event) {
  const box = view.parts.dials.getBoundingClientRect();
  const { columns, cell, left, tall } = layOut(view);
  const column = Math.floor((event.clientX - box.left - left) / cell);
  const pair = Math.floor((event.clientY - box.top) / tall) * columns + column;
  return column >= 0 && column < columns && pair < view.inputs.dim / 2 ? pair : view.state.pair;
}

function render(view) {
  const { state, inputs: { dim, position, shift, cosine }, parts, colours } = view;
  state.pair = Math.min(Math.max(state.pair, 0), dim / 2 - 1);
  if (!state.playing || !(Math.abs(position - state.shown) <= 1)) state.shown = position;
  parts.button.textContent = state.still.matches ? "Step" : state.playing ? "Pause" : "Play";
  // What changes by itself is not read aloud.
  view.words.setAttribute("aria-live", state.playing ? "off" : "polite");
  const [p, k] = [show(position), show(shift)];
  const target = `PE(${show(position + shift)})`;
  parts.bar.replaceChild(cosine
    ? key([colours.edge, `PE(${p})`], [colours.orange, target], [colours.blue, `turn by ${k}ω, ring: T(${k}) PE(${p})`])
    : key([colours.edge, `sine of ${p}`], [colours.orange, `sine of ${show(position + shift)}`],
      [colours.blue, "best factor"], [colours.error, "its miss"]), parts.bar.firstChild);
  drawDials(view);
  if (cosine) showNumbers(view, p, k, target);
  else showMiss(view, p, k);
}

function drawDials(view) {
  const { state, inputs: { dim, shift, cosine }, values, parts, colours, width } = view;
  const { columns, rows, cell, radius, left, tall } = layOut(view);
  for (const [name, value] of [["width", width], ["height", rows * tall], ["viewBox", `0 0 ${width} ${rows * tall}`]]) {
    parts.dials.setAttribute(name, value);
  }
  const hand = (colour, thick) => s("line", { stroke: colour, "stroke-width": thick, "stroke-linecap": "round" });
  const spot = (colour, size) => s("circle", { r: size, fill: colour });
  const ring = () => s("circle", { r: 7, fill: "none", stroke: colours.blue, "stroke-width": 2.5 });
  state.dials = Array.from({ length: dim / 2 }, (_, pair) => {
    const angle = (2 * Math.PI * shift) / values.wavelengths.data[pair];
    const dial = cosine
      ? { turn: turnShape(angle, radius, colours), here: hand(colours.edge, 6), there: hand(colours.orange, 2.5),
        tip: spot(colours.orange, 3.5), moved: ring() }
      : { up: hand(colours.edge, 1.5), down: hand(colours.edge, 1.5), miss: hand(colours.error, 4),
        here: spot(colours.edge, 6), there: spot(colours.orange, 4.5), guess: ring() };
    if (!cosine) for (const ghost of [dial.up, dial.down]) ghost.setAttribute("stroke-dasharray", "2 5");
    return dial;
  });
  const label = (y, text, attributes) => s("text", { y, "text-anchor": "middle", "font-size": 12, fill: colours.muted, ...attributes }, text);
  parts.dials.replaceChildren(...state.dials.map((dial, pair) => {
    const chosen = pair === state.pair;
    const x = left + ((pair % columns) + 0.5) * cell, y = Math.floor(pair / columns) * tall + radius + 26;
    return s("g", { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`, cursor: "pointer" },
      s("rect", { x: -cell / 2 + 3, y: -radius - 25, width: cell - 6, height: tall - 3, rx: 8,
        fill: chosen ? colours.raised : colours.surface, stroke: chosen ? colours.blue : "none", "stroke-width": 1.5 }),
      label(-radius - 9, `pair ${pair}`, chosen ? { fill: colours.ink, "font-weight": 650 } : {}),
      s("circle", { r: radius, fill: colours.surface, stroke: colours.edge }),
      ...[0, 90, 180, 270].map((degrees) => s("line", { y1: -radius, y2: 5 - radius, stroke: colours.edge, transform: `rotate(${degrees})` })),
      cosine ? null : s("line", { x1: -radius, x2: radius, stroke: colours.muted, "stroke-width": 1.5 }),
      ...Object.values(dial), s("circle", { r: 3, fill: colours.muted }),
      label(radius + 18, `${show(values.wavelengths.data[pair])} positions`), label(radius + 34, "a turn"));
  }));
  placeHands(view);
}

/** The turn from the hand of PE(p) to that of PE(p+k), drawn from 12; more than one turn winds up. */
function turnShape(angle, radius, colours) {
  const turns = Math.abs(angle) / (2 * Math.PI);
  const inner = 0.45 * radius, growth = (0.28 * radius) / Math.max(turns, 4);
  const steps = Math.max(2, Math.ceil(turns * 60));
  const at = (part, stretch = 0) => {
    const away = inner + growth * turns * part + stretch;
    return `${(away * Math.sin(angle * part)).toFixed(2)},${(-away * Math.cos(angle * part)).toFixed(2)}`;
  };
  const path = Array.from({ length: steps + 1 }, (_, n) => at(n / steps)).join(" ");
  const back = 7 / inner / Math.abs(angle); // the arrow's length as part of the turn
  return s("g", {}, s("polygon", { points: `0,0 ${path}`, fill: colours.blue, opacity: 0.14 }),
    s("polyline", { points: path, fill: "none", stroke: colours.blue, "stroke-width": 2 }),
    back < 0.7 ? s("polygon", { points: `${at(1)} ${at(1 - back, 4.5)} ${at(1 - back, -4.5)}`, fill: colours.blue }) : null);
}

/** Point every hand; while playing, `shown` lags behind the position and turns all of them back. */
function placeHands(view) {
  const { state, inputs: { position, cosine }, values, colours } = view;
  const { radius } = layOut(view);
  const set = (element, attributes) => {
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value.toFixed(2));
  };
  state.dials.forEach((dial, pair) => {
    const lag = (2 * Math.PI * (state.shown - position)) / values.wavelengths.data[pair];
    const tip = ({ data }) => {
      const [x, y] = data.subarray(2 * pair, 2 * pair + 2);
      return [radius * (x * Math.cos(lag) + y * Math.sin(lag)), radius * (x * Math.sin(lag) - y * Math.cos(lag))];
    };
    const [here, there, moved] = [values.here, values.there, values.moved].map(tip);
    if (cosine) {
      const degrees = (180 / Math.PI) * Math.atan2(here[0], -here[1]);
      dial.turn.setAttribute("transform", `rotate(${degrees.toFixed(2)})`);
      set(dial.here, { x2: 0.82 * here[0], y2: 0.82 * here[1] });
      set(dial.there, { x2: 0.9 * there[0], y2: 0.9 * there[1] });
      set(dial.tip, { cx: 0.9 * there[0], cy: 0.9 * there[1] });
      set(dial.moved, { cx: 0.9 * moved[0], cy: 0.9 * moved[1] });
    } else {
      const guess = values.factors.data[pair] * here[0];
      set(dial.up, { x2: here[0], y2: -Math.abs(here[1]) });
      set(dial.down, { x2: here[0], y2: Math.abs(here[1]) });
      set(dial.miss, { x1: guess, x2: there[0] });
      set(dial.here, { cx: here[0] });
      set(dial.there, { cx: there[0] });
      set(dial.guess, { cx: guess });
    }
  });
}

/** T(k) PE(p) = PE(p+k) in numbers, for the chosen pair. */
function showNumbers(view, p, k, target) {
  const { state: { pair }, inputs: { dim, shift }, values: { here, turn, moved, there, wavelengths } } = view;
  const places = view.width < 420 ? 3 : 4;
  const digits = (value) => (Number(value.toFixed(places)) || 0).toFixed(places).replace("-", "−");
  const row = (name, n) => h("tr", {}, h("th", { scope: "row" }, name),
    ...[turn.data[n * dim + 2 * pair], turn.data[n * dim + 2 * pair + 1], here.data[n], moved.data[n], there.data[n]]
      .map((value) => h("td", {}, digits(value))));
  view.parts.detail.replaceChildren(h("table", { class: "pe-table" },
    h("caption", {}, `Pair ${pair}: features ${2 * pair} and ${2 * pair + 1}`),
    h("thead", {}, h("tr", {}, h("th"), h("th", { colspan: 2, scope: "colgroup" }, `block of T(${k})`),
      ...[`PE(${p})`, `T(${k}) PE(${p})`, target].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, row("sin", 2 * pair), row("cos", 2 * pair + 1))));
  const difference = Math.max(...moved.data.map((value, n) => Math.abs(value - there.data[n])));
  const wavelength = wavelengths.data[pair];
  const angle = (2 * Math.PI * shift) / wavelength;
  view.say(`Pair ${pair} turns once in ${show(wavelength)} positions: moving by ${k} turns its hand by ` +
    `${show(angle)} rad, ${show(Math.abs(shift / wavelength), 3)} of a turn${shift < 0 ? " back" : ""}, wherever the hand stood. ` +
    `T(${k}) PE(${p}) lands on ${target} in every pair: over all ${dim} features they differ by ${showRounding(difference)}.`);
}

/** Without the cosine: what the best single factor makes of the sines, and how far off it is. */
function showMiss(view, p, k) {
  const { state: { pair }, inputs: { dim, position, shift }, values: { here, there, sines, shifted, factors }, colours } = view;
  const pairs = dim / 2, factor = factors.data[pair];
  const truth = Array.from({ length: SPAN }, (_, n) => [n, shifted.data[n * pairs + pair]]);
  const guess = truth.map(([n]) => [n, factor * sines.data[n * pairs + pair]]);
  const worst = Math.max(...truth.slice(0, FITTED).map(([n, value]) => Math.abs(value - guess[n][1])));
  const heights = [...truth, ...guess].map(([, value]) => Math.abs(value));
  const limit = 1.1 * Math.max(...heights);
  const svg = s("svg", { role: "img", "aria-label": "Sine after the shift, and the best factor's guess, by position" });
  const chart = lineChart(svg, { width: view.width, height: 210, x: [0, SPAN - 1], y: [-limit, limit],
    xLabel: "position p", yLabel: `sine of pair ${pair}`, colours });
  chart.line(truth, colours.orange);
  chart.line(guess, colours.blue, { "stroke-dasharray": "6 4" });
  const [meant, guessed] = [there.data[2 * pair], factor * here.data[2 * pair]];
  chart.line([[position, meant], [position, guessed]], colours.error, { "stroke-width": 3 });
  chart.dot(position, meant, colours.orange);
  chart.dot(position, guessed, colours.blue);
  view.parts.detail.replaceChildren(svg);
  view.say(shift === 0 ? "Moving by 0 changes nothing, with the cosine or without. Move the shift." :
    `Sines alone: at position 0 all of them are 0, and no matrix turns zeros into ${show(shifted.data[pair])}, ` +
    `the sine of pair ${pair} at position ${k}. One sine fits two hands (dashed), and they move on to different places. ` +
    `The best factor for pair ${pair}, ${show(factor)} (least squares, positions 0 to ${FITTED - 1}), ` +
    `misses by ${show(Math.abs(meant - guessed))} at position ${p} and by up to ${show(worst)}.`);
}

export default figure({ compute, setup, render });
