// The theme of the page around a figure.

/** "dark" or "light", read off the surface that the element really stands on. */
export function themeOf(element) {
  for (let node = element; node; node = node.parentElement) {
    // A figure that is not yet in the page has no colour at all.
    const colour = getComputedStyle(node).backgroundColor.match(/[\d.]+/g) ?? [0, 0, 0, 0];
    const [r, g, b, alpha = 1] = colour.map(Number);
    if (alpha > 0.5) return 0.2126 * r + 0.7152 * g + 0.0722 * b < 128 ? "dark" : "light";
  }
  return "light";
}
