// What moves when a choice changes: it is drawn where it ends, and travels there from where it was.

const TRAVEL = 250; // ms
export const REVEAL = 900; // ms: an answer that runs over what was asked can be watched

/** Whether motion is reduced. */
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Whether what a figure shows has changed by a single step, which may travel: what is dragged or
 *  slid changes again at once, and is followed at once. */
export function isStep(parts) {
  const before = parts.changedAt ?? Number.NEGATIVE_INFINITY;
  parts.changedAt = performance.now();
  return parts.changedAt - before >= TRAVEL;
}

/** Let an element arrive from how it was, such as {transform} or {opacity}; at once where motion is
 *  reduced. */
export function arrive(element, from, duration = TRAVEL) {
  if (still()) return;
  element.animate([{ ...from, offset: 0 }], { duration, easing: "ease-in-out" });
}

/** Let an answer appear from an x of a drawing to its right end, so many pixels wide. */
export function uncover(element, x, width) {
  element.style.clipPath = "inset(0) view-box";
  arrive(element, { clipPath: `inset(0 ${width - x}px 0 0) view-box` }, REVEAL);
}

/** Draw the shares of a way, from 0 to 1, while it is travelled; at once 1 where motion is reduced.
 *  What this gives ends the travel: it draws 1, unless that is drawn. */
export function travel(draw) {
  const start = performance.now();
  let frame = null;
  let ended = false;
  const end = () => {
    if (ended) return;
    ended = true;
    cancelAnimationFrame(frame);
    draw(1);
  };
  const step = (now) => {
    const share = Math.max((now - start) / TRAVEL, 0);
    if (share >= 1) return end();
    frame = requestAnimationFrame(step);
    draw(share * share * (3 - 2 * share));
  };
  if (still()) end();
  else step(start);
  return end;
}

/** Let what a canvas shows fade over what it will show: the ::before of its parent lies on it. */
export function fadeOver(canvas) {
  leave(canvas, { opacity: 1 }, { opacity: 0 });
}

/** Let what a canvas will show push out what it shows, by so many heights of it: up, or down. */
export function pushOut(canvas, heights) {
  const place = (by) => ({ transform: `translateY(${100 * by}%)` });
  leave(canvas, { opacity: 1, ...place(0) }, { opacity: 1, ...place(-heights) });
  arrive(canvas, place(heights));
}

function leave(canvas, from, to) {
  if (still()) return;
  const backgroundImage = `url(${canvas.toDataURL()})`;
  canvas.parentElement.animate(
    [
      { backgroundImage, ...from },
      { backgroundImage, ...to },
    ],
    { duration: TRAVEL, easing: "ease-in-out", pseudoElement: "::before" },
  );
}
