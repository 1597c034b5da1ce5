// Runs in Node: what recognise.js finds in each of many texts. It reads {source, pairs} from standard
// input, `pairs` being [text, exercise] each, and writes the list of findings.

let asked = "";
for await (const part of process.stdin) asked += part;
const { source, pairs } = JSON.parse(asked);
const { recognise } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
process.stdout.write(JSON.stringify(pairs.map(([text, exercise]) => recognise(text, exercise))));
