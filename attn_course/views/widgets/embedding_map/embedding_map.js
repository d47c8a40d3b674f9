// An embedding through training, in a plane that the reader chooses.

import {
  beginView,
  create,
  createButton,
  createLive,
  floats,
  follow,
  grouped,
  keepShowing,
  listen,
  named,
  percent,
  series,
  share,
  verbatim,
} from "../shared/common.js";
import { playButton } from "../shared/playing.js";
import {
  countSets,
  distancesOf,
  nearest,
  partingPlane,
  project,
  shareAsGood,
  spreadPlane,
} from "./plane.js";

const VIEWS = {
  spread: "Largest spread at the end",
  parting: "Sets the marked letters apart",
};
const SHOWN = ["frame", "view", "marked", "pointed"];
const SECONDS = 8;
const EDGE = 0.92; // how much of the plane the letters fill

/** The points of each step. */
function framesOf(model) {
  const [size, count] = [model.get("size"), model.get("tokens").length];
  const entries = floats(model.get("vectors"));
  return model.get("steps").map((_, frame) =>
    Array.from({ length: count }, (_, n) => {
      const start = (frame * count + n) * size;
      return [...entries.subarray(start, start + size)];
    }),
  );
}

/** The points of a step as the plane shows them, within -1 to 1. */
function placesOf(frames, plane, frame, view, marked) {
  if (view === "parting") {
    const flat = project(frames[frame], partingPlane(frames[frame], marked));
    return fitted(flat, widestOf(flat));
  }
  const widest = Math.max(...frames.map((points) => widestOf(project(points, plane))));
  return fitted(project(frames[frame], plane), widest);
}

const widestOf = (flat) => Math.max(...flat.flat().map(Math.abs)) || 1;
const fitted = (flat, widest) => flat.map(([x, y]) => [(EDGE * x) / widest, (EDGE * y) / widest]);

function render({ model, el }) {
  const { frame: box, life } = beginView(el, "embedding", "Embedding through training");
  const frames = framesOf(model);
  const plane = spreadPlane(frames.at(-1));
  const tokens = model.get("tokens");
  const parts = layOut(box, tokens);
  const start = Object.fromEntries(SHOWN.map((name) => [name, model.get(name)]));

  function update() {
    const [frame, view, marked] = [
      model.get("frame"),
      model.get("view"),
      new Set(model.get("marked")),
    ];
    const usable = marked.size >= 2 && marked.size < tokens.length;
    const shown = usable ? view : "spread";
    const flat = placesOf(frames, plane, frame, shown, marked);
    parts.letters.forEach((letter, n) => {
      letter.style.left = `${(50 + 50 * flat[n][0]).toFixed(2)}%`;
      letter.style.top = `${(50 - 50 * flat[n][1]).toFixed(2)}%`;
      letter.classList.toggle("attn-marked", marked.has(n));
      letter.classList.toggle("attn-pointed", n === model.get("pointed"));
      parts.toggles[n].setAttribute("aria-pressed", String(marked.has(n)));
    });
    const distances = distancesOf(frames[frame]);
    parts.words.textContent = usable
      ? apartInWords(distances, distancesOf(flat), [...marked], shown, model.get("size"))
      : "Mark at least two letters, but not all of them.";
    parts.near.textContent = neighboursInWords(
      distances,
      tokens,
      model.get("pointed"),
      model.get("size"),
    );
  }

  listenToLetters(life, model, parts);
  parts.controls.append(
    ...timeControls(life, model),
    viewChoice(life, model),
    resetButton(life, model, start),
  );
  follow(life, model, SHOWN, update);
  update();
  return () => life.abort();
}

/** A letter is marked by its button or in the plane; pointing at it names its neighbours. */
function listenToLetters(life, model, { toggles, letters }) {
  toggles.forEach((toggle, n) => {
    const point = () => share(model, { pointed: n });
    const mark = () => share(model, { marked: toggled(model.get("marked"), n), pointed: n });
    listen(life, toggle, "focus", point);
    for (const node of [toggle, letters[n]]) {
      listen(life, node, "pointerenter", point);
      listen(life, node, "click", mark);
    }
  });
}

function toggled(marked, n) {
  return marked.includes(n)
    ? marked.filter((one) => one !== n)
    : [...marked, n].sort((a, b) => a - b);
}

function layOut(box, tokens) {
  const controls = create("div.attn-bar");
  const letters = tokens.map((text) => create("span.attn-point", text));
  const field = create("div.attn-plane", { "aria-hidden": "true" }, ...letters);
  const toggles = tokens.map((text) => verbatim(createButton(text, "attn-toggle")));
  const row = create(
    "div.attn-toggles",
    { role: "group", "aria-label": "Marked letters" },
    ...toggles,
  );
  const words = createLive("p.attn-readout");
  const near = create("p.attn-near.attn-hint");
  box.append(controls, field, row, words, near);
  return { controls, letters, toggles, words, near };
}

/** A slider over the steps, and a button that lets them run. */
function timeControls(life, model) {
  const steps = model.get("steps");
  const last = steps.length - 1;
  const input = create("input.attn-slider", {
    type: "range",
    min: 0,
    max: last,
    step: 1,
    "aria-label": "Step of training",
  });
  const value = create("span.attn-steps");
  keepShowing(life, model, "frame", () => {
    const after = `after ${grouped(steps[model.get("frame")])} steps`;
    input.value = model.get("frame");
    input.setAttribute("aria-valuetext", after);
    value.textContent = after;
  });
  listen(life, input, "input", () => share(model, { frame: Number(input.value) }));
  const play = playButton(life, ["Play", "Pause"], SECONDS, {
    frame: (passed) => model.set("frame", Math.round(passed * last)),
    end: () => model.save_changes(),
  });
  return [create("span.attn-field.attn-time", input, value), play];
}

function viewChoice(life, model) {
  const options = Object.entries(VIEWS).map(([value, text]) => create("option", { value }, text));
  const select = create("select.attn-select", ...options);
  keepShowing(life, model, "view", () => {
    for (const option of options) option.selected = option.value === model.get("view");
  });
  listen(life, select, "change", () => share(model, { view: select.value }));
  return create("label.attn-field", "Plane", select);
}

function resetButton(life, model, start) {
  const reset = createButton("Reset", "attn-quiet");
  listen(life, reset, "click", () => share(model, start));
  return reset;
}

/** What share of all sets stands apart at least as well, in words. */
function apartInWords(distances, flat, marked, view, size) {
  const sets = grouped(countSets(distances.length, marked.length));
  const all = shareAsGood(distances, marked);
  if (all === null)
    return `There are ${sets} sets of ${marked.length} letters: too many to try here.`;
  const inAll = `Of all ${sets} sets of ${marked.length} letters, ${percent(all)} stand apart at least as well in all ${size} dimensions`;
  if (view === "parting")
    return `${inAll}. This plane was chosen to set the marked ones apart, so what it shows is no evidence.`;
  return `${inAll}, and ${percent(shareAsGood(flat, marked))} in this plane.`;
}

function neighboursInWords(distances, tokens, pointed, size) {
  if (pointed < 0 || pointed >= tokens.length)
    return "Press a letter to mark it; point at one to see which are nearest to it.";
  const near = nearest(distances, pointed, 3).map((n) => named(tokens[n]));
  return `Nearest to ${named(tokens[pointed])} in all ${size} dimensions: ${series(near)}.`;
}

/** What it shows, as the rows of a table: for readers without JavaScript. */
export function table({ model }) {
  const frames = framesOf(model);
  const tokens = model.get("tokens");
  const distances = [frames[0], frames.at(-1)].map(distancesOf);
  const steps = [model.get("steps")[0], model.get("steps").at(-1)];
  const rows = tokens.map((token, n) => [
    token,
    ...distances.map((each) =>
      nearest(each, n, 3)
        .map((near) => tokens[near])
        .join(" "),
    ),
  ]);
  return [["Letter", ...steps.map((step) => `Nearest after ${grouped(step)} steps`)], ...rows];
}

export default { render };
