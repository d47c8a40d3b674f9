// What follows a prediction is veiled until the reader has guessed. This script has the other ways
// through a veil and to it: a guess may be skipped, and readers who follow a link to something veiled,
// or find it with the browser's own search, are led to the guess before it. early.js draws and lifts
// the veils.
"use strict";

(() => {
  const WANTED = "What you are looking for is veiled. Guess above, or skip the guess to go to it.";
  let wanted = null; // what a reader looked for behind a veil

  const gateOf = (key) => document.querySelector(`[data-gate="${key}"]`);
  const veilOver = (part) => part?.closest(".attn-veil[hidden]");

  function say(gate, words) {
    const line = gate.querySelector(".attn-gate-said");
    line.classList.toggle("visually-hidden", words !== WANTED);
    line.textContent = words;
  }

  /** The gate before a veil, or before the first of several that overlap. */
  function gateBefore(veil) {
    const gates = veil.dataset.veil.split(" ").map(gateOf);
    const gate = gates.find(({ dataset }) => dataset.state === "shut");
    return veilOver(gate) ? gateBefore(veilOver(gate)) : gate;
  }

  function leadTo(part) {
    const gate = gateBefore(veilOver(part));
    wanted = part;
    say(gate, WANTED);
    go(gate, "center");
    gate.focus({ preventScroll: true });
  }

  /** What was looked for behind a veil that the browser lifts, as far as is known. */
  const inside = (veil) =>
    [wanted, partOf(location.hash)].find((part) => part && veil.contains(part)) ?? veil;

  const partOf = (hash) => document.getElementById(decodeURIComponent(hash.slice(1)));

  function leadToHash() {
    if (veilOver(partOf(location.hash))) leadTo(partOf(location.hash));
  }

  function followGates() {
    for (const gate of document.querySelectorAll("[data-gate]")) {
      gate.tabIndex = -1; // it gets the focus when a reader is led to it
      gate.querySelector("button").addEventListener("click", () => skip(gate));
    }
  }

  function skip(gate) {
    const isShut = gate.dataset.state === "shut";
    const part = wanted;
    gate.dispatchEvent(
      new CustomEvent("attn-skip", { bubbles: true, detail: { key: gate.dataset.gate, isShut } }),
    );
    say(gate, isShut ? "What follows is open." : "What follows is veiled again.");
    if (!part || !isShut) return;
    if (veilOver(part)) leadTo(part);
    else go(part);
  }

  /** Jump there: book.js does it. */
  function go(part, block = "start") {
    part.dispatchEvent(new CustomEvent("attn-go", { bubbles: true, detail: { block } }));
  }

  /** A reader who has guessed reads on from there. */
  function forget() {
    if (!wanted || veilOver(wanted)) return;
    wanted = null;
    for (const gate of document.querySelectorAll("[data-gate]:not([data-state=shut])")) {
      say(gate, "");
    }
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href*='#']");
    if (!link || link.pathname !== location.pathname || !veilOver(partOf(link.hash))) return;
    event.preventDefault();
    history.pushState(null, "", link.hash);
    leadTo(partOf(link.hash));
  });
  document.addEventListener("beforematch", ({ target }) => {
    if (!target.matches(".attn-veil")) return;
    const lead = () => veilOver(target) && leadTo(inside(target));
    // once it is drawn again; a scroll of ours in the frame of the browser's own would be ignored
    requestAnimationFrame(() => setTimeout(lead));
  });
  document.addEventListener("attn-progress", forget);
  window.addEventListener("hashchange", leadToHash);
  window.addEventListener("load", leadToHash); // what loaded late may have moved the page
  followGates();
  leadToHash();
})();
