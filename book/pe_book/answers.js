// Opens an answer that a link or the search leads into.

function openAround(element) {
  const answer = element?.closest("details.pe-answer:not([open])");
  if (answer) answer.open = true;
  return Boolean(answer);
}

function openAddressed() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (openAround(target)) target.scrollIntoView();
}

addEventListener("hashchange", openAddressed);
// Not before the search's own script has marked what was searched for.
addEventListener("load", () => {
  openAddressed();
  for (const found of document.querySelectorAll(".pe-answer .highlighted")) openAround(found);
});
