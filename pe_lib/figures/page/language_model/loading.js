// Weights come when they are asked for: each kind's is a script of the book, for a page that is
// opened straight from disk may load no other file.

import { FigureError } from "../compute/refusal.js";

const promises = {};

/** The weight file of a kind, an ArrayBuffer. Where it can't be had, the next call tries again. */
export function loadWeights(kind) {
  promises[kind] ??= load(kind).catch((error) => {
    delete promises[kind];
    throw error;
  });
  return promises[kind];
}

async function load(kind) {
  const root = document.documentElement.dataset.content_root; // Sphinx says it, a notebook doesn't
  if (root === undefined)
    throw new FigureError("The trained models are in the book: in a notebook they need a kernel.");
  const source = new URL(`${root}_static/pe-weights-${kind}.js`, document.baseURI).href;
  await new Promise((loaded, failed) => {
    const script = document.createElement("script");
    script.src = source;
    script.onload = loaded;
    script.onerror = () =>
      failed(
        new FigureError(
          "The trained model could not be loaded. Check your connection, and try again.",
        ),
      );
    document.head.append(script);
  });
  const text = globalThis.PE_WEIGHTS[kind];
  delete globalThis.PE_WEIGHTS[kind];
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0)).buffer;
}
