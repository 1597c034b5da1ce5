// Products of matrices, and the eigenvectors of a symmetric one.

import { matrix, range, rowsOf, stack } from "./arrays.js";

export function dot(a, b) {
  let sum = 0;
  for (let n = 0; n < a.length; n++) sum += a[n] * b[n];
  return sum;
}

/** a @ b.T: the inner products of the rows of a with the rows of b. */
export function inner(a, b) {
  const product = matrix(a.shape[0], b.shape[0]);
  const others = rowsOf(b);
  rowsOf(a).forEach((row, i) => {
    others.forEach((other, j) => {
      product.data[i * others.length + j] = dot(row, other);
    });
  });
  return product;
}

/** a @ b. */
export function multiply(a, b) {
  const rows = rowsOf(b);
  return inner(a, stack(range(0, b.shape[1]).map((column) => rows.map((row) => row[column]))));
}

/** The eigenvalues above `least` times the largest, and their eigenvectors, of a symmetric matrix
 *  without negative ones; the largest first. Its rows are turned among each other, two at a time,
 *  until they are orthogonal: then each is eigenvalue times eigenvector (Hestenes 1958). */
export function eigen(symmetric, least) {
  const rows = rowsOf(symmetric).map((row) => row.slice());
  const negligible = (least * Math.max(...rows.map((row) => dot(row, row) ** 0.5))) ** 2;
  for (let turned = true; turned; ) {
    turned = false;
    rows.forEach((a, i) => {
      for (const b of rows.slice(i + 1)) {
        const aa = dot(a, a);
        const ab = dot(a, b);
        const bb = dot(b, b);
        if (Math.abs(ab) <= 1e-14 * Math.sqrt(aa * bb) || Math.min(aa, bb) < 1e-6 * negligible)
          continue;
        turned = true;
        const angle = Math.atan2(2 * ab, aa - bb) / 2;
        const cos = Math.cos(angle);
        const sin = Math.sin(angle);
        for (let n = 0; n < a.length; n++)
          [a[n], b[n]] = [cos * a[n] + sin * b[n], cos * b[n] - sin * a[n]];
      }
    });
  }
  const found = rows
    .map((row) => ({ value: Math.sqrt(dot(row, row)), row }))
    .sort((a, b) => b.value - a.value);
  return found
    .filter(({ value }) => value > least * found[0].value)
    .map(({ value, row }) => ({ value, vector: row.map((x) => x / value) }));
}
