// The worked query and key, turned by their positions: the angles between hands, and the score.

import { KEY, QUERY } from "../../course/five_tokens.py";
import { range, rowsOf, stack, vector } from "../page/compute/arrays.js";
import { inverseFrequencies, turn } from "../page/compute/encodings.js";
import { dot } from "../page/compute/linear_algebra.js";
import { lineChart } from "../page/draw/chart.js";
import { blank, h, s } from "../page/draw/elements.js";
import { handsDial, inDegrees } from "../page/draw/hands.js";
import { travel } from "../page/draw/motion.js";
import { between, show } from "../page/draw/numbers.js";
import { steppable } from "../page/draw/reading.js";
import { figure } from "../page/shell/figure.js";
import { DIM, FARTHEST, FINE, LAST } from "./rotary_by_hand.py";

const PERMUTED = [0, 2, 4, 1, 3, 5]; // from interleaved to half-split
// No turn makes the score larger than |q| |k|.
const BOUND = Math.sqrt(dot(QUERY, QUERY) * dot(KEY, KEY));
const [Q, BOTH, K] = [0, 1, 2]; // the track's lanes, from the top
const TRACK =
  "The text and the two tokens. Up and down arrow keys choose the query, both, or the key; " +
  "left and right move it.";
const CELLS = 25; // positions in view
const LANE = 29;
const EDGE = 14; // px: a lane's height, and what is free at both ends of the text
const HALF = 25; // px: half as wide as "both"

export function compute({ position, offset, pairs, theta }) {
  const before = [QUERY, KEY].map((row) =>
    pairs === "permuted" ? PERMUTED.map((n) => row[n]) : row,
  );
  const frequencies = inverseFrequencies(DIM, theta).data;
  const turned = (row, p) => {
    const after = new Float64Array(DIM);
    pairsOf(pairs).forEach(([a, b], pair) => {
      [after[a], after[b]] = turn([row[a], row[b]], p * frequencies[pair]);
    });
    return after;
  };
  const q = turned(before[0], position);
  const k = turned(before[1], position + offset);
  const parts = pairsOf(pairs).map(([a, b]) => q[a] * k[a] + q[b] * k[b]);
  const angles = pairsOf(pairs).map(([a, b], pair) =>
    Math.atan2(Math.abs(q[a] * k[b] - q[b] * k[a]), parts[pair]),
  );
  const curve = range(-FARTHEST * FINE, FARTHEST * FINE + 1).map((n) =>
    dot(turned(before[1], position + n / FINE), q),
  );
  return {
    before: stack(before),
    after: stack([q, k]),
    angles: vector(angles),
    parts: vector(parts),
    score: parts[0] + parts[1] + parts[2],
    curve: vector(curve),
    frequencies: vector(frequencies),
  };
}

/** The places of each pair's two features. */
function pairsOf(pairs) {
  return pairs === "interleaved"
    ? [
        [0, 1],
        [2, 3],
        [4, 5],
      ]
    : [
        [0, 3],
        [1, 4],
        [2, 5],
      ];
}

/** In each pair the hands of q and k. */
function handsOf(rows, pairs) {
  return pairsOf(pairs).map(([a, b]) => rowsOf(rows).map((row) => [row[a], row[b]]));
}

function setup(view) {
  view.state = { held: BOTH, from: 0 };
  const track = h("div", {
    class: "pe-track",
    ...steppable(TRACK, (right, down) => {
      view.parts.arrive();
      if (down) view.read({ held: between(view.state.held + down, Q, K) });
      else go(view, moved(view, view.currentInputs(), right));
    }),
    ...draggable(view),
  });
  const [dials, score, curve, detail, parts, table] = [
    h("div", { class: "pe-hands" }),
    h("p", { class: "pe-score" }),
    s("svg", { "aria-hidden": "true" }),
    h("p", { class: "pe-note" }),
    h("div"),
    h("div"),
  ];
  view.stage.append(
    h(
      "div",
      { "data-pe-main": true },
      track,
      h(
        "div",
        { class: "pe-hands-and-score" },
        dials,
        h("div", {}, score, h("div", { class: "pe-slide", ...slidable(view) }, curve)),
      ),
    ),
  );
  view.below.append(
    detail,
    parts,
    table,
    h(
      "p",
      { class: "pe-note" },
      "Drag “both”, q or k along the text, or the dot along its curve. A hand points to (a, b), " +
        "the two features of its pair: a to the right, b upwards. Dotted is the hand before it " +
        "is rotated. Positions rotate it counter-clockwise; the clocks of chapter 02 ran " +
        "clockwise.",
    ),
  );
  return { track, dials, score, curve, detail, parts, table, arrive() {} };
}

const exact = (value) => Number(value.toFixed(2));

/** Where the tokens are once what is held has moved: the query alone, both, or the key alone. */
function moved({ state: { held } }, { position: m, offset }, by) {
  const n = m + offset;
  if (held === K) {
    return { position: m, offset: exact(between(offset + by, -FARTHEST, FARTHEST)) };
  }
  const [low, high] =
    held === BOTH ? [0, LAST] : [Math.max(0, n - FARTHEST), Math.min(LAST, n + FARTHEST)];
  const position = exact(between(m + by, low, high));
  return { position, offset: held === BOTH ? offset : exact(n - position) };
}

/** Let the tokens travel, and all that they turn, through every place on their way; until something
 *  else moves them. */
function go(view, to) {
  const from = view.currentInputs();
  let [position, offset] = [from.position, from.offset];
  const at = (name, share) => exact(from[name] + share * (to[name] - from[name]));
  view.parts.arrive = travel((share) => {
    const now = view.currentInputs();
    if (now.position !== position || now.offset !== offset) return;
    [position, offset] = [at("position", share), at("offset", share)];
    view.set({ position, offset });
  });
}

/** A lane of the track is dragged; let go, a token stands at a whole position. A click moves it
 *  there. */
function draggable(view) {
  let grab;
  const place = ({ position: m, offset }) => [m, m + offset / 2, m + offset][view.state.held];
  const pointed = (event) => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    return {
      x: event.clientX - left,
      lane: between(Math.floor((event.clientY - top) / LANE), Q, K),
    };
  };
  return {
    onpointerdown(event) {
      const { x, lane } = pointed(event);
      view.parts.arrive();
      view.read({ held: lane });
      grab = { x, inputs: view.currentInputs() };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onpointermove(event) {
      if (!grab) return;
      const by = (pointed(event).x - grab.x) / view.parts.cell;
      if (!grab.to && Math.abs(by) <= 0.2) return;
      grab.to = moved(view, grab.inputs, Number(by.toFixed(1)));
      view.set(grab.to);
    },
    onpointerup(event) {
      if (!grab || grab.to) return;
      const clicked = Math.floor(view.state.from + (pointed(event).x - EDGE) / view.parts.cell);
      grab.to = moved(view, grab.inputs, clicked - Math.round(place(grab.inputs)));
    },
    onlostpointercapture() {
      const to = grab?.to; // none where a swipe only scrolled
      grab = null;
      if (!to) return;
      const p = view.state.held === K ? to.position + to.offset : to.position;
      go(view, moved(view, to, Math.round(p) - p));
    },
  };
}

/** The dot on the curve of scores is dragged: the key moves, and stops at a whole offset. */
function slidable(view) {
  let held = false;
  const pointed = (event) => {
    const { left } = event.currentTarget.getBoundingClientRect();
    return between(view.parts.chart.fromX(event.clientX - left), -FARTHEST, FARTHEST);
  };
  const stop = (offset) => go(view, { ...view.currentInputs(), offset: Math.round(offset) });
  return {
    onpointerdown(event) {
      view.parts.arrive();
      event.currentTarget.setPointerCapture(event.pointerId);
      held = true;
    },
    onpointermove(event) {
      if (held) view.set({ offset: Number(pointed(event).toFixed(1)) });
    },
    onpointerup: (event) => stop(pointed(event)),
    onpointercancel: () => stop(view.currentInputs().offset),
    onlostpointercapture() {
      held = false;
    },
  };
}

function render(view) {
  const {
    inputs: { pairs },
    values,
    parts,
    colours,
  } = view;
  drawTrack(view);
  const name = pairs === "permuted" ? (n) => PERMUTED[n] : (n) => n;
  const [before, after] = [values.before, values.after].map((rows) => handsOf(rows, pairs));
  const longest = 1.12 * Math.max(...before.flat().map((tip) => Math.hypot(...tip)));
  const size = Math.min(Math.floor((parts.dials.clientWidth - 16) / 3), 150);
  const was = parts.drawn?.pairs === pairs ? undefined : parts.drawn?.after;
  parts.drawn = { pairs, after };
  parts.dials.replaceChildren(
    ...pairsOf(pairs).map(([a, b], pair) =>
      h(
        "div",
        {},
        handsDial(colours, size, longest, after[pair], before[pair], was?.[pair]),
        h("b", {}, `pair ${pair} (${name(a)}, ${name(b)})`),
        h(
          "span",
          { style: `color: ${colours.purple}` },
          `${inDegrees(values.angles.data[pair]).toFixed(1)}° apart`,
        ),
      ),
    ),
  );
  parts.score.replaceChildren("score q′ · k′ = ", h("b", {}, decimal(values.score, 4)));
  parts.detail.textContent = detail(view, name);
  showParts(view);
  drawCurve(view);
  showTable(view, name);
  view.say(inWords(view));
}

/** The text, the two tokens, and a bar that moves both. */
function drawTrack(view) {
  const {
    inputs: { position: m, offset },
    state,
    parts,
    colours,
    width,
  } = view;
  const n = m + offset;
  state.from = between(
    state.from,
    Math.ceil(Math.max(m, n)) - CELLS + 1,
    Math.floor(Math.min(m, n)),
  );
  const cell = (width - 2 * EDGE) / CELLS;
  const tape = 3 * LANE + 4;
  parts.cell = cell;
  const toX = (p) => EDGE + (p - state.from + 0.5) * cell;
  const middle = (lane) => (lane + 0.5) * LANE;
  const text = (x, y, size, content, fill = colours.ink) =>
    s("text", { x, y, "text-anchor": "middle", "font-size": size, fill }, content);
  const chevron = (x, way) => `m${x},-4l${way},4l${-way},4m${-x},-4`;
  const pill = (lane, p, half, content, stroke) => {
    const arm = half + 9; // with its chevron, which stays in view
    const x = between(toX(p), arm, width - arm);
    return [
      s("path", {
        d: `M0,${middle(lane)}${chevron(x - half - 4, -4)}${chevron(x + half + 4, 4)}`,
        fill: "none",
        stroke,
        "stroke-width": 2,
      }),
      s("rect", {
        x: x - half,
        y: middle(lane) - 13,
        width: 2 * half,
        height: 26,
        rx: 13,
        stroke,
        fill: lane === state.held ? colours.raised : colours.surface,
        "stroke-width": lane === state.held ? 3.5 : 2,
      }),
      text(x, middle(lane) + 5, 15, content),
    ];
  };
  const stem = (p, lane, stroke) =>
    s("line", { x1: toX(p), x2: toX(p), y1: middle(lane), y2: tape, stroke, "stroke-width": 2 });
  const bar = (x1, x2, stroke) =>
    s("line", { x1, x2, y1: middle(BOTH), y2: middle(BOTH), stroke, "stroke-width": 6 });
  const centre = toX(m + offset / 2);
  const svg = s("svg", { "aria-hidden": "true" });
  blank(svg, width, tape + 38);
  svg.append(
    ...range(state.from, state.from + CELLS)
      .flatMap((p) => [
        s("rect", {
          x: toX(p) - cell / 2 + 1,
          y: tape,
          width: cell - 2,
          height: 16,
          rx: 2,
          fill: p < 0 ? colours.surface : colours.raised,
          stroke: colours.grid,
        }),
        p % (cell > 24 ? 1 : 5) ? null : text(toX(p), tape + 32, 12, show(p), colours.muted),
      ])
      .filter(Boolean),
    bar(toX(m), toX(n), colours.edge),
    bar(centre - HALF - 12, centre + HALF + 12, colours.surface), // where the chevrons are
    stem(m, Q, colours.blue),
    stem(n, K, colours.orange),
    ...pill(Q, m, 13, "q", colours.blue),
    ...pill(BOTH, m + offset / 2, HALF, "both", colours.edge),
    ...pill(K, n, 13, "k", colours.orange),
  );
  parts.track.replaceChildren(svg);
  parts.track.setAttribute(
    "aria-label",
    `${TRACK} Now ${["the query", "both", "the key"][state.held]}.`,
  );
}

function decimal(value, places) {
  return (Number(value.toFixed(places)) || 0).toFixed(places).replace("-", "−");
}

/** Each pair's part as a bar to the left or right of 0, in the range that its hands allow. */
function showParts({
  inputs: { pairs },
  values: { before, parts, score },
  parts: { parts: holder },
}) {
  const most = handsOf(before, pairs).map(([q, k]) => Math.hypot(...q) * Math.hypot(...k));
  const piece = (name, from, to) =>
    h("i", {
      class: name,
      style: `left: ${50 + (50 * from) / BOUND}%; width: ${(50 * (to - from)) / BOUND}%`,
    });
  const bar = (value, limit) =>
    h(
      "i",
      { class: "pe-signed" },
      piece("pe-range", -limit, limit),
      piece("pe-part", Math.min(value, 0), Math.max(value, 0)),
    );
  const row = (name, value, limit) => [
    h("span", {}, name),
    bar(value, limit),
    h("b", {}, decimal(value, 4)),
  ];
  holder.replaceChildren(
    h(
      "div",
      { class: "pe-bars" },
      ...[...parts.data].flatMap((part, pair) => row(`pair ${pair}`, part, most[pair])),
      ...row("sum", score, most[0] + most[1] + most[2]),
    ),
    h(
      "p",
      { class: "pe-note" },
      "Grey: what the hands' lengths allow. Where in it, the angle decides.",
    ),
  );
}

function drawCurve({ inputs: { offset }, values: { curve, score }, parts, colours }) {
  const low = Math.min(Math.floor(2 * Math.min(...curve.data)) / 2, -0.5);
  const high = Math.max(Math.ceil(2 * Math.max(...curve.data)) / 2, 0.5);
  const chart = lineChart(parts.curve, {
    width: parts.curve.parentElement.clientWidth,
    height: 150,
    x: [-FARTHEST, FARTHEST],
    y: [low, high],
    yTicks: [low, 0, high],
    xLabel: "offset n − m",
    yLabel: "score",
    colours,
  });
  parts.chart = chart;
  const points = Array.from(curve.data, (value, n) => [n / FINE - FARTHEST, value]);
  chart.answer(() => {
    chart.line(points, colours.edge);
    for (const [x, y] of points.filter((_, n) => n % FINE === 0)) chart.dot(x, y, colours.muted, 3);
  });
  chart.rule(offset, colours.purple);
  chart.dot(offset, score, colours.purple, 7);
}

/** All six features before and after, in the order in which they are stored; arcs join pairs. */
function showTable({ inputs: { pairs }, values: { before, after }, parts, colours, width }, name) {
  const places = width < 420 ? 2 : 4;
  const arc = ([a, b]) =>
    s("path", {
      d: `M${a + 0.5},1C${a + 0.5},-0.2 ${b + 0.5},-0.2 ${b + 0.5},1`,
      fill: "none",
      stroke: colours.purple,
      "stroke-width": 2,
      "vector-effect": "non-scaling-stroke",
    });
  const row = (title, numbers, shape) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, title),
      ...Array.from(numbers, (value) => h("td", {}, shape(value))),
    );
  const [[q, k], [qTurned, kTurned]] = [before, after].map(rowsOf);
  const rounded = (value) => decimal(value, places);
  parts.table.replaceChildren(
    h(
      "table",
      { class: "pe-table pe-features" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("td"),
          h(
            "td",
            { colspan: DIM },
            s(
              "svg",
              { viewBox: "0 0 6 1", preserveAspectRatio: "none", "aria-hidden": "true" },
              ...pairsOf(pairs).map(arc),
            ),
          ),
        ),
        h(
          "tr",
          {},
          h("th", { scope: "row" }, "feature"),
          ...range(0, DIM).map((n) => h("th", { scope: "col" }, name(n))),
        ),
      ),
      h(
        "tbody",
        {},
        row("q", q, show),
        row("q′", qTurned, rounded),
        row("k", k, show),
        row("k′", kTurned, rounded),
        row(
          "q′ k′",
          qTurned.map((value, n) => value * kTurned[n]),
          rounded,
        ),
      ),
    ),
  );
}

function inWords({ inputs: { position: m, offset }, values: { score } }) {
  return (
    `q is at position ${show(m)}, k at ${show(m + offset)}: offset ${show(offset)}. This offset ` +
    `has the same angles, and so the score ${decimal(score, 4)}, anywhere in the text.`
  );
}

/** Which pair counts most, and which features are pairs. */
function detail(
  { inputs: { position: m, offset, pairs }, values: { parts, angles, frequencies } },
  name,
) {
  const sizes = [...parts.data].map(Math.abs);
  const pair = sizes.indexOf(Math.max(...sizes));
  const [a, b] = pairsOf(pairs)[pair].map(name);
  const speeds = [...frequencies.data].map((speed) => `${show(inDegrees(speed), 3)}°`);
  return (
    `Per token the three pairs rotate by ${speeds.join(", ")}. Pair ${pair} (features ${a} and ` +
    `${b}) counts most: ${inDegrees(angles.data[pair]).toFixed(1)}° between its hands give ` +
    `${decimal(parts.data[pair], 4)}. ` +
    {
      "half-split": "Half-split: features three apart are a pair.",
      interleaved: "Interleaved: neighbours are a pair.",
      permuted:
        "Permuted: half-split code gets q and k in its own order, so neighbours are a pair " +
        "again, and the score is the interleaved one.",
    }[pairs] +
    (m + offset < 0 ? " Below position 0 a hand rotates clockwise." : "")
  );
}

export default figure({ compute, setup, render });
