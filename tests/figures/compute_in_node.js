// Runs in Node: what a figure computes for each of many inputs. It reads {script, settings} from
// standard input and writes a list of {name: number | {shape, data in base64}}.

let asked = "";
for await (const part of process.stdin) asked += part;
const { script, settings } = JSON.parse(asked);
const source = `${script}\nexport { compute };`;
const { compute } = await import(`data:text/javascript,${encodeURIComponent(source)}`);

const packed = (value) => {
  if (typeof value === "number") return value;
  const data = Buffer.from(Float64Array.from(value.data).buffer).toString("base64");
  return { shape: value.shape, data };
};
const answers = settings.map((inputs) =>
  Object.fromEntries(Object.entries(compute(inputs)).map(([name, value]) => [name, packed(value)])),
);
process.stdout.write(JSON.stringify(answers));
