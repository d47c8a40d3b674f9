// What all widgets of the book share.

/** An element with its classes, its attributes if it has any, and its children, as in
 *  `create("label.attn-field", { title: "Of the query" }, "Temperature", slider)`. Text becomes a
 *  text node, so what a reader types is never markup. */
export function create(tag, ...parts) {
  const node = assemble((name) => document.createElement(name), tag, parts);
  return VERBATIM.has(node.localName) ? verbatim(node) : node;
}

/** An element of a drawing, in the same way. */
export function draw(tag, ...parts) {
  return assemble((name) => document.createElementNS(SVG, name), tag, parts);
}

const SVG = "http://www.w3.org/2000/svg";

function assemble(make, tag, parts) {
  const [name, ...classes] = tag.split(".");
  const node = make(name);
  if (classes.length) node.setAttribute("class", classes.join(" "));
  const [attributes, ...children] = parts[0]?.constructor === Object ? parts : [{}, ...parts];
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

/** What a reader does with a finger, or with a mouse. */
const touched = globalThis.matchMedia?.("(hover: none)").matches;
export const CLICK = touched ? "Tap" : "Click";
export const POINT_AT = touched ? "Tap" : "Point at";

export function createButton(text, look = "") {
  return create("button", { type: "button", class: `attn-button ${look}` }, text);
}

const VERBATIM = new Set(["bdi", "select"]); // tokens, and what there is to choose from

/** Keep a translating browser from rewriting what a model reads or writes. */
export function verbatim(node) {
  node.setAttribute("translate", "no");
  return node;
}

/** An element that is read out once it has changed and come to rest. A live region would be
 *  read out at every key, and in every frame of what runs by itself. */
export function createLive(tag, attributes = {}) {
  const node = create(tag, { ...attributes, "data-live": "" });
  if (!globalThis.MutationObserver) return node; // in node, where nobody listens
  let said = null;
  const change = () => {
    const frame = node.closest(".attn-frame");
    if (frame && node.textContent !== said) announce(frame, node, () => (said = node.textContent));
  };
  setTimeout(() => {
    said = node.textContent; // what a widget begins with
    const all = { childList: true, characterData: true, subtree: true };
    new MutationObserver(change).observe(node, all);
  });
  return node;
}

const REST = 600; // milliseconds: who types on does not pause for longer
const ALONG = 8; // pixels along a slider, from which on a finger means it
const pauses = new WeakMap(); // of each frame: its region, what has changed, and the pause

/** Read out, in one go, all that has changed in a frame since it last was at rest. */
function announce(frame, node, note) {
  if (!pauses.has(frame)) {
    const region = create("div.attn-aloud", { role: "status" });
    frame.append(region); // a region is heard only if it was there before its words
    pauses.set(frame, { region, changed: new Map() });
  }
  const wait = pauses.get(frame);
  wait.changed.set(node, note);
  clearTimeout(wait.pause);
  wait.pause = setTimeout(() => {
    const shown = [...wait.changed].filter(([one]) => !one.closest("[hidden]"));
    wait.changed = new Map();
    for (const [, say] of shown) say();
    const words = shown.map(([one]) => one.textContent.trim()).filter(Boolean);
    // without words nothing is heard, and what was taken back can no longer be found in the region
    wait.region.textContent = words.join(" ");
  }, REST);
}

/** One view of a widget: its model, its frame, and what it listens to until it ends. */
class View {
  #life = new AbortController();
  signal = this.#life.signal;

  constructor(model, frame) {
    Object.assign(this, { model, frame });
  }

  end() {
    this.#life.abort();
  }

  listen(node, type, handler) {
    node.addEventListener(type, handler, { signal: this.signal });
  }

  /** For a part that is redrawn: begins a new one, and ends what the last one listened to. */
  renewed() {
    let part = null;
    this.signal.addEventListener("abort", () => part?.end());
    return () => {
      part?.end();
      part = new View(this.model, this.frame);
      return part;
    };
  }

  /** A button that does this when it is pressed. */
  button(text, press, look) {
    const button = createButton(text, look);
    this.listen(button, "click", press);
    return button;
  }

  get(name) {
    return this.model.get(name);
  }

  /** Call `handler` whenever one of these traits changes, in this view, another view or Python. */
  follow(names, handler) {
    for (const name of names) this.model.on(`change:${name}`, handler);
    this.signal.addEventListener("abort", () => {
      for (const name of names) this.model.off(`change:${name}`, handler);
    });
  }

  /** Show a trait in a control, now and whenever it changes. */
  keepShowing(name, show) {
    show();
    this.follow([name], show);
  }

  /** Set traits here, in every other view and, where there is a kernel, in Python. */
  share(traits) {
    for (const [name, value] of Object.entries(traits)) this.model.set(name, value);
    this.model.save_changes();
  }

  /** Set a trait that the page computes. Every view computes the same; only the first reports it. */
  publish(name, value) {
    if (JSON.stringify(value) !== JSON.stringify(this.get(name))) this.share({ [name]: value });
  }
}

/** Begin a view: a frame of this kind, which readers who listen know by its label. */
export function beginView({ model, el }, kind, label) {
  const frame = create("div", {
    class: `attn-frame attn-${kind}`,
    role: "group",
    "aria-label": label,
  });
  const view = new View(model, frame);
  // A notebook would take letters and arrows as its own commands: delete this cell, go to the
  // next. JupyterLab and VS Code listen for what bubbles up to them.
  view.listen(frame, "keydown", (event) => {
    const command = event.ctrlKey || event.metaKey || event.altKey;
    if (!command && !["Tab", "Escape"].includes(event.key)) event.stopPropagation();
  });
  // Notebook 7 listens before the widget does, and asks the very element that has the focus.
  view.listen(frame, "focusin", (event) => {
    event.target.setAttribute("data-lm-suppress-shortcuts", "true");
  });
  keepFromScrolling(view);
  view.signal.addEventListener("abort", () => frame.remove());
  el.append(frame);
  return view;
}

/** A finger on a slider may be about to scroll the page: until that is clear, nothing moves. */
function keepFromScrolling(view) {
  const { frame } = view;
  let held = null;
  const decide = () => {
    const moved = held && held.slider.value !== held.value ? held.slider : null;
    held = null;
    moved?.dispatchEvent(new Event("input", { bubbles: true }));
  };
  view.listen(frame, "pointerdown", ({ target, pointerType, clientX }) => {
    const finger = target.type === "range" && pointerType === "touch";
    held = finger ? { slider: target, value: target.value, from: clientX } : null;
  });
  const wait = (event) => event.target === held?.slider && event.stopPropagation();
  frame.addEventListener("input", wait, { capture: true, signal: view.signal });
  view.listen(frame, "pointermove", ({ clientX }) => {
    if (held && Math.abs(clientX - held.from) > ALONG) decide();
  });
  view.listen(frame, "pointerup", decide);
  view.listen(frame, "pointercancel", () => {
    if (held) held.slider.value = held.value;
    held = null;
  });
}

/** A copy, since a float must begin at a multiple of four bytes and a view may not. */
export function floats(view, offset = 0, count = (view.byteLength - offset) / 4) {
  const start = view.byteOffset + offset;
  return new Float32Array(view.buffer.slice(start, start + 4 * count));
}

/** Softmax: exp(x_j) / sum exp(x_k). The largest is taken off first, so nothing overflows. */
export function softmax(scores) {
  const largest = Math.max(...scores);
  const powers = Array.from(scores, (score) => Math.exp(score - largest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}

/** The step of the palette's ramp for a weight: paper is 0, ink is 20. */
export function shade(weight) {
  return Math.round(20 * Math.min(Math.max(weight, 0), 1));
}

/** "97\u00a0%", but never "100\u00a0%" for what is not certain, or "0\u00a0%" for what is possible. */
export function percent(share) {
  const whole = Math.round(100 * share);
  if (whole >= 100 && share < 1) return ">\u00a099\u00a0%";
  if (whole <= 0 && share > 0) return "<\u00a01\u00a0%";
  return `${whole}\u00a0%`;
}

/**
 * 1234.5 as "1,234.5", with at least and at most so many decimals, whatever the reader's language.
 * `toLocaleString` would do the same, but the browser's tables for it take long to load.
 */
export function grouped(number, { least = 0, most = Math.max(3, least) } = {}) {
  const [whole, decimals = ""] = number.toFixed(most).split(".");
  const kept = decimals.slice(0, least) + decimals.slice(least).replace(/0+$/, "");
  const digits = whole.replace(/\B(?=(\d{3})+$)/g, ",") + (kept && `.${kept}`);
  return digits.replace("-", "−");
}

/** For a table of weights: whole percentages, and nothing instead of zero. */
export function wholePercent(share) {
  return share < 0.005 ? "" : String(Math.round(100 * share));
}

/** "a", "a and b", "a, b and c" */
export function series(words) {
  const last = words.length - 1;
  return last < 1 ? words.join("") : `${words.slice(0, last).join(", ")} and ${words[last]}`;
}

/** The places of the largest number: all of them, if several are equally large. */
export function highest(numbers) {
  const most = Math.max(...numbers);
  return numbers.flatMap((number, place) => (most - number < 1e-9 ? [place] : []));
}

export function capital(sentence) {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

// ---- characters that cannot be seen, and the order in which text is seen

/** What stands for the end of an answer where its symbols are listed. */
export const ANSWER_END = "\u0003";

export const UNSEEN = new Map([
  [ANSWER_END, "the end"],
  [" ", "space"],
  ["\t", "tab"],
  ["\n", "line break"],
  ["\u00a0", "no-break space"],
  ["\u202f", "narrow no-break space"],
  ["\u2009", "thin space"],
  ["\u3000", "wide space"],
  ["\u200b", "zero-width space"],
  ["\u200c", "zero-width non-joiner"],
  ["\u200d", "zero-width joiner"],
  ["\u200e", "left-to-right mark"],
  ["\u200f", "right-to-left mark"],
  ["\u061c", "Arabic letter mark"],
  ["\ufeff", "zero-width no-break space"],
]);

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;

/** A token as it is shown: a sign for what has no ink, a ring for a mark to stand on. */
export function visible(token) {
  if (token === " ") return "␣";
  if (token === ANSWER_END) return "(end)";
  if (UNSEEN.has(token)) return "⍽";
  return /^\p{M}/u.test(token) ? `◌${token}` : token;
}

/** A token as it is named in a sentence; the isolates keep right-to-left text in its place. */
export function named(token) {
  return UNSEEN.get(token) ?? `“\u2068${visible(token)}\u2069”`;
}

/** Whether these tokens, side by side, form a line that is read from right to left: its first
 *  letter decides. */
export function readsLeftwards(tokens) {
  const letter = /\p{L}/u.exec(tokens.join(""));
  return letter !== null && RIGHT_TO_LEFT.test(letter[0]);
}

/** The order in which a reader sees the tokens from left to right, as the browser lays them out. */
export function seenOrder(tokens) {
  const order = tokens.map((_, index) => index);
  if (!RIGHT_TO_LEFT.test(tokens.join(""))) return order;
  const gap = tokens.every((token) => [...token].length === 1) ? "" : " ";
  const nodes = tokens.map((token) => document.createTextNode(token + gap));
  const line = create("span.attn-measure", { dir: "auto" }, ...nodes);
  document.body.append(line);
  const left = nodes.map((node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return range.getBoundingClientRect().left;
  });
  line.remove();
  return order.sort((a, b) => left[a] - left[b] || a - b);
}
