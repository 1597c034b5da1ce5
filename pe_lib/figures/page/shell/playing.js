// A figure that plays by itself: a button moves one of its inputs on, step by step.

import { button } from "../draw/elements.js";
import { still } from "../draw/motion.js";

/**
 * A button that moves the input `name` on every `beat` ms, from its highest value to its lowest, or
 * only up to the highest (`once`). With reduced motion it moves one step a press.
 */
export function playButton(view, name, beat, once = false) {
  let timer;
  const step = () => {
    const { low, high } = view.controls.find((control) => control.name === name);
    const next = view.inputs[name] + 1 > high ? low : view.inputs[name] + 1;
    view.set({ [name]: next });
    return next === high;
  };
  const play = () => {
    if (!view.state.playing || !view.root.isConnected) return;
    if (step() && once) return view.read({ playing: false });
    timer = setTimeout(play, beat);
  };
  return button("Play", () => {
    if (still()) return step();
    view.read({ playing: !view.state.playing });
    clearTimeout(timer);
    play();
  });
}

/** Say on the button what it does now; what changes by itself is not read aloud. */
export function showPlaying(view, player) {
  player.textContent = still() ? "Step" : view.state.playing ? "Pause" : "Play";
  view.words.setAttribute("aria-live", view.state.playing ? "off" : "polite");
}

/**
 * What lets the input `name` go its way once, unless it is moved meanwhile: `next` gives the value
 * after another, and nothing at the end; `beat` says how many ms a value is looked at. With reduced
 * motion it is at the end at once. `view.state.stepping` holds how far it has come.
 */
export function stepper(view, name, next, beat) {
  let timer;
  const stepping = (it) => {
    view.state.stepping = it;
    view.words.setAttribute("aria-live", it ? "off" : "polite");
  };
  const step = (value) => {
    const following = next(value);
    const isLast = following === undefined;
    stepping(isLast ? undefined : { name, value });
    view.set({ [name]: value });
    if (!isLast) timer = setTimeout(go, beat(value), value, following);
  };
  const go = (value, following) => {
    if (view.currentInputs()[name] === value) step(following);
    else stepping(undefined);
  };
  return () => {
    clearTimeout(timer);
    let value = next(view.inputs[name]) ?? view.inputs[name];
    while (still() && next(value) !== undefined) value = next(value);
    step(value);
  };
}
