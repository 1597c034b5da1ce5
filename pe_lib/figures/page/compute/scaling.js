// How rotary frequencies are slowed for longer texts: pe_lib's rules.

import {
  FAST_TURNS,
  HIGH_TURNS,
  LOW_TURNS,
  SLOW_TURNS,
} from "../../../experiments/extrapolation/stretched.py";
import { inverseFrequencies } from "./encodings.js";

const TURN = 2 * Math.PI;

/** By how much each rule slows a pair: its number n, how often it turns in training. */
const SLOWED = {
  interpolation:
    ({ times }) =>
    () =>
      times,
  NTK:
    ({ times, dim }) =>
    (n) =>
      times ** (n / (dim / 2 - 1)),
  YaRN(setting) {
    const [first, last] = blended(setting);
    return (n) => mixed((last - n) / (last - first), setting.times);
  },
  "Llama 3":
    ({ times }) =>
    (_, turns) =>
      mixed((turns - LOW_TURNS) / (HIGH_TURNS - LOW_TURNS), times),
};

export const RULES = Object.keys(SLOWED);

/** What a rule divides the frequency of each pair by, for a context `times` as long as the trained;
 *  1 without a rule. */
export function slowed(rule, setting) {
  const { theta, trained, dim } = setting;
  const slowing = SLOWED[rule]?.(setting) ?? (() => 1);
  const frequencies = Array.from(inverseFrequencies(dim, theta).data);
  return frequencies.map((frequency, n) => slowing(n, (trained * frequency) / TURN));
}

/** What YaRN multiplies cosine and sine by. */
export function attentionFactor(rule, times) {
  return rule === "YaRN" ? 0.1 * Math.log(times) + 1 : 1;
}

/** A pair that keeps a part of its frequency, from 0 to 1, and has the rest divided. */
function mixed(part, times) {
  const kept = Math.min(Math.max(part, 0), 1);
  return 1 / (kept + (1 - kept) / times);
}

/** The last pair that YaRN keeps and the first that it divides. */
function blended({ theta, trained, dim }) {
  const pairOf = (turns) => ((dim / 2) * Math.log(trained / (turns * TURN))) / Math.log(theta);
  const high = Math.min(Math.ceil(pairOf(SLOW_TURNS)), dim - 1);
  const low = Math.min(Math.max(Math.floor(pairOf(FAST_TURNS)), 0), high);
  return [low, Math.max(high, low + 0.001)];
}
