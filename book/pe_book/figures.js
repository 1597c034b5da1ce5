// Brings the figures of a page to life without a kernel: a small model in place of the widget's.

class PageModel {
  constructor(values) {
    this.values = values;
    this.listeners = [];
    this.changed = new Set();
  }
  get(name) {
    return this.values[name];
  }
  set(name, value) {
    if (this.values[name] !== value) this.changed.add(name);
    this.values[name] = value;
  }
  save_changes() {
    const events = [...this.changed].map((name) => `change:${name}`);
    this.changed.clear();
    // A figure listens to all its inputs with one function: call it once.
    const called = this.listeners
      .filter(([event]) => events.includes(event))
      .map(([, callback]) => callback);
    for (const callback of new Set(called)) callback();
  }
  on(event, callback) {
    this.listeners.push([event, callback]);
  }
  off(event, callback) {
    this.listeners = this.listeners.filter(([e, c]) => e !== event || c !== callback);
  }
}

const modules = {};

function load(name) {
  const { imports, source } = PE_FIGURES[name];
  const parts = () => [...imports.map((other) => PE_SOURCES[other]), source];
  const blob = () => new Blob(parts(), { type: "text/javascript" });
  modules[name] ??= import(URL.createObjectURL(blob()));
  return modules[name];
}

// A link to a figure as it is set: ?figure=ShiftClocks&dim=8. The second of the same class on a
// page is ShiftClocks.2, and so on.
const places = [...document.querySelectorAll(".pe-figure")];
const settings = Object.fromEntries(new URLSearchParams(location.search));

function nameOf(place) {
  const { module } = place.dataset;
  const number = places.filter((one) => one.dataset.module === module).indexOf(place);
  return number ? `${module}.${number + 1}` : module;
}

function addressOf(place, inputs) {
  const address = new URL(location.href);
  address.search = new URLSearchParams({ figure: nameOf(place), ...inputs });
  address.hash = "";
  return address.href;
}

// A figure that arrives (see live.py) opens on other inputs and goes to its own while it is watched.
const WAIT = 1000; // ms from when it is seen
const PACE = 0.25; // of the speed at which a choice of the reader's is drawn: there is more to see
const moves = !matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Once, and only if the reader has not moved anything before. */
function arriveWhenSeen(place, model, own) {
  const opened = { ...model.values };
  const asOpened = () => Object.keys(own).every((name) => model.get(name) === opened[name]);
  const arrive = () => {
    if (!asOpened()) return;
    for (const [name, value] of Object.entries(own)) model.set(name, value);
    model.save_changes();
    for (const motion of place.getAnimations({ subtree: true })) motion.playbackRate = PACE;
  };
  const seen = ([entry], observer) => {
    if (!entry.isIntersecting) return;
    observer.disconnect();
    setTimeout(arrive, WAIT);
  };
  const panel = place.querySelector("[data-pe-main]");
  new IntersectionObserver(seen, { threshold: 0.6 }).observe(panel);
}

async function mount(place) {
  const { question, asks, controls } = PE_FIGURES[place.dataset.module];
  const still = place.querySelector("noscript")?.textContent;
  const { default: figure } = await load(place.dataset.module);
  const own = JSON.parse(place.dataset.inputs);
  const isLinked = nameOf(place) === settings.figure;
  const from = !isLinked && moves && place.closest("[data-pe-from]")?.dataset.peFrom;
  const model = new PageModel({
    ...own,
    _question: question,
    _asks: asks && !place.closest(".pe-open"),
    _controls: controls,
    _still: still,
    _link: (inputs) => addressOf(place, inputs),
    _linked: isLinked ? settings : JSON.parse(from || "{}"),
  });
  figure.render({ model, el: place });
  if (from) arriveWhenSeen(place, model, own);
  place.dataset.ready = "";
}

/** Show the figure that the address names, once nothing above it grows any more. */
async function showLinked(mounted) {
  const place = places.find((one) => nameOf(one) === settings.figure);
  if (!place) return;
  await Promise.all(mounted);
  place.scrollIntoView({ behavior: "instant" });
  if (document.readyState !== "complete")
    await new Promise((loaded) => addEventListener("load", loaded, { once: true }));
  await window.typesetAll?.();
  place.scrollIntoView({ behavior: "instant" });
}

showLinked(places.map(mount));
