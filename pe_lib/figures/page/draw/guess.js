// A guess that the reader draws on a line chart: a number at each of some places of its x axis.

import { between } from "./numbers.js";
import { steppable } from "./reading.js";

/** The attributes of the element that holds the chart. view.state has the place that is read, `at`,
 *  and the `guess` there and elsewhere, null where there is none. Dragging draws, and so does a tap
 *  while the figure asks; pointing and the left and right arrow keys read another place; up and
 *  down move the guess there. On the chart as it is now, `view.parts.chart`, the places stand at
 *  `places`, rising by one each. valueAt(y) is the number to keep for a height, moved(value, up)
 *  the one for a step from a number, or from null; take({at, guess}) keeps both. */
export function guessable(view, label, { places, valueAt, moved, take }) {
  let last = null; // where the pointer that draws was

  const pointed = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    const x = view.parts.chart.fromX(event.clientX - box.left);
    return {
      x: between(x, places[0], places.at(-1)),
      y: view.parts.chart.fromY(event.clientY - box.top),
    };
  };
  const nearest = ({ x }) => Math.round(x - places[0]);
  const stopped = () => {
    last = null;
  };

  return {
    ...steppable(label, (right, down) => {
      const at = between(view.state.at + right, 0, places.length - 1);
      const { guess } = view.state;
      take({ at, guess: down ? guess.with(at, moved(guess[at], -down)) : guess });
    }),
    onpointerdown(event) {
      event.currentTarget.setPointerCapture(event.pointerId);
      last = pointed(event);
      const [at, { guess }] = [nearest(last), view.state];
      take({ at, guess: view.asking ? guess.with(at, valueAt(last.y)) : guess });
    },
    onpointermove(event) {
      const now = pointed(event);
      const { guess } = view.state;
      take({ at: nearest(now), guess: last ? stroke(guess, last, now) : guess });
      if (last) last = now;
    },
    onpointerup: stopped,
    onpointercancel: stopped,
  };

  /** The guess after a stroke: at the places that it passes, and where it ends near one. */
  function stroke(guess, from, to) {
    return places.map((place, n) => {
      if (Math.abs(place - to.x) < 0.25) return valueAt(to.y);
      if ((place - from.x) * (place - to.x) >= 0) return guess[n];
      return valueAt(from.y + ((to.y - from.y) * (place - from.x)) / (to.x - from.x));
    });
  }
}
