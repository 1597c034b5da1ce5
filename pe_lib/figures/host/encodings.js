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

/** Mix a 32-bit counter until it looks random: the same numbers as pe_lib's hash32. */
function hash32(x) {
  for (let round = 0; round < 2; round++) x = Math.imul(x ^ (x >>> 16), 0x45d9f3b);
  return (x ^ (x >>> 16)) >>> 0;
}

/** A fixed random number between -1 and 1, even in distribution: pe_lib's fixed_uniform. */
function fixedUniform(counter) {
  return (hash32(counter) + 0.5) / 2 ** 31 - 1;
}
