// A deck: reveal.js turns its slides, and this script does what the slides of this book need besides.
// It finds how large a slide's content can be, keeps the keys apart that belong to a widget, and
// tells the speaker's window what is shown.

(() => {
  const { Reveal } = window;
  const asked = new URLSearchParams(location.search);
  const isPaper = asked.has("print-pdf");
  const roomy = matchMedia("(min-width: 900px) and (min-height: 500px)");

  // ---- as large as the stage allows

  // A widget may be wide and low, or narrow and high, or have its parts side by side: another layout
  // is taken if letters gain by it.
  const WIDTHS = [44, 54, 36, 66, 30, 80, 26]; // rem
  const BESIDE = [66, 80, 96]; // in two columns
  const GAIN = 1.05;
  const LARGEST = 1.8; // of a widget; words and formulas are large already
  const STEPS = 7;

  const kindOf = (stage) => stage.closest("section").className;
  const isWidget = (stage) => /attn-slide-(widget|prediction)/.test(kindOf(stage));

  /** The parts of a slide that hide what does not fit into them, or let it be scrolled to. */
  function windows(content) {
    const parts = content.querySelectorAll("div, pre, fieldset, table, p, form, ol, ul");
    const hides = (part) => part.clientWidth > 1 && getComputedStyle(part).overflowX !== "visible";
    return [...parts].filter(hides);
  }

  function fits(stage, inside = []) {
    const content = stage.firstElementChild;
    const room = stage.getBoundingClientRect();
    const { width, height } = content.getBoundingClientRect();
    if (height > room.height + 0.5 || width > room.width + 0.5) return false;
    return [content, ...inside].every((part) => part.scrollWidth <= part.clientWidth + 1);
  }

  function lay(stage, { width, columns, zoom = "" }) {
    const content = stage.firstElementChild;
    Object.assign(content.style, { width, zoom });
    content.classList.toggle("attn-columns", columns);
  }

  /** The largest zoom at which the content fits, if it is so wide. */
  function largest(stage, { width, columns }, most, inside) {
    const { style } = stage.firstElementChild;
    lay(stage, { width, columns });
    let [low, high] = [0, most];
    for (let step = 0; step < STEPS && low < most; step++) {
      const middle = step ? (low + high) / 2 : most;
      style.zoom = middle;
      if (fits(stage, inside)) low = middle;
      else high = middle;
    }
    return low;
  }

  function layouts(stage) {
    if (!isWidget(stage)) return [{ width: "", columns: false }];
    const inRem = (columns) => (width) => ({ width: `min(100%, ${width}rem)`, columns });
    const single = WIDTHS.map(inRem(false));
    return kindOf(stage).includes("prediction") ? single : [...single, ...BESIDE.map(inRem(true))];
  }

  function fit(stage) {
    lay(stage, { width: "", columns: false });
    if (!(roomy.matches || isPaper) || kindOf(stage).includes("attn-slide-figure")) return;
    const inside = windows(stage.firstElementChild);
    const most = isWidget(stage) ? LARGEST : 1;
    let best = { zoom: 0 };
    for (const layout of layouts(stage)) {
      const zoom = largest(stage, layout, most, inside);
      if (zoom > GAIN * best.zoom) best = { ...layout, zoom };
      if (zoom === most) break;
    }
    lay(stage, best);
  }

  // A slide that is not near has no size. A widget may grow when it answers.
  function refit(stage) {
    const size = `${stage.clientWidth} ${stage.clientHeight}`;
    if (!stage.clientWidth || (stage.dataset.fitted === size && fits(stage))) return;
    stage.dataset.fitted = size;
    fit(stage);
  }

  function fitAlways() {
    const sizes = new ResizeObserver((entries) => {
      for (const { target } of entries) refit(target.closest(".attn-stage"));
    });
    for (const stage of document.querySelectorAll(".attn-stage")) {
      sizes.observe(stage);
      sizes.observe(stage.firstElementChild);
    }
  }

  // ---- whose keys they are

  const OF_THE_DECK = { PageDown: () => Reveal.next(), PageUp: () => Reveal.prev() };
  const inWidget = (target) => target.closest?.(".attn-widget");

  /** In a widget all keys are its own, except those of a presenter, and Esc, which leaves it. */
  function passOn(event) {
    if (!inWidget(event.target)) return;
    const does = event.key === "Escape" ? () => event.target.blur() : OF_THE_DECK[event.key];
    if (!does) return;
    event.preventDefault();
    event.stopPropagation();
    does();
  }

  function sayWhoHasTheKeys() {
    const words = inWidget(document.activeElement)
      ? "The figure has the keys. Esc gives them back."
      : "";
    document.querySelector(".attn-keys-said").textContent = words;
  }

  /** Who presses a button with the mouse goes on with the keys of the deck. */
  function leaveButton({ detail, target }) {
    if (detail) target.closest?.("button")?.blur();
  }

  // ---- the line at the foot, and the speaker's window

  let speaker = null;

  const headingOf = (slide) => slide?.querySelector("h1, h2").textContent ?? "";

  function state() {
    const slides = Reveal.getSlides();
    const at = slides.indexOf(Reveal.getCurrentSlide());
    return {
      heading: headingOf(slides[at]),
      next: headingOf(slides[at + 1]),
      notes: slides[at].querySelector("aside.notes").innerHTML,
      place: `${at + 1} / ${slides.length}`,
    };
  }

  function tell() {
    const now = state();
    document.querySelector(".attn-slide-number").textContent = now.place;
    speaker?.postMessage({ slide: now }, "*");
  }

  function openNotes() {
    speaker = window.open("../notes.html", "attn-notes", "popup,width=760,height=640");
  }

  function listen() {
    addEventListener("message", ({ source, data }) => {
      if (source === null || data?.speaker === undefined) return;
      speaker = source;
      if (data.speaker === "on") Reveal.next();
      if (data.speaker === "back") Reveal.prev();
      tell();
    });
    const press = (name, does) => document.querySelector(name).addEventListener("click", does);
    press(".attn-back", () => Reveal.prev());
    press(".attn-on", () => Reveal.next());
    press(".attn-open-notes", openNotes);
    document.addEventListener("keydown", passOn, true);
    document.addEventListener("click", leaveButton);
    document.addEventListener("focusin", sayWhoHasTheKeys);
    document.addEventListener("focusout", () => setTimeout(sayWhoHasTheKeys));
    Reveal.on("slidechanged", tell);
    Reveal.addKeyBinding({ keyCode: 83, key: "S", description: "Speaker's notes" }, openNotes);
  }

  async function begin() {
    await Reveal.initialize({
      ...{ width: 1280, height: 720, margin: 0, center: false, display: "grid" },
      ...{ disableLayout: !isPaper, embedded: !isPaper, controls: false, hash: true },
      ...{ transition: "none", backgroundTransition: "none", scrollActivationWidth: null },
      ...{ pdfSeparateFragments: false, showNotes: asked.has("notes") && "separate-page" },
      keyboardCondition: ({ target }) => !inWidget(target),
    });
    listen();
    fitAlways();
    tell();
    document.documentElement.dataset.ready = "";
  }

  begin();
})();
