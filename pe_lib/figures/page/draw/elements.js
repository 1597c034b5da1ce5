// Elements of HTML and SVG.

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element: h("button", {class: "x", onclick: f}, "text", child). */
export function h(tag, attributes = {}, ...children) {
  return decorate(document.createElement(tag), attributes, children);
}

/** An SVG element, likewise. */
export function s(tag, attributes = {}, ...children) {
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

/** Give an element that is kept other attributes. */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}

/** Let an element have so many children, of those that make() makes. They are kept, so that they
 *  travel when something changes, and a finger does not lose what it drags. */
export function keep(parent, count, make) {
  while (parent.children.length > count) parent.lastChild.remove();
  while (parent.children.length < count) parent.append(make());
  return [...parent.children];
}

/** A button that does something to the picture. */
export function button(text, onclick) {
  return h("button", { type: "button", onclick }, text);
}

/** Empty an svg and give it a size in pixels, so that its text keeps its own. */
export function blank(svg, width, height) {
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("width", width);
  svg.setAttribute("height", height);
  svg.replaceChildren();
}
