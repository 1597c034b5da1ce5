// What tells a model where its bytes are: pe_lib's encodings, as model.js asks for them.

import { inverseFrequencies, sinusoidalEncoding } from "../compute/encodings.js";
import { fail } from "../compute/refusal.js";
import { attentionFactor, RULES, slowed } from "../compute/scaling.js";

const THETA = 10_000;
const FARTHEST = 128; // from this distance on, T5's buckets are one
const STEEPEST = 8; // ALiBi's gentlest slope is 2 to the minus this

export const AS_IS = "as is";

/** Refuse a rule that this kind of model can't be read with. */
export function checkRule(kind, rule) {
  const rules = kind === "rope" ? [AS_IS, ...RULES] : [AS_IS];
  if (!rules.includes(rule))
    fail(`rule: expected one of ${rules.join(", ")} for ${kind}, got ${rule}`);
}

/** The vector of length `dim` that is added to the word at a position; none for most kinds. */
export function atTheInput(kind, position, dim) {
  return kind === "sinusoidal" ? sinusoidalEncoding([position], dim, THETA).data : null;
}

/** How far each pair of features turns from a position to the next, and what the turned are
 *  multiplied by; null where nothing turns. */
export function turning(kind, rule, times, trained, dim) {
  if (kind !== "rope") return null;
  const slower = slowed(rule, { times, theta: THETA, trained, dim });
  const frequencies = inverseFrequencies(dim, THETA).data.map((own, pair) => own / slower[pair]);
  return { frequencies, factor: attentionFactor(rule, times) };
}

/** What is added to a head's scores at each distance from 0 to count - 1; null where nothing is.
 *  The table is T5's, a row of all heads for each bucket. */
export function atTheScore(kind, head, heads, count, table) {
  if (kind === "alibi") {
    const slope = 2 ** ((-STEEPEST * (head + 1)) / heads);
    return Float32Array.from({ length: count }, (_, distance) => -slope * distance);
  }
  if (kind === "t5") {
    const starts = bucketStarts(table.shape[0]);
    const bucketOf = (distance) => starts.findLastIndex((start) => start <= distance);
    return Float32Array.from(
      { length: count },
      (_, distance) => table.data[bucketOf(distance) * heads + head],
    );
  }
  return null;
}

/** The distance at which each bucket begins: one each at first, then growing by a factor. */
function bucketStarts(buckets) {
  const exact = buckets >> 1;
  return Array.from({ length: buckets }, (_, bucket) => {
    if (bucket <= exact) return bucket;
    const start = exact * (FARTHEST / exact) ** ((bucket - exact) / (buckets - exact));
    return Math.ceil(start * (1 - 1e-12)); // a whole number stays one, whatever rounding does
  });
}
