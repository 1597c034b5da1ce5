// How far back a head looks with ALiBi: its weights on a text, and by distance.

import { WORDS } from "../../course/running_sentence.py";
import { matrix, range, rowsOf, stack, vector } from "../page/compute/arrays.js";
import { lineChart } from "../page/draw/chart.js";
import { distanceAxis } from "../page/draw/distance_axis.js";
import { blank, h, s } from "../page/draw/elements.js";
import { key } from "../page/draw/legends.js";
import { arrive } from "../page/draw/motion.js";
import { between, percent, show } from "../page/draw/numbers.js";
import { steppable } from "../page/draw/reading.js";
import { figure } from "../page/shell/figure.js";
import { FARTHEST, TOKENS } from "./alibi_bias.py";
import { REACH } from "./relative_buckets.py";

const AXIS = distanceAxis(REACH);
const STRONGEST = 3; // the penalty from which on cells of the map look alike
const [LEFT, RIGHT] = [78, 12]; // px beside the text: the heads' names, and a little room
const TEXT = 40; // px: the height of the text above the ribbons
const RIBBONS = 264; // px for all heads together

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
  const ribbons = s("svg", { "aria-hidden": "true" });
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
  return { ribbons, legend, curves, names, table, caption };
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
    const token = Math.floor((clientX - left - LEFT) / cellOf(view));
    return { x: clientX - left, y: clientY - top, token };
  };
  const follow = (token) => {
    const { length, offset } = view.currentInputs();
    if (held === "query") view.set({ length: between(token + 1, 1, TOKENS) });
    else {
      const away = Math.abs((offset ? length - 1 : 0) - token);
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

function cellOf({ width }) {
  return (width - LEFT - RIGHT) / TOKENS;
}

function render(view) {
  const { values, inputs, parts, colours } = view;
  const chosen = Math.min(inputs.head, inputs.heads) - 1;
  parts.legend.replaceChildren(
    key([colours.blue, "weight on a token"], [colours.orange, "1 % of the nearest weight"]),
  );
  drawRibbons(view, chosen);
  drawCurves(view, chosen);
  drawMap(view, values.slopes.data[chosen]);
  view.say(said(view, chosen));
}

/** The text with its query, and below it each head's weights: the thicker, the more. */
function drawRibbons(view, chosen) {
  const { inputs, values, parts, width, colours } = view;
  const { ribbons } = parts;
  const { heads, length, causal, offset } = inputs;
  const cell = cellOf(view);
  const lane = RIBBONS / heads;
  const query = offset ? length - 1 : 0;
  const toX = (token) => LEFT + (token + 0.5) * cell;
  const text = (x, y, content, attributes) =>
    s("text", { x, y, "font-size": 12, fill: colours.muted, ...attributes }, content);
  const bold = { fill: colours.ink, "font-weight": 650 };
  blank(ribbons, width, TEXT + RIBBONS + 20);
  // The first head is an example; where the others end is the question.
  const [example, answer] = [s("g"), s("g", { "data-pe-answer": true })];
  const weights = s("g", {}, example, answer);
  const isNamed = (head) =>
    heads <= 16 || head === chosen || (head % 2 === 0 && Math.abs(head - chosen) > 1);
  ribbons.append(
    text(LEFT - 8, 33, "head, slope", { "text-anchor": "end" }),
    ...range(0, TOKENS).map((token) =>
      s("rect", {
        x: LEFT + token * cell + 0.5,
        y: 24,
        width: cell - 1,
        height: 10,
        rx: Math.min(2, cell / 4),
        fill: token < length ? colours.edge : colours.surface,
        stroke: token < length ? colours.edge : colours.grid,
      }),
    ),
    s("line", {
      x1: toX(length - 1),
      x2: toX(length - 1),
      y1: 20,
      y2: TEXT + RIBBONS,
      stroke: colours.ink,
      "stroke-dasharray": "3 3",
    }),
    ...range(0, heads).flatMap((head) => {
      const y = TEXT + (head + 0.5) * lane;
      const look = head === chosen ? bold : {};
      return [
        head === chosen
          ? s("rect", {
              y: y - lane / 2,
              width,
              height: lane,
              rx: 6,
              fill: colours.raised,
            })
          : "",
        ...(isNamed(head)
          ? [
              text(4, y + 4, `${head + 1}`, look),
              text(LEFT - 8, y + 4, inWords(values.slopes.data[head]), {
                "text-anchor": "end",
                ...look,
              }),
            ]
          : []),
        s("line", { x1: LEFT, x2: width - RIGHT, y1: y, y2: y, stroke: colours.grid }),
      ];
    }),
    weights,
    ...range(0, 7).map((n) => text(toX(10 * n), TEXT + RIBBONS + 14, `${10 * n}`, MIDDLE)),
    s("circle", { cx: toX(length - 1), cy: 14, r: 12, fill: colours.surface, ...OUTLINE(colours) }),
    text(toX(length - 1), 18, "q", { ...bold, "font-size": 14, ...MIDDLE }),
  );
  rowsOf(values.weights).forEach((row, head) => {
    const y = TEXT + (head + 0.5) * lane;
    const most = Math.max(...row);
    const half = row.map((weight) => (0.42 * lane * weight) / most);
    const along = range(0, causal ? query + 1 : TOKENS);
    const outline = (side) =>
      [along[0] - 0.5, ...along, along.at(-1) + 0.5].map((place) => {
        const token = between(Math.round(place), along[0], along.at(-1));
        return `${toX(place).toFixed(1)},${(y + side * half[token]).toFixed(2)}`;
      });
    const group = head ? answer : example;
    group.append(
      s("polygon", {
        points: [...outline(-1), ...outline(1).reverse()].join(" "),
        fill: colours.blue,
        stroke: colours.blue,
        "stroke-linejoin": "round",
        opacity: head === chosen ? 1 : 0.5,
      }),
      offset ? mark(head, y, -1) : "",
    );
    if (!causal) group.append(mark(head, y, 1));
  });
  const before = parts.drawn ?? inputs;
  const from = before.offset ? before.length - 1 : 0;
  if (offset !== before.offset)
    arrive(weights, { transform: `translateX(${(from - query) * cell}px)` });
  else if (causal !== before.causal || heads !== before.heads) arrive(weights, { opacity: 0 });
  parts.drawn = inputs;

  /** Where a head's weight has fallen to 1 %: its bar and distance, or an arrow to it. */
  function mark(head, y, side) {
    const far = values.one_percent.data[head];
    const x = toX(query + side * far);
    const named = heads <= 16 || head === chosen;
    const outside = x < LEFT || x > width - RIGHT;
    const stroke = colours.orange;
    const size = Math.min(9, 0.42 * lane);
    const look = { fill: stroke, stroke: colours.surface, "stroke-width": 5, ...HALO };
    const weight = head === chosen ? 650 : 400;
    if (outside) {
      const edge = side < 0 ? LEFT + 2 : width - RIGHT - 2;
      return s(
        "g",
        {},
        s("path", {
          d: `M${edge + 6 * -side},${y - 4}l${6 * side},4l${-6 * side},4`,
          ...NO,
          stroke,
        }),
        named
          ? text(edge - 11 * side, y + 4, tokens(far), {
              "text-anchor": side < 0 ? "start" : "end",
              "font-weight": weight,
              ...look,
            })
          : "",
      );
    }
    return s(
      "g",
      {},
      s("line", { x1: x, x2: x, y1: y - size, y2: y + size, stroke, "stroke-width": 3 }),
      head === chosen
        ? s("circle", {
            cx: x,
            cy: y,
            r: Math.min(7, size),
            fill: colours.surface,
            stroke,
            ...THICK,
          })
        : "",
      named
        ? text(x + 12 * side, y + 4, tokens(far), {
            "text-anchor": side < 0 ? "end" : "start",
            "font-weight": weight,
            ...look,
          })
        : "",
    );
  }
}

const MIDDLE = { "text-anchor": "middle" };
const HALO = { "paint-order": "stroke" };
const THICK = { "stroke-width": 2.5 };
const NO = { fill: "none", ...THICK };
const OUTLINE = ({ ink }) => ({ stroke: ink, "stroke-width": 2 });

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
