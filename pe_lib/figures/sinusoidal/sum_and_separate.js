// Words plus positions as clouds of points, and the positions taken out again.

import { range, rowsOf, stack, vector } from "../page/compute/arrays.js";
import { sinusoidalEncoding } from "../page/compute/encodings.js";
import { fixedUniform } from "../page/compute/fixed_random.js";
import { dot, eigen, inner } from "../page/compute/linear_algebra.js";
import { remembering } from "../page/compute/remembering.js";
import { lineChart } from "../page/draw/chart.js";
import { button, h, keep, s, set } from "../page/draw/elements.js";
import { bars, key } from "../page/draw/legends.js";
import { edgeNear, inside, names } from "../page/draw/names.js";
import { between, percent, show } from "../page/draw/numbers.js";
import { steppable } from "../page/draw/reading.js";
import { figure } from "../page/shell/figure.js";
import { stepper } from "../page/shell/playing.js";
import {
  DRAWN,
  FIRST,
  HIGHEST_SCALE,
  NEGLIGIBLE,
  SENTENCE,
  VOCABULARY,
  WORDS,
} from "./sum_and_separate.py";

const AXIS = VOCABULARY;
const POSITION = VOCABULARY + 2; // where axes and positions stand after the words
const TITLE = 20; // px: the sum that is read, above the cloud
const [NAME, LABEL] = [15, 13]; // px: the names of words, and of the sum that is read
const NEAR = 25; // px: a sum that is nearer to its word than this has no room for an arrow
const CROWDED = 45; // px: sums that lie no farther apart are drawn smaller
const POINTED = 12; // px: a pointer that is so near to a sum reads it
const SNAP = 3; // px: a word that is dropped so near to √dim is there
const [BEAT, PAUSE, LONG_PAUSE] = [90, 400, 700]; // ms on a step, and on one that changes much

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
  const score = (w, p, n) => after[w][n] + after[p][n] - after[n][n] / 2;
  const nearest = (w, p, start, end) => {
    let best = start;
    let worst = start;
    for (let n = start; n < end; n++) {
      if (score(w, p, n) > score(w, p, best)) best = n;
      if (score(w, p, n) < score(w, p, worst)) worst = n;
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
  const distance = (w, p, n) => {
    const sum = after[w][w] + after[p][p] + 2 * after[w][p];
    return Math.sqrt(Math.max(sum - 2 * score(w, p, n), 0));
  };
  // How far each sum of a drawn word is from its word, and from which other word it is least far.
  const apart = range(0, DRAWN).map((w) =>
    range(POSITION, POSITION + length).map((p) => {
      const far = range(0, VOCABULARY).map((y) => (y === w ? Infinity : distance(w, p, y)));
      const rivalDistance = Math.min(...far);
      return { own: distance(w, p, w), rival: far.indexOf(rivalDistance), rivalDistance };
    }),
  );
  const ofAll = (name) => stack(apart.map((row) => row.map((it) => it[name])));
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
    own_distance: ofAll("own"),
    rival: ofAll("rival"),
    rival_distance: ofAll("rivalDistance"),
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
  view.state = { word: 3, position: 25 }; // a sum far from its word, also as it is seen
  const [title, label] = [s("text", { y: 15, "font-size": 15 }), s("text")];
  const way = s("path", { fill: "none", "stroke-width": 2, "stroke-linejoin": "round" });
  const leader = s("path", { "stroke-width": 1 });
  const ruler = s("g", { fill: "none" }, s("path"), s("text"));
  const spoke = s(
    "g",
    { "stroke-width": 1 },
    s("path"),
    s("path", { "stroke-dasharray": "1 4" }),
    s("path"),
    s("circle", { r: 2.5 }), // where all words would be of no length
  );
  const goal = s("text");
  const [dots, rings] = [s("g"), s("g")];
  const nameless = s("g");
  const above = { "data-pe-answer": true, "pointer-events": "none" };
  const threads = s("g", above);
  const mark = s("circle", { "pointer-events": "none" }); // the sum that is read, above the others
  const taken = s("circle", { r: 5.5, "stroke-width": 2, ...above });
  const takenName = s("text", above);
  const drawn = [
    title,
    ruler,
    dots,
    nameless,
    spoke,
    goal,
    way,
    leader,
    label,
    rings,
    threads,
    mark,
  ];
  const svg = s("svg", { "aria-hidden": "true" }, ...drawn, taken, takenName);
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
  const read = (event, points, reach = Infinity) => {
    const [x, y] = place(event);
    const far = points.map((point) => Math.hypot(point.x - x, point.y - y));
    const least = Math.min(...far);
    const { word, position } = points[far.indexOf(least)];
    if (least < reach) view.read({ word, position });
  };
  const cloud = h(
    "div",
    {
      class: "pe-plot",
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
        if (!held) return read(event, view.parts.points.filter(isLookedAt(view)), POINTED);
        view.set({ scale: scaleOf(view, held.word, outwards(event) + held.off) });
      },
      onpointerup: drop,
      onpointercancel: drop,
    },
    svg,
  );
  const number = h("span", { "data-pe-answer": true });
  const [total, sums, all] = [h("span"), h("span"), h("div")];
  const [shares, legend] = [h("div"), h("div", { "data-pe-answer": true })];
  const note = h("p", { class: "pe-note", "data-pe-answer": true });
  const chart = s("svg", {
    role: "img",
    "aria-label": "Share of the position table held by its strongest directions",
  });
  const marks = h("div", { class: "pe-marks" });
  const far = h("p", { class: "pe-note pe-far", "data-pe-answer": true });
  view.stage.append(
    h(
      "div",
      { class: "pe-cloud", "data-pe-main": true },
      cloud,
      h(
        "div",
        {},
        h("p", { class: "pe-number" }, h("b", {}, number, total), sums),
        all,
        marks,
        far,
      ),
    ),
    h(
      "div",
      { class: "pe-buttons" },
      button("Scale √dim", scaling(view)),
      button("Remove all positions", removing(view)),
    ),
  );
  view.below.append(
    h("div", { class: "pe-two" }, h("div", {}, shares, note), h("div", {}, chart, legend)),
  );
  return {
    svg,
    title,
    threads,
    mark,
    taken,
    takenName,
    nameless,
    ruler,
    spoke,
    goal,
    way,
    leader,
    dots,
    label,
    rings,
    names: names(),
    number,
    total,
    sums,
    all,
    marks,
    far,
    shares,
    chart,
    legend,
    note,
  };
}

/** The scale at which a word lies so far out: exactly √dim where it is almost that. */
function scaleOf(view, word, far) {
  const { frame } = view.parts;
  const root = rootOf(view);
  return Math.abs(frame.reach(word, root) - far) < SNAP ? root : frame.scaleAt(word, far);
}

function removing(view) {
  const next = (removed) => (removed < view.values.directions ? removed + 1 : undefined);
  const beat = (removed) => {
    if (removed <= 2) return LONG_PAUSE; // words come home
    const { position_found: found } = view.values;
    return 0 < found && found < 1 ? PAUSE : BEAT; // positions get lost
  };
  return stepper(view, "removed", next, beat);
}

function scaling(view) {
  const next = (scale) => {
    const root = rootOf(view);
    if (scale === root) return;
    const towards = scale < root ? Math.min(1.2 * scale, root) : root;
    return Number(towards.toPrecision(4));
  };
  return stepper(view, "scale", next, () => BEAT);
}

/** The paper's scale. */
function rootOf({ inputs: { dim } }) {
  return Number(Math.sqrt(dim).toPrecision(4));
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
  const sums = parts.points.filter(isLookedAt(view));
  parts.number.textContent = sums.filter(isFound).length;
  parts.total.textContent = ` of ${length}`;
  parts.sums.textContent = `sums find “${WORDS[state.word]}”`;
  parts.all.replaceChildren(
    bars(
      [`all ${VOCABULARY} words`, values.word_found, colours.blue],
      ["positions", values.position_found, colours.green],
    ),
  );
  parts.marks.replaceChildren(...marksKeys(view));
  parts.far.replaceChildren(...howFar(view));
  parts.shares.replaceChildren(bars(["word length kept", values.word_kept, colours.blue]));
  drawEnergy(view);
  view.say(inWords(view));
}

/** How the plane is seen: the nearer, the shorter the words are, so that a word lies farther out on
 *  the screen the larger the scale is, and a cloud is always seen whole. */
function frameOf({ root, inputs: { scale }, values, parts }) {
  const width = Math.min(parts.svg.parentElement.clientWidth, 400);
  const height = Math.min(width, root.classList.contains("pe-wide") ? 308 : 232);
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
    unit,
    corner: [width - 2, height - 6],
    reach: (word, at = scale) => sizes[word] * lengthAt(at),
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
  drawTitle(view, read);
  drawRuler(view);
  drawWay(view, words, read);
  drawThreads(view, words, read);
  drawNameless(view, words.slice(DRAWN), read);
  drawNames(view, words, read);
  drawDots(view, read);
}

function isLookedAt({ state }) {
  return ({ word }) => word === state.word;
}

/** What the figure asks about is one word; the sums of the others come with the answer. */
function isDrawn(view) {
  return view.asking ? isLookedAt(view) : () => true;
}

/** How each kind of dot looks, in the cloud and in the key. */
function looksOf({ asking, colours: { ink, blue, error, surface, muted } }) {
  const sum = { r: 3.2, "stroke-width": 1.5, opacity: 1 };
  return {
    ring: { r: 3.8, fill: "none", stroke: ink, "stroke-width": 2.2 },
    asked: { ...sum, r: 3.7, fill: muted, stroke: surface, "stroke-width": 0.8 },
    right: { ...sum, r: 3.5, fill: blue, stroke: surface, "stroke-width": 0.8 },
    wrong: { ...sum, fill: surface, stroke: error },
    other: { r: 2.2, fill: muted, stroke: "none", "stroke-width": 0, opacity: asking ? 0 : 0.45 },
    nameless: { d: cross(2), stroke: muted, "stroke-width": 1, opacity: 0.9 },
  };
}

/** What the dots are called: the answer's key keeps its room behind the question's. */
function marksKeys(view) {
  const { ring, asked, right, wrong, other, nameless } = looksOf(view);
  const others = [nameless, `${VOCABULARY - DRAWN} other words`];
  const answer = marksKey([
    [right, "finds its word"],
    [wrong, "taken for another"],
    [other, "other words’ sums"],
    others,
  ]);
  answer.dataset.peAnswer = "";
  if (!view.asking) return [answer];
  const word = `“${WORDS[view.state.word]}”`;
  const question = marksKey([
    [ring, `${word} alone`],
    [asked, `${word} + one of ${view.inputs.length} positions`],
    others,
  ]);
  return [answer, question];
}

/** How far the sum is from its word and from the nearest other, where the picture does not say. */
function howFar({ inputs: { dim }, values, state: { word, position }, colours }) {
  const of = (name) => rowsOf(values[name])[word][position];
  const [own, other] = [of("own_distance"), of("rival_distance")];
  const entry = (far, name, colour) =>
    h(
      "span",
      { style: far === Math.min(own, other) ? `font-weight: 650; color: ${colour}` : "" },
      `${far.toPrecision(3)} to “${name}”`,
    );
  return [
    h("span", {}, `In ${dim} dimensions: `),
    entry(own, WORDS[word], colours.blue),
    ", ",
    entry(other, WORDS[of("rival")], colours.error),
  ];
}

function marksKey(entries) {
  const mark = (look) =>
    s(
      "svg",
      { width: 10, height: 10, viewBox: "-5 -5 10 10", "aria-hidden": "true" },
      look.d ? s("path", { ...look, d: cross(3.5) }) : s("circle", look),
    );
  return h(
    "p",
    { class: "pe-key" },
    ...entries.map(([look, text]) => h("span", {}, mark(look), text)),
  );
}

function cross(r) {
  return `M${-r},0h${2 * r}M0,${-r}v${2 * r}`;
}

function placed(x, y) {
  return `transform: translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
}

/** The sum that is read, and what it is taken for. */
function drawTitle({ asking, parts, colours }, { word, position, taker }) {
  const [answer, fill] = asking
    ? ["which word?", colours.ink]
    : [takenFor(taker), taker === word ? colours.blue : colours.error];
  set(parts.title, { fill: colours.muted });
  parts.title.replaceChildren(
    `“${WORDS[word]}” + position ${position} → `,
    s("tspan", { "font-weight": 650, fill }, answer),
  );
}

function line(...places) {
  return `M${places.map((place) => place.map((n) => n.toFixed(1))).join("L")}`;
}

/** A line from the rim of a dot, so many px from its middle; of no length if it ends there. */
function fromRim(dot, end, px) {
  const far = Math.hypot(end[0] - dot[0], end[1] - dot[1]);
  return line(ahead(dot, angleTo(dot, end), Math.min(px, far)), end);
}

/** What is of length 1: it gets shorter where the view zooms out. */
function drawRuler({ parts: { ruler, frame }, colours }) {
  const [bar, name] = ruler.children;
  const [x, y] = frame.corner;
  set(bar, { d: `M${x},${y}m0,-4v8m0,-4h${-frame.unit}m0,-4v8`, stroke: colours.muted });
  set(name, { x, y: y - 7, fill: colours.muted, "font-size": LABEL, "text-anchor": "end" });
  name.textContent = "length 1";
}

/** How long the word is, and how long it becomes when it is dragged to √dim. Gives where that is,
 *  in which direction, whether the word is there, and the points that no name should cover. */
function drawSpoke({ state, parts, colours: { muted }, inputs: { dim } }, word) {
  const { middle, reach } = parts.frame;
  const angle = angleTo(middle, word);
  const far = Math.hypot(word[0] - middle[0], word[1] - middle[1]);
  const goal = reach(state.word, Math.sqrt(dim));
  const end = ahead(middle, angle, goal);
  const isThere = Math.abs(far - goal) < 1;
  const [length, dotted, tick, origin] = parts.spoke.children;
  const [inner, outer] = [Math.max(far - 9, 0), far + 9].map((px) => ahead(middle, angle, px));
  const across = [-8, 8].map((px) => ahead(end, angle + Math.PI / 2, px));
  set(origin, { style: placed(...middle), fill: muted });
  set(length, { d: line(middle, inner), stroke: muted, opacity: 0.5 });
  set(dotted, { d: line(outer, end), stroke: muted, opacity: +(far + 9 < goal) });
  set(tick, { d: line(...across), stroke: muted, opacity: +!isThere });
  const points = range(0, 5).map((n) => {
    const [x, y] = ahead(middle, angle, far + ((goal - far) * n) / 4);
    return { x, y, weight: 3 };
  });
  return { end, angle, isThere, points };
}

/** What lies at the end of the spoke. */
function nameSpoke(view, { end, angle, isThere }, crowding) {
  const { inputs, parts, colours, state } = view;
  const isFresh = inputs.scale === 1 && inputs.removed === 0;
  const text = isFresh ? `drag “${WORDS[state.word]}” to √dim` : "√dim";
  const box = nameBeside(view, "spoke", end, angle, text, LABEL, crowding, { stay: 0.4 });
  set(parts.goal, textIn(box, LABEL, isThere ? colours.blue : colours.muted, colours));
  parts.goal.textContent = text;
}

/** The position that is added: an arrow from the word to its sum that is read. */
function drawWay({ parts: { way }, colours }, words, { word, x, y }) {
  const far = Math.hypot(x - words[word][0], y - words[word][1]);
  const angle = angleTo(words[word], [x, y]);
  const [start, tip] = [9, Math.max(far - 7, 9)].map((px) => ahead(words[word], angle, px));
  const [left, right] = [0.5, -0.5].map((turn) => ahead(tip, angle + turn, -8));
  const d = line(start, tip) + line(left, tip, right);
  set(way, { d, stroke: colours.ink, opacity: +(far > NEAR) });
}

/** The direction from one place to another, in radians, clockwise from the right. */
function angleTo([x, y], [x2, y2]) {
  return Math.atan2(y2 - y, x2 - x);
}

/** The place that lies so many px from another in a direction. */
function ahead([x, y], angle, px) {
  return [x + px * Math.cos(angle), y + px * Math.sin(angle)];
}

/** From each misread sum to the word that it is taken for: the thread of a sum that is read rightly
 *  has no length. */
function drawThreads(view, words, read) {
  const { parts, colours } = view;
  const sums = parts.points.filter(isLookedAt(view));
  keep(parts.threads, sums.length, () => s("path")).forEach((thread, n) => {
    const { x, y, taker } = sums[n];
    const wrong = isMisread(sums[n]);
    set(thread, {
      d: wrong ? fromRim([x, y], words[taker], 7) : line([x, y], [x, y]),
      stroke: colours.error,
      "stroke-width": sums[n] === read ? 2.5 : 1,
      opacity: wrong ? (sums[n] === read ? 1 : 0.15) : 0,
    });
  });
}

function isFound({ word, taker }) {
  return taker === word;
}

function isMisread({ word, taker }) {
  return ![word, -1].includes(taker);
}

/** The words without a name. The one that the sum is taken for lies above all others. */
function drawNameless(view, words, { x, y, taker }) {
  const { parts, colours } = view;
  const { nameless } = looksOf(view);
  keep(parts.nameless, words.length, () => s("path")).forEach((cross, n) => {
    set(cross, { style: placed(...words[n]), ...nameless });
  });
  const isTaken = taker >= DRAWN;
  set(parts.taken, {
    style: placed(...(isTaken ? words[taker - DRAWN] : [x, y])),
    fill: colours.error,
    stroke: colours.surface,
    opacity: isTaken ? 1 : 0,
  });
}

/** The sums: those that find their word have its colour. */
function drawDots(view, read) {
  const { asking, parts, colours } = view;
  const { dots, points } = parts;
  const looks = looksOf(view);
  const isLooked = isLookedAt(view);
  const own = points.filter(isLooked);
  const spread = Math.max(...own.map(({ x, y }) => Math.hypot(x - read.x, y - read.y)));
  const right = spread < CROWDED ? { ...looks.right, r: 2.2, "stroke-width": 0 } : looks.right;
  const lookOf = (point) => {
    if (!isLooked(point))
      return parts.names.cover(point) ? { ...looks.other, opacity: 0 } : looks.other;
    if (asking) return looks.asked;
    return point.taker === point.word ? right : looks.wrong;
  };
  keep(dots, points.length, () => s("circle")).forEach((circle, n) => {
    const point = points[n];
    set(circle, { style: placed(point.x, point.y), ...lookOf(point) });
  });
  const { fill } = asking ? { fill: colours.ink } : lookOf(read);
  const stroke = fill === colours.surface ? colours.error : colours.ink;
  set(parts.mark, { r: 6, fill, stroke, "stroke-width": 2.5, style: placed(read.x, read.y) });
}

/** What the sum that is read is called, and the words that have a name. */
function drawNames(view, words, read) {
  const { parts, colours } = view;
  const place = [read.x, read.y];
  const [x0, y0] = words[read.word];
  const isApart = Math.hypot(read.x - x0, read.y - y0) > NEAR;
  const label = isApart ? `+ position ${read.position}` : "";
  const crowding = crowd(view, words, read);
  const away = angleTo([x0, y0], place);
  const box = nameBeside(view, "read", place, away, label, LABEL, crowding, { stay: 0.05 });
  set(parts.label, textIn(box, LABEL, colours.ink, colours));
  parts.label.textContent = label;
  const edge = edgeNear(box, read);
  set(parts.leader, { d: label ? fromRim(place, edge, 8) : "", stroke: colours.muted });
  if (label) crowding.push(...inside(box));
  nameTaken(view, words, read, crowding);
  const spoke = drawSpoke(view, words[read.word]);
  crowding.push(...spoke.points);
  drawRings(view, words, read, crowding);
  nameSpoke(view, spoke, crowding);
}

/** The name of a word that has one only because the sum is taken for it. */
function nameTaken(view, words, { x, y, taker }, crowding) {
  const { parts, colours } = view;
  const name = taker >= DRAWN ? WORDS[taker] : "";
  const place = name ? words[taker] : [x, y];
  const away = angleTo([x, y], place);
  const box = nameBeside(view, "taken", place, away, name, LABEL, crowding);
  set(parts.takenName, { ...textIn(box, LABEL, colours.error, colours), "font-weight": 650 });
  parts.takenName.textContent = name;
  if (name) crowding.push(...inside(box));
}

/** The words that have a name, to be chosen and dragged. */
function drawRings(view, words, { taker }, crowding) {
  const { asking, parts, colours, state } = view;
  keep(parts.rings, DRAWN, () => s("g")).forEach((ring, n) => {
    const [x, y] = words[n];
    const isLooked = n === state.word;
    const isTaker = !asking && n === taker && !isLooked;
    const stroke = isLooked ? colours.ink : isTaker ? colours.error : colours.edge;
    const outwards = angleTo(parts.frame.middle, words[n]);
    const cost = ({ x, y }) => {
      const far = words.slice(0, DRAWN).map((ring) => Math.hypot(ring[0] - x, ring[1] - y));
      return far[n] > Math.min(...far) ? 3 : 0; // it would seem to name another
    };
    const box = nameBeside(view, n, words[n], outwards, WORDS[n], NAME, crowding, { cost });
    crowding.push(...inside(box));
    set(ring, { class: "pe-grip", "data-word": n, style: placed(x, y) });
    ring.replaceChildren(
      s("circle", { r: 20, fill: "transparent" }),
      s("circle", { r: 9, fill: "none", stroke, "stroke-width": isLooked ? 4 : 2 }),
      s(
        "text",
        {
          ...textIn(
            { x: box.x - x, y: box.y - y },
            NAME,
            isLooked ? colours.ink : colours.muted,
            colours,
          ),
          "font-weight": isLooked ? 650 : 400,
        },
        WORDS[n],
      ),
    );
  });
}

function textIn({ x, y }, size, fill, colours) {
  return {
    style: placed(x, y + size / 3),
    "text-anchor": "middle",
    "font-size": size,
    fill,
    stroke: colours.surface,
    "stroke-width": 4,
    "paint-order": "stroke",
  };
}

/** What a name should not cover, and how much that matters. */
function crowd(view, words, read) {
  const [x0, y0] = words[read.word];
  const way = range(1, 8).map((n) => [x0 + ((read.x - x0) * n) / 8, y0 + ((read.y - y0) * n) / 8]);
  const isLooked = isLookedAt(view);
  const [right, bottom] = view.parts.frame.corner;
  return [
    ...inside({ x: right - 30, y: bottom - 10, width: 60 }),
    ...words.slice(0, DRAWN).flatMap(inRing),
    ...words.slice(DRAWN).map(([x, y]) => ({ x, y, weight: 0.2 })),
    ...way.map(([x, y]) => ({ x, y, weight: 2 })),
    { ...read, weight: 6 },
    ...view.parts.points.map((point) => ({ ...point, weight: isLooked(point) ? 4 : 0.02 })),
  ];
}

function nameBeside({ inputs, parts, state }, id, place, away, text, size, obstacles, options) {
  const { frame, svg } = parts;
  const room = { top: TITLE, width: frame.width, height: frame.height };
  const { name, value } = state.stepping ?? {};
  const isPlayed = name !== undefined && inputs[name] === value;
  const patience = svg.classList.contains("pe-held") ? Infinity : isPlayed ? 0.9 : 0;
  return parts.names.beside(id, { text, size, place, away, room, obstacles, patience, ...options });
}

function inRing([x, y]) {
  const rim = range(0, 8).map((n) => (n * Math.PI) / 4);
  return rim.map((a) => ({ x: x + 9 * Math.cos(a), y: y + 9 * Math.sin(a), weight: 2 }));
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
      : `${which} directions removed: words keep ${percent(values.word_kept)} of their ` +
        "length.";
  const taken = takenFor(rowsOf(values.nearest_word)[word][position]);
  return `${first} “${WORDS[word]}” at position ${position} is read as ${taken}.`;
}

/** The word that a sum is taken for. */
function takenFor(word) {
  return word < 0 ? "no word" : `“${WORDS[word]}”`;
}

export default figure({ compute, setup, render });
