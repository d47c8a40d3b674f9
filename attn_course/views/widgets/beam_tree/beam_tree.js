// Type a phrase: the trained model translates it by beam search, and the tree is drawn.

import { firstState, readSource, step, unpackModel } from "../shared/bahdanau.js";
import { beamSearch, pathTo, symbolsTo } from "../shared/beam.js";
import { beginView, create, createButton, createLive, draw, percent } from "../shared/common.js";
import { resetFor, sliderFor } from "../shared/controls.js";
import { neverSaw, typingBox } from "../shared/typing.js";

const WIDEST = 6;
const STRONGEST = 2;
const STEPS = 24; // the longest translation
const COLUMN = 112;
const ROW = 40;
const LETTERS = 13; // how many of a piece fit its column

/** The trained model and its vocabularies, out of the traits. */
function translatorOf(model) {
  const arrays = unpackModel(model);
  const special = model.get("special");
  const source = new Map();
  model.get("source_symbols").forEach((piece, place) => {
    const lower = piece.toLowerCase(); // small letters are understood too
    if (!source.has(lower)) source.set(lower, place + special.first_symbol);
  });
  model.get("source_symbols").forEach((piece, place) => {
    source.set(piece, place + special.first_symbol);
  });
  return { arrays, special, source, target: model.get("target_symbols") };
}

/** The pieces of a phrase, their numbers, and those that the model never saw. */
function encodePhrase(text, { special, source }) {
  const spaced = text.normalize("NFC").replace(/,/g, " , ").trim();
  const pieces = spaced ? spaced.split(/\s+/u) : [];
  const ids = pieces.map(
    (piece) => source.get(piece) ?? source.get(piece.toLowerCase()) ?? special.unknown,
  );
  const unknown = pieces.filter((_, j) => ids[j] === special.unknown);
  return { pieces, ids, unknown: [...new Set(unknown)] };
}

/** The whole search for one phrase. */
function searched({ arrays, special }, ids, width, alpha) {
  const source = { ...readSource(arrays, ids), readable: ids.map(() => true), fixed: false };
  const advance = (state, symbol) => step(arrays, source, state, symbol);
  return beamSearch(firstState(arrays, source), advance, special, { width, alpha, longest: STEPS });
}

function pieceOf(symbol, { special, target }) {
  if (symbol === special.start) return "start";
  if (symbol === special.end) return "end";
  return target[symbol - special.first_symbol] ?? "\ufffd";
}

function textTo(tree, at, translator) {
  const symbols = symbolsTo(tree.nodes, at, translator.special);
  return symbols.map((symbol) => pieceOf(symbol, translator)).join(" ");
}

/** What the widget shows: the tree, or why there is none. */
function stateOf(model, translator) {
  const given = encodePhrase(model.get("text"), translator);
  const refusal = refuse(given.ids.length, model.get("longest"));
  if (refusal) return { given, refusal };
  const [width, alpha] = [model.get("width"), model.get("alpha")];
  const tree = searched(translator, given.ids, width, alpha);
  const greedy = width === 1 && alpha === 0 ? tree : searched(translator, given.ids, 1, 0);
  const steps = Math.max(...tree.nodes.map(({ depth }) => depth));
  return { given, tree, greedy, steps, width, alpha, fate: fateOf(tree) };
}

/** The fate of each node: on the best path, on another that ended, cut at once, or dead. */
function fateOf({ nodes, ended }) {
  const lives = new Set(ended.flatMap(({ at }) => pathTo(nodes, at)));
  const best = new Set(ended.length ? pathTo(nodes, ended[0].at) : []);
  return nodes.map(({ at, kind }) => {
    if (best.has(at)) return "best";
    if (kind === "cut") return "cut";
    return lives.has(at) ? "ended" : "dead";
  });
}

function refuse(length, longest) {
  if (length === 0) return "Type a phrase: its translation grows as you type.";
  if (length <= longest) return null;
  return `That is ${length} pieces, and the model reads at most ${longest}: please shorten it.`;
}

function resultOf(state, translator) {
  if (state.refusal) return {};
  const { given, tree, greedy } = state;
  return {
    best: textTo(tree, tree.ended[0].at, translator),
    log_probability: tree.ended[0].sum,
    score: tree.ended[0].score,
    greedy: textTo(greedy, greedy.ended[0].at, translator),
    unknown: given.unknown,
  };
}

function render({ model, el }) {
  const view = beginView({ model, el }, "beams", "Beam search");
  const { frame } = view;
  const translator = translatorOf(view);
  const typing = typingBox(view, "Phrase to translate", { shown: 0 });
  const parts = layOut(frame, typing);
  let state = null;

  function search() {
    state = stateOf(view, translator);
    view.publish("result", resultOf(state, translator));
    parts.steps.max = state.steps ?? 1;
    show();
  }

  function show() {
    const shown = shownOf(view, state);
    parts.steps.value = shown;
    parts.stepsSaid.textContent = state.refusal ? "" : `${shown} of ${state.steps}`;
    parts.grow.disabled = Boolean(state.refusal);
    parts.place.replaceChildren(...(state.refusal ? [] : [treeView(state, shown, translator)]));
    parts.ranks.replaceChildren(...(state.refusal ? [] : rankView(state, shown, translator)));
    parts.words.textContent = state.refusal ?? inSentences(state, shown, translator);
    parts.place.scrollLeft = shown < (state.steps ?? 0) ? COLUMN * (shown - 2) : 0;
  }

  function growOn() {
    const shown = shownOf(view, state);
    view.share({ shown: shown >= state.steps ? 1 : shown + 1 });
  }

  controls(view, parts.bar);
  view.listen(parts.steps, "input", () => view.share({ shown: Number(parts.steps.value) }));
  view.listen(parts.grow, "click", growOn);
  view.follow(["text", "width", "alpha"], search);
  view.follow(["shown"], show);
  search();
  return () => view.end();
}

/** How many steps are drawn: all of them for 0. */
function shownOf(model, { steps = 1 }) {
  const shown = model.get("shown");
  return shown === 0 ? steps : Math.min(shown, steps);
}

function layOut(frame, typing) {
  const bar = create("div.attn-bar");
  const steps = slider("Steps drawn", { min: 1, max: 1, step: 1 });
  const stepsSaid = create("span.attn-number");
  const grow = createButton("Grow a step");
  const growing = create("div.attn-bar", grow, field("Steps", steps, stepsSaid));
  const place = create("div.attn-tree-place", {
    tabindex: "0",
    role: "group",
    "aria-label": "The tree, which scrolls",
  });
  const words = createLive("p.attn-readout");
  const ranks = create("div.attn-ranks");
  frame.append(...typing, bar, growing, place, words, ranks);
  return { bar, steps, stepsSaid, grow, place, words, ranks };
}

function slider(label, range) {
  const attributes = { ...range, "aria-label": label };
  return create("input", { type: "range", ...attributes });
}

function field(text, ...nodes) {
  return create("label.attn-field", text, ...nodes);
}

function controls(view, bar) {
  const [width, alpha] = [
    { min: 1, max: WIDEST, step: 1 },
    { min: 0, max: STRONGEST, step: 0.1 },
  ];
  const all = { shown: 0 };
  const tenths = (value) => value.toFixed(1);
  bar.append(
    sliderFor(view, "width", "Width", width, String, all),
    sliderFor(view, "alpha", "Length normalisation α", alpha, tenths, all),
    resetFor(view, ["text", "width", "alpha", "shown"]),
  );
}

// ---- the tree

/** Where each node stands: its column is its step, its row its rank there. */
function placesOf(nodes) {
  const rank = { kept: 0, ended: 1, cut: 2 };
  const places = [];
  const steps = Math.max(...nodes.map(({ depth }) => depth));
  const columns = Array.from({ length: steps + 1 }, (_, step) =>
    nodes.filter(({ depth }) => depth === step),
  );
  for (const column of columns) {
    column.sort((a, b) => rank[a.kind] - rank[b.kind] || b.sum - a.sum);
    column.forEach(({ at, depth }, row) => (places[at] = { x: 8 + COLUMN * depth, y: ROW * row }));
  }
  const rows = Math.max(...columns.map((column) => column.length));
  return { places, rows, columns: columns.length };
}

function treeView(state, shown, translator) {
  const { tree, fate } = state;
  const { places, rows, columns } = placesOf(tree.nodes);
  const size = { width: COLUMN * columns, height: ROW * rows + 8 };
  const seen = tree.nodes.filter(({ depth }) => depth <= shown);
  const whole = shown === state.steps;
  const look = (at) => fateSeen(tree.nodes, fate, at, shown, whole);
  const links = seen
    .filter(({ parent }) => parent >= 0)
    .sort((a, b) => (look(a.at) === "best") - (look(b.at) === "best"))
    .map(({ at, parent }) => linkOf(places[parent], places[at], look(at)));
  const nodes = seen.map((node) => nodeOf(node, places[node.at], look(node.at), translator));
  return draw(
    "svg",
    {
      ...size,
      viewBox: `0 0 ${size.width} ${size.height}`,
      role: "img",
      "aria-label": `The tree after ${shown} steps; the words below say what lives and what dies.`,
    },
    ...links,
    ...nodes,
  );
}

/** What can be known of a node while the search is still running. */
function fateSeen(nodes, fate, at, shown, whole) {
  if (whole || fate[at] === "cut") return fate[at];
  if (nodes[at].kind === "ended") return "ended";
  const runs = (number) =>
    nodes[number].depth === shown
      ? nodes[number].kind !== "cut"
      : nodes.some(({ parent, at: child }) => parent === number && runs(child));
  return runs(at) || hasEnded(nodes, at) ? "open" : "dead";
}

function hasEnded(nodes, at) {
  return nodes.some(({ parent, kind }) => parent === at && kind === "ended");
}

function linkOf(from, to, look) {
  const [x, y] = [from.x + COLUMN - 20, from.y + 20];
  const bend = (x + to.x) / 2;
  const d = `M${x},${y} C${bend},${y} ${bend},${to.y + 20} ${to.x - 2},${to.y + 20}`;
  return draw("path", { class: `attn-branch attn-${look}`, d });
}

function nodeOf({ symbol, sum }, { x, y }, look, translator) {
  const piece = pieceOf(symbol, translator);
  const short = piece.length > LETTERS ? `${piece.slice(0, LETTERS - 1)}…` : piece;
  return draw(
    "g",
    { class: `attn-beginning attn-${look}` },
    draw("rect", { x, y: y + 2, width: COLUMN - 20, height: ROW - 4, rx: 4 }),
    draw("text", { x: x + 6, y: y + 17 }, short),
    draw("text.attn-chance", { x: x + 6, y: y + 32 }, percent(Math.exp(sum))),
    draw("title", `${piece}; probability so far: ${percent(Math.exp(sum))}`),
  );
}

// ---- what has ended, ranked, and everything in words

function rankView(state, shown, translator) {
  const { tree, steps } = state;
  if (shown < steps) {
    return [create("p.attn-hint", "The ranking appears after the last step.")];
  }
  const head = ["Rank", "Translation", "Probability", "Score"].map((text) => create("th", text));
  const rows = tree.ended.map(({ at, sum, score }, rank) =>
    create(
      "tr",
      create("td", String(rank + 1)),
      create("td", textTo(tree, at, translator) || "(nothing)"),
      create("td", percent(Math.exp(sum))),
      create("td", score.toFixed(2).replace("-", "−")),
    ),
  );
  return [create("table", create("thead", create("tr", ...head)), create("tbody", ...rows))];
}

function inSentences(state, shown, translator) {
  const { given, tree, greedy, fate, steps } = state;
  const { nodes, ended } = tree;
  const seen = nodes.filter(({ depth }) => depth <= shown);
  const gone = seen.filter(
    ({ at, kind, depth }) =>
      kind === "kept" && depth > 0 && fateSeen(nodes, fate, at, shown, shown === steps) === "dead",
  );
  const dead = `${gone.length} ${gone.length === 1 ? "beginning" : "beginnings"} that ${
    gone.length === 1 ? "was" : "were"
  } kept for a while ${gone.length === 1 ? "has" : "have"} died.`;
  const strange = given.unknown.length ? ` ${neverSaw(given.unknown)}` : "";
  if (shown < steps) return `After step ${shown}: ${dead}${strange}`;
  const best = textTo(tree, ended[0].at, translator);
  const other = textTo(greedy, greedy.ended[0].at, translator);
  const same = best === other ? "as greedy search does" : `where greedy search writes “${other}”`;
  return `It writes “${best || "nothing"}”, ${same}. ${dead}${strange}`;
}

/** What it shows, as the rows of a table: for readers without JavaScript. */
export function table({ model }) {
  const translator = translatorOf(model);
  const state = stateOf(model, translator);
  if (state.refusal) return [["Translation"], [state.refusal]];
  return [
    ["Translation", "Probability", "Score"],
    ...state.tree.ended.map(({ at, sum, score }) => [
      textTo(state.tree, at, translator),
      percent(Math.exp(sum)),
      score.toFixed(2),
    ]),
  ];
}

export default { render };
