// Who reads whom: one alignment as a matrix or as arcs.

import {
  across,
  alignmentTable,
  asPlace,
  chooser,
  describeLinks,
  isSelected,
  linkToSee,
  markTokens,
  matrixView,
  reachPlaces,
  scrolled,
  staysLinked,
  within,
} from "../shared/alignment.js";
import {
  beginView,
  create,
  createButton,
  createLive,
  draw,
  floats,
  follow,
  listen,
  renewed,
  seenOrder,
  share,
  UNSEEN,
  visible,
} from "../shared/common.js";

/** The examples with their weights (and gold) as rows. All arrays lie one after the other. */
function unpackExamples(model) {
  const shares = floats(model.get("weights"));
  const exact = model.get("gold");
  let offset = 0;
  return model.get("examples").map(({ name, source, target, gold }) => {
    const start = offset;
    offset += source.length * target.length;
    const cut = (at) =>
      target.map((_, i) => source.map((_, j) => at(start + i * source.length + j)));
    return {
      name,
      source,
      target,
      weights: cut((place) => shares[place]),
      gold: gold ? cut((place) => exact.getUint8(place) === 1) : null,
    };
  });
}

const SIZE = 1000; // of the drawing between the two lines of tokens, in its own units

/** How much room each token takes in a line, and where its middle lies, from 0 to 1. */
function slots(tokens, words) {
  const room = tokens.map((token) => (words ? [...token].length + 1.5 : 1));
  const total = room.reduce((sum, width) => sum + width, 0);
  let end = 0;
  const middles = room.map((width) => {
    end += width;
    return (end - width / 2) / total;
  });
  return { total, middles, columns: room.map((width) => `minmax(0, ${width}fr)`).join(" ") };
}

/** The same weights as arcs: source above, target below, the more ink the more weight. */
function arcsView(life, alignment, choice, label) {
  const { source, target, weights } = alignment;
  const words = [...source, ...target].some((token) => [...token].length > 2);
  const order = seenOrder(source);
  const tokensSeen = order.map((j) => source[j]);
  const [upper, lower] = [tokensSeen, target].map((tokens) => slots(tokens, words));
  const heads = source.map((token, j) => tokenButton(token, "source", j));
  const sides = target.map((token, i) => tokenButton(token, "target", i));
  const links = arcsOf(alignment, (j) => upper.middles[order.indexOf(j)], lower.middles);
  const box = { viewBox: `0 0 ${SIZE} ${SIZE}`, preserveAspectRatio: "none" };
  const upperNodes = order.map((j) => heads[j]);
  const node = create(
    "div",
    {
      className: words ? "attn-arcs attn-words" : "attn-arcs",
      attributes: { role: "group", "aria-label": label },
    },
    tokenLine(upperNodes, upper, "Source"),
    draw(
      "svg",
      { class: "attn-links", "aria-hidden": "true", ...box },
      ...links.map(({ path }) => path),
    ),
    tokenLine(sides, lower, "Target"),
  );
  node.style.setProperty("--attn-room", Math.max(upper.total, lower.total));
  reachPlaces(life, node, [upperNodes, sides], choice);

  function mark(selection) {
    for (const { path, i, j } of links) {
      const stays = staysLinked(selection, i, j);
      path.classList.toggle("attn-far", !stays);
      path.classList.toggle("attn-near", stays && isSelected(selection));
    }
    markTokens({ heads, sides, weights }, selection);
  }
  const placeOf = ({ side, index }) => (side === "target" ? sides[index] : heads[index]);
  return { node, mark, placeOf };
}

/** The links as curves. Around one that is exact runs a rim of gold, as wide as the link and a
 *  little more; where an exact one is not read, the rim is a thin line by itself. */
function arcsOf({ source, target, weights, gold }, from, to) {
  const link = (i, j, className, width, share = 1) => {
    const [start, end] = [from(j) * SIZE, to[i] * SIZE];
    const d = `M${start},0 C${start},${SIZE / 2} ${end},${SIZE / 2} ${end},${SIZE}`;
    const path = draw("path", { class: className, d, "stroke-width": width });
    path.style.setProperty("--attn-share", share);
    return { path, i, j };
  };
  const pairs = target.flatMap((_, i) => source.map((_, j) => [i, j]));
  const read = pairs.filter(([i, j]) => weights[i][j] >= 0.01);
  const width = (i, j) => (weights[i][j] < 0.01 ? 0 : 0.5 + 3 * weights[i][j]);
  const isExact = ([i, j]) => gold?.[i][j];
  return [
    ...pairs.filter(isExact).map(([i, j]) => link(i, j, "attn-gold-link", width(i, j) + RIM)),
    ...read.filter(isExact).map(([i, j]) => link(i, j, "attn-paper-link", width(i, j))),
    ...read.map(([i, j]) => link(i, j, "attn-link", width(i, j), weights[i][j])),
  ];
}

const RIM = 1.75; // of gold, both of its sides together

function tokenLine(nodes, { columns }, name) {
  const line = create("div", { className: "attn-line" }, ...nodes);
  line.setAttribute("role", "group");
  line.setAttribute("aria-label", name);
  line.style.gridTemplateColumns = columns;
  return line;
}

function tokenButton(token, side, index) {
  const button = create("button", { type: "button", className: `attn-token attn-${side}` });
  button.append(create("bdi", { text: visible(token) }));
  if (UNSEEN.has(token)) button.setAttribute("aria-label", UNSEEN.get(token));
  return asPlace(button, { side, index });
}

const VIEWS = {
  matrix: {
    name: "Matrix",
    view: matrixView,
    sides: (source) => [across("Source", source), "Target ↓"],
  },
  arcs: { name: "Arcs", view: arcsView, sides: () => ["Source above", "Target below"] },
};

function render({ model, el }) {
  const { frame, life } = beginView(el, "viewer", model.get("title") || "Alignment");
  const title = create("p", { className: "attn-title" });
  const bar = create("div", { className: "attn-bar" });
  const figure = create("div");
  const words = createLive("p", "attn-readout");
  frame.append(title, bar, figure, words);

  const newBar = renewed(life);
  const newFigure = renewed(life);
  const choice = chooser(
    () => model.get("selected"),
    (selected) => share(model, { selected }),
  );
  const names = ["selected", "index", "view", "show_gold"];
  const start = Object.fromEntries(names.map((name) => [name, model.get(name)]));
  let examples = [];
  let shown;

  function drawFigure() {
    const { name, view, sides } = VIEWS[model.get("view")];
    const label = `${name} of the weights. Arrow keys move, Escape shows all.`;
    const [part, current] = [newFigure(), currentOf(model, examples)];
    shown = view(part, current, choice, label);
    const whole = scrolled(part, sides(current.source), shown.node);
    figure.replaceChildren(whole.node);
    Object.assign(shown, { reveal: whole.reveal });
    mark();
  }

  function mark() {
    const current = currentOf(model, examples);
    const selected = within(model.get("selected"), current);
    shown.mark(selected);
    shown.reveal(shown.placeOf(linkToSee(current, selected)));
    const invited = () => invitation(current, examples.length);
    words.textContent = isSelected(selected) ? describeLinks(current, selected) : invited();
  }

  function drawAll() {
    examples = unpackExamples(model);
    title.textContent = model.get("title");
    title.hidden = !title.textContent;
    bar.replaceChildren(...controlsOf(newBar(), model, examples, start));
    drawFigure();
  }

  follow(life, model, ["examples", "weights", "gold", "title"], drawAll);
  follow(life, model, ["index", "view", "show_gold"], drawFigure);
  follow(life, model, ["selected"], mark);
  drawAll();
  return () => life.abort();
}

/** The example that is chosen, with what is exact if that is asked for. */
function currentOf(model, examples) {
  const alignment = examples[model.get("index")];
  return model.get("show_gold") ? alignment : { ...alignment, gold: null };
}

function invitation({ name, source, target }, examples) {
  const size = `${target.length} targets by ${source.length} sources`;
  const which = examples > 1 ? `${name}: ${size}. ` : "";
  return `${which}Point at a token, tap it, or move with the arrow keys: only its links stay.`;
}

function controlsOf(life, model, examples, start) {
  const reset = createButton("Reset", "attn-quiet");
  listen(life, reset, "click", () => share(model, start));
  return [
    ...(examples.length > 1 ? [exampleChoice(life, model, examples)] : []),
    viewChoice(life, model),
    ...(examples.some(({ gold }) => gold) ? [goldChoice(life, model)] : []),
    reset,
  ];
}

/** Show a trait in a control, now and whenever it changes. */
function keepShowing(life, model, name, show) {
  show();
  follow(life, model, [name], show);
}

function exampleChoice(life, model, examples) {
  const select = create("select", { className: "attn-select" });
  examples.forEach(({ name }, value) => select.append(create("option", { value, text: name })));
  keepShowing(life, model, "index", () => (select.selectedIndex = model.get("index")));
  listen(life, select, "change", () => share(model, { selected: {}, index: select.selectedIndex }));
  const label = { className: "attn-field attn-examples" };
  return create("label", label, model.get("example_label"), select);
}

function viewChoice(life, model) {
  const group = create("div", {
    className: "attn-switch",
    attributes: { role: "group", "aria-label": "View" },
  });
  for (const [view, { name }] of Object.entries(VIEWS)) {
    const button = createButton(name);
    keepShowing(life, model, "view", () =>
      button.setAttribute("aria-pressed", model.get("view") === view),
    );
    listen(life, button, "click", () => share(model, { view }));
    group.append(button);
  }
  return group;
}

function goldChoice(life, model) {
  const box = create("input", { type: "checkbox" });
  keepShowing(life, model, "show_gold", () => (box.checked = model.get("show_gold")));
  listen(life, box, "change", () => share(model, { show_gold: box.checked }));
  return create("label", { className: "attn-field attn-gold-key" }, box, "Exact alignment");
}

/** What it shows, as the rows of a table: for readers without JavaScript. */
export function table({ model }) {
  return alignmentTable(unpackExamples(model)[model.get("index")]);
}

export default { render };
