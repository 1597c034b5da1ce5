// What a reader pasted under an exercise: the right answer, a classic mistake, or something else.
//
// An exercise is {right, mistakes, whole}: `right` and every mistake are {numbers, shapes} of what is
// printed for its calls, or {error}. Numbers that JSON has no word for go by their names: "nan", "inf",
// "-inf" and "None".

// As in the checker: of the largest number, and what is nearer than this is the same.
const TOLERANCE = 1e-4;
// A number may be rounded, but not further than to three digits of the largest one.
const COARSEST = 5e-3;

const KEYWORD =
  /\b(?:dtype|grad_fn|device|size|requires_grad|layout)=(?:<[^>]*>|'[^']*'|(?:torch\.Size)?\([^)]*\)|[\w.]+)/gi;
const WORD = /(?<![\w.])(?!(?:nan|inf|true|false|none)\b)[a-z_][\w.]*/gi;
const TOKEN = /[[\]]|[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|[+-]?(?:nan|inf)\b|true|false|none/gi;
const ERROR = /^(?:\w+\.)*\w*(?:Error|Exception)\b.*$/gm;
const VALUES = { true: 1, false: 0, none: "None", nan: "nan", inf: "inf", "+inf": "inf" };

// Reads a print of torch, NumPy or Python: all its numbers, half a unit of each one's last digit,
// and the shape of each of its tensors or lists (null where its rows are of different lengths).
// Throws an Error that says what is wrong with a text that no function of an exercise prints.
export function parse(text) {
  const plain = text.replaceAll("\u2212", "-");
  if (!plain.trim()) throw new Error("Paste what your function printed, or type the number.");
  if (/<function|<built-in|<bound method/.test(plain)) {
    throw new Error("This is the function itself. Call it, as the last line of the code does.");
  }
  if (/\.\.\.|…/.test(plain)) {
    throw new Error("The print is shortened: some numbers are missing where it has dots.");
  }
  if (/sparse_/.test(plain)) {
    throw new Error("This is a sparse tensor. Print what its to_dense() gives.");
  }
  if (/\d\s*[+-]\s*[\d.e+-]*j\b/i.test(plain)) {
    throw new Error("These are complex numbers. Print real and imaginary parts as two numbers.");
  }
  const tokens = plain.replace(KEYWORD, " ").replace(WORD, " ").match(TOKEN) ?? [];
  const numbers = [];
  const halves = [];
  const shapes = [];
  const open = []; // the lengths, so far, of the lists around the present token
  const inner = []; // and the shapes of the lists in each of them
  for (const token of tokens) {
    if (token === "[") {
      open.push(0);
      inner.push([]);
    } else if (token === "]") {
      if (!open.length) throw new Error("There is a ] without its [. Is the beginning missing?");
      const shape = shapeOf(open.pop(), inner.pop());
      if (inner.length) {
        inner.at(-1).push(shape);
        open[open.length - 1]++;
      } else shapes.push(shape);
    } else {
      numbers.push(numberOf(token));
      halves.push(halfUnit(token));
      if (open.length) open[open.length - 1]++;
      else shapes.push([]);
    }
  }
  if (open.length) throw new Error("There is a [ without its ]. Is the end missing?");
  if (!shapes.length) throw new Error("There are no numbers in this.");
  return { numbers, halves, shapes };
}

function shapeOf(length, inner) {
  if (!inner.length) return [length];
  const [first] = inner;
  const even = first && inner.length === length && inner.every((shape) => equal(shape, first));
  return even ? [length, ...first] : null;
}

function numberOf(token) {
  const word = token.toLowerCase();
  return VALUES[word] ?? (/nan$/.test(word) ? "nan" : word === "-inf" ? word : Number(token));
}

// 0.005 for 6.28, nothing for a word.
function halfUnit(token) {
  const [, decimals = "", exponent = "0"] = /^[+-]?\d*\.?(\d*)(?:e(.*))?$/i.exec(token) ?? [];
  return /\d/.test(token) ? 0.5 * 10 ** (Number(exponent) - decimals.length) : 0;
}

// What was pasted, as {kind} with what there is to say about it:
//   unreadable  `problem`, a sentence
//   right       `alike`, the mistakes that give the same for these inputs
//   whole       the right numbers, but not whole ones as was asked
//   mistake     `mistakes`, those that give this: one, or several that these inputs don't tell apart
//   digits      it is rounded so much that all of the `fitting` answers may be meant
//   shape       the right numbers, in another `shape` than the `wanted` one
//   count       so many numbers, `count`, that it is neither; `wanted` were expected
//   unknown     `agreeing` numbers of `count` are right; the first that is not is `number`, at `at`
//   error       an error that no mistake raises: its last line
export function recognise(text, exercise) {
  const raised = text.match(ERROR)?.at(-1);
  if (raised) {
    const mistakes = exercise.mistakes.filter(({ error }) => error && raised.includes(error));
    return mistakes.length ? { kind: "mistake", mistakes } : { kind: "error", error: raised };
  }
  let pasted;
  try {
    pasted = parse(text);
  } catch (error) {
    return { kind: "unreadable", problem: error.message };
  }
  return compared(pasted, exercise, text);
}

function compared(pasted, { right, mistakes, whole }, text) {
  const candidates = [right, ...mistakes].filter((one) => one.numbers);
  const fitting = (coarsest) =>
    candidates.filter((one) => hasNumbers(pasted, one, coarsest) && hasShapes(pasted, one));
  // What fits as it stands needs no rounding: torch prints 1. where all numbers are whole.
  const found = [fitting(0), fitting(COARSEST)].find((some) => some.length);
  if (found) {
    const [first, ...others] = found;
    if (others.some((one) => !same(one, first))) return { kind: "digits", fitting: found };
    if (first !== right) return { kind: "mistake", mistakes: found };
    return whole && /\d\./.test(text) ? { kind: "whole" } : { kind: "right", alike: others };
  }
  if (hasNumbers(pasted, right, COARSEST)) {
    const i = right.shapes.findIndex((shape, k) => !equal(shape, pasted.shapes[k]));
    return { kind: "shape", shape: pasted.shapes[i], wanted: right.shapes[i] };
  }
  const count = pasted.numbers.length;
  const wanted = right.numbers.length;
  if (count !== wanted) return { kind: "count", count, wanted };
  const rough = fitting(Number.POSITIVE_INFINITY);
  if (rough.length) return { kind: "digits", fitting: rough };
  const differs = pasted.numbers.map((_, i) => !near(pasted, right, i, TOLERANCE * sizeOf(right)));
  const at = differs.indexOf(true);
  const agreeing = differs.filter((one) => !one).length;
  return { kind: "unknown", agreeing, count, at, number: pasted.numbers[at] };
}

// Whether the numbers are those of an answer, as far as the digits that are given go: a rounding to
// at most `coarsest` of the largest one is allowed for.
function hasNumbers(pasted, one, coarsest) {
  if (pasted.numbers.length !== one.numbers.length) return false;
  const size = sizeOf(one);
  return pasted.numbers.every((_, i) => {
    const rounding = Math.min(pasted.halves[i], coarsest * size);
    return near(pasted, one, i, rounding + TOLERANCE * size);
  });
}

function near(pasted, one, i, tolerance) {
  const [mine, its] = [pasted.numbers[i], one.numbers[i]];
  const words = typeof mine === "string" || typeof its === "string";
  return words ? mine === its : Math.abs(mine - its) <= tolerance;
}

function sizeOf(one) {
  return Math.max(1, ...one.numbers.filter((value) => typeof value === "number").map(Math.abs));
}

// Whether the shapes are an answer's. Numbers without brackets have none to compare, nor has one list
// of all that several calls gave.
function hasShapes({ shapes }, one) {
  if (shapes.length !== one.shapes.length || shapes.every((shape) => equal(shape, []))) return true;
  const empty = (shape) => shape?.includes(0); // torch prints [] for any of these
  return one.shapes.every(
    (shape, i) => equal(shape, shapes[i]) || (empty(shape) && empty(shapes[i])),
  );
}

function same(one, other) {
  const exact = { numbers: one.numbers, halves: one.numbers.map(() => 0) };
  return hasNumbers(exact, other, 0);
}

function equal(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}
