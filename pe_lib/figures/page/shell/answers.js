// What a kernel answers: which inputs it is for, and its numbers.

export function sameInputs(a, b) {
  return Object.keys(b).every((name) => a[name] === b[name]);
}

/** The kernel's answer: bytes become Float64Arrays (copied, as their place may be unaligned). */
export function unpack(values) {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (typeof value === "number") return [name, value];
      const { buffer, byteOffset, byteLength } = value.data;
      return [
        name,
        {
          shape: value.shape,
          data: new Float64Array(buffer.slice(byteOffset, byteOffset + byteLength)),
        },
      ];
    }),
  );
}
