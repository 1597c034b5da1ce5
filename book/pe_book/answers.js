// Opens an answer that a link or the search leads into.

/** Open every fold around an element in an answer; whether any was closed. */
function openAround(element) {
  let opened = false;
  if (!element?.closest("details.pe-answer")) return opened;
  for (let fold = element.closest("details"); fold; fold = fold.parentElement.closest("details")) {
    opened ||= !fold.open;
    fold.open = true;
  }
  return opened;
}

function openAddressed() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (openAround(target)) target.scrollIntoView();
}

addEventListener("hashchange", openAddressed);
addEventListener("load", openAddressed);

// The search's own script marks what was searched for a moment after the page stands.
const article = document.querySelector(".bd-article");
const searched =
  new URLSearchParams(location.search).has("highlight") ||
  localStorage.getItem("sphinx_highlight_terms");
if (article && searched)
  new MutationObserver((_, observer) => {
    const marked = article.querySelectorAll(".highlighted");
    for (const found of marked) openAround(found);
    if (marked.length) observer.disconnect(); // what a reader closes then stays closed
  }).observe(article, { childList: true, subtree: true });
