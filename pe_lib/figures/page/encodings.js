// What pe_lib computes, for pages without a kernel: the same names, the same numbers.

/** Refuse what pe_lib refuses as dim. */
function checkDim(dim) {
  if (!Number.isInteger(dim) || dim < 2 || dim % 2) {
    fail(`dim: expected an even int >= 2 (features come in pairs), got ${dim}`);
  }
}

function inverseFrequencies(dim, theta) {
  checkDim(dim);
  return vector(range(0, dim / 2).map((pair) => theta ** (-(2 * pair) / dim)));
}

function wavelengths(dim, theta) {
  return vector(inverseFrequencies(dim, theta).data.map((frequency) => (2 * Math.PI) / frequency));
}

function sinusoidalEncoding(positions, dim, theta) {
  const frequencies = inverseFrequencies(dim, theta).data;
  const table = matrix(positions.length, dim);
  positions.forEach((position, row) => frequencies.forEach((frequency, pair) => {
    table.data[row * dim + 2 * pair] = Math.sin(position * frequency);
    table.data[row * dim + 2 * pair + 1] = Math.cos(position * frequency);
  }));
  return table;
}

/** The attention map of queries and keys: softmax(q k^T / sqrt(dim) + bias), a row for each query.
 *  bias(query, key) is a number; causal hides later keys. */
function attentionWeights(q, k, { bias = () => 0, causal = false } = {}) {
  const later = k.shape[0] - q.shape[0]; // the last query sees the last key
  return stack(rowsOf(inner(q, k)).map((scores, i) => {
    const seen = (j) => !causal || j <= i + later;
    const biased = scores.map((score, j) => (seen(j) ? score / Math.sqrt(q.shape[1]) + bias(i, j) : -Infinity));
    const largest = Math.max(...biased);
    const powers = biased.map((score) => Math.exp(score - largest));
    const sum = powers.reduce((a, b) => a + b);
    return powers.map((power) => power / sum);
  }));
}

/** A pair of features turned counter-clockwise. */
function turn([a, b], angle) {
  return [a * Math.cos(angle) - b * Math.sin(angle), b * Math.cos(angle) + a * Math.sin(angle)];
}

/** Rows of x, turned by their position and scaled: features n and n + dim/2 are a pair (half-split).
 *  scale(position, pair) is a factor on both. Positions are 0, 1, 2 ... unless they are given. */
function rotated(x, theta, scale = () => 1, positions = range(0, x.shape[0])) {
  const half = x.shape[1] / 2, frequencies = Array.from(inverseFrequencies(x.shape[1], theta).data);
  return stack(rowsOf(x).map((row, at) => {
    const p = positions[at];
    const pairs = frequencies.map((frequency, pair) =>
      turn([row[pair], row[pair + half]], p * frequency).map((value) => value * scale(p, pair)));
    return [...pairs.map(([first]) => first), ...pairs.map(([, second]) => second)];
  }));
}

/** Mix a 32-bit counter until it looks random: the same numbers as pe_lib's hash32. */
function hash32(x) {
  for (let round = 0; round < 2; round++) x = Math.imul(x ^ (x >>> 16), 0x45d9f3b);
  return (x ^ (x >>> 16)) >>> 0;
}

/** A fixed random number between -1 and 1, even in distribution: pe_lib's fixed_uniform. */
function fixedUniform(counter) {
  return (hash32(counter) + 0.5) / 2 ** 31 - 1;
}
