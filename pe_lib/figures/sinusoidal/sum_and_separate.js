// Words plus positions as clouds of points, and the positions taken out again.

import { range, rowsOf, stack, vector } from "../page/compute/arrays.js";
import { sinusoidalEncoding } from "../page/compute/encodings.js";
import { fixedUniform } from "../page/compute/fixed_random.js";
import { dot, eigen, inner } from "../page/compute/linear_algebra.js";
import { remembering } from "../page/compute/remembering.js";
import { lineChart } from "../page/draw/chart.js";
import { button, h, s, set } from "../page/draw/elements.js";
import { bars, key } from "../page/draw/legends.js";
import { between, percent, show } from "../page/draw/numbers.js";
import { steppable } from "../page/draw/reading.js";
import { figure } from "../page/shell/figure.js";
import {
  DRAWN,
  FIRST,
  HIGHEST_SCALE,
  NEGLIGIBLE,
  SENTENCE,
  VOCABULARY,
} from "./sum_and_separate.py";

const AXIS = VOCABULARY;
const POSITION = VOCABULARY + 2; // where axes and positions stand after the words
const TITLE = 20; // px: the sum that is read, above the cloud

/** What neither scale nor removed changes: the inner products of words, axes of the picture and
 *  positions, and their coordinates along the directions that the positions fill. */
const geometry = remembering((dim, theta, length) => {
  const words = range(FIRST, FIRST + VOCABULARY).map((word) =>
    Float64Array.from(
      { length: dim },
      (_, n) => fixedUniform(1024 * word + n) * Math.sqrt(3 / dim),
    ),
  );
  const vectors = stack([
    ...words,
    ...drawingPlane(words),
    ...rowsOf(sinusoidalEncoding(range(0, length), dim, theta)),
  ]);
  const products = rowsOf(inner(vectors, vectors));
  const withPositions = products.map((row) => row.slice(POSITION));
  const found = eigen(stack(withPositions.slice(POSITION)), NEGLIGIBLE ** 2);
  const along = rowsOf(
    inner(
      stack(withPositions),
      stack(found.map(({ value, vector }) => vector.map((x) => x / Math.sqrt(value)))),
    ),
  );
  return { products, along, energies: found.map(({ value }) => value) };
});

export function compute({ dim, theta, length, scale, removed }) {
  const { products, along, energies } = geometry(dim, theta, length);
  const directions = energies.length;
  const out = Math.min(removed, directions);
  const taken = along.map((row) => row.subarray(0, out));
  // Where all directions are out, what is left of the positions is next to nothing.
  const gone = (n) => out === dim || (out === directions && n >= POSITION);
  const factor = (i, j) => (i < VOCABULARY ? scale : 1) * (j < VOCABULARY ? scale : 1);
  const before = products.map((row, i) => row.map((product, j) => factor(i, j) * product));
  const after = products.map((row, i) =>
    row.map((product, j) =>
      gone(i) || gone(j) ? 0 : factor(i, j) * (product - dot(taken[i], taken[j])),
    ),
  );

  // The nearest y to x has the largest x.y - y.y/2.
  const nearest = (w, p, start, end) => {
    let best = start;
    let worst = start;
    const score = (n) => after[w][n] + after[p][n] - after[n][n] / 2;
    for (let n = start; n < end; n++) {
      if (score(n) > score(best)) best = n;
      if (score(n) < score(worst)) worst = n;
    }
    return best === worst ? -1 : best - start;
  };
  const everyNearest = (start, end) =>
    range(0, VOCABULARY).map((w) =>
      range(POSITION, POSITION + length).map((p) => nearest(w, p, start, end)),
    );
  const nearestWord = everyNearest(0, VOCABULARY);
  const nearestPosition = everyNearest(POSITION, POSITION + length);
  const points = (products, start, count) =>
    stack(products.slice(start, start + count).map((row) => row.slice(AXIS, POSITION)));
  let energy = 0;
  const energiesSoFar = range(0, length).map((n) => {
    energy += energies[n] ?? 0;
    return energy / ((length * dim) / 2);
  });
  return {
    words: points(before, 0, DRAWN),
    positions: points(before, POSITION, length),
    words_left: points(after, 0, VOCABULARY),
    positions_left: points(after, POSITION, length),
    nearest_word: stack(nearestWord.slice(0, DRAWN)),
    nearest_position: stack(nearestPosition.slice(0, DRAWN)),
    energy: vector(energiesSoFar),
    directions,
    word_found: mean(nearestWord.flatMap((row, w) => row.map((found) => found === w))),
    position_found: mean(nearestPosition.flatMap((row) => row.map((found, p) => found === p))),
    word_kept: mean(
      range(0, VOCABULARY).map((w) => Math.sqrt(Math.max(after[w][w], 0) / before[w][w])),
    ),
  };
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Two orthonormal axes among the drawn words that show them as a pentagon (Gram-Schmidt). */
function drawingPlane(words) {
  const mixed = (wave) =>
    words[0].map((_, n) =>
      SENTENCE.reduce(
        (sum, _, word) => sum + wave((2 * Math.PI * word) / SENTENCE.length) * words[word][n],
        0,
      ),
    );
  const unit = (a) => a.map((x) => x / Math.sqrt(dot(a, a)));
  const across = unit(mixed(Math.sin));
  const up = mixed(Math.cos);
  const shared = dot(up, across);
  return [across, unit(up.map((x, n) => x - shared * across[n]))];
}

function setup(view) {
  view.state = { word: 1, position: 9 };
  const [ground, dots, rings] = [s("g"), s("g"), s("g")];
  const threads = s("g", { "data-pe-answer": true });
  const svg = s("svg", { "aria-hidden": "true" }, ground, threads, dots, rings);
  let held; // the word that is dragged, and how far its middle is from the pointer, outwards
  const place = (event) => {
    const box = svg.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const outwards = (event) => {
    const [x, y] = place(event);
    return Math.hypot(x - view.parts.frame.middle[0], y - view.parts.frame.middle[1]);
  };
  const drop = () => {
    held = undefined;
    svg.classList.remove("pe-held");
  };
  const read = (event, points) => {
    const [x, y] = place(event);
    const far = points.map((point) => Math.hypot(point.x - x, point.y - y));
    const { word, position } = points[far.indexOf(Math.min(...far))];
    view.read({ word, position });
  };
  const cloud = h(
    "div",
    {
      class: "pe-plot pe-drawn",
      ...steppable(
        "Cloud of points. Left and right arrow keys change the position that is read, up and " +
          "down the word.",
        (right, down) =>
          view.read({
            word: (view.state.word + down + DRAWN) % DRAWN,
            position: Math.max(view.state.position + right, 0),
          }),
      ),
      onpointerdown: (event) => {
        const ring = event.target.closest("[data-word]");
        if (!ring) return read(event, view.parts.points.filter(isDrawn(view)));
        const word = Number(ring.dataset.word);
        view.read({ word });
        held = { word, off: view.parts.frame.reach(word) - outwards(event) };
        cloud.setPointerCapture(event.pointerId);
        svg.classList.add("pe-held"); // what follows a hand does not travel
      },
      onpointermove: (event) => {
        if (!held) return read(event, view.parts.points.filter(isLookedAt(view)));
        view.set({ scale: view.parts.frame.scaleAt(held.word, outwards(event) + held.off) });
      },
      onpointerup: drop,
      onpointercancel: drop,
    },
    svg,
  );
  const number = h("span", { "data-pe-answer": true });
  const sums = h("span");
  const [shares, legend] = [h("div"), h("div", { "data-pe-answer": true })];
  const note = h("p", { class: "pe-note", "data-pe-answer": true });
  const chart = s("svg", {
    role: "img",
    "aria-label": "Share of the position table held by its strongest directions",
  });
  const colours = h("div");
  view.stage.append(
    h(
      "div",
      { class: "pe-cloud", "data-pe-main": true },
      cloud,
      h(
        "div",
        {},
        h("p", { class: "pe-number" }, h("b", {}, number), sums),
        h("p", { class: "pe-note" }, "Choose a word, or drag it outwards."),
        colours,
      ),
    ),
    h(
      "div",
      { class: "pe-buttons" },
      button("Scale √dim", () =>
        view.set({ scale: Number(Math.sqrt(view.inputs.dim).toPrecision(4)) }),
      ),
      button("Remove all positions", () => view.set({ removed: view.values.directions })),
    ),
  );
  view.below.append(
    h("div", { class: "pe-two" }, h("div", {}, shares, note), h("div", {}, chart, legend)),
  );
  return {
    svg,
    ground,
    threads,
    dots,
    rings,
    turns: [],
    number,
    sums,
    colours,
    shares,
    chart,
    legend,
    note,
  };
}

function render(view) {
  const {
    state,
    inputs: { length },
    values,
    parts,
    colours,
  } = view;
  state.position = Math.min(state.position, length - 1);
  drawCloud(view);
  parts.number.textContent = percent(values.word_found);
  parts.sums.textContent = `of ${show(VOCABULARY * length)} sums find their word`;
  parts.colours.replaceChildren(
    view.asking
      ? key(
          [colours.ink, `“${SENTENCE[state.word]}” + each position`],
          [colours.edge, "words it may be taken for"],
        )
      : key(
          [colours.blue, "finds its word"],
          [colours.error, "taken for another"],
          [colours.edge, "other sums"],
          [colours.muted, `the other ${VOCABULARY - DRAWN} words`],
        ),
  );
  parts.shares.replaceChildren(
    bars(["right position", values.position_found], ["word length kept", values.word_kept]),
  );
  drawEnergy(view);
  view.say(inWords(view));
}

/** How the plane is seen: the nearer, the shorter the words are, so that a word lies farther out on
 *  the screen the larger the scale is, and a cloud is always seen whole. */
function frameOf({ root, inputs: { scale }, values, parts }) {
  const width = Math.min(parts.svg.parentElement.clientWidth, 400);
  const height = Math.min(width, root.classList.contains("pe-wide") ? 308 : 250);
  const words = rowsOf(values.words).map((word) => word.map((x) => x / scale));
  const sums = words.flatMap((word) =>
    rowsOf(values.positions).map((p) => [word[0] + p[0], word[1] + p[1]]),
  );
  const most = (axis, points) => Math.max(...points.map((point) => Math.abs(point[axis])));
  const room = [width / 2 - 8, (height - TITLE) / 2 - 8];
  const near = Math.min(...room.map((room, axis) => room / most(axis, sums)));
  const far = Math.min(...room.map((room, axis) => (0.8 * room) / most(axis, words)));
  const span = Math.log(HIGHEST_SCALE);
  const lengthAt = (scale) => near + ((far - near) * Math.log(scale)) / span; // of a unscaled 1
  const middle = [width / 2, (height + TITLE) / 2];
  const unit = lengthAt(scale) / scale;
  const sizes = rowsOf(values.words_left).map((word) => Math.hypot(...word) / scale);
  return {
    width,
    height,
    middle,
    at: ([x, y]) => [middle[0] + unit * x, middle[1] - unit * y],
    reach: (word) => sizes[word] * lengthAt(scale),
    scaleAt: (word, reach) => {
      const exact = Math.exp((span * (reach / sizes[word] - near)) / (far - near));
      return Number(between(exact, 1, HIGHEST_SCALE).toPrecision(3));
    },
  };
}

/** The words and their sums: of the word that is looked at, with what they are taken for. */
function drawCloud(view) {
  const { inputs, values, parts, state } = view;
  const frame = frameOf(view);
  const { width, height } = frame;
  parts.frame = frame;
  set(parts.svg, { width, height, viewBox: `0 0 ${width} ${height}` });
  const found = rowsOf(values.nearest_word);
  const lefts = rowsOf(values.words_left);
  const words = lefts.map(frame.at);
  parts.points = range(0, DRAWN).flatMap((word) =>
    rowsOf(values.positions_left).map((p, position) => {
      const [x, y] = frame.at([lefts[word][0] + p[0], lefts[word][1] + p[1]]);
      return { x, y, word, position, taker: found[word][position] };
    }),
  );
  const read = parts.points[state.word * inputs.length + state.position];
  drawGround(view, words, read);
  drawThreads(view, words, read);
  drawDots(view, read);
  drawRings(view, words, read);
}

function isLookedAt({ state }) {
  return ({ word }) => word === state.word;
}

/** What the figure asks about is one word; the sums of the others come with the answer. */
function isDrawn(view) {
  return view.asking ? isLookedAt(view) : () => true;
}

/** The sum that is read, in words and as its way from the word; and the words without a name. */
function drawGround({ asking, parts, colours }, words, read) {
  const { x, y, word, position, taker } = read;
  const [x0, y0] = words[word];
  const [answer, fill] = asking
    ? ["which word?", colours.ink]
    : [takenFor(taker), taker === word ? colours.blue : colours.error];
  parts.ground.replaceChildren(
    s(
      "text",
      { y: 15, "font-size": 15, fill: colours.muted },
      `“${SENTENCE[word]}” + position ${position} → `,
      s("tspan", { "font-weight": 650, fill }, answer),
    ),
    s(
      "g",
      { "data-pe-answer": true },
      ...words
        .slice(DRAWN)
        .map(([cx, cy]) => s("circle", { cx, cy, r: 2, fill: colours.muted, opacity: 0.6 })),
    ),
    s("path", { d: `M${x0} ${y0}L${x} ${y}`, stroke: colours.ink, "stroke-width": 2 }),
  );
}

/** From each misread sum to the word that it is taken for. */
function drawThreads(view, words, read) {
  const { parts, colours } = view;
  const wrong = parts.points
    .filter(isLookedAt(view))
    .filter(({ word, taker }) => ![word, -1].includes(taker));
  const takers = [...new Set(wrong.map(({ taker }) => taker))];
  parts.threads.replaceChildren(
    ...wrong.map((point) => {
      const { x, y, taker } = point;
      const [x2, y2] = words[taker];
      return s("line", {
        x1: x,
        y1: y,
        x2,
        y2,
        stroke: colours.error,
        "stroke-width": point === read ? 2.5 : 1,
        "stroke-opacity": point === read ? 1 : 0.35,
      });
    }),
    ...takers
      .filter((taker) => taker >= DRAWN)
      .map((taker) => {
        const [cx, cy] = words[taker];
        return s("circle", { cx, cy, r: 3.5, fill: colours.error });
      }),
  );
}

/** The sums, kept, so that they travel: those that find their word have its colour. */
function drawDots(view, read) {
  const { asking, parts, colours } = view;
  const { dots, points } = parts;
  const looked = isLookedAt(view);
  while (dots.children.length > points.length) dots.lastChild.remove();
  while (dots.children.length < points.length) dots.append(s("circle"));
  points.forEach((point, n) => {
    const { x, y, word, taker } = point;
    const right = taker === word;
    const hue = asking ? colours.ink : right ? colours.blue : colours.error;
    const look = looked(point)
      ? { r: 3.2, fill: asking || right ? hue : colours.surface, stroke: hue, opacity: 1 }
      : { r: 2.2, fill: colours.edge, stroke: "none", opacity: asking ? 0 : 0.25 };
    set(dots.children[n], {
      style: `transform: translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`,
      "stroke-width": 1.5,
      ...look,
      ...(point === read ? { r: 6, "stroke-width": 3 } : {}),
    });
  });
}

/** The words that have a name, to be chosen and dragged. */
function drawRings(view, words, read) {
  const { parts, colours, state } = view;
  const [x0, y0] = parts.frame.middle;
  const crowding = crowd(view, words, read);
  const held = parts.svg.classList.contains("pe-held"); // what is dragged keeps its name in place
  parts.rings.replaceChildren(
    ...words.slice(0, DRAWN).map(([x, y], n) => {
      const looked = n === state.word;
      const stroke = looked ? colours.ink : colours.edge;
      const out = Math.hypot(x - x0, y - y0) || 1;
      const [right, down] = [(x - x0) / out, (y - y0) / out];
      const outwards = Math.atan2(down, right);
      if (!held) parts.turns[n] = clearest([x, y], outwards, SENTENCE[n], crowding);
      const name = nameBox([x, y], outwards + parts.turns[n], SENTENCE[n]);
      const text = {
        x: name.x,
        y: name.y + 5,
        "text-anchor": "middle",
        "font-size": 15,
        "font-weight": looked ? 650 : 400,
        fill: looked ? colours.ink : colours.muted,
        stroke: colours.surface,
        "stroke-width": 4,
        "paint-order": "stroke",
      };
      return s(
        "g",
        { class: "pe-grip", "data-word": n },
        s("circle", { cx: x, cy: y, r: 20, fill: "transparent" }),
        s("circle", { cx: x, cy: y, r: 9, fill: "none", stroke, "stroke-width": looked ? 4 : 2 }),
        s("path", {
          d: `M${x + 13 * right} ${y + 13 * down}l${7 * right} ${7 * down}`,
          stroke,
          "stroke-width": 3,
          "stroke-linecap": "round",
        }),
        s("text", text, SENTENCE[n]),
      );
    }),
  );
}

/** What a name should not cover, and how much that matters. */
function crowd(view, words, read) {
  const [x0, y0] = words[read.word];
  const way = range(1, 8).map((n) => [x0 + ((read.x - x0) * n) / 8, y0 + ((read.y - y0) * n) / 8]);
  const looked = isLookedAt(view);
  return [
    ...words.slice(0, DRAWN).map(([x, y]) => ({ x, y, weight: 4 })),
    ...way.map(([x, y]) => ({ x, y, weight: 1 })),
    ...view.parts.points.map((point) => ({ ...point, weight: looked(point) ? 1 : 0.02 })),
  ];
}

/** The turn, from outwards, in which the name of a word covers least. */
function clearest(place, outwards, name, crowding) {
  const covered = (turn) => {
    const { x, y, width, height } = nameBox(place, outwards + turn, name);
    return crowding
      .filter((it) => Math.abs(it.x - x) < width / 2 && Math.abs(it.y - y) < height / 2)
      .reduce((sum, { weight }) => sum + weight, 0.1 * Math.abs(turn));
  };
  const turns = [0, 1, -1, 2, -2, 3, -3, 4].map((n) => (n * Math.PI) / 4);
  const costs = turns.map(covered);
  return turns[costs.indexOf(Math.min(...costs))];
}

/** The room that a name takes beside its ring, with the dots that would touch it. */
function nameBox([x, y], angle, name) {
  const [width, height] = [8.5 * name.length + 8, 22];
  return {
    x: x + (width / 2 + 17) * Math.cos(angle),
    y: y + (height / 2 + 17) * Math.sin(angle),
    width,
    height,
  };
}

/** How much of the position table its strongest directions hold together. */
function drawEnergy({
  inputs: { dim, length, removed },
  values: { energy, directions },
  colours,
  parts,
}) {
  const chart = lineChart(parts.chart, {
    width: parts.chart.parentElement.clientWidth,
    height: 230,
    x: [0, length],
    y: [0, 100],
    xLabel: "strongest position directions, together",
    yLabel: "% of the table",
    colours,
  });
  chart.answer(() => {
    for (const [n, share] of energy.data.entries()) {
      const left = n < removed ? colours.orange : colours.blue;
      chart.bar(n, 100 * share, n >= directions ? colours.grid : left);
    }
  });
  const out = Math.min(removed, directions);
  parts.legend.replaceChildren(
    key(
      [colours.orange, `removed: ${out}`],
      [colours.blue, `left: ${directions - out}`],
      [colours.grid, `empty: ${length - directions}`],
    ),
  );
  const most = energy.data.findIndex((share) => share >= 0.99) + 1;
  parts.note.textContent =
    `${most} directions, in a space of ${dim} dimensions, hold ` +
    `99\u00a0% of the table of these ${length} positions.`;
}

function inWords({ inputs: { dim, scale, removed }, values, state: { word, position } }) {
  const { directions, word_found: found } = values;
  const clear =
    found < 0.5
      ? "the positions hide the words"
      : found < 1
        ? "most words can be read"
        : "every word can be read";
  const paper = Math.abs(scale / Math.sqrt(dim) - 1) < 0.01 ? ", the paper’s √dim" : "";
  const which = removed < directions ? `${removed} of ${directions}` : `All ${directions}`;
  const first =
    removed === 0
      ? `Scale ${show(scale)}${paper}: ${clear}.`
      : `${which} position directions removed: words keep ${percent(values.word_kept)} of their ` +
        "length.";
  const taken = takenFor(rowsOf(values.nearest_word)[word][position]);
  return (
    `${first} The nearest position is right for ${percent(values.position_found)} of the sums. ` +
    `“${SENTENCE[word]}” at position ${position} is read as ${taken}.`
  );
}

/** The word that a sum is taken for. */
function takenFor(word) {
  if (word < 0) return "no word";
  return word < DRAWN ? `“${SENTENCE[word]}”` : "another word";
}

export default figure({ compute, setup, render });
