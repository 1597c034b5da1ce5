// Answers what readers paste under an exercise, in the words of its checker.
import { recognise } from "./recognise.js";

const shown = (shape) => {
  if (!shape) return "rows of different lengths";
  if (!shape.length) return "one number";
  return `shape (${shape.join(", ")}${shape.length === 1 ? "," : ""})`;
};

// What to say about a finding: sentences, each a text or a mistake.
const SAID = {
  unreadable: ({ problem }) => [problem],
  right: ({ alike }, { function: name }) => [
    `Right: this is what ${name} prints.`,
    alike.length
      ? "(These inputs don't show every mistake. The check in a notebook tries more of them.)"
      : "",
  ],
  whole: () => ["Not yet: the numbers are right, but the exercise asks for whole numbers (int64)."],
  mistake: ({ mistakes: [first, ...others] }) => [
    "Not yet: ",
    first,
    ...others.flatMap((other) => ["Or, which gives the same for these inputs: ", other]),
  ],
  digits: ({ fitting }, { right }) => [
    fitting.length === 1
      ? "These numbers are rounded too much to tell. Give at least four digits."
      : `With so few digits, this could be ${fitting[0] === right ? "right, or a mistake that comes close" : "one of several mistakes"}. Give more digits.`,
  ],
  shape: ({ shape, wanted }) => [
    `Not yet: the numbers are right, but you have ${shown(shape)}, expected ${shown(wanted)}.`,
  ],
  count: ({ count, wanted }) => [
    `Not yet, and it is none of the mistakes that this page knows. You pasted ${counted(count)}, and the right answer has ${wanted}.`,
  ],
  unknown: ({ agreeing, count, at, number }) => [
    `Not yet, and it is none of the mistakes that this page knows. ${count === 1 ? "" : `Of your ${count} numbers, ${agreeing} are right. The first that is not is number ${at + 1}: `}${count === 1 ? "Yours" : "yours"} is ${number}.`,
  ],
  error: ({ error }) => [
    `Your code raised an error, and it is none of the mistakes that this page knows: ${error}`,
  ],
};

const counted = (count) => `${count} number${count === 1 ? "" : "s"}`;

// A mistake with its link, or a text.
function part(said) {
  if (typeof said === "string") return [said];
  const link = document.createElement("a");
  link.href = said.link;
  link.textContent = said.section;
  return [`${said.message} Read again: `, link, ". "];
}

for (const place of document.querySelectorAll(".pe-exercise")) {
  const exercise = JSON.parse(place.dataset.exercise);
  const [text, button, verdict] = ["textarea", "button:not(.copybtn)", ".pe-verdict"].map((part) =>
    place.querySelector(`.pe-ask > ${part}`),
  );
  button.addEventListener("click", () => {
    const finding = recognise(text.value, exercise);
    verdict.dataset.kind = finding.kind;
    verdict.replaceChildren(...SAID[finding.kind](finding, exercise).flatMap(part));
  });
  place.querySelector(".pe-ask").hidden = false;
  place.querySelector("details").open = false;
}
