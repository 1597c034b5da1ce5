// Small drawing helpers: elements, colours of the present theme, numbers in words, heat maps.

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

/** A number for the reader: as many digits as matter, a real minus sign, no exponent below 1e6. */
function show(value, digits = 4) {
  if (value === 0 || Math.abs(value) < 1e-12) return "0";
  const size = Math.floor(Math.log10(Math.abs(value)));
  if (size >= 9 || size < -digits) {
    const [mantissa, exponent] = value.toExponential(1).split("e");
    return `${mantissa}×10${superscript(Number(exponent))}`.replace("-", "−");
  }
  const decimals = Math.min(Math.max(digits - 1 - size, 0), digits);
  return Number(value.toFixed(decimals))
    .toLocaleString("en", { maximumFractionDigits: decimals })
    .replace("-", "−");
}

function superscript(n) {
  return String(n).replace(/./g, (c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c]));
}

/** How small a difference is that is only rounding: "less than 10⁻¹⁵". */
function showRounding(difference) {
  return difference ? `less than 10${superscript(Math.floor(Math.log10(difference)) + 1)}` : "exactly 0";
}

/** Paint rows x cols values between -limit and +limit, one pixel each; CSS makes them large. */
function paintHeatMap(canvas, { shape: [rows, cols], data }, colours, limit = 1) {
  canvas.width = cols;
  canvas.height = rows;
  const context = canvas.getContext("2d");
  const image = context.createImageData(cols, rows);
  const { scale } = colours;
  const half = (scale.length - 1) / 2;
  for (let cell = 0; cell < rows * cols; cell++) {
    const level = Math.round(half * (1 + Math.max(-1, Math.min(1, data[cell] / limit))));
    image.data.set(scale[level], 4 * cell);
    image.data[4 * cell + 3] = 255;
  }
  context.putImageData(image, 0, 0);
}

/** The heat map's legend: colours from -limit to +limit, with the numbers below. */
function paintLegend(holder, colours, limit = 1) {
  const bar = h("canvas", { class: "pe-pixels", "aria-hidden": "true" });
  const levels = Float64Array.from({ length: 101 }, (_, n) => (n - 50) / 50);
  paintHeatMap(bar, { shape: [1, 101], data: levels }, colours);
  holder.replaceChildren(bar, h("div", {}, ...[-limit, 0, limit].map((value) => h("span", {}, show(value)))));
}

/** What the colours stand for: key([colours.blue, "this"], [colours.orange, "that"]). */
function key(...entries) {
  return h("p", { class: "pe-key" }, ...entries.map(([colour, text]) =>
    h("span", {}, h("i", { style: `background: ${colour}` }), text)));
}

/** A table of numbers: matrix(2, 3).data[row * 3 + col]. */
function matrix(rows, cols) {
  return { shape: [rows, cols], data: new Float64Array(rows * cols) };
}

/** Mix a 32-bit counter until it looks random: the same numbers as pe_lib's hash32. */
function hash32(x) {
  for (let round = 0; round < 2; round++) x = Math.imul(x ^ (x >>> 16), 0x45d9f3b);
  return (x ^ (x >>> 16)) >>> 0;
}
