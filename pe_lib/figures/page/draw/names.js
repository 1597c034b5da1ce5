// Names beside what they name, placed so that they cover least.

import { range } from "../compute/arrays.js";
import { between } from "./numbers.js";

const SPOTS = [13, 18, 26, 36].flatMap((gap) =>
  range(-7, 9).map((sixteenths) => ({ gap, turn: (sixteenths * Math.PI) / 8 })),
); // px from what is named, and how far turned from where the name would be

/** The names of one picture. */
export function names() {
  const spots = {};
  const boxes = {};

  /** The box of a name beside a place, all in px. It would stand in the direction `away`, and is
   *  turned from there so that it covers little of the `obstacles`, points with a weight. `stay` is
   *  what a px of distance costs, `cost` what else a box does. With `patience`, a name stays on the
   *  side where it was drawn last, unless another costs so much less. */
  const beside = (id, name) => {
    const { text, patience = 0 } = name;
    if (!spots[id] || patience < Infinity) spots[id] = spotOf(name, patience && spots[id]);
    const box = boxAt(name, spots[id]);
    boxes[id] = text && box;
    return box;
  };

  /** Whether one of the names is written over a point. */
  const cover = (point) => Object.values(boxes).some((box) => box && isIn(point, box, 11));

  return { beside, cover };
}

/** Where a name costs least; `last`, where it was drawn last, unless another spot costs less by
 *  its patience. */
function spotOf(name, last) {
  const { obstacles, stay = 0.15, cost = () => 0, patience } = name;
  const costOf = (spot) => {
    const box = boxAt(name, spot);
    let sum = 0.1 * Math.abs(spot.turn) + stay * spot.gap + cost(box);
    for (const it of obstacles) if (isIn(it, box, box.height / 2)) sum += it.weight;
    return sum;
  };
  const costs = SPOTS.map(costOf);
  const least = Math.min(...costs);
  return last && costOf(last) <= least + patience ? last : SPOTS[costs.indexOf(least)];
}

/** The room that a name takes beside a place, with the dots that would touch it. */
function boxAt({ text, size, place: [x, y], away, room }, { gap, turn }) {
  const [width, height] = [0.57 * size * text.length + 12, 25];
  const [across, down] = [Math.cos(away + turn), Math.sin(away + turn)];
  return {
    x: between(x + (width / 2 + gap) * across, width / 2, room.width - width / 2),
    y: between(y + (height / 2 + gap) * down, room.top + height / 2, room.height - height / 2),
    width,
    height,
  };
}

function isIn({ x, y }, box, down) {
  return Math.abs(x - box.x) < box.width / 2 && Math.abs(y - box.y) < down;
}

/** Points of a name, for others to keep away from. */
export function inside({ x, y, width }) {
  return range(-3, 4).flatMap((n) =>
    [-8, 8].map((down) => ({ x: x + (n * width) / 6, y: y + down, weight: 4 })),
  );
}

/** The place at the edge of a name that is nearest to a dot. */
export function edgeNear({ x, y, width }, dot) {
  return [between(dot.x, x - width / 2 + 6, x + width / 2 - 6), between(dot.y, y - 7, y + 7)];
}
