// Words plus positions as clouds of points, and the positions taken out again.

import { range, rowsOf, stack, vector } from "../page/compute/arrays.js";
import { sinusoidalEncoding } from "../page/compute/encodings.js";
import { fixedUniform } from "../page/compute/fixed_random.js";
import { dot, eigen, inner } from "../page/compute/linear_algebra.js";
import { remembering } from "../page/compute/remembering.js";
import { lineChart } from "../page/draw/chart.js";
import { blank, button, h, s } from "../page/draw/elements.js";
import { bars, key } from "../page/draw/legends.js";
import { percent, show } from "../page/draw/numbers.js";
import { readable } from "../page/draw/reading.js";
import { figure } from "../page/shell/figure.js";
import { FIRST, NEGLIGIBLE, SENTENCE, VOCABULARY } from "./sum_and_separate.py";

const AXIS = VOCABULARY;
const POSITION = VOCABULARY + 2; // where axes and positions stand after the words

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
  const drawn = SENTENCE.length;
  const points = (products, start, count) =>
    stack(products.slice(start, start + count).map((row) => row.slice(AXIS, POSITION)));
  let energy = 0;
  const energiesSoFar = range(0, length).map((n) => {
    energy += energies[n] ?? 0;
    return energy / ((length * dim) / 2);
  });
  return {
    words: points(before, 0, drawn),
    positions: points(before, POSITION, length),
    words_left: points(after, 0, drawn),
    positions_left: points(after, POSITION, length),
    nearest_word: stack(nearestWord.slice(0, drawn)),
    nearest_position: stack(nearestPosition.slice(0, drawn)),
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
  view.state = { word: 1, position: 7 };
  const svg = s("svg", { "aria-hidden": "true" });
  const cloud = h(
    "div",
    {
      class: "pe-plot",
      ...readable(
        "Cloud of points. Left and right arrow keys change the position that is read, up and " +
          "down the word.",
        (x, y) => {
          const far = view.parts.points.map((point) => Math.hypot(point.x - x, point.y - y));
          const { word, position } = view.parts.points[far.indexOf(Math.min(...far))];
          view.read({ word, position });
        },
        (right, down) =>
          view.read({
            word: (view.state.word + down + SENTENCE.length) % SENTENCE.length,
            position: Math.max(view.state.position + right, 0),
          }),
      ),
    },
    svg,
  );
  const [shares, legend] = [h("div"), h("div", { "data-pe-answer": true })];
  const note = h("p", { class: "pe-note", "data-pe-answer": true });
  const chart = s("svg", {
    role: "img",
    "aria-label": "Share of the position table held by its strongest directions",
  });
  view.stage.append(
    h(
      "div",
      { "data-pe-main": true },
      cloud,
      h(
        "p",
        { class: "pe-note" },
        "Ring: the word alone. Dot: word + position, filled where the nearest word is the " +
          "right one.",
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
  view.beside.append(h("div", {}, shares, chart, legend, note));
  return { svg, shares, chart, legend, note };
}

function render(view) {
  const {
    state,
    inputs: { length },
    values,
    parts,
  } = view;
  state.position = Math.min(state.position, length - 1);
  drawCloud(view);
  parts.shares.replaceChildren(
    bars(
      ["right word", values.word_found],
      ["right position", values.position_found],
      ["word length kept", values.word_kept],
    ),
  );
  drawEnergy(view);
  view.say(inWords(view));
}

/** The points of the drawn words in their plane, joined in the order of positions. */
function drawCloud({ inputs: { length }, values, colours, parts, state }) {
  const { svg } = parts;
  const size = Math.min(svg.parentElement.clientWidth, 380);
  blank(svg, size, size);
  const sums = (words, positions) =>
    rowsOf(words).map((word) => rowsOf(positions).map(([x, y]) => [word[0] + x, word[1] + y]));
  // The frame holds the sums before anything is removed: what is removed is seen to shrink them.
  const all = [...rowsOf(values.words), ...sums(values.words, values.positions).flat()];
  const [[left, right], [bottom, top]] = [0, 1].map((axis) => {
    const along = all.map((point) => point[axis]);
    return [Math.min(...along), Math.max(...along)];
  });
  const unit = (size - 60) / Math.max(right - left, top - bottom);
  const toX = (x) => size / 2 + unit * (x - (left + right) / 2);
  const toY = (y) => size / 2 + 6 - unit * (y - (bottom + top) / 2);
  const hues = [colours.edge, colours.blue, colours.orange, colours.green, colours.purple];
  const found = rowsOf(values.nearest_word);
  parts.points = sums(values.words_left, values.positions_left).flatMap((cloud, word) =>
    cloud.map(([x, y], position) => ({ x: toX(x), y: toY(y), word, position })),
  );

  for (const [word, stroke] of hues.entries()) {
    const points = parts.points
      .filter((point) => point.word === word)
      .map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`)
      .join(" ");
    svg.append(s("polyline", { fill: "none", stroke, "stroke-opacity": 0.45, points }));
  }
  const radius = Math.min(3.2, Math.max(2, unit / 18));
  for (const { x, y, word, position } of parts.points) {
    svg.append(
      s("circle", {
        cx: x,
        cy: y,
        r: radius,
        stroke: hues[word],
        "stroke-width": 1.3,
        fill: found[word][position] === word ? hues[word] : colours.surface,
        "data-pe-answer": "fill",
      }),
    );
  }
  const halo = {
    "text-anchor": "middle",
    fill: colours.ink,
    stroke: colours.surface,
    "stroke-width": 4,
    "paint-order": "stroke",
  };
  const { x, y } = parts.points[state.word * length + state.position];
  const end = x > size - 60;
  svg.append(
    s("circle", {
      cx: x,
      cy: y,
      r: 5.5,
      fill: hues[state.word],
      stroke: colours.ink,
      "stroke-width": 2,
    }),
    s(
      "text",
      {
        ...halo,
        x: x + (end ? -10 : 10),
        y: y + 5,
        "font-size": 12.5,
        "text-anchor": end ? "end" : "start",
      },
      `p = ${state.position}`,
    ),
  );
  for (const [word, [x, y]] of rowsOf(values.words).entries()) {
    svg.append(
      s("circle", {
        cx: toX(x),
        cy: toY(y),
        r: 8,
        fill: "none",
        stroke: colours.ink,
        "stroke-width": 2,
      }),
      s(
        "text",
        { ...halo, x: toX(x), y: toY(y) - 13, "font-size": 15, "font-weight": 650 },
        SENTENCE[word],
      ),
    );
  }
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

function inWords({ inputs: { dim, length, scale, removed }, values, state: { word, position } }) {
  const { directions, word_found: found } = values;
  const clear =
    found < 0.5
      ? "position drowns the words"
      : found < 1
        ? "most words stand clear"
        : "every word stands clear";
  const paper = Math.abs(scale / Math.sqrt(dim) - 1) < 0.01 ? ", the paper’s √dim" : "";
  const asked =
    removed > directions ? `${removed} asked for, but these positions fill ${directions}. ` : "";
  const first =
    removed === 0
      ? `Scale ${show(scale)}${paper}: ${clear}.`
      : `${asked}${removed < directions ? `${removed} of` : "All"} ${directions} position ` +
        `directions removed: words keep ${percent(values.word_kept)} of their length.`;
  const [likeWord, likePosition] = [values.nearest_word, values.nearest_position].map(
    (table) => rowsOf(table)[word][position],
  );
  const wordName =
    likeWord < 0
      ? "no word"
      : likeWord < SENTENCE.length
        ? `“${SENTENCE[likeWord]}”`
        : "another word";
  return (
    `${first} The nearest of ${VOCABULARY} words is the right one for ${percent(found)} of ` +
    `the ${VOCABULARY} × ${length} sums, ` +
    `the nearest position for ${percent(values.position_found)}. “${SENTENCE[word]}” at ` +
    `position ${position} looks like ` +
    `${wordName} at ${likePosition < 0 ? "no position" : `position ${likePosition}`}.`
  );
}

export default figure({ compute, setup, render });
