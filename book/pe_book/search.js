// The search's results: each place once, and named by its section.

if (location.protocol === "file:") {
  // The search reads an excerpt out of each page, which a page opened from disk may not.
  const loaded = new Promise((resolve) => {
    const script = document.createElement("script");
    script.onload = resolve;
    script.src = "_static/pe-texts.js";
    document.head.append(script);
  });
  window.fetch = async (page) => {
    await loaded;
    return { text: () => PE_TEXTS[page.replace(/^\.\/|\.html$/g, "")] };
  };
}

{
  const perform = Search._performSearch;

  /** What the search calls each section, by its page and anchor. */
  function sectionNames() {
    const { alltitles, docnames, titles } = Search._index;
    const names = new Map();
    for (const [title, places] of Object.entries(alltitles))
      for (const [file, id] of places)
        if (id) names.set(`${docnames[file]}#${id}`, `${titles[file]} > ${title}`);
    return names;
  }

  Search._performSearch = (...query) => {
    const names = sectionNames();
    const once = new Map();
    for (const result of perform(...query)) {
      const [page, title, anchor] = result;
      result[1] = names.get(page + anchor) ?? title;
      once.delete(result[1]); // the best comes last
      once.set(result[1], result);
    }
    return [...once.values()];
  };
}
