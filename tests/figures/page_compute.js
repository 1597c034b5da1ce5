// Runs in a page that holds the figures' script: what a figure computes, and what it refuses.

const testModules = {};

/** Load a figure's module, with its compute for tests. */
async function loadForTest(name, source) {
  const blob = new Blob([`${source}\nexport { compute };`], { type: "text/javascript" });
  testModules[name] = await import(URL.createObjectURL(blob));
}

/** A figure's numbers for these inputs: {name: number | {shape, data in base64}}. */
async function computeInPage(name, inputs) {
  const values = await testModules[name].compute(inputs);
  return Object.fromEntries(
    Object.entries(values).map(([output, value]) => [
      output,
      typeof value === "number" ? value : { shape: value.shape, data: base64(value.data) },
    ]),
  );
}

/** What a figure with these inputs says when it comes up in the page: undefined, or its error. */
async function errorInPage(name, inputs) {
  const place = document.createElement("div");
  Object.assign(place.dataset, { module: name, inputs: JSON.stringify(inputs) });
  document.body.append(place);
  const answer = new Promise((resolve) =>
    place.addEventListener("pe-answer", resolve, { once: true }),
  );
  await mount(place);
  const { detail } = await answer;
  place.remove();
  return detail.error;
}

function base64(numbers) {
  const bytes = new Uint8Array(Float64Array.from(numbers).buffer);
  let text = "";
  for (let n = 0; n < bytes.length; n += 32768)
    text += String.fromCharCode(...bytes.subarray(n, n + 32768));
  return btoa(text);
}
