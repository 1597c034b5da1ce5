// A text as a model reads it: what each byte costs, what the model expects after each, and where it
// looks. The text may grow, and what is read stays read.

import { fail } from "../compute/refusal.js";
import { LanguageModel } from "./model.js";

const SHOWN = 5; // bytes that are named of those that the model expects

export class Reading {
  /** `file`, `rule` and `length` as LanguageModel takes them. With `onlyTheEnd` the model sees from
   *  each byte no more than the trained length: the text is read in windows of that length, each
   *  half a window after the one before; only the second half of a window counts (of the first,
   *  all). A byte is read with 64 to 128 bytes, itself among them: pe_lib's "strided" windows. */
  constructor(file, { rule, length, onlyTheEnd = false } = {}) {
    Object.assign(this, { onlyTheEnd, bytes: [], logits: [], losses: [], likeliest: [] });
    this.open = (start) => ({ start, model: new LanguageModel(file, { rule, length }) });
    this.windows = [this.open(0)];
    this.half = this.windows[0].model.trained / 2;
  }

  /** Read further bytes. */
  extend(bytes) {
    for (let start = 0; start < bytes.length; ) {
      const size = this.onlyTheEnd ? this.half - (this.bytes.length % this.half) : bytes.length;
      const part = bytes.subarray(start, start + size);
      const { model } = this.windowFor(this.bytes.length);
      this.note(part, model.extend(part));
      start += part.length;
    }
  }

  /** Forget all but the first bytes. */
  cut(count) {
    for (const list of [this.bytes, this.logits, this.losses, this.likeliest])
      list.length = Math.min(list.length, count);
    this.windows = this.windows.filter(({ start }, n) => n === 0 || start + this.half < count);
    const { start, model } = this.windows.at(-1);
    model.cut(Math.max(count - start, 0));
  }

  /** How a byte's attention is spread, as of LanguageModel: 0 for bytes before its window. */
  attention(position) {
    const { start, model } = this.windowOf(position);
    const found = model.attention(position - start);
    const width = position - start + 1;
    const whole = new Float32Array((found.length / width) * (position + 1));
    for (let row = 0; row * width < found.length; row++)
      whole.set(found.subarray(row * width, (row + 1) * width), row * (position + 1) + start);
    return whole;
  }

  /** The byte that the model expects most after all that it has read. */
  next() {
    if (!this.bytes.length) fail("text: expected a byte to go on from, got none");
    return this.likeliest.at(-1).bytes[0];
  }

  /** What has been read: its bytes; what each costs in nats, of which the first is NaN, for nothing
   *  predicts it; and after each byte the five likeliest next ones with their probabilities. */
  result() {
    return {
      bytes: Uint8Array.from(this.bytes),
      losses: Float32Array.from(this.losses),
      likeliest: {
        bytes: Uint8Array.from(this.likeliest.flatMap(({ bytes }) => bytes)),
        probabilities: Float32Array.from(this.likeliest.flatMap((one) => one.probabilities)),
      },
    };
  }

  /** The window in which a byte counts: the first one for the bytes of its first half as well. */
  windowOf(position) {
    if (!this.onlyTheEnd) return this.windows[0];
    return this.windows[Math.max(Math.floor(position / this.half) - 1, 0)];
  }

  /** The same for the next byte: a new window reads what comes before that byte. */
  windowFor(position) {
    const found = this.windowOf(position);
    if (found) return found;
    const window = this.open(position - this.half);
    window.model.extend(Uint8Array.from(this.bytes.slice(-this.half)));
    this.windows.push(window);
    return window;
  }

  note(bytes, logits) {
    const width = logits.length / bytes.length;
    bytes.forEach((byte, n) => {
      const before = this.logits.at(-1);
      this.losses.push(before ? logSum(before) - before[byte] : NaN);
      const own = logits.subarray(n * width, (n + 1) * width);
      this.bytes.push(byte);
      this.logits.push(own);
      this.likeliest.push(likeliestOf(own));
    });
  }
}

function logSum(logits) {
  const largest = logits.reduce((a, b) => Math.max(a, b));
  return largest + Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit - largest), 0));
}

function likeliestOf(logits) {
  const bytes = [];
  while (bytes.length < SHOWN) {
    let best = -1;
    for (let byte = 0; byte < logits.length; byte++) {
      if (bytes.includes(byte)) continue;
      if (best < 0 || logits[byte] > logits[best]) best = byte;
    }
    bytes.push(best);
  }
  const sum = logSum(logits);
  return { bytes, probabilities: bytes.map((byte) => Math.exp(logits[byte] - sum)) };
}
