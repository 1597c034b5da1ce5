// A part of the picture that is read: by pointing at it and with the arrow keys.

export const ARROWS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The attributes of such an element. point(x, y, box) gets the pixels from its top left corner,
 *  and its box; step(right, down) gets the step that an arrow key stands for. */
export function readable(label, point, step) {
  const pointed = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    point(event.clientX - box.left, event.clientY - box.top, box);
  };
  return { ...steppable(label, step), onpointermove: pointed, onpointerdown: pointed };
}

/** The same for the arrow keys alone. */
export function steppable(label, step) {
  return {
    tabindex: 0,
    role: "application",
    "aria-label": label,
    onkeydown: (event) => {
      if (!ARROWS[event.key]) return;
      event.preventDefault();
      step(...ARROWS[event.key]);
    },
  };
}
