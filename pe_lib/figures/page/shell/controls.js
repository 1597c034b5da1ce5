// A control is a row with a label: an element, and update(inputs) to show the present value.

import { h } from "../draw/elements.js";
import { between, show } from "../draw/numbers.js";
import { ARROWS } from "../draw/reading.js";

export function sliderRow(control, change) {
  const { name, label, unit, low, high, step, log, whole, up_to: upTo } = control;
  let present;
  const steps = log ? 200 : Math.round((high - low) / step);
  const toValue = (n) => {
    if (n === steps) return high;
    const exact = log ? low * (high / low) ** (n / steps) : low + n * step;
    const short = Number(exact.toPrecision(log ? 3 : 12));
    return whole ? Math.round(short) : short;
  };
  const toStep = (value) =>
    Math.round(log ? (Math.log(value / low) / Math.log(high / low)) * steps : (value - low) / step);
  const text = unit ? `${label}, ${unit}` : label;
  const range = h("input", {
    type: "range",
    min: 0,
    max: steps,
    step: 1,
    "aria-label": text,
    "data-input": name,
    oninput: () => change(toValue(Number(range.value))),
    onkeydown: (event) => {
      // a step of the slider would jump over the whole numbers between
      if (!log || !whole || !ARROWS[event.key]) return;
      event.preventDefault();
      const [right, down] = ARROWS[event.key];
      change(between(present + right - down, low, high));
    },
  });
  const number = h("input", {
    type: "number",
    style: `--pe-digits: ${String(high).length}`,
    min: low,
    max: high,
    step: log && !whole ? "any" : step,
    inputmode: "decimal",
    "aria-label": `${text}, exact value`,
    onchange: () => number.value !== "" && change(Number(number.value)),
  });
  const element = h(
    "label",
    { class: "pe-control pe-slider" },
    h("span", { class: "pe-label" }, label, unit ? h("small", {}, unit) : null),
    range,
    number,
  );
  return {
    element,
    update(inputs) {
      const most = inputs[upTo] ?? high;
      const refused = inputs[name] > high || (whole && !Number.isInteger(inputs[name]));
      const value = refused ? inputs[name] : Math.min(inputs[name], most); // what is wrong stays
      present = value;
      range.max = toStep(most);
      number.max = most;
      range.value = toStep(value);
      range.setAttribute("aria-valuetext", `${show(value)} ${unit}`.trim());
      if (number.value === "" || Number(number.value) !== value) number.value = value;
    },
  };
}

export function toggleRow({ name, label }, change) {
  const box = h("input", {
    type: "checkbox",
    "data-input": name,
    onchange: () => change(box.checked),
  });
  return {
    element: h("label", { class: "pe-control pe-toggle" }, box, h("span", {}, label)),
    update(inputs) {
      box.checked = inputs[name];
    },
  };
}

/** One input for each option, under the label of them all. */
function optionGroup({ name, label, options }, attributes) {
  const inputs = Object.keys(options).map((value) =>
    h("input", { ...attributes, value, "data-input": name }),
  );
  const labels = inputs.map((input) => h("label", {}, input, h("span", {}, options[input.value])));
  const legend = h("legend", {}, label);
  return { inputs, element: h("fieldset", { class: "pe-control pe-choice" }, legend, ...labels) };
}

export function choiceRow(control, change) {
  const { inputs: radios, element } = optionGroup(control, {
    type: "radio",
    name: `pe-${control.name}-${Math.random().toString(36).slice(2)}`,
    onchange: (event) => change(event.currentTarget.value),
  });
  return {
    element,
    update(inputs) {
      for (const radio of radios) radio.checked = inputs[control.name] === radio.value;
    },
  };
}

/** Check boxes, of which one stays ticked: one more than `most` unticks the one ticked first. */
export function severalRow(control, change) {
  let chosen = [];
  const { inputs: boxes, element } = optionGroup(control, {
    type: "checkbox",
    onchange({ currentTarget: box }) {
      const others = chosen.filter((one) => one !== box.value);
      const next = box.checked ? [...others, box.value].slice(-control.most) : others;
      if (next.length) change(next.join(" "));
      else box.checked = true;
    },
  });
  return {
    element,
    update(inputs) {
      chosen = inputs[control.name].split(" ");
      for (const box of boxes) box.checked = chosen.includes(box.value);
    },
  };
}

/** A line of text; or, where the control says how many characters it takes at `most`, a box. */
export function textRow({ name, label, most }, change) {
  const cut = h("small", { role: "status" });
  const field = h(most ? "textarea" : "input", {
    type: most ? null : "text",
    rows: most && 5,
    "data-input": name,
    spellcheck: "false",
    autocomplete: "off",
    oninput() {
      const { length } = field.value;
      cut.textContent = length > most ? `the first ${most} of ${show(length, 9)} characters` : "";
      change(field.value.slice(0, most));
    },
  });
  return {
    element: h(
      "label",
      { class: `pe-control pe-text ${most ? "pe-passage" : ""}` },
      h("span", { class: "pe-label" }, label, cut),
      field,
    ),
    update(inputs) {
      if (field.value !== inputs[name]) field.value = inputs[name];
    },
  };
}
