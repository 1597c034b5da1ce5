// Vectors and matrices as {shape, data}, the form in which a kernel's numbers arrive too.

/** The whole numbers from start up to, not including, end. */
function range(start, end) {
  return Array.from({ length: end - start }, (_, n) => start + n);
}

function vector(numbers) {
  return { shape: [numbers.length], data: Float64Array.from(numbers) };
}

/** A table of numbers: matrix(2, 3).data[row * 3 + col]. */
function matrix(rows, cols) {
  return { shape: [rows, cols], data: new Float64Array(rows * cols) };
}

/** A matrix from its rows. */
function stack(rows) {
  const all = matrix(rows.length, rows[0].length);
  rowsOf(all).forEach((row, n) => row.set(rows[n]));
  return all;
}

/** The rows of a matrix, as views of its data. */
function rowsOf({ shape: [rows, cols], data }) {
  return range(0, rows).map((row) => data.subarray(row * cols, (row + 1) * cols));
}

function dot(a, b) {
  let sum = 0;
  for (let n = 0; n < a.length; n++) sum += a[n] * b[n];
  return sum;
}

/** a @ b.T: the inner products of the rows of a with the rows of b. */
function inner(a, b) {
  const product = matrix(a.shape[0], b.shape[0]), others = rowsOf(b);
  rowsOf(a).forEach((row, i) => others.forEach((other, j) => { product.data[i * others.length + j] = dot(row, other); }));
  return product;
}

/** a @ b. */
function multiply(a, b) {
  const rows = rowsOf(b);
  return inner(a, stack(range(0, b.shape[1]).map((column) => rows.map((row) => row[column]))));
}

/** f, but it remembers its last answer: a slider moves one input, and much stays as it was. */
function remembering(f) {
  let asked, answer;
  return (...given) => {
    if (String(given) !== asked) [asked, answer] = [String(given), f(...given)];
    return answer;
  };
}

/** The eigenvalues above `least` times the largest, and their eigenvectors, of a symmetric matrix
 *  without negative ones; the largest first. Its rows are turned among each other, two at a time,
 *  until they are orthogonal: then each is eigenvalue times eigenvector (Hestenes 1958). */
function eigen(symmetric, least) {
  const rows = rowsOf(symmetric).map((row) => row.slice());
  const negligible = (least * Math.max(...rows.map((row) => dot(row, row) ** 0.5))) ** 2;
  for (let turned = true; turned;) {
    turned = false;
    rows.forEach((a, i) => rows.slice(i + 1).forEach((b) => {
      const aa = dot(a, a), ab = dot(a, b), bb = dot(b, b);
      if (Math.abs(ab) <= 1e-14 * Math.sqrt(aa * bb) || Math.min(aa, bb) < 1e-6 * negligible) return;
      turned = true;
      const angle = Math.atan2(2 * ab, aa - bb) / 2;
      const cos = Math.cos(angle), sin = Math.sin(angle);
      for (let n = 0; n < a.length; n++) [a[n], b[n]] = [cos * a[n] + sin * b[n], cos * b[n] - sin * a[n]];
    }));
  }
  const found = rows.map((row) => ({ value: Math.sqrt(dot(row, row)), row })).sort((a, b) => b.value - a.value);
  return found.filter(({ value }) => value > least * found[0].value)
    .map(({ value, row }) => ({ value, vector: row.map((x) => x / value) }));
}
