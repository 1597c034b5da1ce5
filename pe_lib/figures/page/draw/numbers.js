// Numbers: kept within bounds, and in words for the reader.

export function between(value, low, high) {
  return Math.min(Math.max(value, low), high);
}

const formats = []; // by decimals: to make one takes far longer than to use it
function format(decimals) {
  formats[decimals] ??= new Intl.NumberFormat("en", { maximumFractionDigits: decimals });
  return formats[decimals];
}

/** A number: as many digits as matter, a real minus sign, an exponent where it is huge or tiny. */
export function show(value, digits = 4) {
  if (value === 0 || Math.abs(value) < 1e-12) return "0";
  const size = Math.floor(Math.log10(Math.abs(value)));
  if (size >= 9 || size < -digits) {
    const [mantissa, exponent] = value.toExponential(1).split("e");
    return `${mantissa}×10${superscript(Number(exponent))}`.replace("-", "−");
  }
  const decimals = between(digits - 1 - size, 0, digits);
  const short = Number(value.toFixed(decimals));
  return format(decimals).format(short).replace("-", "−");
}

export function superscript(n) {
  return String(n).replace(/./g, (c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c]));
}

/** How small a difference is that is only rounding: "less than 10⁻¹⁵". */
export function showRounding(difference) {
  return difference
    ? `less than 10${superscript(Math.floor(Math.log10(difference)) + 1)}`
    : "exactly 0";
}

/** A share in percent, rounded down, so that 100 % means all. */
export function percent(share) {
  return `${Math.floor(1000 * share + 1e-6) / 10}\u00a0%`;
}
