// What must be there before all other scripts, and before anything is drawn.
"use strict";

// Sphinx's own scripts take storage for granted: without it the search would find nothing. Where a
// browser forbids it, they get one that lasts as long as the page. Where it is full, they are not
// told: a page then does not mark what was searched for.
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

// Parts of a page that are far away are laid out when they come near, and until then have a height
// that the build estimated. Whoever comes back to a page, or asks for a place on it, wants to be
// where they were: then all heights must be right at once. The page is written whole, so it is for
// readers without JavaScript, too.
(() => {
  const [navigation] = performance.getEntriesByType("navigation");
  const isNew = !navigation || navigation.type === "navigate";
  if (isNew && !location.hash) delete document.documentElement.dataset.whole;
})();

// A prediction that the reader has answered before begins in another state than a new one, has
// another height, and what follows it is not veiled. The build has drawn it in each of its states;
// which one it is must be known before the page is drawn, so elements in the page say so as soon as
// they are read: one at the end of the place of a prediction, and one at the beginning of all that
// may be veiled. progress.js keeps the answers, and judges what is kept; whenever they change it says
// so, and what is veiled follows. The attribute `data-open` of a prediction's place holds it: it is
// "guessed" or "skipped", or missing.

(() => {
  let chapters = {};
  try {
    ({ chapters } = JSON.parse(localStorage.getItem("attention-measured.progress")));
  } catch {
    // nothing is kept, or it is damaged
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

  // A veil is over all that a prediction tells. The browser's own search may find it there; but not
  // before the page is loaded, for until then a browser goes again and again where the address says.
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
          // what is kept is damaged: the page begins as a new one
        }
      }
    }
    customElements.define(name, Early);
  }
  atOnce("attn-remembered", begin);
  atOnce("attn-veiled", settle);

  document.addEventListener("attn-progress", settleAll);
  // The browser's own search, or a link, has found something behind a veil and opens it. It falls
  // again before that is drawn, and veil.js leads the reader to the guess.
  document.addEventListener("beforematch", ({ target }) => {
    if (target.matches("[data-veil]")) requestAnimationFrame(() => settle(target));
  });
})();

// Whether the page is on paper, told by the event `attn-paper`, whose `detail` is true or false. A
// browser that prints says so by events, and in between its medium may change back and forth; one that
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

// Light or dark: as the system says, or as the reader chose. Paper is always light.

(() => {
  const MODES = ["auto", "light", "dark"];
  const NAMES = { auto: "as the system", light: "light", dark: "dark" };
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  let onPaper = false;
  let mode = "auto";
  try {
    const kept = localStorage.getItem("mode");
    if (MODES.includes(kept)) mode = kept;
  } catch {
    // nothing can be kept: the choice lasts for this page
  }

  function show() {
    const onScreen = mode === "auto" ? (system.matches ? "dark" : "light") : mode;
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
  system.addEventListener("change", show);
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
