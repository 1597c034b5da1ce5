// What each byte of a text costs a trained model that reads past its trained length.

import { NAMES } from "../../course/encodings.py";
import { SHOWN } from "../../experiments/extrapolation/reading.py";
import { range, vector } from "../page/compute/arrays.js";
import { fail } from "../page/compute/refusal.js";
import { blank, h, s } from "../page/draw/elements.js";
import { textOn } from "../page/draw/heat_map.js";
import { REVEAL, uncover } from "../page/draw/motion.js";
import { between, show } from "../page/draw/numbers.js";
import { dragging, steppable } from "../page/draw/reading.js";
import { Reader } from "../page/language_model/reader.js";
import { figure } from "../page/shell/figure.js";
import {
  ALL_HEADS,
  AS_IS,
  HEADS,
  LENGTH,
  MOST,
  ONLY_THE_END,
  STRETCHING,
  WRITTEN,
} from "./break_its_memory.py";

const COSTLIEST = 6; // nats from which a byte is as red as can be
const HEAVY = 3; // nats from which a byte's letter is bold, to be read on so strong a tint
const CALM = 1.3; // the power of a byte's cost that its colour follows: small costs stay quiet
const HIGHEST = 5; // nats at the top of the ruler's bars
const BLOCK = 16; // bytes that one of these bars is the mean of
const GUTTER = 48; // pixels beside the ruler's bars, for their scale
const GRIP = 52; // half the width of the grip on the ruler, with its outline
const AROUND = 3; // bytes on either side of the one that a finger magnifies
const FAINTEST = 0.05; // of the strongest attention: what is less is not drawn
const BEFORE = 10; // bytes that are quoted before the one that is read

const WITHOUT_A_NAME = { none: "a model without positions", sinusoidal: "the sinusoidal model" };

/** The text's bytes that are read at most. */
function bytesOf(text) {
  const bytes = new TextEncoder().encode(text).subarray(0, MOST);
  if (!bytes.length) fail("text: expected at least one byte, got none");
  return bytes;
}

/** What is read without the model: the text, which has cost nothing yet. */
function waiting({ text, length }) {
  const count = Math.min(bytesOf(text).length, length);
  const none = vector([]);
  return {
    losses: vector(Array(count).fill(Number.NaN)),
    likeliest: none,
    chances: none,
    attention: vector(Array(count).fill(0)),
    written: none,
  };
}

/** What the reader is asked for. A rule stretches to the next multiple of the trained length. With
 *  any other all of the text is read: what a byte costs does not depend on what follows. */
function questionOf({ rule, encoding, text, length, go_on: goOn }) {
  const stretched = isStretched({ rule, encoding });
  const all = bytesOf(text);
  const bytes = stretched || goOn ? all.subarray(0, length) : all;
  return {
    kind: encoding,
    rule: stretched ? rule : AS_IS,
    onlyTheEnd: rule === ONLY_THE_END,
    bytes,
    length: stretched ? LENGTH * Math.ceil(bytes.length / LENGTH) : LENGTH,
  };
}

function isStretched({ rule, encoding }) {
  return encoding === "rope" && STRETCHING.includes(rule);
}

export const compute = async (inputs, view = { progress() {} }) => {
  view.reader ??= new Reader();
  const question = questionOf(inputs);
  const name = JSON.stringify([question, [...question.bytes], inputs.go_on]);
  if (view.known?.name !== name) {
    view.known = null;
    view.progress("Loading the model");
    const { length } = question.bytes;
    const read = await view.reader.read(question, ({ losses }) => {
      view.progress(`Reading: ${losses.length} of ${length} bytes`);
      if (view.parts?.shown === inputs.text) tint(view, losses);
    });
    view.known = { name, read, written: [] };
  }
  const { read } = view.known;
  if (inputs.go_on && !view.known.written.length) {
    const { length } = question.bytes;
    const { bytes } = await view.reader.goOn(WRITTEN, ({ bytes }) => {
      view.progress(`Writing: ${bytes.length - length} of ${WRITTEN} bytes`);
    });
    view.known.written = [...bytes.subarray(length)];
  }
  const count = Math.min(question.bytes.length, inputs.length);
  const at = Math.min(inputs.byte, count - 1);
  const part = (numbers) => vector(numbers.subarray(at * SHOWN, (at + 1) * SHOWN));
  return {
    losses: vector(read.losses.subarray(0, count)),
    likeliest: part(read.likeliest.bytes),
    chances: part(read.likeliest.probabilities),
    attention: weightsOf(await view.reader.attention(at), inputs.head, count),
    written: vector(view.known.written),
  };
};

/** A byte's attention to each of so many bytes, in one head or in the mean of all. */
function weightsOf(weights, head, count) {
  const seen = weights.length / HEADS.length;
  const heads = head === ALL_HEADS ? range(0, HEADS.length) : [HEADS.indexOf(head)];
  return vector(
    range(0, count).map((byte) =>
      byte < seen ? heads.reduce((sum, n) => sum + weights[n * seen + byte], 0) / heads.length : 0,
    ),
  );
}

function setup(view) {
  view.more.querySelector("summary").textContent = "More: your own text, one head, go on";
  for (const name of ["rule", "encoding", "head"])
    view.rows.get(name).element.classList.add("pe-chips");
  const [within, beyond] = [0, 1].map(() => h("p", { class: "pe-stat" }));
  const scale = h("div", { class: "pe-legend pe-cost" }, h("i"), h("div"));
  const cells = range(0, MOST).map((n) =>
    h(
      "span",
      { class: "pe-byte", "data-at": n },
      "",
      h("b", { "data-pe-answer": n >= LENGTH, style: `--pe-delay: ${delay(n)}ms`, hidden: true }),
    ),
  );
  const [known, unknown] = [cells.slice(0, LENGTH), cells.slice(LENGTH)].map((part) =>
    h("div", { class: "pe-bytes", "aria-hidden": "true" }, ...part),
  );
  const here = h("p", { class: "pe-trained-here" }, `trained on ${LENGTH} bytes, up to here`);
  const choose = (byte) => view.set({ byte: between(byte, 0, view.values.losses.data.length - 1) });
  const lens = h("div", { class: "pe-lens", "aria-hidden": "true", hidden: true });
  const pointed = ({ type, pointerType, clientX, clientY }) => {
    if (type === "pointermove") {
      if (view.asking) return;
      lens.hidden = pointerType !== "touch";
    }
    // A finger's events stay with the byte that it came down on.
    const cell = document.elementFromPoint(clientX, clientY)?.closest(".pe-bytes [data-at]");
    if (cell) choose(Number(cell.dataset.at));
  };
  const text = h(
    "div",
    {
      ...steppable(
        "The text, byte by byte. Arrow keys move the byte that is read.",
        (right, down) => choose(chosen(view) + right + down * view.parts.columns),
      ),
      onpointermove: pointed, // a finger's too, if it does not begin to scroll
      onlostpointercapture: () => {
        lens.hidden = true;
      },
      onclick: pointed,
    },
    known,
    here,
    unknown,
  );
  const ruler = s("svg", { "aria-hidden": "true" });
  const moveEnd = (length) => view.set({ length: between(Math.round(length), 1, MOST) });
  const slide = h(
    "div",
    {
      class: "pe-ruler",
      ...steppable("How many bytes the model reads", (right, down) =>
        moveEnd(view.currentInputs().length + 8 * right - 64 * down),
      ),
      role: "slider",
      "aria-valuemin": 1,
      "aria-valuemax": MOST,
      ...dragging((x, _, { width }) => moveEnd(((x - GUTTER) / (width - GUTTER)) * MOST)),
    },
    ruler,
  );
  const likely = h("div", { class: "pe-likely" });
  const cut = h("p", { class: "pe-note" });
  const written = h("p", { class: "pe-written" });
  view.stage.append(
    h(
      "div",
      { "data-pe-main": true },
      h("div", { class: "pe-stats pe-costs" }, within, beyond, scale),
      h("div", { class: "pe-reading" }, text, lens),
      slide,
      likely,
    ),
  );
  view.below.append(cut, written);
  return {
    within,
    beyond,
    scale,
    known,
    unknown,
    cells,
    lens,
    ruler,
    slide,
    likely,
    cut,
    written,
  };
}

/** When a byte is shown, once the figure answers. */
function delay(byte) {
  return Math.round((REVEAL * Math.max(byte - LENGTH, 0)) / (MOST - LENGTH));
}

/** The byte that is read: the chosen one, or the last that the model has read. */
function chosen({ inputs, values }) {
  return Math.min(inputs.byte, values.losses.data.length - 1);
}

function render(view) {
  const { inputs, values, parts } = view;
  const bytes = bytesOf(inputs.text);
  parts.columns = view.root.classList.contains("pe-wide") ? 64 : 32;
  showText(view, bytes);
  tint(view, values.losses.data);
  showReading(view);
  showNumbers(view);
  dimWhatChangesNothing(view);
  drawRuler(view);
  showLikeliest(view, bytes);
  const { length } = new TextEncoder().encode(inputs.text);
  parts.cut.textContent =
    length > MOST ? `Of ${show(length, 9)} bytes the model reads the first ${MOST}.` : "";
  parts.written.textContent = values.written.data.length ? goneOn(view, bytes) : "";
  view.say(inWords(view, bytes));
}

/** One letter in each cell, and once more on its tint. */
function showText({ parts, inputs }, bytes) {
  for (const block of [parts.known, parts.unknown])
    block.style.setProperty("--pe-columns", parts.columns);
  if (parts.shown === inputs.text) return;
  parts.shown = inputs.text;
  const letters = glyphs(bytes);
  parts.cells.forEach((cell, n) => {
    const [letter, tint] = cell.childNodes;
    if (letter.data === (letters[n] ?? "")) return;
    letter.data = letters[n] ?? "";
    tint.textContent = letter.data;
  });
}

/** What stands for every byte: of a character of several bytes it stands for the first. */
function glyphs(bytes) {
  const found = [];
  for (const character of new TextDecoder().decode(bytes)) {
    const [first, ...others] = new TextEncoder().encode(character);
    found.push(others.length ? character : glyph(first), ...others.map(() => "·"));
  }
  return found.slice(0, bytes.length);
}

function glyph(byte) {
  if (byte === 10) return "↵";
  if (byte < 32 || byte === 127) return "▯";
  return byte < 127 ? String.fromCharCode(byte) : byte.toString(16).toUpperCase();
}

/** What the bytes cost, as colours. It is drawn before all are read: the rest stays as it is. */
function tint({ parts, colours }, losses) {
  losses.forEach((loss, n) => {
    const colour = costColour(loss, colours);
    const own = parts.cells[n].lastChild;
    own.style.background = `rgb(${colour.join(" ")})`;
    own.style.color = textOn(colour);
    own.style.fontWeight = loss > HEAVY ? 650 : "";
  });
}

/** How much is read, the byte that is chosen, and where it looks. */
function showReading(view) {
  const { values, parts } = view;
  const at = chosen(view);
  const most = Math.max(...values.attention.data, 1e-9);
  parts.cells.forEach((cell, n) => {
    const seen = (values.attention.data[n] ?? 0) / most;
    cell.lastChild.hidden = n >= values.losses.data.length;
    cell.lastChild.style.setProperty("--pe-look", seen < FAINTEST ? 0 : seen.toFixed(2));
    cell.classList.toggle("pe-chosen", n === at);
  });
  magnify(view, at);
}

/** Above a finger, the byte under it: between its neighbours, with its cost. */
function magnify({ values, parts: { cells, lens } }, at) {
  const { offsetLeft, offsetTop, offsetWidth } = cells[at];
  const near = range(at - AROUND, at + AROUND + 1).map((n) =>
    h("span", { class: n === at && "pe-chosen" }, cells[n]?.lastChild.cloneNode(true)),
  );
  lens.style.setProperty("--pe-x", `${offsetLeft + offsetWidth / 2}px`);
  lens.style.top = `${offsetTop}px`;
  const cost = inNats(mean([values.losses.data[at]]));
  lens.replaceChildren(h("div", {}, ...near), h("small", {}, `costs ${cost} nats`));
}

/** From the page's own colour to red; a byte that nothing has predicted costs nothing. */
function costColour(loss, { surface, error }) {
  const share = between((loss || 0) / COSTLIEST, 0, 1) ** CALM;
  const [from, to] = [surface, error].map((colour) =>
    [1, 3, 5].map((n) => Number.parseInt(colour.slice(n, n + 2), 16)),
  );
  return from.map((c, n) => Math.round(c + share * (to[n] - c)));
}

/** The mean of what bytes cost, of those that have a cost; undefined where none has. */
function mean(losses) {
  const found = [...losses].filter((loss) => !Number.isNaN(loss));
  return found.length ? found.reduce((sum, loss) => sum + loss, 0) / found.length : undefined;
}

/** What a byte costs on average, up to the trained length and beyond. */
function averages({ data }) {
  return [mean(data.subarray(0, LENGTH)), mean(data.subarray(LENGTH))];
}

function inNats(loss) {
  return loss === undefined ? "–" : loss.toFixed(2);
}

/** What both numbers count, where there is room. */
function unit() {
  return h("span", { class: "pe-if-wide" }, "nats per byte ");
}

function showNumbers({ values, parts, colours }) {
  const [within, beyond] = averages(values.losses);
  const last = values.losses.data.length;
  parts.within.replaceChildren(
    h("b", {}, inNats(within)),
    h("small", {}, unit(), `up to byte ${LENGTH}`),
  );
  const worse = beyond > within + 0.5;
  parts.beyond.replaceChildren(
    h("b", {}, h("span", { "data-pe-answer": true, class: worse && "pe-bad" }, inNats(beyond))),
    h("small", {}, unit(), last > LENGTH ? `beyond, to ${last}` : "beyond"),
  );
  const [bar, names] = parts.scale.children;
  const stops = range(0, COSTLIEST + 1).map((n) => `rgb(${costColour(n, colours).join(" ")})`);
  bar.style.background = `linear-gradient(90deg, ${stops.join(", ")})`;
  names.replaceChildren(
    h("span", {}, "0"),
    h("span", {}, h("span", { class: "pe-if-wide" }, "surprise, "), "nats"),
    h("span", {}, COSTLIEST),
  );
}

/** Rules that slow rotations stay within reach where there are none, but look idle. */
function dimWhatChangesNothing({ rows, inputs: { encoding } }) {
  for (const radio of rows.get("rule").element.querySelectorAll("input")) {
    const rule = radio.value;
    const idle = STRETCHING.includes(rule) && !isStretched({ rule, encoding });
    radio.parentElement.classList.toggle("pe-idle", idle);
    radio.parentElement.title = idle ? "Slows rotations, and this model has none" : "";
  }
}

/** The text's length as a ruler, with what bytes cost on it, block by block, and the grip where the
 *  model stops reading. */
function drawRuler(view) {
  const { values, parts, colours, width } = view;
  const { data } = values.losses;
  const [height, foot] = [view.root.classList.contains("pe-wide") ? 52 : 42, 18];
  const x = (byte) => GUTTER + (byte / MOST) * (width - GUTTER);
  const y = (nats) => (height - foot) * (1 - Math.min(nats, HIGHEST) / HIGHEST);
  blank(parts.ruler, width, height);
  const line = (x1, y1, x2, y2, stroke, more) => s("line", { x1, y1, x2, y2, stroke, ...more });
  const label = (at, text, more) =>
    s(
      "text",
      {
        x: at,
        y: height - 5,
        "font-size": 12,
        "text-anchor": "middle",
        fill: colours.muted,
        ...more,
      },
      text,
    );
  const beyond = s("g", { "data-pe-answer": true });
  parts.ruler.append(line(GUTTER, y(4), width, y(4), colours.grid), beyond);
  for (let start = 0; start < data.length; start += BLOCK) {
    const stop = Math.min(start + BLOCK, data.length);
    const cost = mean(data.subarray(start, stop));
    if (cost === undefined) continue;
    (start < LENGTH ? parts.ruler : beyond).append(
      s("rect", {
        x: x(start) + 0.5,
        y: y(cost),
        width: x(stop) - x(start) - 1,
        height: height - foot - y(cost),
        fill: `rgb(${costColour(cost, colours).join(" ")})`,
        stroke: colours.edge,
      }),
    );
  }
  if (view.answering) uncover(beyond, x(LENGTH), width);
  const end = Math.min(x(data.length), width - 1.5);
  const grip = between(end, GUTTER + GRIP, width - GRIP);
  const ticks = [
    [x(LENGTH), `trained: ${LENGTH}`, 40],
    ...[2, 3, 4].map((n) => [Math.min(x(n * LENGTH), width - 12), n * LENGTH, 14]),
  ];
  parts.ruler.append(
    line(GUTTER, height - foot, width, height - foot, colours.edge),
    line(x(LENGTH), 0, x(LENGTH), height - foot, colours.ink, { "stroke-dasharray": "4 3" }),
    label(GUTTER - 5, "4 nats", { y: y(4) + 5, "text-anchor": "end" }),
    ...ticks
      .filter(([at, , half]) => Math.abs(at - grip) > GRIP + half)
      .map(([at, text]) => label(at, text)),
    line(end, 0, end, height - foot, colours.ink, { "stroke-width": 3 }),
    s("rect", {
      x: grip - GRIP + 1,
      y: height - foot + 1,
      width: 2 * GRIP - 2,
      height: foot - 2,
      rx: foot / 2 - 1,
      fill: colours.surface,
      stroke: colours.ink,
      "stroke-width": 2,
    }),
    label(grip, `‹ reads ${data.length} ›`, { fill: colours.ink, "font-weight": 650 }),
  );
  parts.slide.setAttribute("aria-valuenow", data.length);
  parts.slide.setAttribute("aria-valuetext", `${data.length} bytes`);
}

/** The likeliest bytes after the one that is read, and whether one of them follows. Past the
 *  trained length they answer what the figure asks. */
function showLikeliest(view, bytes) {
  const { values, parts } = view;
  const at = chosen(view);
  const next = bytes[at + 1];
  parts.likely.toggleAttribute("data-pe-answer", at >= LENGTH);
  parts.likely.replaceChildren(
    h("span", { class: "pe-note" }, "expects next"),
    ...range(0, SHOWN).map((n) => {
      const byte = values.likeliest.data[n];
      const chance = values.chances.data[n] ?? 0;
      return h(
        "span",
        { class: byte === next && byte !== undefined && "pe-right" },
        h("i", { style: `width: ${Math.round(100 * chance)}%` }),
        h("b", {}, byte === undefined ? "" : byte === 32 ? "␣" : glyph(byte)),
        h("small", {}, byte === undefined ? "–" : inPercent(chance)),
      );
    }),
  );
}

function inPercent(chance) {
  return chance < 0.01 ? "< 1\u00a0%" : `${Math.round(100 * chance)}\u00a0%`;
}

function named(byte) {
  if (byte === 32) return "a space";
  if (byte === 10) return "a line’s end";
  return byte > 32 && byte < 127 ? `“${glyph(byte)}”` : `byte ${byte}`;
}

/** The end of what was read, and what the model has written after it. */
function goneOn({ values }, bytes) {
  const decoder = new TextDecoder();
  const read = bytes.subarray(0, values.losses.data.length);
  const written = decoder.decode(Uint8Array.from(values.written.data));
  return `…${decoder.decode(read.subarray(-40))} ▸ ${written}`;
}

function inWords(view, bytes) {
  const { inputs, values } = view;
  const { rule, encoding } = inputs;
  if (!values.likeliest.data.length) return ""; // not read yet
  const how =
    rule === ONLY_THE_END
      ? "Shown only the end"
      : isStretched(inputs)
        ? `Stretched by ${rule}`
        : rule === AS_IS
          ? "Read as it is"
          : "Nothing turns here: as it is";
  const who = WITHOUT_A_NAME[encoding] ?? NAMES[encoding];
  return `${how}, ${who} costs ${inAll(values)}. ${atByte(view, bytes)}`;
}

function inAll({ losses }) {
  const [within, beyond] = averages(losses);
  if (within === undefined) return "nothing for a first byte, which nothing predicts";
  const cost = `${inNats(within)} nats per byte`;
  return beyond === undefined ? cost : `${cost} up to byte ${LENGTH} and ${inNats(beyond)} beyond`;
}

/** What the model expects after the byte that is read, and what comes. */
function atByte(view, bytes) {
  const { values } = view;
  const at = chosen(view);
  const before = new TextDecoder()
    .decode(bytes.subarray(Math.max(0, at + 1 - BEFORE), at + 1))
    .replaceAll("\n", "↵");
  const [best] = values.likeliest.data;
  const chance = inPercent(values.chances.data[0]);
  const here = `After “${before}” (boxed, its attention in blue)`;
  const expected = `${here} it expects ${named(best)} with ${chance}`;
  const next = bytes[at + 1];
  if (next === undefined) return `${expected}; the text ends.`;
  const loss = values.losses.data[at + 1];
  const costs = loss === undefined ? "" : ` and costs ${inNats(loss)} nats`;
  return `${expected}; ${named(next)} comes${costs}.`;
}

export default figure({ compute, waiting, setup, render });
