// A figure that plays by itself: a button moves one of its inputs on, step by step.

import { button } from "../draw/elements.js";

const stepwise = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

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
    if (stepwise()) return step();
    view.read({ playing: !view.state.playing });
    clearTimeout(timer);
    play();
  });
}

/** Say on the button what it does now; what changes by itself is not read aloud. */
export function showPlaying(view, player) {
  player.textContent = stepwise() ? "Step" : view.state.playing ? "Pause" : "Play";
  view.words.setAttribute("aria-live", view.state.playing ? "off" : "polite");
}
