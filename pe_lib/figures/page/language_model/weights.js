// The weights of a trained model, from the file that pe_lib keeps them in: safetensors, with a
// header of JSON that says where each tensor is. Matrices are whole numbers from -127 to 127 with a
// scale for each row, all else is float32.

import { FigureError } from "../compute/refusal.js";

const SCALES = ".scale"; // behind the name of the matrix that they belong to

/** A file's metadata, and its tensors as {name: {shape, data}} in float32.
 *  Refuses what is no such file, or only a part of one. */
export function readWeights(file) {
  const { __metadata__: metadata, ...entries } = header(file);
  const start = file.byteLength - Math.max(...Object.values(entries).map(endOf));
  const stored = Object.fromEntries(
    Object.entries(entries).map(([name, entry]) => [name, taken(file, start, name, entry)]),
  );
  const tensors = Object.fromEntries(
    Object.keys(stored)
      .filter((name) => !name.endsWith(SCALES))
      .map((name) => [name, inFloat(stored[name], stored[name + SCALES])]),
  );
  return { metadata, tensors };
}

function header(file) {
  try {
    const length = Number(new DataView(file).getBigUint64(0, true));
    const parsed = JSON.parse(new TextDecoder().decode(new Uint8Array(file, 8, length)));
    const end = 8 + length + Math.max(...Object.values(parsed).map(endOf));
    if (end === file.byteLength) return parsed;
  } catch {
    // Too short for its own header, or the header is no JSON: said below.
  }
  const came = file instanceof ArrayBuffer ? `${file.byteLength} bytes` : file;
  throw new FigureError(`weights: expected a whole safetensors file, got ${came} that are none`);
}

function endOf({ data_offsets: offsets = [0, 0] }) {
  return offsets[1];
}

function taken(file, start, name, { dtype, shape, data_offsets: [from, end] }) {
  const kind = { F32: Float32Array, I8: Int8Array }[dtype];
  const count = shape.reduce((product, size) => product * size, 1);
  if (kind && end - from === count * kind.BYTES_PER_ELEMENT)
    return { shape, data: new kind(file, start + from, count) };
  const expected = `${count} numbers of dtype F32 or I8`;
  throw new FigureError(`weights: expected ${name} as ${expected}, got ${end - from} of ${dtype}`);
}

function inFloat({ shape, data }, scales) {
  if (!scales) return { shape, data };
  const [rows, width] = shape;
  const floats = new Float32Array(data.length);
  for (let row = 0; row < rows; row++) {
    for (let n = row * width; n < (row + 1) * width; n++) floats[n] = data[n] * scales.data[row];
  }
  return { shape, data: floats };
}
