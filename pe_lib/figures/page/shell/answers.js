// What is asked of a kernel, and what it answers: which inputs it is for, and its numbers.

export function sameInputs(a, b) {
  return Object.keys(b).every((name) => a[name] === b[name]);
}

/** The kernel's answer: bytes become arrays of float32 or float64, as many as the shape tells
 *  (copied, as their place may be unaligned). */
export function unpack(values) {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (typeof value === "number") return [name, value];
      const { buffer, byteOffset, byteLength } = value.data;
      const count = value.shape.reduce((product, size) => product * size, 1);
      const Floats = byteLength === 4 * count ? Float32Array : Float64Array;
      const data = new Floats(buffer.slice(byteOffset, byteOffset + byteLength));
      return [name, { shape: value.shape, data }];
    }),
  );
}

/** Asks the page itself for what takes its time: one thing at a time too, and next the newest. */
export class Later {
  constructor(compute, take) {
    Object.assign(this, { compute, take });
  }

  want(question) {
    this.wanted = question;
    if (!this.working) this.work();
  }

  forget() {
    this.wanted = undefined;
  }

  async work() {
    this.working = true;
    try {
      while (this.wanted) {
        const question = this.wanted;
        this.forget();
        const answer = await this.compute(question.inputs).then(
          (values) => ({ values }),
          (error) => ({ error }),
        );
        this.take(question, answer);
      }
    } finally {
      this.working = false;
    }
  }
}

// Where a page comes from that a server on this machine has sent: see FILL in base.py.
const HERE = ["localhost", "127.0.0.1", "[::1]"];

/** Asks a kernel one thing at a time, as the inputs move on while it computes. A notebook's own
 *  queue (save_changes) would wait for more than the answer: until the kernel says it is idle. */
export class Questions {
  constructor(model) {
    this.model = model;
  }

  /** These inputs are to be answered next. */
  want(inputs) {
    this.wanted = inputs;
    if (!this.asked) this.ask();
  }

  ask() {
    const inputs = this.wanted;
    this.wanted = undefined;
    if (!inputs || sameInputs(this.model.get("_result").inputs, inputs)) return;
    this.asked = inputs;
    this.model.send({ inputs, near: HERE.includes(location.hostname) });
  }

  answered() {
    const { inputs } = this.model.get("_result");
    if (this.asked && sameInputs(inputs, this.asked)) this.asked = undefined;
    if (!this.asked) this.ask();
  }

  /** The answer may never come: the next question does not wait for it. */
  giveUp() {
    this.asked = undefined;
  }
}
