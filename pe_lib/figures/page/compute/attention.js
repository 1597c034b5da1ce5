// Who looks at whom.

import { rowsOf, stack } from "./arrays.js";
import { inner } from "./linear_algebra.js";

/** The attention map of queries and keys: softmax(q k^T / sqrt(dim) + bias), a row for each query.
 *  bias(query, key) is a number; causal hides later keys. */
export function attentionWeights(q, k, { bias = () => 0, causal = false } = {}) {
  const later = k.shape[0] - q.shape[0]; // the last query sees the last key
  return stack(
    rowsOf(inner(q, k)).map((scores, i) => {
      const seen = (j) => !causal || j <= i + later;
      const biased = scores.map((score, j) =>
        seen(j) ? score / Math.sqrt(q.shape[1]) + bias(i, j) : -Infinity,
      );
      const largest = Math.max(...biased);
      const powers = biased.map((score) => Math.exp(score - largest));
      const sum = powers.reduce((a, b) => a + b);
      return powers.map((power) => power / sum);
    }),
  );
}
