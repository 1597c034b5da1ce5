// Words plus positions as clouds of points, and the positions taken out again.

const SENTENCE = ["the", "cat", "sat", "on", "mat"];
const DRAWN = SENTENCE.length, VOCABULARY = 64;
const FIRST = 704; // where the random numbers start
const NEGLIGIBLE = 1e-6; // a direction that much weaker than the strongest: no direction
const TIE = 1e-7; // scores that close, relative to the largest, are equal but for rounding

function compute({ dim, theta, length, scale, removed }) {
  checkDim(dim);
  const { gram, word, position, energy, directions } = geometry(dim, theta, length);
  const out = Math.min(removed, directions);
  const wordWord = inner(word, word, 0, out);
  for (let n = 0; n < VOCABULARY ** 2; n++) wordWord.data[n] = out === dim ? 0 : gram.data[n] - wordWord.data[n];
  const positionWord = inner(position, word, out, directions);
  const positionPosition = inner(position, position, out, directions);

  const plane = drawingPlane(gram);
  const words = inPlane(gram, DRAWN, plane, scale);
  const sums = added(words, inPlane(inner(position, word, 0, directions), length, plane));
  const cloud = added(inPlane(wordWord, DRAWN, plane, scale), inPlane(positionWord, length, plane));

  // The nearest y to x has the largest x.y - y.y/2. For x = word + position that is a sum of two parts.
  const byWord = fromHalf(wordWord, scale), byPosition = fromHalf(positionPosition, 1);
  const nearestWord = matrix(DRAWN, length), nearestPosition = matrix(DRAWN, length);
  let wordsRight = 0, positionsRight = 0, kept = 0;
  for (let w = 0; w < VOCABULARY; w++) {
    kept += Math.sqrt(Math.max(wordWord.data[w * VOCABULARY + w], 0) / gram.data[w * VOCABULARY + w]);
    const wordWithPositions = Float64Array.from({ length }, (_, q) => scale * positionWord.data[q * VOCABULARY + w]);
    for (let p = 0; p < length; p++) {
      const foundWord = firstBest(rowOf(byWord, w), rowOf(positionWord, p));
      const foundPosition = firstBest(wordWithPositions, rowOf(byPosition, p));
      wordsRight += foundWord === w;
      positionsRight += foundPosition === p;
      if (w >= DRAWN) continue;
      nearestWord.data[w * length + p] = foundWord;
      nearestPosition.data[w * length + p] = foundPosition;
    }
  }
  const count = VOCABULARY * length;
  return { words, sums, cloud, nearest_word: nearestWord, nearest_position: nearestPosition, energy, directions,
    word_found: wordsRight / count, position_found: positionsRight / count, word_kept: kept / VOCABULARY };
}

function rowOf({ shape: [, columns], data }, row) {
  return data.subarray(row * columns, (row + 1) * columns);
}

/** Inner products x.y of some vectors with each other, turned into factor * (x.y - y.y/2). */
function fromHalf({ shape: [count], data }, factor) {
  const result = matrix(count, count);
  for (let n = 0; n < count ** 2; n++) result.data[n] = factor * (data[n] - data[(n % count) * (count + 1)] / 2);
  return result;
}

/** The first candidate whose score, a[n] + b[n], is the best but for rounding; -1 where all are exactly 0. */
function firstBest(a, b) {
  let best = -Infinity, worst = Infinity;
  for (let n = 0; n < a.length; n++) {
    const score = a[n] + b[n];
    if (score > best) best = score;
    if (score < worst) worst = score;
  }
  if (best === 0 && worst === 0) return -1;
  const enough = best - TIE * Math.max(best, -worst);
  for (let n = 0; ; n++) if (a[n] + b[n] >= enough) return n;
}

/** Two orthonormal axes, as sums of the drawn words, that show the words as a pentagon. */
function drawingPlane(gram) {
  const corners = (wave) => Array.from({ length: DRAWN }, (_, n) => wave((2 * Math.PI * n) / DRAWN));
  const product = (a, b) => a.reduce((sum, x, i) => sum + b.reduce((part, y, j) => part + x * y * gram.data[i * VOCABULARY + j], 0), 0);
  const unit = (a) => a.map((x) => x / Math.sqrt(product(a, a)));
  const across = unit(corners(Math.sin)), up = corners(Math.cos);
  const shared = product(up, across);
  return [across, unit(up.map((x, n) => x - shared * across[n]))];
}

/** The first rows, given as inner products with the words, as points of the plane. */
function inPlane({ data }, rows, plane, factor = 1) {
  const points = matrix(rows, 2);
  for (let n = 0; n < 2 * rows; n++) {
    const start = (n >> 1) * VOCABULARY;
    points.data[n] = factor * dot(plane[n % 2], data.subarray(start, start + DRAWN));
  }
  return points;
}

/** Every word moved by every position: (words, positions, 2). */
function added(words, moves) {
  const [count, length] = [words.shape[0], moves.shape[0]];
  const data = Float64Array.from({ length: count * length * 2 },
    (_, n) => words.data[2 * Math.floor(n / (2 * length)) + (n % 2)] + moves.data[n % (2 * length)]);
  return { shape: [count, length, 2], data };
}

/** What scale and removed leave alone, kept until another input changes: the words' inner products,
 *  and words and positions as coordinates along the position directions, the strongest first. */
let latest = {};
function geometry(dim, theta, length) {
  const asked = `${dim} ${theta} ${length}`;
  if (latest.asked === asked) return latest;
  const table = matrix(length, dim), vocabulary = matrix(VOCABULARY, dim);
  for (let pair = 0; pair < dim / 2; pair++) {
    const frequency = theta ** (-(2 * pair) / dim);
    for (let row = 0; row < length; row++) {
      table.data[row * dim + 2 * pair] = Math.sin(row * frequency);
      table.data[row * dim + 2 * pair + 1] = Math.cos(row * frequency);
    }
  }
  for (let cell = 0; cell < VOCABULARY * dim; cell++) {
    const counter = 1024 * (FIRST + Math.floor(cell / dim)) + (cell % dim);
    vocabulary.data[cell] = ((hash32(counter) + 0.5) / 2 ** 31 - 1) * Math.sqrt(3 / dim);
  }
  // table = U S V: row k of `found` is strength times column k of U, so it is every position's
  // coordinate along direction k; a word's is word . table^T . U / strength.
  const found = orthogonal(triangular(table)).filter(({ energy }, _, [first]) => energy > NEGLIGIBLE ** 2 * first.energy);
  const directions = found.length;
  const position = matrix(length, directions), word = matrix(VOCABULARY, directions);
  const energy = { shape: [length], data: new Float64Array(length).fill(1) };
  const wordTable = inner(vocabulary, table, 0, dim);
  let sum = 0;
  found.forEach(({ row, energy: share }, k) => {
    sum += share;
    energy.data[k] = sum / (length * dim / 2); // every pair adds sin² + cos² = 1 to every row
    for (let p = 0; p < length; p++) {
      position.data[p * directions + k] = row[p];
      for (let w = 0; w < VOCABULARY; w++) word.data[w * directions + k] += wordTable.data[w * length + p] * row[p] / share;
    }
  });
  latest = { asked, energy, directions, word, position, gram: inner(vocabulary, vocabulary, 0, dim) };
  return latest;
}

/** Rows of R^T in table = R Q with orthonormal rows of Q (Gram-Schmidt, the longest rest first). */
function triangular({ shape: [count, dim], data }) {
  const rests = Array.from({ length: count }, (_, n) => data.slice(n * dim, (n + 1) * dim));
  const rows = [];
  while (rows.length < count) {
    const sizes = rests.map((rest) => dot(rest, rest));
    const largest = Math.max(...sizes);
    if (largest < 1e-22 * dim) break;
    const unit = rests[sizes.indexOf(largest)].map((value) => value / Math.sqrt(largest));
    rows.push(Float64Array.from(rests, (rest) => {
      const along = dot(rest, unit);
      for (let n = 0; n < dim; n++) rest[n] -= along * unit[n];
      return along;
    }));
  }
  return rows;
}

/** Turn rows among each other, two at a time, until they are orthogonal (one-sided Jacobi, Hestenes
 *  1958): what is left is the singular vectors times the singular values. */
function orthogonal(rows) {
  for (let turned = true; turned;) {
    turned = false;
    for (let i = 0; i < rows.length; i++) {
      for (let j = i + 1; j < rows.length; j++) {
        const a = rows[i], b = rows[j];
        const aa = dot(a, a), ab = dot(a, b), bb = dot(b, b);
        if (Math.abs(ab) <= 1e-14 * Math.sqrt(aa * bb)) continue;
        turned = true;
        const angle = Math.atan2(2 * ab, aa - bb) / 2;
        const cos = Math.cos(angle), sin = Math.sin(angle);
        for (let n = 0; n < a.length; n++) [a[n], b[n]] = [cos * a[n] + sin * b[n], cos * b[n] - sin * a[n]];
      }
    }
  }
  return rows.map((row) => ({ row, energy: dot(row, row) })).sort((a, b) => b.energy - a.energy);
}

function dot(a, b) {
  let sum = 0;
  for (let n = 0; n < a.length; n++) sum += a[n] * b[n];
  return sum;
}

/** Inner products of the rows of a with the rows of b, over the columns start ... end - 1. */
function inner(a, b, start, end) {
  const product = matrix(a.shape[0], b.shape[0]);
  for (let i = 0, cell = 0; i < a.shape[0]; i++) {
    for (let j = 0; j < b.shape[0]; j++, cell++) {
      const atA = i * a.shape[1], atB = j * b.shape[1];
      let sum = 0;
      for (let n = start; n < end; n++) sum += a.data[atA + n] * b.data[atB + n];
      product.data[cell] = sum;
    }
  }
  return product;
}

function setup(view) {
  view.state = { word: 1, position: 7, by: "word" };
  const svg = s("svg", { "aria-hidden": "true" });
  const holder = h("div", { class: "pe-heat", tabindex: 0, role: "application",
    "aria-label": "Cloud of points. Left and right arrow keys change the position that is read, up and down the word.",
    onpointermove: (event) => readNearest(view, event),
    onpointerdown: (event) => readNearest(view, event),
    onkeydown: (event) => moveReading(view, event) }, svg);
  const chart = s("svg", { role: "img", "aria-label": "Share of the position table held by its strongest directions" });
  const meters = s("svg", { role: "img", "aria-label": "Words found, positions found, and length that words keep" });
  const button = (text, onclick) => h("button", { type: "button", onclick }, text);
  const colouring = button("Colour by position", () => {
    view.state.by = view.state.by === "word" ? "position" : "word";
    view.draw();
  });
  const cloudNote = h("p", { class: "pe-note" }), energyNote = h("p", { class: "pe-note" }), legend = h("div");
  view.stage.classList.add("pe-two");
  view.stage.append(h("div", {}, holder, cloudNote), h("div", {}, meters, chart, legend, energyNote),
    h("div", { class: "pe-buttons" },
      button("Scale √dim", () => view.set({ scale: Number(Math.sqrt(view.inputs.dim).toPrecision(4)) })),
      button("Remove all positions", () => view.set({ removed: view.values.directions })),
      colouring));
  return { svg, holder, cloudNote, chart, legend, energyNote, meters, colouring };
}

function readNearest(view, event) {
  const box = view.parts.svg.getBoundingClientRect();
  const x = event.clientX - box.left, y = event.clientY - box.top;
  const far = view.parts.points.map((point) => (point.x - x) ** 2 + (point.y - y) ** 2);
  const { word, position } = view.parts.points[far.indexOf(Math.min(...far))];
  readPoint(view, word, position);
}

function moveReading(view, event) {
  const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
  if (!step) return;
  event.preventDefault();
  const { word, position } = view.state;
  readPoint(view, (word + step[0] + DRAWN) % DRAWN, Math.min(Math.max(position + step[1], 0), view.inputs.length - 1));
}

function readPoint(view, word, position) {
  if (word === view.state.word && position === view.state.position) return;
  Object.assign(view.state, { word, position });
  view.draw();
}

function render(view) {
  view.state.position = Math.min(view.state.position, view.inputs.length - 1);
  drawCloud(view);
  drawMeters(view);
  drawEnergy(view);
  view.say(inWords(view));
}

/** The points of the drawn words in their plane, joined in the order of positions. */
function drawCloud(view) {
  const { inputs: { length }, values, colours, parts, state } = view;
  const { svg } = parts;
  const byWord = state.by === "word";
  const size = Math.min(parts.holder.clientWidth, 460);
  // The frame holds the sums before anything is removed: what is removed is seen to shrink them.
  const spans = [0, 1].map((axis) => {
    const all = [...values.sums.data, ...values.words.data].filter((_, n) => n % 2 === axis);
    return [Math.min(...all), Math.max(...all)];
  });
  const unit = (size - 60) / Math.max(...spans.map(([low, high]) => high - low));
  const place = ({ data }, n) => spans.map(([low, high], axis) =>
    size / 2 + (axis ? 6 - unit * (data[2 * n + 1] - (low + high) / 2) : unit * (data[2 * n] - (low + high) / 2)));
  svg.setAttribute("width", size);
  svg.setAttribute("height", size);
  svg.replaceChildren();

  const radius = Math.round(10 * Math.min(3.2, Math.max(2, unit / 18))) / 10;
  const hues = [colours.edge, colours.blue, colours.orange, colours.green, colours.purple];
  const last = colours.scale.length - 1;
  const shade = (p) => `rgb(${colours.scale[Math.round(last * (0.68 + (0.32 * p) / (length - 1)))]})`;
  const found = byWord ? values.nearest_word.data : values.nearest_position.data;
  parts.points = [];
  const dots = {}; // one path for all dots that look alike: hundreds of elements would be slow
  for (let word = 0; word < DRAWN; word++) {
    const points = Array.from({ length }, (_, p) => place(values.cloud, word * length + p));
    svg.append(s("polyline", { points: points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" "),
      fill: "none", stroke: byWord ? hues[word] : colours.edge, "stroke-opacity": 0.45 }));
    points.forEach(([x, y], p) => {
      const colour = byWord ? hues[word] : shade(p);
      const fill = found[word * length + p] === (byWord ? word : p) ? colour : colours.surface;
      parts.points.push({ x, y, word, position: p, colour });
      const look = (dots[colour + fill] ??= { stroke: colour, "stroke-width": 1.3, fill, d: "" });
      look.d += `M${(x - radius).toFixed(1)} ${y.toFixed(1)}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0`;
    });
  }
  for (const look of Object.values(dots)) svg.append(s("path", look));
  const halo = { "text-anchor": "middle", fill: colours.ink, stroke: colours.surface, "stroke-width": 4, "paint-order": "stroke" };
  const read = parts.points[state.word * length + state.position];
  svg.append(s("circle", { cx: read.x, cy: read.y, r: 5.5, fill: read.colour, stroke: colours.ink, "stroke-width": 2 }));
  const leftward = read.x > size - 60;
  svg.append(s("text", { x: read.x + (leftward ? -10 : 10), y: read.y + 5, "font-size": 12.5, ...halo,
    "text-anchor": leftward ? "end" : "start" }, `p = ${state.position}`));
  SENTENCE.forEach((text, word) => {
    const [x, y] = place(values.words, word);
    svg.append(s("circle", { cx: x, cy: y, r: 8, fill: "none", stroke: colours.ink, "stroke-width": 2 }),
      s("text", { x, y: y - 13, "font-size": 15, "font-weight": 650, ...halo }, text));
  });
  parts.colouring.setAttribute("aria-pressed", !byWord);
  parts.cloudNote.textContent = byWord ? "Ring: the word alone. Dot: word + position, filled where the nearest word is the right one."
    : "Ring: the word alone. Dot: word + position, the stronger the later, filled where the nearest position is the right one.";
}

/** Three bars: words found, positions found, length kept. */
function drawMeters({ values, colours, parts: { meters } }) {
  const width = meters.parentElement.clientWidth;
  const rows = [["right word", values.word_found], ["right position", values.position_found], ["word length kept", values.word_kept]];
  const left = 122, full = width - left - 64;
  meters.setAttribute("width", width);
  meters.setAttribute("height", 26 * rows.length + 8);
  meters.replaceChildren(...rows.flatMap(([text, share], n) => {
    const bar = { x: left, y: 26 * n + 8, height: 10, rx: 5 };
    const label = { y: 26 * n + 18, "font-size": 13, fill: colours.ink };
    return [s("text", { x: 0, ...label }, text), s("rect", { ...bar, width: full, fill: colours.grid }),
      s("rect", { ...bar, width: full * share, fill: colours.green }),
      s("text", { x: width - 4, "text-anchor": "end", "font-weight": 650, ...label }, percent(share))];
  }));
}

/** How much of the position table its strongest directions hold together. */
function drawEnergy(view) {
  const { inputs: { dim, length, removed }, values: { energy, directions }, colours, parts } = view;
  const chart = lineChart(parts.chart, { width: parts.chart.parentElement.clientWidth, height: 190, x: [0, length], y: [0, 100],
    xLabel: "strongest position directions, together", yLabel: "% of the table", colours });
  const step = chart.toX(1) - chart.toX(0), floor = chart.toY(0);
  energy.data.forEach((share, n) => {
    const top = chart.toY(100 * share);
    parts.chart.append(s("rect", { x: chart.toX(n) + step * 0.1, y: top, width: step * 0.8, height: floor - top,
      fill: n >= directions ? colours.grid : n < removed ? colours.orange : colours.blue }));
  });
  const most = energy.data.findIndex((share) => share >= 0.99) + 1;
  const out = Math.min(removed, directions);
  parts.legend.replaceChildren(key([colours.orange, `removed: ${out}`], [colours.blue, `left: ${directions - out}`],
    ...(directions < length ? [[colours.grid, `empty: ${length - directions}`]] : [])));
  parts.energyNote.textContent = `${most} directions, in a space of ${dim} dimensions, hold 99\u00a0% of the table of these ${length} positions.`;
}

/** A share in percent, rounded down, so that 100 % means all. */
function percent(share) {
  return `${Math.floor(1000 * share + 1e-6) / 10}\u00a0%`;
}

function inWords({ inputs: { dim, length, scale, removed }, values, state: { word, position } }) {
  const { directions, word_found: found } = values;
  const out = Math.min(removed, directions);
  const clear = found < 0.5 ? "position drowns the words" : found < 1 ? "most words stand clear" : "every word stands clear";
  const paper = Math.abs(scale / Math.sqrt(dim) - 1) < 0.01 ? ", the paper’s √dim" : "";
  const asked = removed > directions ? `${removed} asked for, but these positions fill ${directions}. ` : "";
  const first = out === 0 ? `Scale ${show(scale)}${paper}: ${clear}.`
    : `${asked}${out === directions ? "All" : `${out} of`} ${directions} position directions removed: words keep ${percent(values.word_kept)} of their length.`;
  const n = word * length + position;
  const looksLike = [values.nearest_word.data[n], values.nearest_position.data[n]];
  const wordName = looksLike[0] < 0 ? "no word" : looksLike[0] < DRAWN ? `“${SENTENCE[looksLike[0]]}”` : "another word";
  return `${first} The nearest of ${VOCABULARY} words is the right one for ${percent(found)} of the ${VOCABULARY} × ${length} sums, ` +
    `the nearest position for ${percent(values.position_found)}. “${SENTENCE[word]}” at position ${position} looks like ` +
    `${wordName} at ${looksLike[1] < 0 ? "no position" : `position ${looksLike[1]}`}.`;
}

export default figure({ compute, setup, render });
