// One axis for every figure over the distance from a key back to its query: they can be laid over
// each other.

import { between, show } from "./numbers.js";

const place = (distance) => Math.log10(1 + distance); // 0 has a place too

/** The axis from 0 to `reach`, nearly logarithmic: `options` for lineChart; `place` of a distance
 *  on it, and the whole distance `at` a place. */
export function distanceAxis(reach) {
  const at = (x) => between(Math.round(10 ** x - 1), 0, reach);
  const decades = Math.round(Math.log10(reach));
  const ticks = [0, ...Array.from({ length: decades + 1 }, (_, n) => 10 ** n)];
  return {
    options: {
      x: [-0.06, 1.045 * place(reach)],
      xTicks: ticks.map(place),
      xTick: (x) => show(at(x)),
      xLabel: "distance: tokens back from the query",
    },
    place,
    at,
  };
}
