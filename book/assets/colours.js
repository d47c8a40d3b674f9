// Light or dark, before anything is drawn: as the system says, or as the reader chose.
"use strict";

(() => {
  const MODES = ["auto", "light", "dark"];
  const NAMES = { auto: "as the system", light: "light", dark: "dark" };
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  let mode = "auto";
  try {
    const kept = localStorage.getItem("mode");
    if (MODES.includes(kept)) mode = kept;
  } catch {
    // no storage here: the choice lasts for this page
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
