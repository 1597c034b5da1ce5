// Runs in Node: what the page's language model makes of a text. It reads {script, file, questions}
// from standard input, `script` holding the joined modules and `file` the weights in base64, and
// writes to each question {answer} or {error}, all numbers in base64.

let asked = "";
for await (const part of process.stdin) asked += part;
const { script, file, questions } = JSON.parse(asked);
const source = `${script}\nexport { LanguageModel, Reading };`;
const { LanguageModel, Reading } = await import(
  `data:text/javascript,${encodeURIComponent(source)}`
);

const packed = ({ buffer }) => Buffer.from(buffer).toString("base64");
const weights = Uint8Array.from(Buffer.from(file, "base64")).buffer;

const ASKED = {
  /** The logits of a text that is read in parts, [start, end] each: what is read is cut back to
   *  where a part starts. */
  logits({ bytes, parts, ...setting }) {
    const model = new LanguageModel(weights, setting);
    const all = new Float32Array(bytes.length * 256);
    for (const [start, end] of parts) {
      model.cut(start);
      all.set(model.extend(Uint8Array.from(bytes.slice(start, end))), start * 256);
    }
    return packed(all);
  },
  /** A text read as a figure shows it, with the attention at some positions. */
  reading({ bytes, parts, positions, ...setting }) {
    const reading = new Reading(weights, setting);
    for (const [start, end] of parts) {
      reading.cut(start);
      reading.extend(Uint8Array.from(bytes.slice(start, end)));
    }
    const { losses, likeliest } = reading.result();
    return {
      losses: packed(losses),
      likeliest: packed(likeliest.bytes),
      probabilities: packed(likeliest.probabilities),
      attention: positions.map((position) => packed(reading.attention(position))),
    };
  },
};

const answers = questions.map(({ what, ...question }) => {
  try {
    return { answer: ASKED[what](question) };
  } catch (error) {
    return { error: error.message };
  }
});
process.stdout.write(JSON.stringify(answers));
