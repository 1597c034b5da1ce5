// A part of the picture that is read or dragged: by pointing at it and with the arrow keys.

export const ARROWS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The attributes of such an element. point(x, y, box) gets the pixels from its top left corner,
 *  and its box; step(right, down) gets the step that an arrow key stands for. */
export function readable(label, point, step) {
  const pointed = (event) => point(...within(event));
  return { ...steppable(label, step), onpointermove: pointed, onpointerdown: pointed };
}

/** The pixels from the top left corner of the element that hears of an event, and its box. */
function within({ clientX, clientY, currentTarget }) {
  const box = currentTarget.getBoundingClientRect();
  return [clientX - box.left, clientY - box.top, box];
}

/** The attributes of what follows a pressed pointer: take(x, y, box) when it is pressed, and
 *  drag(x, y, box) for as long as it is held. */
export function dragging(drag, take = drag) {
  return {
    onpointerdown(event) {
      event.currentTarget.setPointerCapture(event.pointerId);
      take(...within(event));
    },
    onpointermove(event) {
      if (event.currentTarget.hasPointerCapture(event.pointerId)) drag(...within(event));
    },
  };
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
