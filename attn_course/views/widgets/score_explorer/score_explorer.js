// Move a query and keys in the plane; see what each score function makes of them.

import {
  beginView,
  create,
  createLive,
  draw,
  highest,
  percent,
  series,
  shade,
} from "../shared/common.js";
import { resetFor } from "../shared/controls.js";
import { axesOf, inReach, place, planeView, REACH, UNIT } from "../shared/plane.js";
import { playButton } from "../shared/playing.js";
import { attendWith, SCORE_FUNCTIONS } from "../shared/score_functions.js";

const signed = (number) => number.toFixed(1).replace("-", "−");
const pointed = ([x, y]) => `(${signed(x)}, ${signed(y)})`;

const titleOf = (name) => name.replaceAll("_", " ");

/** Scores, weights and context under each function shown, by name and in order. */
function attendWithAll(model) {
  const [query, keys, factor] = ["query", "key_points", "factor"].map((name) => model.get(name));
  const matrices = model.get("matrices");
  const found = (name) => attendWith(name, query, keys, matrices[name], factor);
  return new Map(model.get("names").map((name) => [name, found(name)]));
}

function render({ model, el }) {
  const view = beginView({ model, el }, "scores", "Score explorer");
  const { frame } = view;
  const traits = ["query", "key_points", "factor", "selected"];
  const words = createLive("p.attn-readout");
  const say = teller(view, words);
  const plane = largePlane(view, say);
  const cards = view.get("names").map((name) => card(view, name, say));
  const grid = create(
    "div.attn-cards",
    { role: "group", "aria-label": "Score functions" },
    ...cards.map(({ node }) => node),
  );
  const reset = resetFor(view, traits);
  view.listen(reset, "click", () => (words.textContent = "Everything is back at the start."));
  const bar = create("div.attn-bar", roundButton(view, words));
  if (view.get("names").includes("cosine")) bar.append(factorChoice(view, say));
  bar.append(reset);
  const moved = create("div.attn-moved", plane.node, bar, words);
  frame.append(create("div.attn-sides", moved, grid));

  function update() {
    const found = attendWithAll(view);
    plane.show(found.get(view.get("selected")));
    for (const each of cards) each.show(found.get(each.name));
  }

  view.follow([...traits, "matrices"], update);
  update();
  words.textContent =
    "Drag the query s or a key, or reach it with Tab and move it with the arrow keys. " +
    "Each card has a function’s scores, its weights in percent, and its context.";
  return () => view.end();
}

const ROUND = 10; // seconds

/** Sends the query once round the middle at its present distance, and says what never changed. */
function roundButton(view, words) {
  let [radius, angle, sent, before, still] = [0, 0, null, null, new Set()];
  const begin = (share) => {
    const [x, y] = view.get("query");
    const far = Math.hypot(x, y);
    radius = far < 0.5 ? 1.5 : far;
    angle = (far ? Math.atan2(y, x) : 0) - 2 * Math.PI * share;
    sent = view.get("query");
    if (share === 0) [before, still] = [attendWithAll(view), new Set(view.get("names"))];
  };
  const frame = (share) => {
    const isThere = view.get("query").every((entry, k) => entry === sent[k]);
    if (!isThere) return false; // moved by hand, or by Python
    const now = angle + 2 * Math.PI * share;
    sent = [radius * Math.cos(now), radius * Math.sin(now)].map((entry) => inReach(entry));
    view.model.set("query", sent);
    for (const name of changedNames(before, attendWithAll(view))) still.delete(name);
    return true;
  };
  const end = (whole) => {
    view.model.save_changes();
    const never = stillWords([...still].map(titleOf));
    if (whole) words.textContent = `The query went once round.${never}`;
  };
  return playButton(view, ["Send the query round", "Pause"], ROUND, { begin, frame, end });
}

/** The functions whose weights have changed. */
function changedNames(before, now) {
  const differs = (name) =>
    now
      .get(name)
      .weights.some((weight, j) => Math.abs(weight - before.get(name).weights[j]) > 1e-9);
  return [...now.keys()].filter(differs);
}

/** Says in words what a move has changed. */
function teller(model, words) {
  let before = attendWithAll(model);
  return (what) => {
    const now = attendWithAll(model);
    const changed = changedNames(before, now);
    const still = [...now.keys()].filter((name) => !changed.includes(name));
    const name = model.get("selected");
    const { weights } = now.get(name);
    const most = highest(weights);
    const which = series(most.map((j) => j + 1));
    const has = most.length > 1 ? `keys ${which} have` : `key ${which} has`;
    const same = still.length === now.size ? "" : stillWords(still.map(titleOf));
    words.textContent =
      `${what} Under ${titleOf(name)}, ${has} the largest weight, ` +
      `${percent(weights[most[0]])}${most.length > 1 ? " each" : ""}.${same}`;
    before = now;
  };
}

function stillWords(still) {
  if (!still.length) return " The weights of every function have changed.";
  return ` No weight has changed under ${series(still)}.`;
}

// ---- the large plane, in which things are moved

/** Where the n-th thing to move is: 0 is the query, the keys follow. */
function whereIs(model, n) {
  return n ? model.get("key_points")[n - 1] : model.get("query");
}

function largePlane(view, say) {
  const keys = view.get("key_points").map((_, j) => ({
    kind: "key",
    name: `key ${j + 1}`,
    letter: `${j + 1}`,
  }));
  const points = [{ kind: "query", name: "query", letter: "s" }, ...keys];
  const nameOf = (n) => (n ? `Key ${n}` : "Query");
  const plane = planeView(view, "The plane of query and keys", points, {
    where: (n) => whereIs(view, n),
    move(n, point) {
      if (n === 0) return view.share({ query: point });
      const moved = view.get("key_points").map((key, j) => (j === n - 1 ? point : key));
      view.share({ key_points: moved });
    },
    done: (n) => say(`${n ? nameOf(n) : "The query"} is at ${pointed(whereIs(view, n))}.`),
  });

  function show({ weights, context }) {
    const label = (n) => {
      const weight = n ? `, weight ${percent(weights[n - 1])}` : "";
      return `${nameOf(n)} at ${pointed(whereIs(view, n))}${weight}`;
    };
    plane.show([{ name: "c", weights, context }], view.get("key_points"), label);
  }
  return { node: plane.node, show };
}

// ---- the functions, side by side

function card(view, name, say) {
  const [title, { formula }] = [titleOf(name), SCORE_FUNCTIONS[name]];
  const count = view.get("key_points").length;
  const small = draw("svg.attn-points", { viewBox: "-165 -165 330 330", "aria-hidden": "true" });
  const cells = Array.from({ length: count }, () => create("span.attn-weight"));
  const scores = Array.from({ length: count }, () => create("span.attn-score"));
  const row = (parts) => create("span.attn-row", { "aria-hidden": "true" }, ...parts);
  const choose = create("button.attn-name", { type: "button" }, title);
  const node = create(
    "div.attn-card",
    small,
    choose, // covers the entire card, and its name says what the rows show
    create("span.attn-formula", ...setFormula(formula)),
    row(scores),
    row(cells),
  );
  node.style.setProperty("--attn-count", count);
  view.listen(choose, "click", () => {
    view.share({ selected: name });
    say(`The large plane now shows ${title}.`);
  });

  function show({ scores: values, weights, context }) {
    const chosen = view.get("selected") === name;
    choose.setAttribute("aria-pressed", chosen);
    weights.forEach((weight, j) => {
      const step = shade(weight);
      cells[j].textContent = `${Math.round(100 * weight)}`;
      cells[j].style.background = `var(--attn-weight-${step})`;
      cells[j].style.color = `var(--attn-on-weight-${step})`;
      scores[j].textContent = signed(values[j]);
    });
    const shares = weights.map((weight, j) => `key ${j + 1} ${percent(weight)}`);
    choose.setAttribute("aria-label", `${title}: ${series(shares)}`);
    drawSmall(small, view, weights, context);
  }
  return { name, node, show };
}

const ROLES = { s: "attn-of-query", h: "attn-of-key" };

/** The parts of a formula as the book sets it: letters that stand alone are italic, `_` lowers. */
function setFormula(formula) {
  return formula.split(/\b([a-zA-Z](?:_\w)?)\b/).map((part, n) => {
    if (n % 2 === 0) return part;
    const [letter, index] = part.split("_");
    const symbol = create("i", letter);
    if (letter in ROLES) symbol.className = ROLES[letter];
    if (!index) return symbol;
    const isNumber = index >= "0" && index <= "9";
    const lowered = isNumber ? index : create("i", index);
    return create("span", symbol, create("sub", lowered));
  });
}

/** Keys as large as their weights, each with its number, and the context. */
function drawSmall(svg, model, weights, context) {
  const [qx, qy] = place(model.get("query"));
  const [cx, cy] = place(context);
  svg.replaceChildren(
    axesOf(),
    ...model.get("key_points").map((key, j) => {
      const [x, y] = place(key);
      const r = 7 + 26 * Math.sqrt(weights[j]);
      const outwards = Math.abs(x) + r < 0.9 * UNIT * REACH ? 1 : -1; // stays within the plane
      const beside = (x < 0 ? -outwards : outwards) * (r + 18);
      const dot = draw("circle.attn-dot", { cx: x, cy: y, r });
      return draw("g", dot, draw("text.attn-key-name", { x: x + beside, y: y + 15 }, `${j + 1}`));
    }),
    draw("line.attn-query-line", { x1: 0, y1: 0, x2: qx, y2: qy }),
    draw("path.attn-context", {
      d: "M0,-20 L20,0 L0,20 L-20,0 Z",
      transform: `translate(${cx} ${cy})`,
    }),
  );
}

function factorChoice(view, say) {
  const input = create("input.attn-slider", { type: "range", min: 1, max: 20, step: 1 });
  // no <output>: a label may contain only one control
  const value = create("span.attn-value", { "aria-hidden": "true" });
  const update = () => {
    input.value = view.get("factor");
    value.textContent = `× ${view.get("factor")}`;
    input.setAttribute("aria-valuetext", `times ${view.get("factor")}`);
  };
  view.listen(input, "input", () => view.share({ factor: Number(input.value) }));
  view.listen(input, "change", () => say(`The cosine is multiplied by ${view.get("factor")}.`));
  view.follow(["factor"], update);
  update();
  return create("label.attn-field", "Cosine", input, value);
}

/** What it shows, as the rows of a table: for readers without JavaScript. */
export function table({ model }) {
  const found = attendWithAll(model);
  const functions = [...found.values()];
  return [
    ["Key", ...[...found.keys()].map(titleOf)],
    ...model
      .get("key_points")
      .map((key, j) => [
        pointed(key),
        ...functions.map(({ scores, weights }) => `${signed(scores[j])}: ${percent(weights[j])}`),
      ]),
    ["Context", ...functions.map(({ context }) => pointed(context))],
  ];
}

export default { render };
