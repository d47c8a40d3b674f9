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

// A prediction that the reader has answered before is higher than a new one, and how high depends on
// how the answer wraps: its place must know before it is drawn. progress.js keeps the answers, and
// judges what is kept.

(() => {
  let guesses = [];
  try {
    const { chapters } = JSON.parse(localStorage.getItem("attention-measured.progress"));
    guesses = Object.values(chapters).flatMap((chapter) => Object.entries(chapter.guesses));
  } catch {
    return; // nothing is kept, or it is damaged
  }
  const quoted = (text) =>
    `"${text.replace(/[^\w ]/gu, (sign) => `\\${sign.codePointAt(0).toString(16)} `)}"`;
  const rules = guesses
    .filter(([key, guess]) => /^[0-9a-f]{6}$/.test(key) && /string|number/.test(typeof guess))
    .map(([key, guess]) => {
      const text = guess.toLocaleString("en", { maximumFractionDigits: 20 });
      return `[data-question="${key}"] {
        .attn-room-before { display: none; }
        .attn-room-after { display: block; }
        .attn-guess::before { content: ${quoted(text)}; }
      }`;
    });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules.join("\n"));
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
})();

// Light or dark: as the system says, or as the reader chose.

(() => {
  const MODES = ["auto", "light", "dark"];
  const NAMES = { auto: "as the system", light: "light", dark: "dark" };
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  let mode = "auto";
  try {
    const kept = localStorage.getItem("mode");
    if (MODES.includes(kept)) mode = kept;
  } catch {
    // nothing can be kept: the choice lasts for this page
  }

  function show() {
    const theme = mode === "auto" ? (system.matches ? "dark" : "light") : mode;
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
  document.addEventListener("DOMContentLoaded", () => {
    show();
    for (const button of document.querySelectorAll(".attn-colours")) {
      button.addEventListener("click", next);
    }
  });
})();
