// Small drawing helpers: elements, and the colours of the present theme.

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element: h("button", {class: "x", onclick: f}, "text", child). */
function h(tag, attributes = {}, ...children) {
  return decorate(document.createElement(tag), attributes, children);
}

/** An SVG element, likewise. */
function s(tag, attributes = {}, ...children) {
  return decorate(document.createElementNS(SVG, tag), attributes, children);
}

function decorate(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

/** "dark" or "light", read off the surface that the element really stands on. */
function themeOf(element) {
  for (let node = element; node; node = node.parentElement) {
    // A figure that is not yet in the page has no colour at all.
    const colour = getComputedStyle(node).backgroundColor.match(/[\d.]+/g) ?? [0, 0, 0, 0];
    const [r, g, b, alpha = 1] = colour.map(Number);
    if (alpha > 0.5) return 0.2126 * r + 0.7152 * g + 0.0722 * b < 128 ? "dark" : "light";
  }
  return "light";
}

/** What the colours stand for: key([colours.blue, "this"], [colours.orange, "that"]). */
function key(...entries) {
  return h("p", { class: "pe-key" }, ...entries.map(([colour, text]) =>
    h("span", {}, h("i", { style: `background: ${colour}` }), text)));
}

/** A button that does something to the picture. */
function button(text, onclick) {
  return h("button", { type: "button", onclick }, text);
}

/** Shares from 0 to 1 as bars: bars(["this", 0.2], ["that", 1]). */
function bars(...entries) {
  return h("div", { class: "pe-bars" }, ...entries.flatMap(([text, share]) => [
    h("span", {}, text), h("i", {}, h("i", { style: `width: ${100 * share}%` })), h("b", {}, percent(share))]));
}

/** Empty an svg and give it a size in pixels, so that its text keeps its own. */
function blank(svg, width, height) {
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("width", width);
  svg.setAttribute("height", height);
  svg.replaceChildren();
}
