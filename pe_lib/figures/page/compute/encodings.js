// What pe_lib computes, for pages without a kernel: the same names, the same numbers.

import { matrix, range, rowsOf, stack, vector } from "./arrays.js";
import { fail } from "./refusal.js";

/** Refuse what pe_lib refuses as dim. */
function checkDim(dim) {
  if (!Number.isInteger(dim) || dim < 2 || dim % 2) {
    fail(`dim: expected an even int >= 2 (features come in pairs), got ${dim}`);
  }
}

export function inverseFrequencies(dim, theta) {
  checkDim(dim);
  return vector(range(0, dim / 2).map((pair) => theta ** (-(2 * pair) / dim)));
}

export function wavelengths(dim, theta) {
  return vector(inverseFrequencies(dim, theta).data.map((frequency) => (2 * Math.PI) / frequency));
}

export function sinusoidalEncoding(positions, dim, theta) {
  const frequencies = inverseFrequencies(dim, theta).data;
  const table = matrix(positions.length, dim);
  positions.forEach((position, row) => {
    frequencies.forEach((frequency, pair) => {
      table.data[row * dim + 2 * pair] = Math.sin(position * frequency);
      table.data[row * dim + 2 * pair + 1] = Math.cos(position * frequency);
    });
  });
  return table;
}

/** A pair of features turned counter-clockwise. */
export function turn([a, b], angle) {
  return [a * Math.cos(angle) - b * Math.sin(angle), b * Math.cos(angle) + a * Math.sin(angle)];
}

/** Rows of x, turned by their position and scaled: features n and n + dim/2 are a pair, half-split.
 *  scale(position, pair) is a factor on both. Positions are 0, 1, 2 ... unless they are given. */
export function rotated(x, theta, scale = () => 1, positions = range(0, x.shape[0])) {
  const half = x.shape[1] / 2;
  const frequencies = Array.from(inverseFrequencies(x.shape[1], theta).data);
  return stack(
    rowsOf(x).map((row, at) => {
      const p = positions[at];
      const pairs = frequencies.map((frequency, pair) =>
        turn([row[pair], row[pair + half]], p * frequency).map((value) => value * scale(p, pair)),
      );
      return [...pairs.map(([first]) => first), ...pairs.map(([, second]) => second)];
    }),
  );
}
