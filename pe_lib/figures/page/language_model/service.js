// Reads what it is asked to, a piece at a time, and hears between two pieces whether anything newer
// is asked. In a worker, or where there is none in the page.

import { Reading } from "./reading.js";

const PIECE = 32; // bytes from one look at what is asked to the next

export class Service {
  /** say(message) sends an answer, {id, answer} or {id, error}, and before it {id, progress}. */
  constructor(say) {
    Object.assign(this, { say, files: {}, latest: null, setting: {}, reading: null });
  }

  /** Answer {id, task, question}. */
  async take({ id, task, question }) {
    try {
      this.say({ id, answer: await this[task](question, id) });
    } catch (error) {
      this.say({ id, error: error.message });
    }
  }

  keep({ kind, file }) {
    this.files[kind] = file;
  }

  /** Read a text: as much as it has in common with the last one is read already. */
  async read({ bytes, ...setting }, id) {
    this.latest = id;
    const same = Object.keys(setting).every((name) => setting[name] === this.setting[name]);
    if (!same) this.reading = new Reading(this.files[setting.kind], setting);
    this.setting = setting;
    const { reading } = this;
    const differs = bytes.findIndex((byte, n) => byte !== reading.bytes[n]);
    reading.cut(differs < 0 ? bytes.length : differs);
    while (reading.bytes.length < bytes.length) {
      reading.extend(bytes.subarray(reading.bytes.length, reading.bytes.length + PIECE));
      if (reading.bytes.length === bytes.length) break; // the answer says the rest
      if (!(await this.goesOn(id, reading.result()))) return null;
    }
    return reading.result();
  }

  /** Write on with the likeliest byte. */
  async goOn({ howMany }, id) {
    this.latest = id;
    const { reading } = this;
    for (let n = 0; n < howMany; n++) {
      reading.extend(Uint8Array.of(reading.next()));
      if (!(await this.goesOn(id, reading.result()))) return null;
    }
    return reading.result();
  }

  attention({ position }) {
    return this.reading.attention(position);
  }

  /** Show what there is so far; whether nothing newer has been asked meanwhile. */
  async goesOn(id, progress) {
    this.say({ id, progress });
    await pause();
    return this.latest === id;
  }
}

/** Let others have their turn: setTimeout would wait 4 ms each time. */
function pause() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
