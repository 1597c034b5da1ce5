// pe_lib's TransformerLM in plain JavaScript: bytes in, logits out. Text may be added to its end,
// and costs no more than its own bytes.

import { fail } from "../compute/refusal.js";
import { AS_IS, atTheInput, atTheScore, checkRule, turning } from "./positions.js";
import { multiply, rowsOf } from "./products.js";
import { readWeights } from "./weights.js";

const AT_ONCE = 64; // bytes that go through the layers together
const EPSILON = 1e-5; // of torch's LayerNorm

const known = new WeakMap(); // what has been read of a file: models of the same one share it

export class LanguageModel {
  /** The model of a weight file, which has read nothing yet. `rule` stretches its positions to
   *  `length` bytes; whoever goes on beyond that may. */
  constructor(file, { rule = AS_IS, length = 128 } = {}) {
    const { metadata, tensors } = weightsOf(file);
    this.tensors = tensors;
    this.kind = metadata.position;
    this.trained = Number(metadata.length);
    this.heads = Number(metadata.num_heads);
    this.layers = Object.keys(tensors).filter((name) => name.endsWith("queries.weight")).length;
    [this.vocabulary, this.dim] = tensors["embedding.weight"].shape;
    this.headDim = this.dim / this.heads;
    checkRule(this.kind, rule);
    const times = Math.max(1, length / this.trained);
    this.turning = turning(this.kind, rule, times, this.trained, this.headDim);
    this.held = 0; // bytes that it has read
    this.capacity = 0; // bytes for which there is room
    this.kept = Array.from({ length: this.layers }, () => ({}));
  }

  /** Read further bytes: the logits of what follows each, one row of 256 after the other. */
  extend(bytes) {
    const logits = new Float32Array(bytes.length * this.vocabulary);
    for (let start = 0; start < bytes.length; start += AT_ONCE) {
      const part = bytes.subarray(start, start + AT_ONCE);
      const rows = { data: logits, start: start * this.vocabulary, stride: this.vocabulary };
      this.read(part, rows);
    }
    return logits;
  }

  /** Forget all but the first bytes. */
  cut(count) {
    this.held = Math.min(this.held, count);
  }

  /** How a byte's attention is spread over the bytes up to itself: position + 1 weights for each
   *  head of each layer, in this order. */
  attention(position) {
    if (!(position >= 0 && position < this.held))
      fail(`position: expected 0 to ${this.held - 1}, got ${position}`);
    const found = new Float32Array(this.layers * this.heads * (position + 1));
    for (let layer = 0; layer < this.layers; layer++) {
      for (let head = 0; head < this.heads; head++) {
        const start = (layer * this.heads + head) * (position + 1);
        const own = { data: found, start, stride: position + 1 };
        this.weigh(layer, head, position, 1, own);
      }
    }
    return found;
  }

  read(bytes, logits) {
    this.makeRoom(this.held + bytes.length);
    const { dim, tensors } = this;
    const x = this.words(bytes);
    const turns = this.turns(bytes.length);
    for (let layer = 0; layer < this.layers; layer++) {
      const of = (name) => tensors[`blocks.${layer}.${name}`];
      const attended = this.attend(layer, this.normed(x, `blocks.${layer}.attention_norm`), turns);
      add(x, this.linear(attended, of("attention.output.weight")));
      const hidden = this.linear(this.normed(x, `blocks.${layer}.mlp_norm`), of("mlp.0.weight"));
      addToRows(hidden, of("mlp.0.bias").data);
      gelu(hidden);
      const mixed = this.linear(hidden, of("mlp.2.weight"));
      addToRows(mixed, of("mlp.2.bias").data);
      add(x, mixed);
    }
    const head = rowsOf(tensors["head.weight"].data, dim);
    multiply(rowsOf(this.normed(x, "norm"), dim), head, dim, logits);
    this.held += bytes.length;
  }

  /** The vectors that the first layer reads. */
  words(bytes) {
    const { data } = this.tensors["embedding.weight"];
    const x = new Float32Array(bytes.length * this.dim);
    bytes.forEach((byte, n) => {
      const row = x.subarray(n * this.dim, (n + 1) * this.dim);
      row.set(data.subarray(byte * this.dim, (byte + 1) * this.dim));
      const position = atTheInput(this.kind, this.held + n, this.dim);
      if (position) add(row, position);
    });
    return x;
  }

  /** Cosine and sine of every pair at the next positions; null where nothing turns. */
  turns(count) {
    if (!this.turning) return null;
    const { frequencies, factor } = this.turning;
    const tables = { cos: [], sin: [] };
    for (let position = this.held; position < this.held + count; position++) {
      for (const frequency of frequencies) {
        tables.cos.push(factor * Math.cos(position * frequency));
        tables.sin.push(factor * Math.sin(position * frequency));
      }
    }
    return tables;
  }

  attend(layer, x, turns) {
    const { dim, heads, headDim, held, capacity, tensors } = this;
    const kept = this.kept[layer];
    const of = (name) => this.linear(x, tensors[`blocks.${layer}.attention.${name}.weight`]);
    const [queries, keys, values] = ["queries", "keys", "values"].map(of);
    const count = x.length / dim;
    if (turns) for (const own of [queries, keys]) turn(own, turns, headDim, dim);
    kept.queries.set(queries, held * dim);
    kept.keys.set(keys, held * dim);
    for (let n = 0; n < count; n++) {
      for (let feature = 0; feature < dim; feature++)
        kept.values[feature * capacity + held + n] = values[n * dim + feature];
    }
    const seen = held + count;
    const taken = new Float32Array(count * dim);
    for (let head = 0; head < heads; head++) {
      const weights = { data: new Float32Array(count * seen), start: 0, stride: seen, rows: count };
      this.weigh(layer, head, held, count, weights);
      const start = head * headDim * capacity;
      const own = { data: kept.values, start, stride: capacity, rows: headDim };
      multiply(weights, own, seen, { data: taken, start: head * headDim, stride: dim });
    }
    return taken;
  }

  /** The attention of `count` bytes from a position on, to all up to the last of them. */
  weigh(layer, head, position, count, weights) {
    const { dim, headDim } = this;
    const { queries, keys, biases } = this.kept[layer];
    const start = head * headDim;
    const own = { data: queries, start: position * dim + start, stride: dim, rows: count };
    const all = { data: keys, start, stride: dim, rows: position + count };
    multiply(own, all, headDim, weights);
    const bias = biases[head];
    for (let n = 0; n < count; n++) {
      const from = weights.start + n * weights.stride;
      const row = weights.data.subarray(from, from + position + count);
      softmax(row, position + n, 1 / Math.sqrt(headDim), bias);
    }
  }

  /** LayerNorm of each row. */
  normed(x, name) {
    const { dim, tensors } = this;
    const [weight, bias] = ["weight", "bias"].map((part) => tensors[`${name}.${part}`].data);
    const result = new Float32Array(x.length);
    for (let start = 0; start < x.length; start += dim) {
      let [mean, square] = [0, 0];
      for (let n = 0; n < dim; n++) mean += x[start + n] / dim;
      for (let n = 0; n < dim; n++) square += (x[start + n] - mean) ** 2 / dim;
      const scale = 1 / Math.sqrt(square + EPSILON);
      for (let n = 0; n < dim; n++)
        result[start + n] = (x[start + n] - mean) * scale * weight[n] + bias[n];
    }
    return result;
  }

  linear(x, { shape: [rows, width], data }) {
    const count = x.length / width;
    const result = new Float32Array(count * rows);
    multiply(rowsOf(x, width), rowsOf(data, width), width, rowsOf(result, rows));
    return result;
  }

  /** Twice the room where it is not enough, with all that is kept in its place. Values are kept
   *  by feature, so that what a byte takes of them is a product of rows as well. */
  makeRoom(length) {
    if (length <= this.capacity) return;
    const before = this.capacity;
    this.capacity = Math.max(length, 2 * before, this.trained);
    const { dim, held, capacity } = this;
    this.kept.forEach((kept, layer) => {
      const larger = { queries: null, keys: null, values: null };
      for (const name in larger) {
        larger[name] = new Float32Array(dim * capacity);
        if (before && name !== "values") larger[name].set(kept[name]);
      }
      for (let feature = 0; before && feature < dim; feature++) {
        const row = kept.values.subarray(feature * before, feature * before + held);
        larger.values.set(row, feature * capacity);
      }
      const table = this.tensors[`blocks.${layer}.attention.position.relative.weight`];
      const biases = Array.from({ length: this.heads }, (_, head) =>
        atTheScore(this.kind, head, this.heads, capacity, table),
      );
      this.kept[layer] = { ...larger, biases };
    });
  }
}

function weightsOf(file) {
  if (!known.has(file)) known.set(file, readWeights(file));
  return known.get(file);
}

function add(x, y) {
  for (let n = 0; n < x.length; n++) x[n] += y[n];
}

function addToRows(x, row) {
  for (let start = 0; start < x.length; start += row.length)
    for (let n = 0; n < row.length; n++) x[start + n] += row[n];
}

/** Turn the pairs of every head in every row: features n and n + headDim/2 are a pair. */
function turn(x, { cos, sin }, headDim, dim) {
  const half = headDim / 2;
  for (let row = 0; row * dim < x.length; row++) {
    for (let start = row * dim; start < (row + 1) * dim; start += headDim) {
      for (let pair = 0; pair < half; pair++) {
        const [c, s] = [cos[row * half + pair], sin[row * half + pair]];
        const [a, b] = [x[start + pair], x[start + pair + half]];
        x[start + pair] = a * c - b * s;
        x[start + pair + half] = b * c + a * s;
      }
    }
  }
}

/** A query's products become its weights: those of keys up to the position `last` sum to 1, those
 *  of later keys are 0. */
function softmax(row, last, scale, bias) {
  let largest = -Infinity;
  for (let n = 0; n <= last; n++) {
    row[n] = row[n] * scale + (bias ? bias[last - n] : 0);
    largest = Math.max(largest, row[n]);
  }
  let sum = 0;
  for (let n = 0; n <= last; n++) {
    row[n] = Math.exp(row[n] - largest);
    sum += row[n];
  }
  for (let n = 0; n <= last; n++) row[n] /= sum;
  row.fill(0, last + 1);
}

/** The exact GELU: x times the share of a normal distribution below x. */
function gelu(x) {
  for (let n = 0; n < x.length; n++) x[n] *= 0.5 * (1 + erf(x[n] * Math.SQRT1_2));
}

/** The error function to within 1.5e-7 (Abramowitz and Stegun 1964, formula 7.1.26). */
function erf(x) {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const powers =
    ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
  const positive = 1 - powers * Math.exp(-x * x);
  return x < 0 ? -positive : positive;
}
