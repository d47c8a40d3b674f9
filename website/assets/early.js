// What has to run before all other scripts, and before anything is drawn.
"use strict";

// The search, and what marks its words on a page, rely on storage. Where a
// browser forbids it, they get a stand-in that lasts as long as the page. If it is full, they are not
// told, and the page then does not mark what was searched for.
(() => {
  try {
    window.localStorage.getItem("mode");
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function (key, text) {
      try {
        setItem.call(this, key, text);
      } catch (error) {
        if (!key.startsWith("sphinx_")) throw error;
      }
    };
    return;
  } catch {
    // forbidden, or none
  }
  const kept = new Map();
  const standIn = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, text) => kept.set(key, text),
    removeItem: (key) => kept.delete(key),
  };
  Object.defineProperty(window, "localStorage", { value: standIn });
})();

// The scripts that have not arrived, each with whether a policy has blocked it, that of the page or of
// its host: only who listens from the start knows. host.js and language.js say it.
(() => {
  const missing = new Map();
  window.attnMissing = missing;
  document.addEventListener("securitypolicyviolation", ({ blockedURI }) => {
    missing.set(blockedURI, true);
  });
  const note = ({ target: { src } }) => src && !missing.has(src) && missing.set(src, false);
  window.addEventListener("error", note, true);
})();

// Distant parts of a page are laid out when they come near, and until then have a height
// that the build estimated. Readers who return to a page, or follow a link to a place on it, want to be
// exactly there, so all heights must be right at once. As written, the page is laid out whole, also for
// readers without JavaScript.
(() => {
  const [navigation] = performance.getEntriesByType("navigation");
  const isNew = !navigation || navigation.type === "navigate";
  if (isNew && !location.hash) delete document.documentElement.dataset.whole;
})();

// A prediction that the reader has already answered begins in another state than a new one, has
// another height, and does not veil what follows. The build has drawn it in each of its states.
// The right one must be known before the page is drawn, so elements in the page report as soon as
// they are parsed: one at the end of a prediction's place, and one at the beginning of everything that
// may be veiled. progress.js keeps the answers and checks what is kept. Whenever they change, it says
// so, and the veils follow. The attribute `data-open` of a prediction's place is
// "guessed", "skipped" or missing.

(() => {
  let chapters = {};
  try {
    ({ chapters } = JSON.parse(localStorage.getItem("attention-measured.progress")));
  } catch {
    // nothing is stored, or it is damaged
  }

  function isFor({ dataset: { from, to } }, guess) {
    if (Array.isArray(guess)) return `${guess.length} numbers` === from;
    if (typeof guess !== "number") return guess === from;
    return Number(from) <= guess && guess <= Number(to);
  }

  function begin(place) {
    const { chapter } = place.closest("[data-chapter]").dataset;
    const { guesses, skipped } = chapters[chapter] ?? { guesses: {} };
    const guess = guesses[place.dataset.question];
    const state = [...place.querySelectorAll("template")].find((one) => isFor(one, guess));
    if (state) place.querySelector(".attn-first").replaceChildren(state.content);
    if (state) place.dataset.open = "guessed";
    else if (skipped?.includes(place.dataset.question)) place.dataset.open = "skipped";
  }

  const openedBy = (key) =>
    document.querySelector(`.attn-widget[data-question="${key}"]`)?.dataset.open;

  // A veil covers everything that gives away the answer. The browser's own search may find it, but not
  // before the page has loaded: until then a browser keeps returning to the place in the address.
  let whenHidden = "";
  window.addEventListener("load", () => {
    setTimeout(() => {
      whenHidden = "until-found";
      settleAll();
    });
  });

  function settle(part) {
    const { gate, veil } = part.dataset;
    if (gate) part.dataset.state = openedBy(gate) ?? "shut";
    else if (veil.split(" ").every(openedBy)) part.removeAttribute("hidden");
    else part.setAttribute("hidden", part.matches(".attn-veil") ? whenHidden : "");
  }

  function settleAll() {
    for (const part of document.querySelectorAll("[data-gate], [data-veil]")) settle(part);
  }

  function atOnce(name, does) {
    class Early extends HTMLElement {
      connectedCallback() {
        try {
          does(this.parentElement);
        } catch {
          // what is stored is damaged: the page begins as if it were new
        }
      }
    }
    customElements.define(name, Early);
  }
  atOnce("attn-remembered", begin);
  atOnce("attn-veiled", settle);

  document.addEventListener("attn-progress", settleAll);
  // The browser's own search, or a link, has found something behind a veil and lifts it. It is drawn
  // again before anything shows, and veil.js leads the reader to the guess.
  document.addEventListener("beforematch", ({ target }) => {
    if (target.matches("[data-veil]")) requestAnimationFrame(() => settle(target));
  });
})();

// Whether the page is being printed: the event `attn-paper` says so, with true or false as `detail`. A
// browser that prints sends events, and in between its medium may change back and forth; one that
// only emulates paper changes its medium.

(() => {
  let prints = false;
  const tell = (detail) => document.dispatchEvent(new CustomEvent("attn-paper", { detail }));
  const say = (whether) => () => {
    prints = whether;
    tell(whether);
  };
  window.addEventListener("beforeprint", say(true));
  window.addEventListener("afterprint", say(false));
  matchMedia("print").addEventListener("change", ({ matches }) => prints || tell(matches));
})();

// Light or dark: as the system says, or as the reader chose. Paper is always light. Where readers have
// the system's colours forced on all pages, these decide: drawings keep their own colours there, and
// would be ink on black.

(() => {
  const MODES = ["auto", "light", "dark"];
  const NAMES = { auto: "as the system", light: "light", dark: "dark" };
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const forced = window.matchMedia("(forced-colors: active)");
  let onPaper = false;
  let mode = "auto";
  try {
    const kept = localStorage.getItem("mode");
    if (MODES.includes(kept)) mode = kept;
  } catch {
    // nothing can be stored: the choice lasts for this page
  }

  function show() {
    const followed = mode === "auto" || forced.matches;
    const onScreen = followed ? (system.matches ? "dark" : "light") : mode;
    const theme = onPaper ? "light" : onScreen;
    Object.assign(document.documentElement.dataset, { mode, theme });
    for (const label of document.querySelectorAll(".attn-colours .visually-hidden")) {
      label.textContent = `Colours: ${NAMES[mode]}`;
    }
  }

  function next() {
    mode = MODES[(MODES.indexOf(mode) + 1) % MODES.length];
    try {
      localStorage.setItem("mode", mode);
    } catch {
      // as above
    }
    show();
  }

  show();
  for (const wish of [system, forced]) wish.addEventListener("change", show);
  document.addEventListener("attn-paper", ({ detail }) => {
    onPaper = detail;
    show();
  });
  document.addEventListener("DOMContentLoaded", () => {
    show();
    for (const button of document.querySelectorAll(".attn-colours")) {
      button.addEventListener("click", next);
    }
  });
})();
