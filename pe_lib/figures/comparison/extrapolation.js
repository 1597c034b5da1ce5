// What a byte costs trained models in longer and longer texts, over a guess that the reader draws.

import { ENCODINGS } from "../../course/encodings.py";
import { range, rowsOf, stack, vector } from "../page/compute/arrays.js";
import { lineChart } from "../page/draw/chart.js";
import { h, s } from "../page/draw/elements.js";
import { guessable } from "../page/draw/guess.js";
import { arrive } from "../page/draw/motion.js";
import { between, show } from "../page/draw/numbers.js";
import { figure } from "../page/shell/figure.js";
import { LENGTHS, LOSSES, SCORED } from "./extrapolation.py";

const WAYS = Object.keys(LOSSES);
const PLACES = LENGTHS.map(Math.log2);
const LAST = LENGTHS.length - 1;
const GUESS_DASH = [4, 3];
const YOURS = "your guess";
const LINE = 14; // px from one name to the next
const CLEAR = 10; // px from a name to a line that passes
const NARROW = 500; // px: no room for names beside the plot, so they stand within, off the lines
const NOWHERE = { cost: Infinity, chosen: [] }; // names that find no place
const STEP = 0.1; // nats from one press of a key to the next

/** Each is made from nats, and nats from it. */
const METRICS = {
  nats: { from: (x) => x, back: (x) => x, label: "loss in nats per byte" },
  bits: { from: (x) => x / Math.LN2, back: (x) => x * Math.LN2, label: "loss in bits a byte" },
  perplexity: { from: Math.exp, back: Math.log, label: "perplexity of a byte" },
};

const SCORING = {
  "non-overlapping":
    "Scored in windows that do not overlap: every byte once. The longer the windows, the fewer " +
    "bytes stand at the start of one, with little before them. So the mean falls with the length " +
    "even for a model that makes nothing of the far past.",
  strided:
    "Scored in windows that each begin half a window after the one before, and of which only the " +
    "second half counts: every byte once, with at least half a window before it.",
  "last bytes":
    `Scored on the last ${SCORED} bytes of windows that end at the same places and begin earlier ` +
    "and earlier: the same bytes at every length. A curve that rises is hurt by late positions, " +
    "one that falls makes use of more context, one that stays level shows neither.",
};

const mean = (values) => values.reduce((sum, x) => sum + x, 0) / values.length;
const lowest = (values) => Math.min(...values);
const highest = (values) => Math.max(...values);

const ALL = Object.values(LOSSES).flatMap((tables) => Object.values(tables).flat(2));
const REACH = [lowest(ALL), highest(ALL)]; // in nats; the axis is the same in all settings

export function compute({ encodings, way, metric }) {
  const { from } = METRICS[metric];
  const measured = (inWay) =>
    encodings.split(" ").map((name) => LOSSES[inWay][name].map((seed) => seed.map(from)));
  const growth = (table) => table.map((seed) => seed[LAST] - seed[0]);
  const chosen = measured(way);
  const overSeeds = (value) =>
    stack(chosen.map((table) => LENGTHS.map((_, n) => value(table.map((seed) => seed[n])))));
  return {
    mean: overSeeds(mean),
    low: overSeeds(lowest),
    high: overSeeds(highest),
    grown: stack(WAYS.map((each) => measured(each).map((table) => mean(growth(table))))),
    least: vector(chosen.map((table) => lowest(growth(table)))),
    most: vector(chosen.map((table) => highest(growth(table)))),
  };
}

function setup(view) {
  view.state = { at: LAST, guess: LENGTHS.map(() => null), of: null };
  const svg = s("svg", { "aria-hidden": "true" });
  const asked = h("span");
  const guessed = h("span", { style: "white-space: nowrap; padding-left: 12px" });
  const keep = ({ at, guess }) => {
    const of = guess === view.state.guess ? view.state.of : (view.state.of ?? shown(view)[0]);
    view.read({ at, guess, of });
  };
  const plot = h(
    "div",
    {
      class: "pe-plot pe-drawn",
      ...guessable(
        view,
        "Curves over the length of the text, and your guess. Left and right arrow keys move the " +
          "length that is read, up and down your guess there.",
        {
          places: PLACES,
          valueAt: (y) => bounded(METRICS[view.inputs.metric].back(Math.max(y, 1e-9))),
          moved: (nats, up) => bounded((nats ?? start(view)) + up * STEP),
          take: keep,
        },
      ),
    },
    svg,
  );
  view.stage.append(
    h("div", { "data-pe-main": true }, h("p", { class: "pe-axis" }, asked, guessed), plot),
  );
  const table = h("table", { class: "pe-table", "data-pe-answer": true });
  const detail = h("p", { class: "pe-note pe-detail", "data-pe-answer": true });
  const scoring = h("p", { class: "pe-note" });
  view.below.append(detail, table, scoring);
  view.rows.get("encodings").element.classList.add("pe-chips");
  return { svg, asked, guessed, table, detail, scoring };
}

/** The encodings that are shown; the first is the one to guess. */
function shown({ inputs: { encodings } }) {
  return encodings.split(" ");
}

/** Where a guess begins: what the model costs at the length that it was trained at, in nats. */
function start({ inputs: { metric }, values }) {
  return METRICS[metric].back(values.mean.data[0]);
}

function hasGuess({ state }) {
  return state.guess.some((nats) => nats !== null);
}

function bounded(nats) {
  return between(nats, ...REACH);
}

function render(view) {
  const { inputs, state, parts, colours } = view;
  const curves = shown(view).map((kind) => {
    const { name, family, dash } = ENCODINGS[kind];
    return { name, colour: colours[family], dash };
  });
  const of = ENCODINGS[state.of ?? shown(view)[0]].name;
  const guess = state.guess[state.at];
  const there = guess === null ? "–" : METRICS[inputs.metric].from(guess).toFixed(2);
  parts.asked.textContent = hasGuess(view)
    ? `Your guess for ${of}`
    : view.asking
      ? `Draw your guess for ${of}`
      : "Bands: lowest to highest seed";
  parts.guessed.textContent = hasGuess(view) ? `at ${show(LENGTHS[state.at])}: ${there}` : "";
  parts.guessed.setAttribute("aria-live", view.asking ? "polite" : "off"); // later the words say it
  parts.scoring.textContent = SCORING[inputs.way];
  parts.detail.textContent = grownBy(view);
  drawChart(view, curves);
  drawTable(view, curves);
  view.say(said(view));
}

function drawChart(view, curves) {
  const { inputs, values, state, parts, colours, width } = view;
  const { from, label } = METRICS[inputs.metric];
  const [low, high] = REACH.map(from);
  const room = 0.06 * (high - low);
  const names = [YOURS, ...curves.map(({ name }) => name)];
  const chart = lineChart(parts.svg, {
    width,
    height: 260,
    x: [PLACES[0] - 0.15, PLACES[LAST]],
    y: [low - room, high + room],
    xTicks: PLACES,
    xTick: (place) => show(2 ** place),
    xLabel: "bytes in a window",
    yLabel: label,
    right: 20 + (width < NARROW ? 0 : 7 * highest(names.map((name) => name.length))),
    colours,
  });
  parts.chart = chart;
  const along = (row) => Array.from(row, (value, n) => [PLACES[n], value]);
  const guess = along(state.guess)
    .filter(([, nats]) => nats !== null)
    .map(([place, nats]) => [place, from(nats)]);
  const [means, lows, highs] = [values.mean, values.low, values.high].map(rowsOf);
  const given = [PLACES[0], means[0][0]];
  const untouched = view.asking && !hasGuess(view);
  if (untouched) parts.svg.append(...ask(view, given, high));
  if (!untouched || state.at < LAST) chart.rule(PLACES[state.at], colours.edge);
  chart.rule(PLACES[0], colours.ink);
  chart.text(PLACES[0] + 0.05, high + room, "length of training", colours.muted, 12);
  let lines;
  chart.answer((layer) => {
    curves.forEach(({ colour }, n) => {
      chart.band(along(lows[n]), along(highs[n]), colour);
    });
    lines = curves.map(({ colour, dash }, n) => {
      const line = chart.curve(along(means[n]), colour, {
        "stroke-width": 2.5,
        "stroke-dasharray": dash.join(" "),
      });
      chart.dot(PLACES[state.at], means[n][state.at], colour);
      return line;
    });
    const ends = curves.map((curve, n) => ({ ...curve, at: means[n][LAST] }));
    const last = state.guess[LAST];
    if (last !== null) ends.push({ name: YOURS, colour: colours.ink, at: from(last) });
    layer.append(...nameEnds(view, ends, [...means.map(along), guess], [low, high]));
  });
  travel(view, lines);
  chart.dot(...given, curves[0].colour, 6);
  drawGuess(view, guess);
}

/** Where the first curve could go, from the one place that is given. */
function ask(view, given, high) {
  const {
    parts: { chart },
    colours,
  } = view;
  const [best, worst] = [given[1], high].map((end) => [given, [PLACES[LAST], end]]);
  chart.band(best, worst, colours.edge);
  chart.text(PLACES[0] + 0.15, given[1], "→ drag from here", colours.ink, -10);
  const ends = [
    { name: "worse?", colour: colours.edge, at: high },
    { name: "as good?", colour: colours.edge, at: given[1] },
  ];
  return nameEnds(view, ends, [best, worst], [given[1], high]);
}

/** The guess is what is drawn while the figure asks; later it lies quietly under what it missed. */
function drawGuess({ asking, state, parts: { chart }, colours }, points) {
  const look = asking ? { "stroke-width": 2.5 } : { "stroke-dasharray": GUESS_DASH.join(" ") };
  chart.line(points, colours.ink, look);
  for (const point of points)
    if (asking || point[0] === PLACES[state.at]) chart.dot(...point, colours.ink);
}

/** The names at the right ends of lines: beside them, or within the plot where no line passes. */
function nameEnds({ parts: { chart }, width, colours }, ends, lines, [low, high]) {
  const x = chart.toX(PLACES[LAST]);
  const within = width < NARROW;
  const passing = (name) => {
    const [from, to] = [x - 18 - 7 * name.length, x - 8].map(chart.fromX);
    return lines.map((line) => heights(line, from, to).map(chart.toY));
  };
  const names = ends
    .map((end) => ({ ...end, y: chart.toY(end.at), lines: within ? passing(end.name) : [] }))
    .sort((a, b) => a.y - b.y);
  const places = apart(
    names,
    chart.toY(high) - LINE / 2,
    chart.toY(low) + (within ? -LINE : LINE) / 2,
  );
  const beside = (px) => x + (within ? -px : px);
  return names.flatMap(({ name, colour, y }, n) => [
    s("line", {
      x1: beside(5),
      y1: y,
      x2: beside(14),
      y2: places[n],
      stroke: colour,
      "stroke-width": 1.5,
    }),
    s(
      "text",
      {
        x: beside(18),
        y: places[n] + 4,
        "text-anchor": within ? "end" : "start",
        "font-size": 12,
        fill: colours.ink,
        stroke: colours.surface,
        "stroke-width": 4,
        "paint-order": "stroke",
      },
      name,
    ),
  ]);
}

/** The heights of a line from one x to another: at both, and at the points between them. */
function heights(line, from, to) {
  const at = (x) => {
    const n = line.findIndex(([px]) => px >= x);
    if (n < 1) return [];
    const [[x0, y0], [x1, y1]] = [line[n - 1], line[n]];
    return [y0 + ((x - x0) / (x1 - x0)) * (y1 - y0)];
  };
  const inside = line.filter(([x]) => from < x && x < to).map(([, y]) => y);
  return [...at(from), ...inside, ...at(to)];
}

/** A height for each name, from top to bottom: as near as can be to its line's end, while the names
 *  keep apart and off the lines. */
function apart(names, top, bottom) {
  const places = range(0, Math.ceil(bottom - top) + LINE).map((n) => top - LINE + n);
  const cost = ({ y, lines }, place) => {
    const crossed = lines.filter(
      (heights) => place - CLEAR < highest(heights) && lowest(heights) < place + CLEAR,
    );
    return (place - y) ** 2 + 1e5 * crossed.length;
  };
  let best = places.map(() => ({ cost: 0, chosen: [] })); // with the last name no lower than there
  for (const name of names) {
    let least = NOWHERE;
    best = places.map((place, n) => {
      const above = best[n - LINE] ?? NOWHERE;
      const sum = above.cost + cost(name, place);
      if (sum < least.cost) least = { cost: sum, chosen: [...above.chosen, place] };
      return least;
    });
  }
  return best.at(-1).chosen;
}

/** A curve that another scoring or measure moves travels from where it was; a new one appears. When
 *  the answer comes, all start level: as if longer texts did no harm. */
function travel(view, lines) {
  const { parts, width, asking } = view;
  const before = parts.drawn;
  const paths = lines.map((line) => line.getAttribute("d"));
  const at = (paths) => Object.fromEntries(shown(view).map((kind, n) => [kind, paths[n]]));
  parts.drawn = { width, at: at(asking ? paths.map(level) : paths) };
  if (asking || before?.width !== width) return;
  const bands = parts.svg.querySelectorAll("[data-pe-answer] polygon");
  shown(view).forEach((kind, n) => {
    const was = before.at[kind];
    if (was === paths[n]) return;
    arrive(lines[n], was ? { d: `path("${was}")` } : { opacity: 0 });
    arrive(bands[n], { opacity: 0 });
  });
}

/** A path at the height at which it starts. */
function level(path) {
  const height = /,[\d.]+/;
  return path.replaceAll(new RegExp(height, "g"), path.match(height)[0]);
}

function bytes(at) {
  return `${show(LENGTHS[at])} bytes`;
}

/** By how much the mean grows in every way of scoring: one may fall where another shows that more
 *  context is of no use. */
function drawTable(view, curves) {
  const { inputs, values, parts } = view;
  const rows = rowsOf(values.grown);
  const cell = (tag, way, content) => h(tag, { class: way === inputs.way && "pe-chosen" }, content);
  parts.table.replaceChildren(
    h(
      "caption",
      {},
      `Growth of the ${METRICS[inputs.metric].label} to ${bytes(LAST)}, by what is scored`,
    ),
    h(
      "thead",
      {},
      h("tr", {}, h("th"), h("th", {}, "seeds"), ...WAYS.map((way) => cell("th", way, way))),
    ),
    ...curves.map(({ name }, n) =>
      h(
        "tr",
        {},
        h("th", {}, name),
        h("td", {}, `${LOSSES[inputs.way][shown(view)[n]].length}`),
        ...WAYS.map((way, m) => cell("td", way, signed(rows[m][n]))),
      ),
    ),
  );
}

function signed(growth) {
  return `${growth > 0 ? "+" : ""}${show(growth, 3)}`;
}

/** What is read at a length, and how far off the guess is there. */
function said(view) {
  const costs = shown(view).map((kind, n) => {
    const mean = rowsOf(view.values.mean)[n][view.state.at];
    return `${ENCODINGS[kind].name} ${show(mean, 3)}`;
  });
  return `At ${bytes(view.state.at)}: ${costs.join(", ")}.${ofGuess(view)}`;
}

function grownBy(view) {
  const { inputs, values } = view;
  const grown = rowsOf(values.grown)[WAYS.indexOf(inputs.way)];
  const changes = shown(view).map((kind, n) => {
    const [least, most] = [values.least.data[n], values.most.data[n]];
    const sizes = [least, most].map((x) => show(Math.abs(x), 3));
    const change =
      least < 0 && most > 0
        ? `changes by ${signed(least)} to ${signed(most)}`
        : least < 0
          ? `falls by ${show(-grown[n], 3)} (${sizes.reverse().join(" to ")})`
          : `grows by ${show(grown[n], 3)} (${sizes.join(" to ")})`;
    return `${ENCODINGS[kind].name} ${change}`;
  });
  return (
    `The ${METRICS[inputs.metric].label} from ${bytes(0)}, the length of training, to ` +
    `${show(LENGTHS[LAST])}, with the lowest and the highest seed: ${changes.join("; ")}. ` +
    overlaps(view)
  );
}

/** Whose bands overlap at the length that is read. */
function overlaps(view) {
  const { values, state } = view;
  const names = shown(view).map((kind) => ENCODINGS[kind].name);
  const [lows, highs] = [values.low, values.high].map((rows) =>
    rowsOf(rows).map((row) => row[state.at]),
  );
  const pairs = names.flatMap((a, n) =>
    range(n + 1, names.length)
      .filter((m) => lows[n] <= highs[m] && lows[m] <= highs[n])
      .map((m) => `${a} and ${names[m]}`),
  );
  const bands = pairs.length ? `the bands of ${pairs.join(", of ")} overlap` : "no bands overlap";
  return names.length > 1 ? `At ${bytes(state.at)} ${bands}.` : "";
}

/** How far off the guess is at the length that is read. */
function ofGuess(view) {
  const { inputs, values, state } = view;
  const nats = state.guess[state.at];
  if (nats === null) return "";
  const guess = METRICS[inputs.metric].from(nats);
  const n = shown(view).indexOf(state.of);
  const where = () => {
    const [low, measured, high] = [values.low, values.mean, values.high].map(
      (rows) => rowsOf(rows)[n][state.at],
    );
    if (low <= guess && guess <= high) return ", within its band";
    const off = Math.abs(guess - measured).toFixed(2);
    return `, ${off} too ${guess < measured ? "low" : "high"}`;
  };
  const seen = n < 0 ? "" : where(); // it may be shown no longer
  return ` Your guess for ${ENCODINGS[state.of].name}: ${guess.toFixed(2)}${seen}.`;
}

export default figure({ compute, setup, render, origin: "Measured beforehand" });
