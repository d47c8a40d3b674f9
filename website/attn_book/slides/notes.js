// The speaker's own window: the notes of the slide that is shown, what comes next, and the time. It
// hears from the deck that opened it, and turns its slides.

(() => {
  const deck = window.opener;
  const began = Date.now();
  const part = (name) => document.querySelector(name);
  const say = (word) => deck?.postMessage({ speaker: word }, "*");

  function show({ heading, next, notes, place }) {
    part("h1").textContent = heading;
    part(".attn-next").textContent = next ? `Next: ${next}` : "This is the last slide.";
    part(".attn-place").textContent = place;
    part(".attn-notes").innerHTML = notes;
    scrollTo(0, 0);
  }

  const two = (number) => String(number).padStart(2, "0");

  function tick() {
    const now = new Date();
    const minutes = Math.floor((now - began) / 60000);
    const time = `${two(now.getHours())}:${two(now.getMinutes())}`;
    part(".attn-clock").textContent = `${time}, after ${minutes} min`;
  }

  const KEYS = { ArrowRight: "on", PageDown: "on", ArrowLeft: "back", PageUp: "back" };

  addEventListener("message", ({ source, data }) => {
    if (source === deck && data?.slide) show(data.slide);
  });
  addEventListener("keydown", (event) => {
    if (!KEYS[event.key]) return;
    event.preventDefault();
    say(KEYS[event.key]);
  });
  part(".attn-back").addEventListener("click", () => say("back"));
  part(".attn-on").addEventListener("click", () => say("on"));
  tick();
  setInterval(tick, 1000);
  setInterval(() => say("here"), 2000); // the deck may have been loaded again
  say("here");
})();
