// The search's results: each place once, and named by its section. A page opened from disk may not
// read other pages, so its results come without excerpts.

if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;

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
