// The script of a worker that reads: see reader.js.

import { Service } from "./service.js";

const service = new Service((message) => postMessage(message));
addEventListener("message", ({ data }) => service.take(data));
