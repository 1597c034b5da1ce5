// How far back a head looks with ALiBi: its weights on a text, and by distance.

import { WORDS } from "../../course/running_sentence.py";
import { matrix, range, rowsOf, stack, vector } from "../page/compute/arrays.js";
import { lineChart } from "../page/draw/chart.js";
import { distanceAxis } from "../page/draw/distance_axis.js";
import { h, keep, s, set } from "../page/draw/elements.js";
import { key } from "../page/draw/legends.js";
import { arrive, REVEAL } from "../page/draw/motion.js";
import { between, percent, show } from "../page/draw/numbers.js";
import { steppable } from "../page/draw/reading.js";
import { figure } from "../page/shell/figure.js";
import { FARTHEST, TOKENS } from "./alibi_bias.py";
import { REACH } from "./relative_buckets.py";

const AXIS = distanceAxis(REACH);
const STRONGEST = 3; // the penalty from which on cells of the map look alike
const [LEFT, RIGHT] = [86, 66]; // px: heads and slopes, and where 1 % is reached
const BEFORE = 0.24; // of the width between them: where marks lie that are before the text
const NEAR = 8; // tokens before the text that are nearly as wide as those in it
const TEXT = 40; // px: the height of the text above the ribbons
const RIBBONS = 264; // px for all heads together
const HEIGHT = TEXT + RIBBONS + 20;

export function compute({ heads, head, length, reach, causal, offset }) {
  const chosen = Math.min(head, heads) - 1;
  const own = slopesOf(heads);
  const slopes = own.map((slope, n) => (reach && n === chosen ? Math.log(100) / reach : slope));
  const onePercent = slopes.map((slope) => Math.log(100) / slope);
  const query = offset ? length - 1 : 0;
  const away = range(0, TOKENS).map((token) => Math.abs(query - token));
  const weights = slopes.map((slope) => {
    const seen = away.map((d, token) => (causal && token > query ? 0 : Math.exp(-slope * d)));
    const sum = seen.reduce((a, b) => a + b);
    return seen.map((weight) => weight / sum);
  });
  const distances = drawnDistances(FARTHEST);
  const map = matrix(WORDS.length, WORDS.length);
  rowsOf(map).forEach((row, of) => {
    for (const word of row.keys())
      row[word] = causal && word > of ? NaN : -slopes[chosen] * Math.abs(of - word);
  });
  return {
    slopes: vector(slopes),
    one_percent: vector(onePercent),
    weights: stack(weights),
    within: vector(
      weights.map((row, n) =>
        row.reduce((sum, weight, token) => sum + (away[token] <= onePercent[n] ? weight : 0), 0),
      ),
    ),
    distances: vector(distances),
    fallen: stack(slopes.map((slope) => distances.map((distance) => Math.exp(-slope * distance)))),
    map,
  };
}

/** Powers of two, evenly spaced; what a power of two of heads leaves over stands between them. */
function slopesOf(heads) {
  const power = 2 ** Math.floor(Math.log2(heads));
  return range(0, heads).map(
    (head) => 2 ** ((-8 * (head < power ? head + 1 : head - power + 0.5)) / power),
  );
}

/** Every distance up to 32, then 16 from one power of two to the next, and the last. */
function drawnDistances(length) {
  const distances = [0];
  for (let last = 0; last < length - 1; distances.push(last))
    last = Math.min(last + 2 ** Math.max(0, 27 - Math.clz32(last)), length - 1);
  return distances;
}

function setup(view) {
  const [ground, query, example] = [s("g"), s("g"), s("g")];
  const answer = s("g", { "data-pe-answer": true });
  const ribbons = s("svg", { "aria-hidden": "true" }, ground, example, answer, query);
  const legend = h("div");
  const picture = h(
    "div",
    {
      class: "pe-ribbons",
      ...steppable(
        "A text and its heads' weights. Left and right arrow keys move the query, up and down " +
          "choose a head.",
        (right, down) => {
          const { length, head, heads } = view.currentInputs();
          if (right) view.set({ length: between(length + right, 1, TOKENS) });
          else choose(view, between(Math.min(head, heads) + down, 1, heads));
        },
      ),
      ...draggable(view),
    },
    ribbons,
  );
  view.stage.append(h("div", { "data-pe-main": true }, legend, picture));
  const [curves, names, caption] = [s("svg"), h("div"), h("p", { class: "pe-note" })];
  const table = h("table", { class: "pe-map", style: "font-size: 12px" });
  view.below.append(h("div", {}, names, h("div", { class: "pe-drawn" }, curves)), caption, table);
  return { ribbons, ground, query, example, answer, legend, curves, names, table, caption };
}

/** Look at another head. A reach belongs to the head that it was made for. */
function choose(view, head) {
  const now = view.currentInputs();
  if (head !== Math.min(now.head, now.heads)) view.set({ head, reach: 0 });
}

/** The query is dragged along the text, and a head's mark along its ribbon. */
function draggable(view) {
  let held; // "query", or the x where a ribbon was taken until it moves, and then "mark"
  const pointed = ({ clientX, clientY, currentTarget }) => {
    const { left, top } = currentTarget.getBoundingClientRect();
    const x = clientX - left;
    return { x, y: clientY - top, token: toToken(view, x) };
  };
  const follow = (token) => {
    if (held === "query") view.set({ length: between(token + 1, 1, TOKENS) });
    else {
      const away = Math.abs(queryOf(view.inputs) - token);
      view.set({ reach: between(away, 1, FARTHEST) });
    }
  };
  return {
    onpointerdown(event) {
      event.currentTarget.setPointerCapture(event.pointerId);
      const { x, y, token } = pointed(event);
      const { heads } = view.currentInputs();
      if (y < TEXT) {
        held = "query";
        follow(token);
      } else {
        choose(view, between(Math.floor(((y - TEXT) / RIBBONS) * heads) + 1, 1, heads));
        held = x;
      }
    },
    onpointermove(event) {
      const { x, y, token } = pointed(event);
      event.currentTarget.style.cursor = y < TEXT || held === "query" ? "grab" : "ew-resize";
      if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
      if (typeof held === "number" && Math.abs(x - held) > 4) held = "mark";
      if (typeof held !== "number") follow(token);
    },
  };
}

/** Where the text begins and ends; it has a margin for what is before it. */
function endsOf({ width }) {
  const room = width - LEFT - RIGHT;
  return { start: LEFT + BEFORE * room, end: width - RIGHT, before: BEFORE * room };
}

function cellOf(view) {
  const { start, end } = endsOf(view);
  return (end - start) / TOKENS;
}

/** Tokens have the same width in the text; before it, they are the narrower the farther away. */
function toX(view, token) {
  const { start, before } = endsOf(view);
  const along = token + 0.5;
  return along >= 0 ? start + along * cellOf(view) : start - before * shareOf(-along);
}

/** The token at an x. */
function toToken(view, x) {
  const { start, before } = endsOf(view);
  if (x >= start) return Math.floor((x - start) / cellOf(view));
  return Math.floor(-NEAR * ((1 + FARTHEST / NEAR) ** ((start - x) / before) - 1));
}

/** How far out in the margin a distance from the text lies. */
function shareOf(distance) {
  return Math.log1p(distance / NEAR) / Math.log1p(FARTHEST / NEAR);
}

/** The middle of a head's ribbon. */
function laneOf(head, heads) {
  return TEXT + ((head + 0.5) * RIBBONS) / heads;
}

/** Where the model takes the query to be. */
function queryOf({ length, offset }) {
  return offset ? length - 1 : 0;
}

function render(view) {
  const { values, inputs, parts, colours } = view;
  const chosen = Math.min(inputs.head, inputs.heads) - 1;
  const legend = key(
    [colours.blue, "weight ÷ the largest"],
    [colours.orange, "1 % of the nearest"],
  );
  legend.append(h("span", {}, "Press a head; drag its mark, or q."));
  parts.legend.replaceChildren(legend);
  drawRibbons(view, chosen);
  if (view.answering && !inputs.reach) unroll(view); // a dragged mark is at its place
  drawCurves(view, chosen);
  drawMap(view, values.slopes.data[chosen]);
  view.say(said(view, chosen));
}

/** The text with its query, and below it each head's weights: the thicker, the more. */
function drawRibbons(view, chosen) {
  const { inputs, parts, width } = view;
  set(parts.ribbons, { width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}` });
  drawGround(view, chosen);
  drawQuery(view);
  // The first head is an example; where the others end is the question.
  const example = keep(parts.example, 1, newRibbon);
  const others = keep(parts.answer, inputs.heads - 1, newRibbon);
  [...example, ...others].forEach((ribbon, head) => {
    drawRibbon(view, ribbon, head, head === chosen);
  });
}

/** The ribbons roll backwards from the query, and take their marks along: the first head's ends
 *  first. */
function unroll(view) {
  const { inputs, parts } = view;
  const x = toX(view, queryOf(inputs));
  [...parts.answer.children].forEach((ribbon, n) => {
    const [shape, behind, ahead, distance] = ribbon.children;
    const duration = (REVEAL * (n + 2)) / inputs.heads;
    const y = laneOf(n + 1, inputs.heads);
    shape.style.transformOrigin = `${x}px 0`;
    arrive(shape, { transform: "scaleX(0)" }, duration);
    for (const mark of [behind, ahead])
      arrive(mark, { transform: `translate(${x}px, ${y}px)` }, duration);
    arrive(distance, { opacity: 0 }, duration);
  });
}

/** What the ribbons lie on: the text, the heads with their slopes, and the positions. */
function drawGround(view, chosen) {
  const { inputs, asking, values, parts, width, colours } = view;
  const { heads, length } = inputs;
  const lane = RIBBONS / heads;
  const { start, end, before } = endsOf(view);
  const isWide = before > 80;
  const stroke = colours.grid;
  const text = (x, y, content, attributes) =>
    s("text", { x, y, "font-size": 12, fill: colours.muted, ...attributes }, content);
  const nameOf = (head) => {
    const y = laneOf(head, heads) + 4;
    const look = head === chosen ? { fill: colours.ink, ...BOLD } : {};
    return [
      text(1, y, `${head + 1}`, look),
      text(LEFT - 14, y, inWords(values.slopes.data[head]), { ...END, ...look }),
    ];
  };
  parts.ground.replaceChildren(
    s("rect", {
      y: laneOf(chosen, heads) - lane / 2,
      width,
      height: lane,
      rx: 6,
      fill: colours.raised,
    }),
    text(1, 33, "head"),
    text(LEFT - 14, 33, "slope", END),
    text(start - 6, 33, isWide ? "before the text" : "before", END),
    text(width - 2, 33, "1\u00a0% after", END),
    ...range(0, TOKENS).map((token) =>
      s("rect", {
        x: toX(view, token - 0.5) + 0.5,
        y: 24,
        width: cellOf(view) - 1,
        height: 10,
        rx: Math.min(2, cellOf(view) / 4),
        fill: token < length ? colours.edge : colours.surface,
        stroke: token < length ? colours.edge : colours.grid,
      }),
    ),
    ...range(0, heads).flatMap((head) => {
      const y = laneOf(head, heads);
      return [
        s("path", { d: `M${LEFT} ${y}H${start}`, stroke, "stroke-dasharray": "2 4" }),
        s("path", { d: `M${start} ${y}H${end}`, stroke }),
        ...(isNamed(head, heads, chosen) ? nameOf(head) : []),
      ];
    }),
    asking && chosen
      ? text(width - 2, laneOf(chosen, heads) + 4, "?", { ...END, ...BOLD, fill: colours.orange })
      : "",
    s("path", { d: `M${start} 24V${TEXT + RIBBONS}`, stroke: colours.edge }),
    text(LEFT - 24, HEIGHT - 6, "position", END),
    ...(isWide ? [1000, 100] : [1000]).map((n) =>
      text(toX(view, -n), HEIGHT - 6, `−${show(n)}`, { ...MIDDLE, "data-pe-answer": true }),
    ),
    ...(isWide ? range(0, 7).map((n) => 10 * n) : [0, 20, 40, 60]).map((n) =>
      text(toX(view, n), HEIGHT - 6, `${n}`, MIDDLE),
    ),
  );
}

/** The query above the text, and a line down to the ribbons that trail behind it. */
function drawQuery(view) {
  const { inputs, parts, colours } = view;
  const x = toX(view, inputs.length - 1);
  const stroke = colours.ink;
  parts.query.replaceChildren(
    s("path", { d: `M${x} 26V${TEXT + RIBBONS}`, stroke, "stroke-width": 1.5 }),
    s("circle", { cx: x, cy: 14, r: 12, fill: colours.surface, stroke, "stroke-width": 2 }),
    s("text", { x, y: 18, fill: stroke, "font-size": 14, ...BOLD, ...MIDDLE }, "q"),
  );
}

/** A ribbon: an outline, a mark on either side of the query, and the distance of the marks. */
function newRibbon() {
  return s("g", {}, s("path"), s("g"), s("g"), s("text", { "font-size": 12, ...END }));
}

function drawRibbon(view, ribbon, head, isChosen) {
  const { inputs, values, width, colours } = view;
  const { heads, causal, offset } = inputs;
  const y = laneOf(head, heads);
  const far = values.one_percent.data[head];
  const [shape, behind, ahead, distance] = ribbon.children;
  const soft = `color-mix(in srgb, ${colours.blue} 45%, ${colours.surface})`;
  const fill = isChosen ? colours.blue : soft;
  set(shape, { d: outlineOf(view, head), fill, stroke: fill, "stroke-linejoin": "round" });
  drawMark(view, behind, y, -far, isChosen);
  drawMark(view, ahead, y, far, isChosen);
  if (!offset) behind.replaceChildren();
  if (causal) ahead.replaceChildren();
  const isRead = (offset || !causal) && (heads <= 16 || isChosen);
  set(distance, { x: width - 2, y: y + 4, fill: colours.orange, "font-weight": 400 });
  if (isChosen) set(distance, BOLD);
  distance.textContent = isRead ? tokens(far) : "";
}

/** A head's weights as an outline, always with as many corners: where nothing is seen, they lie at
 *  the end of what is. */
function outlineOf(view, head) {
  const { heads, causal } = view.inputs;
  const weights = rowsOf(view.values.weights)[head];
  const scale = (0.42 * RIBBONS) / heads / Math.max(...weights);
  const last = causal ? queryOf(view.inputs) : TOKENS - 1;
  const tokens = range(0, TOKENS).map((token) => Math.min(token, last));
  const corner = (side) => (token) => {
    const weight = weights[between(Math.round(token), 0, last)];
    const [x, y] = [toX(view, token), laneOf(head, heads) + side * scale * weight];
    return `${x.toFixed(1)},${y.toFixed(2)}`;
  };
  const along = [-0.5, ...tokens, last + 0.5];
  return `M${[...along.map(corner(-1)), ...along.toReversed().map(corner(1))].join("L")}Z`;
}

/** Where a head's weight has fallen to 1 %, that far from the query: a bar, or an arrow where it is
 *  outside the picture; with a handle, if the head is looked at. */
function drawMark(view, mark, y, far, isChosen) {
  const { inputs, colours } = view;
  const { end } = endsOf(view);
  const x = toX(view, queryOf(inputs) + far);
  const size = Math.min(9, (0.42 * RIBBONS) / inputs.heads);
  const stroke = colours.orange;
  const look = { stroke, "stroke-width": 2.5, fill: colours.surface };
  mark.style.transform = `translate(${between(x, LEFT, end).toFixed(1)}px, ${y}px)`;
  mark.replaceChildren(
    s("path", { d: x > end ? "M3,-4l4,4l-4,4" : `M0,${-size}V${size}`, ...look, fill: "none" }),
    isChosen ? s("circle", { r: Math.min(7, size), ...look }) : "",
  );
}

/** Of many heads every other one is named, and the one that is looked at. */
function isNamed(head, heads, chosen) {
  return heads <= 16 || head === chosen || (head % 2 === 0 && Math.abs(head - chosen) > 1);
}

const BOLD = { "font-weight": 650 };
const MIDDLE = { "text-anchor": "middle" };
const END = { "text-anchor": "end" };

/** How a weight falls with the distance, on the axis that RelativeBuckets has too. */
function drawCurves({ values, parts, colours, width }, chosen) {
  const chart = lineChart(parts.curves, {
    width,
    height: 185,
    ...AXIS.options,
    y: [-0.03, 1.04],
    yLabel: "weight / nearest",
    colours,
  });
  const distances = [...values.distances.data];
  const rows = rowsOf(values.fallen);
  const line = (row, colour, look) =>
    chart.line(
      distances.map((distance, n) => [AXIS.place(distance), row[n]]),
      colour,
      look,
    );
  chart.answer(() => {
    for (const row of rows) line(row, colours.edge, { "stroke-width": 1, opacity: 0.6 });
    line(rows[chosen], colours.blue, { "stroke-width": 2.5 });
    if (values.one_percent.data[chosen] < REACH)
      chart.rule(AXIS.place(values.one_percent.data[chosen]), colours.orange);
  });
  parts.names.replaceChildren(
    key([colours.blue, `head ${chosen + 1}`], [colours.edge, "all heads, by distance"]),
  );
}

/** What is added to the score of every pair of words. */
function drawMap({ values: { map }, inputs: { causal }, parts, colours: { scale } }, slope) {
  const ahead = causal ? "−∞ shuts a key out." : "Keys ahead cost as much as those behind.";
  parts.caption.textContent =
    `The bias of this head, slope ${inWords(slope)}: the word that looks down the side, the word ` +
    `looked at on top. ${ahead}`;
  const middle = (scale.length - 1) / 2;
  const cell = (bias) => {
    if (Number.isNaN(bias)) return h("td", {}, "−∞");
    const level = middle * (1 - 0.5 * Math.min(-bias / STRONGEST, 1));
    return h(
      "td",
      { style: `background: rgb(${scale[Math.round(level)].join(" ")})` },
      show(bias, slope < 0.05 ? 3 : 2),
    );
  };
  parts.table.replaceChildren(
    h("tr", {}, h("th"), ...WORDS.map((word) => h("th", {}, word))),
    ...rowsOf(map).map((row, n) => h("tr", {}, h("th", {}, WORDS[n]), ...[...row].map(cell))),
  );
}

/** A slope: 1/8, or 0.354 where it is not one over a whole number. */
function inWords(slope) {
  return Number.isInteger(1 / slope) ? `1/${1 / slope}` : show(slope, 3);
}

/** A distance that need not be whole: one decimal below 100. */
function tokens(distance) {
  return distance < 100 ? show(Number(distance.toFixed(1))) : show(Math.round(distance));
}

function said({ inputs: { length, reach, causal, offset }, values }, chosen) {
  const far = values.one_percent.data[chosen];
  const row = rowsOf(values.weights)[chosen];
  const head = `Head ${chosen + 1}, slope ${inWords(values.slopes.data[chosen])}${
    reach ? " instead of its own" : ""
  }: 1\u00a0% after ${tokens(far)} tokens.`;
  if (!offset) {
    const sees = causal ? "sees nothing but the first token" : "looks at the text's beginning";
    return `${head} But the query is taken for position 0: it ${sees}.`;
  }
  if (far <= length - 1)
    return `${head} ${percent(values.within.data[chosen])} of its weight lies within them.`;
  const share = `${show((100 * row[0]) / Math.max(...row), 3)}\u00a0%`;
  return (
    `${head} This text has fewer: its first token still gets ${share} of the nearest ` +
    "token's weight."
  );
}

export default figure({ compute, setup, render });
