// The page's side of reading: a worker does it, so that the page never waits.

import { FigureError } from "../compute/refusal.js";
import { loadWeights } from "./loading.js";
import { Service } from "./service.js";
import { source } from "./worker.js?source";

export class Reader {
  constructor() {
    this.pending = new Map(); // by id, what is asked and not answered
    this.given = new Set(); // kinds whose weights the service has
    this.last = 0; // id
    this.reads = 0; // how often a read was asked for: weights may come in another order
    this.service = this.worker() ?? this.here();
  }

  /** Read a text with a model: {kind, rule, onlyTheEnd, bytes, length}, as in reading.js, which
   *  says what the result is as well. onProgress gets the same of the bytes read so far. A newer
   *  call overtakes an older one, which then gives null. */
  async read({ kind, ...asked }, onProgress) {
    const number = ++this.reads;
    const file = await loadWeights(kind);
    if (number !== this.reads) return null;
    if (!this.given.has(kind)) this.ask("keep", { kind, file });
    this.given.add(kind);
    return this.ask("read", { kind, ...asked }, onProgress);
  }

  /** The attention of a byte of the text that was read last. */
  attention(position) {
    return this.ask("attention", { position });
  }

  /** Write on with the likeliest bytes: onByte gets the result with each, the newest byte last. */
  goOn(howMany, onByte) {
    return this.ask("goOn", { howMany }, onByte);
  }

  /** End the worker. */
  close() {
    this.service.terminate?.();
  }

  ask(task, question, onProgress) {
    const id = ++this.last;
    const message = { id, task, question };
    return new Promise((resolve, reject) => {
      this.pending.set(id, { message, onProgress, resolve, reject });
      this.service.postMessage(message);
    });
  }

  hear({ id, progress, answer, error }) {
    const { onProgress, resolve, reject } = this.pending.get(id);
    if (progress) return onProgress?.(progress);
    this.pending.delete(id);
    if (error === undefined) resolve(answer);
    else reject(new FigureError(error));
  }

  /** A worker made of a blob, for a page that is opened from disk may load none. Where even that
   *  fails, the page does what was asked. */
  worker() {
    try {
      const blob = new Blob([source], { type: "text/javascript" });
      const worker = new Worker(URL.createObjectURL(blob));
      worker.onmessage = ({ data }) => this.hear(data);
      worker.onerror = () => {
        this.service = this.here();
        for (const { message } of this.pending.values()) this.service.postMessage(message);
      };
      return worker;
    } catch {
      return null;
    }
  }

  here() {
    const service = new Service((message) => this.hear(message));
    return { postMessage: (message) => service.take(message) };
  }
}
