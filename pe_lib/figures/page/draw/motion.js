// What moves when a choice changes: it is drawn where it ends, and travels there from where it was.

const TRAVEL = 250; // ms

/** Let an element arrive from {transform} or {opacity}; at once where motion is reduced. */
export function arrive(element, from) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const to = "opacity" in from ? { opacity: 1 } : { transform: "none" };
  element.animate([from, to], { duration: TRAVEL, easing: "ease-in-out" });
}
