// Vectors and matrices as {shape, data}, the form in which a kernel's numbers arrive too.

/** The whole numbers from start up to, not including, end. */
export function range(start, end) {
  return Array.from({ length: end - start }, (_, n) => start + n);
}

export function vector(numbers) {
  return { shape: [numbers.length], data: Float64Array.from(numbers) };
}

/** A table of numbers: matrix(2, 3).data[row * 3 + col]. */
export function matrix(rows, cols) {
  return { shape: [rows, cols], data: new Float64Array(rows * cols) };
}

/** A matrix from its rows. */
export function stack(rows) {
  const all = matrix(rows.length, rows[0].length);
  for (const [n, row] of rowsOf(all).entries()) row.set(rows[n]);
  return all;
}

/** The rows of a matrix, as views of its data. */
export function rowsOf({ shape: [rows, cols], data }) {
  return range(0, rows).map((row) => data.subarray(row * cols, (row + 1) * cols));
}
