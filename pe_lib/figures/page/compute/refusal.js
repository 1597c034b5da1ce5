// What a figure does not take is refused in pe_lib's words.

export class FigureError extends Error {}

/** Refuse an input, in the same words as pe_lib. */
export function fail(message) {
  throw new FigureError(message);
}

export function checkInput({ name, kind, low, high, whole, options, most }, value) {
  if (whole && !Number.isInteger(value)) fail(`${name}: expected a whole number, got ${value}`);
  if (kind === "slider" && !(Number.isFinite(value) && low <= value && value <= high)) {
    fail(`${name}: this figure draws ${low} to ${high}, got ${value}`);
  }
  if (kind === "choice" && !Object.hasOwn(options, value)) {
    fail(`${name}: expected one of ${Object.keys(options).join(", ")}, got ${value}`);
  }
  if (kind === "several") {
    const chosen = value.split(" ");
    const known = new Set(chosen.filter((one) => Object.hasOwn(options, one)));
    if (chosen.length > most || known.size < chosen.length) {
      const expected = `1 to ${most} of ${Object.keys(options).join(", ")}, each once`;
      fail(`${name}: expected ${expected}, got ${value}`);
    }
  }
}
