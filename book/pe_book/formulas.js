// Typesets formulas a few at a time, those near the view first and the others while the browser has
// nothing else to do, so that reading and moving never wait for them. MathJax, most of what a page
// with formulas loads, comes when the page stands, or when the first formula is near.

{
  const AT_ONCE = 4; // formulas, which even a slow phone typesets in a moment
  const folder = document.currentScript.src.replace(/[^/]*$/, "mathjax/");
  const idle = window.requestIdleCallback ?? ((work) => setTimeout(work, 50)); // Safari has none
  const waiting = new Set(document.querySelectorAll(".math"));
  const near = new Set();
  let working;
  let goOn = () => {}; // ends the wait for an idle moment

  function load() {
    return new Promise((loaded, failed) => {
      const script = document.createElement("script");
      script.src = `${folder}startup.js`;
      script.onload = () => loaded(window.MathJax.startup.promise);
      script.onerror = failed;
      document.head.append(script);
    });
  }

  async function typesetEach() {
    await load();
    while (waiting.size) {
      const now = [...(near.size ? near : waiting)].slice(0, AT_ONCE);
      for (const formula of now) {
        near.delete(formula);
        waiting.delete(formula);
      }
      await window.MathJax.typesetPromise(now);
      await new Promise((resolve) => {
        goOn = resolve;
        (near.size ? setTimeout : idle)(resolve);
      });
    }
  }

  function begin() {
    goOn();
    working ??= typesetEach();
    return working;
  }

  const watcher = new IntersectionObserver(
    (seen) => {
      for (const { isIntersecting, target } of seen)
        if (isIntersecting && waiting.has(target)) near.add(target);
      if (near.size) begin();
    },
    { rootMargin: "50% 0%" },
  );
  for (const formula of waiting) watcher.observe(formula);
  addEventListener("load", () => idle(begin));
  addEventListener("beforeprint", () => window.MathJax.typeset?.([...waiting]));

  /** Have all formulas typeset without delay, for whoever has to know where everything stands. */
  window.typesetAll = () => {
    for (const formula of waiting) near.add(formula);
    return begin();
  };
}
