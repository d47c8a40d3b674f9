// An embedding through training, in a plane that the reader chooses.

import {
  beginView,
  create,
  createButton,
  createLive,
  floats,
  grouped,
  named,
  percent,
  series,
  verbatim,
} from "../shared/common.js";
import { menuFor, resetFor } from "../shared/controls.js";
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
  const view = beginView({ model, el }, "embedding", "Embedding through training");
  const { frame: box } = view;
  const frames = framesOf(view);
  const plane = spreadPlane(frames.at(-1));
  const tokens = view.get("tokens");
  const parts = layOut(box, tokens);

  function update() {
    const [frame, marked] = [view.get("frame"), new Set(view.get("marked"))];
    const usable = marked.size >= 2 && marked.size < tokens.length;
    const shown = usable ? view.get("view") : "spread";
    const flat = placesOf(frames, plane, frame, shown, marked);
    parts.letters.forEach((letter, n) => {
      letter.style.left = `${(50 + 50 * flat[n][0]).toFixed(2)}%`;
      letter.style.top = `${(50 - 50 * flat[n][1]).toFixed(2)}%`;
      letter.classList.toggle("attn-marked", marked.has(n));
      letter.classList.toggle("attn-pointed", n === view.get("pointed"));
      parts.toggles[n].setAttribute("aria-pressed", String(marked.has(n)));
    });
    const distances = distancesOf(frames[frame]);
    parts.words.textContent = usable
      ? apartInWords(distances, distancesOf(flat), [...marked], shown, view.get("size"))
      : "Mark at least two letters, but not all of them.";
    parts.near.textContent = neighboursInWords(
      distances,
      tokens,
      view.get("pointed"),
      view.get("size"),
    );
  }

  listenToLetters(view, parts);
  const menu = menuFor(view, "view", "Plane", Object.entries(VIEWS));
  parts.controls.append(...timeControls(view), menu, resetFor(view, SHOWN));
  view.follow(SHOWN, update);
  update();
  return () => view.end();
}

/** A letter is marked by its button or in the plane; pointing at it names its neighbours. */
function listenToLetters(view, { toggles, letters }) {
  toggles.forEach((toggle, n) => {
    const point = () => view.share({ pointed: n });
    const mark = () => view.share({ marked: toggled(view.get("marked"), n), pointed: n });
    view.listen(toggle, "focus", point);
    for (const node of [toggle, letters[n]]) {
      view.listen(node, "pointerenter", point);
      view.listen(node, "click", mark);
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
function timeControls(view) {
  const steps = view.get("steps");
  const last = steps.length - 1;
  const input = create("input.attn-slider", {
    type: "range",
    min: 0,
    max: last,
    step: 1,
    "aria-label": "Step of training",
  });
  const value = create("span.attn-steps");
  view.keepShowing("frame", () => {
    const after = `after ${grouped(steps[view.get("frame")])} steps`;
    input.value = view.get("frame");
    input.setAttribute("aria-valuetext", after);
    value.textContent = after;
  });
  view.listen(input, "input", () => view.share({ frame: Number(input.value) }));
  const play = playButton(view, ["Play", "Pause"], SECONDS, {
    frame: (passed) => view.model.set("frame", Math.round(passed * last)),
    end: () => view.model.save_changes(),
  });
  return [create("span.attn-field.attn-time", input, value), play];
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
