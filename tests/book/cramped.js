// Text under 12 px, targets under 24 px, and what sticks out of a figure to the right.
(root) => {
  const found = [];
  const shown = (e) => e.checkVisibility({ visibilityProperty: true });
  const scaled = ({ a, b, c, d }) => Math.sqrt(Math.abs(a * d - b * c));
  const edge = root.getBoundingClientRect().right + 0.5;
  for (const e of root.querySelectorAll("*")) {
    if (!shown(e)) continue;
    const name = `${e.tagName}.${e.getAttribute("class") ?? ""}`;
    const text = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    const drawn =
      e instanceof SVGGraphicsElement && !(e instanceof SVGSVGElement)
        ? scaled(e.getScreenCTM())
        : 1;
    const size = parseFloat(getComputedStyle(e).fontSize) * drawn;
    if (text && size < 11.99)
      found.push(`${size.toFixed(1)} px text: ${e.textContent.slice(0, 40)}`);
    const box = e.getBoundingClientRect();
    if (box.right > edge) found.push(`${name} sticks out by ${(box.right - edge).toFixed(0)} px`);
    if (e.matches("input, button, [tabindex='0']")) {
      const target = e.matches("input[type=checkbox], input[type=radio]")
        ? e.closest("label").getBoundingClientRect()
        : box;
      if (target.width < 24 || target.height < 24)
        found.push(`${name}: ${target.width} x ${target.height} px to hit`);
    }
  }
  return found;
};
