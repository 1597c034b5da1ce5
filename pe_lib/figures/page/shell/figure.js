// The shell of every figure: controls, who computes, what is said. A figure's script ends with
//   export default figure({ compute, setup, render });
// compute(inputs)      the numbers, in the page: {name: number | {shape, data}}; fail(...) refuses
// setup(view)          builds the elements once; what it returns is view.parts; view.state is the
//                      place that is read first
// render(view)         draws view.inputs and view.values; says in words what is seen
// origin               where the numbers are from, if the page only draws them
//
// A compute that takes its time gives a promise of its numbers, and tells view.progress(text) how
// far it is. Such a figure has one function more, and begins to compute when it comes near:
// waiting(inputs)      what can be drawn before the numbers are there, and refuses what compute
//                      would refuse
//
// The picture's panels stand in view.stage, right above the controls: the main one, marked
// data-pe-main, is never far from the control that moves it. What goes with it is in view.beside,
// which follows the words where there is no room beside the stage; what only adds to it, in
// view.below, opens under More, and so do the controls that are marked `more`. A figure that asks
// holds its words back, and what is marked data-pe-answer, until a control is moved or Show is
// pressed; of "stroke", only how it looks.
//
// Beside the inputs and what base.py gives, a model may have _link(inputs), the address at which
// the figure has these inputs, and _linked, {name: text}: what such an address has said. Then the
// figure begins with that, and asks nothing; Reset still leads to the inputs of the page. Its
// _still, HTML, takes the picture's place where numbers that take their time cannot be had.

import { PALETTE } from "../../colours.py";
import { checkInput, FigureError } from "../compute/refusal.js";
import { h } from "../draw/elements.js";
import { themeOf } from "../draw/theme.js";
import { Later, Questions, sameInputs, unpack } from "./answers.js";
import { choiceRow, severalRow, sliderRow, textRow, toggleRow } from "./controls.js";
import { linkButton, taken } from "./link.js";

const BY_PAGE = "Computed by this page";
const PATIENCE = 1500; // ms without an answer from the kernel (busy, gone) until the page computes
const WIDE = 560; // px from which there is room for two panels, or two controls, beside each other
const NEAR = "300px"; // from the window to a figure that takes its time, when it begins

export function figure(spec) {
  return { render: ({ model, el }) => new View(spec, model, el).start() };
}

class View {
  constructor(spec, model, el) {
    Object.assign(this, { spec, model, state: {}, inputs: null, values: null });
    this.controls = model.get("_controls");
    this.heard = model.get("_result")?.inputs; // what the kernel has answered last
    this.hasKernel = this.heard !== undefined;
    this.questions = new Questions(model);
    this.later = new Later(
      (inputs) => spec.compute(inputs, this),
      (question, answer) => this.takeLater(question, answer),
    );
    this.near = !spec.waiting;
    this.initial = this.currentInputs();
    const id = `pe-${Math.random().toString(36).slice(2)}`;
    [this.stage, this.beside, this.below] = this.panels = ["stage", "beside", "below"].map((name) =>
      h("div", { class: `pe-panels pe-${name}` }),
    );
    this.rows = new Map();
    this.more = h(
      "details",
      { class: "pe-more", ontoggle: () => this.draw() },
      h("summary", {}, "More"),
      h("div", { class: "pe-further" }, ...this.controlRows(true)),
      this.below,
    );
    this.words = h("p", { class: "pe-words", "aria-live": "polite", tabindex: -1 });
    const linked = Object.entries(taken(this, model.get("_linked") ?? {}));
    for (const [name, value] of linked) model.set(name, value);
    this.asking = model.get("_asks") && !linked.length;
    this.answering = false;
    const address = model.get("_link");
    this.link = address && linkButton(() => address(this.inputs));
    this.alert = h("p", { class: "pe-alert", role: "alert", hidden: true });
    this.origin = h("span", { class: "pe-origin" });
    this.root = h(
      "div",
      {
        class: `pe-root ${this.asking ? "pe-asking" : ""}`,
        role: "group",
        "aria-busy": this.near || this.hasKernel ? null : "true",
        "aria-labelledby": id,
        // A notebook would take arrow keys for itself; inside a figure they belong to the figure.
        onkeydown: (event) => event.stopPropagation(),
      },
      h("p", { class: "pe-question", id }, model.get("_question")),
      h(
        "div",
        { class: "pe-body" },
        this.stage,
        h(
          "div",
          { class: "pe-controls" },
          ...this.controlRows(false),
          h(
            "p",
            { class: "pe-foot" },
            this.origin,
            this.link?.said,
            this.link?.copy,
            h(
              "button",
              { type: "button", class: "pe-reset", onclick: () => this.reset() },
              "Reset",
            ),
            this.link?.shown,
          ),
        ),
        h("div", { class: "pe-said" }, this.alert, this.words, this.asking ? this.guess() : null),
        this.beside,
        this.more,
      ),
    );
    el.replaceChildren(this.root);
  }

  start() {
    this.parts = this.spec.setup?.(this);
    this.initialState = { ...this.state };
    const refresh = () => this.refresh();
    const names = this.controls.map((control) => `change:${control.name}`);
    for (const name of names) this.model.on(name, refresh);
    const hear = () => this.hear();
    this.model.on("change:_result", hear);
    const redraw = () => this.draw();
    const watcher = new MutationObserver(redraw);
    for (const node of [document.documentElement, document.body])
      watcher.observe(node, { attributes: true });
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", redraw);
    let width = 0;
    const sizes = new ResizeObserver(([entry]) => {
      if (entry.contentRect.width === width) return;
      width = entry.contentRect.width;
      this.words.style.minHeight = "";
      redraw();
    });
    sizes.observe(this.root);
    const nearness = new IntersectionObserver(
      ([{ isIntersecting }]) => isIntersecting && this.begin(),
      { rootMargin: NEAR },
    );
    if (!this.near) nearness.observe(this.root);
    this.refresh();
    return () => {
      nearness.disconnect();
      for (const name of names) this.model.off(name, refresh);
      this.model.off("change:_result", hear);
      clearTimeout(this.waiting);
      watcher.disconnect();
      sizes.disconnect();
      scheme.removeEventListener("change", redraw);
    };
  }

  currentInputs() {
    return Object.fromEntries(this.controls.map(({ name }) => [name, this.model.get(name)]));
  }

  /** From here on the page computes what takes its time. */
  begin() {
    if (this.near) return;
    this.near = true;
    this.refresh();
  }

  /** Change inputs, from a control or from the picture. */
  set(inputs) {
    this.near = true;
    for (const [name, value] of Object.entries(inputs)) this.model.set(name, value);
    if (!this.hasKernel) return this.model.save_changes();
    const present = this.currentInputs();
    if (!this.refusal(present)) this.questions.want(present);
  }

  /** Take the kernel's answer. */
  hear() {
    const present = this.currentInputs();
    const { inputs, values } = this.model.get("_result");
    if (sameInputs(this.heard, present)) {
      // Nobody asked here: the same notebook, open once more, has moved the inputs.
      for (const [name, value] of Object.entries(inputs)) this.model.set(name, value);
    } else if (values && !sameInputs(inputs, present)) {
      // The inputs have moved on. While they move, the picture follows them.
      Object.assign(this, { inputs, values: unpack(values) });
      this.draw();
    }
    this.heard = inputs;
    this.questions.answered();
    this.refresh();
  }

  /** Read another place of the picture: render(view) finds it in view.state. */
  read(place) {
    if (Object.entries(place).every(([name, value]) => this.state[name] === value)) return;
    Object.assign(this.state, place);
    this.draw();
  }

  /** Back to the inputs, and the place that is read, that the figure began with. */
  reset() {
    this.state = { ...this.initialState };
    this.set(this.initial);
    this.draw();
  }

  /** What stands in place of the words while the figure asks. */
  guess() {
    const show = () => {
      this.answer();
      this.words.focus({ preventScroll: true }); // the button is gone; focus reads them aloud
    };
    return h(
      "p",
      { class: "pe-guess" },
      h("span", {}, "Make your guess. Then move a control, or press"),
      h("button", { type: "button", class: "pe-show", onclick: show }, "Show"),
    );
  }

  /** Show what was held back; it stays. While it is drawn for the first time, it may travel. */
  answer() {
    this.asking = false;
    this.root.classList.remove("pe-asking");
    this.answering = true;
    this.draw();
    this.answering = false;
  }

  /** Take the kernel's numbers if they belong to the present inputs; else ask the page's own. */
  refresh() {
    const inputs = this.currentInputs();
    for (const row of this.rows.values()) row.update(inputs);
    clearTimeout(this.waiting);
    this.later.forget();
    const refusal = this.refusal(inputs); // a kernel gives no answer to what is not even a number
    if (refusal) return this.accept(inputs, refusal, () => null, "Refused by this page");
    if (!this.hasKernel) return this.computeHere(inputs, this.spec.origin ?? BY_PAGE);
    const result = this.model.get("_result");
    if (sameInputs(result.inputs, inputs)) {
      return this.accept(
        inputs,
        result.error,
        () => unpack(result.values),
        `Computed by pe_lib on ${inputs.device}`,
      );
    }
    this.waiting = setTimeout(() => {
      this.questions.giveUp();
      this.computeHere(this.currentInputs(), `${BY_PAGE}: the kernel does not answer`);
    }, PATIENCE);
  }

  /** What is wrong with the inputs' kinds and ranges, if anything is; or, `wholly`, with what they
   *  say. */
  refusal(inputs, wholly = false) {
    try {
      for (const control of this.controls) checkInput(control, inputs[control.name]);
      if (wholly) (this.spec.waiting ?? this.spec.compute)(inputs);
    } catch (error) {
      return error.message;
    }
  }

  computeHere(inputs, origin) {
    const { compute, waiting = compute } = this.spec;
    try {
      const values = waiting(inputs);
      const there = waiting === compute;
      if (there || !this.values) this.accept(inputs, undefined, () => values, there ? origin : "");
      if (there || !this.near) return;
      this.root.setAttribute("aria-busy", true);
      this.later.want({ inputs, origin });
    } catch (error) {
      this.refuse(inputs, error, origin);
    }
  }

  /** Take numbers that took their time, if the inputs have not moved on to others without. */
  takeLater({ inputs, origin }, { values, error }) {
    const moved = !sameInputs(this.currentInputs(), inputs);
    if (!this.later.wanted) this.root.removeAttribute("aria-busy");
    if (error && !moved) {
      if (!this.answered) this.showStill();
      this.refuse(inputs, error, origin);
    }
    if (values) this.answered = true;
    if (values && !moved) this.accept(inputs, undefined, () => values, origin);
    if (values && moved && this.later.wanted) {
      Object.assign(this, { inputs, values });
      this.draw();
    }
  }

  showStill() {
    const picture = this.model.get("_still");
    if (!picture) return;
    this.still ??= h("div", { class: "pe-still" });
    this.still.innerHTML = picture;
    this.stage.before(this.still);
  }

  /** Say how far numbers are that take their time. */
  progress(text) {
    this.origin.textContent = text;
  }

  refuse(inputs, error, origin) {
    if (!(error instanceof FigureError)) throw error;
    this.accept(inputs, error.message, () => null, origin);
  }

  accept(inputs, error, values, origin) {
    this.alert.hidden = !error;
    this.alert.textContent = error ?? "";
    this.root.classList.toggle("pe-refused", Boolean(error));
    for (const panels of this.panels) panels.inert = Boolean(error); // numbers, if any, are old
    if (this.origin.textContent !== origin) this.origin.textContent = origin;
    this.link?.forget();
    if (!error) {
      this.still?.remove();
      Object.assign(this, { inputs, values: values() });
      if (this.asking && !sameInputs(inputs, this.initial)) {
        this.words.textContent = ""; // said anew, they are read aloud
        this.answer();
      } else this.draw();
    }
    this.root.dispatchEvent(
      new CustomEvent("pe-answer", { bubbles: true, detail: { inputs, error, origin } }),
    );
  }

  /** Draw again what is known: after new numbers, a new size, another theme, a moved cursor. */
  draw() {
    if (!this.stage.clientWidth) return; // not in the page yet, or folded away: drawn when it shows
    const theme = themeOf(this.root.parentElement ?? document.body);
    this.root.dataset.peTheme = theme;
    this.root.classList.toggle("pe-wide", this.root.clientWidth >= WIDE);
    this.colours = PALETTE[theme];
    this.width = Math.max(240, Math.floor(this.stage.clientWidth));
    if (this.values) this.spec.render(this);
  }

  /** Say in words what the picture shows now. What follows does not move up when there is less to
   *  say: a slider must not run away from the finger that drags it. */
  say(text) {
    if (this.words.textContent !== text) this.words.textContent = text;
    this.words.style.minHeight = `${this.words.offsetHeight}px`;
  }

  /** The rows of the controls in the card, or of those that open under More. */
  controlRows(more) {
    return this.controls
      .filter((control) => Boolean(control.more) === more)
      .map((control) => this.controlRow(control))
      .filter(Boolean);
  }

  controlRow(control) {
    if (control.name === "device" && Object.keys(control.options).length === 1) return null;
    const row = {
      slider: sliderRow,
      toggle: toggleRow,
      choice: choiceRow,
      several: severalRow,
      text: textRow,
    }[control.kind](control, (value) => this.set({ [control.name]: value }));
    this.rows.set(control.name, row);
    return row.element;
  }
}
