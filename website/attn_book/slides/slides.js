// A deck: reveal.js turns its slides, and this script does what the slides of this book need besides.
// It finds how large a slide's content can be, and keeps the keys apart that belong to a widget.

(() => {
  const { Reveal, RevealNotes } = window;
  const asked = new URLSearchParams(location.search);
  const isPaper = asked.has("print-pdf");
  const roomy = matchMedia("(min-width: 900px) and (min-height: 500px)");

  // ---- as large as the stage allows

  // A widget may be wide and low, or narrow and high, or have its parts side by side. It gets the
  // layout with the largest letters, among those that do not make its drawing too small.
  const WIDTHS = [44, 54, 36, 66, 30, 80, 26]; // rem
  const BESIDE = [66, 80, 96]; // in two columns
  const GAIN = 1.05;
  const WORST = 0.6; // of the best letters: not looked at any further
  const LEAST_DRAWN = 0.7; // of the largest drawing
  const LARGEST = { widget: 1.8, prediction: 1.8, equation: 1.5, claim: 1.15 };
  const STEPS = 5;

  const kindOf = (stage) => stage.closest("section").className;
  const isWidget = (stage) => /attn-slide-(widget|prediction)/.test(kindOf(stage));

  /** What may be wider than its room, and what would hide that, or let it be scrolled to. */
  function partsOf(stage) {
    const content = stage.firstElementChild;
    const hides = (part) => part.clientWidth > 1 && getComputedStyle(part).overflowX !== "visible";
    const found = (tags) =>
      [...content.querySelectorAll(tags)].filter((part) => part.checkVisibility());
    return {
      wide: [content, ...found("pre, table, .katex-html, .attn-frame")],
      windows: found("div, pre, fieldset, p, form").filter(hides),
      drawings: found("svg, canvas, table"),
    };
  }

  function fits(stage, { wide, windows }) {
    const room = stage.getBoundingClientRect();
    const isIn = (part) => {
      const { left, right, top, bottom } = part.getBoundingClientRect();
      const isNarrow = left >= room.left - 0.5 && right <= room.right + 0.5;
      return isNarrow && top >= room.top - 0.5 && bottom <= room.bottom + 0.5;
    };
    return wide.every(isIn) && windows.every((part) => part.scrollWidth <= part.clientWidth + 1);
  }

  function lay(stage, { width, columns, zoom = "" }) {
    const content = stage.firstElementChild;
    Object.assign(content.style, { width, zoom });
    content.classList.toggle("attn-columns", columns);
  }

  /** The largest zoom at which this layout fits; nothing if it would not be larger than `least`. */
  function largest(stage, layout, parts, { least, most }) {
    const fitsAt = (zoom) => {
      lay(stage, { ...layout, zoom });
      return fits(stage, parts);
    };
    if (fitsAt(most)) return most;
    if (least && !fitsAt(least)) return 0;
    let [low, high] = [least, most];
    for (let step = 0; step < STEPS; step++) {
      const middle = (low + high) / 2;
      if (fitsAt(middle)) low = middle;
      else high = middle;
    }
    return low;
  }

  /** How wide the largest drawing is, if it were a square. */
  function drawn(drawings) {
    const area = (part) => {
      const { width, height } = part.getBoundingClientRect();
      return width * height;
    };
    return Math.sqrt(Math.max(1, ...drawings.map(area)));
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
    const parts = partsOf(stage);
    const most = LARGEST[kindOf(stage).match(/attn-slide-(\w+)/)[1]] ?? 1;
    const tried = [];
    for (const layout of layouts(stage)) {
      const best = Math.max(0, ...tried.map(({ zoom }) => zoom));
      const zoom = largest(stage, layout, parts, { least: WORST * best, most });
      if (zoom) tried.push({ ...layout, zoom, drawn: drawn(parts.drawings) });
    }
    const enough = LEAST_DRAWN * Math.max(...tried.map((one) => one.drawn));
    const good = tried.filter((one) => one.drawn >= enough);
    const best = Math.max(...good.map(({ zoom }) => zoom));
    lay(stage, good.find(({ zoom }) => GAIN * zoom >= best) ?? { width: "", columns: false });
  }

  // A slide that is not near has no size. A widget may grow when it answers.
  function refit(stage) {
    const size = `${stage.clientWidth} ${stage.clientHeight}`;
    if (!stage.clientWidth || (stage.dataset.fitted === size && fits(stage, partsOf(stage))))
      return;
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
  const inWidget = (target) => target?.closest?.(".attn-widget");

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

  // ---- the line at the foot

  function tell() {
    const place = `${Reveal.getSlidePastCount() + 1} / ${Reveal.getTotalSlides()}`;
    document.querySelector(".attn-slide-number").textContent = place;
  }

  function listen() {
    const press = (name, does) => document.querySelector(name).addEventListener("click", does);
    press(".attn-back", () => Reveal.prev());
    press(".attn-on", () => Reveal.next());
    press(".attn-open-notes", () => Reveal.getPlugin("notes").open());
    document.addEventListener("keydown", passOn, true);
    document.addEventListener("click", leaveButton);
    document.addEventListener("focusin", sayWhoHasTheKeys);
    document.addEventListener("focusout", () => setTimeout(sayWhoHasTheKeys));
    Reveal.on("slidechanged", tell);
  }

  async function begin() {
    await Reveal.initialize({
      ...{ width: 1280, height: 720, margin: 0, center: false, display: "grid" },
      ...{ disableLayout: !isPaper, embedded: !isPaper, controls: false, hash: true },
      ...{ transition: "none", backgroundTransition: "none", scrollActivationWidth: null },
      ...{
        pdfSeparateFragments: false,
        pdfMaxPagesPerSlide: 1,
        showNotes: asked.has("notes") && "separate-page",
      },
      plugins: isPaper ? [] : [RevealNotes], // which would take `notes` in the address for its own
      keyboardCondition: ({ target }) => !inWidget(target),
    });
    listen();
    fitAlways();
    tell();
    document.documentElement.dataset.ready = "";
  }

  begin();
})();
