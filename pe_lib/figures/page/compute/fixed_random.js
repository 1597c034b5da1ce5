// Random numbers that are the same in every figure, in torch and in a page.

/** Mix a 32-bit counter until it looks random: the same numbers as pe_lib's hash32. */
export function hash32(x) {
  for (let round = 0; round < 2; round++) x = Math.imul(x ^ (x >>> 16), 0x45d9f3b);
  return (x ^ (x >>> 16)) >>> 0;
}

/** A fixed random number between -1 and 1, even in distribution: pe_lib's fixed_uniform. */
export function fixedUniform(counter) {
  return (hash32(counter) + 0.5) / 2 ** 31 - 1;
}
