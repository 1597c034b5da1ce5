// A figure's settings as a link. Only a page that has an address offers one (see _link and _linked
// in figure.js): a notebook does not.

import { button, h } from "../draw/elements.js";

const NAME = "Copy link";
const THANKS = 2000; // ms for which the button says that it has copied

/** What of a link's settings, {name: text}, a figure takes. It begins its refusals with the name of
 *  what it refuses: that is left out, and so is what the figure does not have. */
export function taken(view, linked) {
  const inputs = {};
  for (const { name, kind } of view.controls) {
    const value = Object.hasOwn(linked, name) ? readAs(kind, linked[name]) : undefined;
    if (value !== undefined) inputs[name] = value;
  }
  for (;;) {
    const refusal = view.refusal({ ...view.initial, ...inputs }, true);
    if (!refusal) return inputs;
    const [name] = refusal.split(":");
    if (!Object.hasOwn(inputs, name)) return {};
    delete inputs[name];
  }
}

function readAs(kind, text) {
  if (kind === "slider") return text.trim() ? Number(text) : undefined;
  if (kind === "toggle") return { true: true, false: false, __proto__: null }[text];
  return text;
}

/** A button that copies an address, and the place where the address is shown if it may not. */
export function linkButton(address) {
  const said = h("span", { class: "pe-unseen", role: "status" });
  const shown = h("span", { class: "pe-link" });
  let waiting;
  const copy = button(NAME, async () => {
    forget();
    const value = address();
    try {
      await navigator.clipboard.writeText(value);
      say("Copied", "The link is copied.");
      waiting = setTimeout(say, THANKS);
    } catch {
      show(value); // from disk, or in a browser that does not let pages write there
    }
  });
  copy.classList.add("pe-copy");

  function say(onButton = NAME, aloud = "") {
    clearTimeout(waiting);
    copy.textContent = onButton;
    said.textContent = aloud;
  }

  function show(value) {
    const field = h("input", { type: "text", readonly: true, value });
    shown.replaceChildren(h("label", {}, h("span", {}, "Copy this:"), field));
    field.focus();
    field.select();
  }

  /** An address that is shown belongs to the settings that were. */
  function forget() {
    say();
    shown.replaceChildren();
  }

  return { copy, said, shown, forget };
}
