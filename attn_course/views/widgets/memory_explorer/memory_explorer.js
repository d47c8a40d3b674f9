// Write pairs into a small matrix and see which of them can still be read back.

import {
  beginView,
  capital,
  create,
  createButton,
  createLive,
  draw,
  floats,
  named,
  shade,
  softmax,
} from "../shared/common.js";
import { menuFor, resetFor, slideRow } from "../shared/controls.js";

const RULES = {
  sum: "Add (sum)",
  decay: "Fade and add (decay)",
  delta: "Correct (delta)",
  softmax: "Keep all (softmax)",
};
const MOST = 40; // pairs
const CELL = 20; // of the matrix, in the units of the drawing

// ---- the arithmetic

export function dot(one, two) {
  return one.reduce((sum, entry, k) => sum + entry * two[k], 0);
}

/** The vectors at a size: the first entries of each row, scaled to length 1. */
export function unitRows(view, count, size) {
  const numbers = Array.from(floats(view));
  const wide = numbers.length / count;
  return Array.from({ length: count }, (_, j) => {
    const row = numbers.slice(j * wide, j * wide + size);
    const length = Math.sqrt(dot(row, row));
    return row.map((entry) => entry / length);
  });
}

/** The matrix after some pairs of vectors, (value key): each fades it, then adds what is new. */
export function stateOf(pairs, size, { rule, decay }) {
  let state = Array.from({ length: size }, () => Array(size).fill(0));
  for (const [key, value] of pairs) {
    const kept = rule === "decay" ? decay : 1;
    const news = rule === "delta" ? value.map((entry, r) => entry - dot(state[r], key)) : value;
    state = state.map((row, r) => row.map((entry, c) => kept * entry + news[r] * key[c]));
  }
  return state;
}

/** What comes back for a query. */
export function readBack(pairs, query, { rule, decay, sharpness }) {
  if (rule !== "softmax") {
    return stateOf(pairs, query.length, { rule, decay }).map((row) => dot(row, query));
  }
  const weights = softmax(pairs.map(([key]) => sharpness * dot(query, key)));
  return query.map((_, r) => weights.reduce((sum, weight, j) => sum + weight * pairs[j][1][r], 0));
}

/** Everything that the widget shows: the matrix, and what is read back for each key. */
export function remember({ keys, values, pairs, size, rule, decay, sharpness }) {
  const vectors = pairs.map(([key, value]) => [keys[key], values[value]]);
  const last = new Map(); // the value written last under each key
  for (const [key, value] of pairs) last.set(key, value);
  const answers = [...last].map(([key, value]) => {
    const found = readBack(vectors, keys[key], { rule, decay, sharpness });
    const products = values.map((each) => dot(each, found));
    const answer = products.indexOf(Math.max(...products));
    return { key, value, answer, products, right: answer === value };
  });
  return { state: stateOf(vectors, size, { rule, decay }), answers };
}

function chosen(model) {
  const [size, rule] = [model.get("size"), model.get("rule")];
  const [keyNames, valueNames] = [model.get("key_names"), model.get("value_names")];
  const pairs = model.get("pairs").slice(0, model.get("written"));
  const found = remember({
    keys: unitRows(model.get("key_vectors"), keyNames.length, size),
    values: unitRows(model.get("value_vectors"), valueNames.length, size),
    pairs,
    size,
    rule,
    decay: model.get("decay"),
    sharpness: model.get("sharpness"),
  });
  return { ...found, size, rule, keyNames, valueNames, pairs, asked: model.get("asked") };
}

// ---- what is kept

/** The matrix as a heat map: darker is farther from zero, and a dash marks negative entries. */
function drawMatrix({ state, size, rule, pairs, keyNames, valueNames }) {
  if (rule === "softmax") return drawPairs(pairs, keyNames, valueNames);
  const most = Math.max(1, ...state.flat().map(Math.abs));
  const cells = state.flatMap((row, r) =>
    row.flatMap((entry, c) => {
      const step = shade(Math.abs(entry) / most);
      const place = { x: c * CELL + 1, y: r * CELL + 1, width: CELL - 2, height: CELL - 2 };
      const fill = `fill: var(--attn-weight-${step})`;
      const square = draw("rect.attn-kept", { style: fill, ...place });
      if (entry >= 0 || step === 0) return [square];
      const [x, y] = [c * CELL + CELL / 2, r * CELL + CELL / 2];
      const stroke = `stroke: var(--attn-on-weight-${step})`;
      return [square, draw("path.attn-minus", { style: stroke, d: `M${x - 4},${y}H${x + 4}` })];
    }),
  );
  const wide = size * CELL;
  const label = `The matrix, ${size} by ${size} numbers; the darkest shade is ${most.toFixed(1)} from zero`;
  const attributes = { viewBox: `0 0 ${wide} ${wide}`, role: "img", "aria-label": label };
  return draw("svg.attn-matrix", attributes, ...cells);
}

/** With a softmax there is no matrix: every pair is kept as it came. */
function drawPairs(pairs, keyNames, valueNames) {
  const kept = pairs.map(([key, value]) => create("li", `${keyNames[key]} → ${valueNames[value]}`));
  const list = create(
    "ol.attn-everything",
    { "aria-label": "Every pair that was written, in order" },
    ...kept,
  );
  return list;
}

function numbersKept({ rule, size, pairs }) {
  if (rule === "softmax") {
    const count = 2 * size * pairs.length;
    return `${pairs.length} keys and values of ${size} numbers: ${count} in all, and growing`;
  }
  return `${size} × ${size} = ${size * size} numbers, however many pairs`;
}

// ---- what is read back

function drawAnswers(view, { answers, keyNames, valueNames, asked }) {
  return answers.map(({ key, value, answer, right }) => {
    const read = create(
      "span",
      { class: right ? "attn-read" : "attn-read attn-mistake" },
      valueNames[answer],
    );
    const node = createButton("", "attn-answer");
    node.append(create("span.attn-key-name", keyNames[key]), " → ", read);
    const outcome = right ? "right" : `wrong, ${valueNames[value]} was written`;
    // begins with what is seen, for those who speak to the page
    node.setAttribute("aria-label", `${keyNames[key]} → ${valueNames[answer]}, ${outcome}`);
    node.setAttribute("aria-pressed", key === asked);
    view.listen(node, "click", () => view.share({ asked: key }));
    return node;
  });
}

/** For one key: the product of what was read with each value. */
function drawProducts({ answers, valueNames, keyNames, asked }) {
  const one = answers.find(({ key }) => key === asked);
  if (!one) return [];
  const most = Math.max(...one.products.map(Math.abs));
  const rows = one.products.flatMap((product, value) => {
    const kinds = ["attn-bar-row"];
    if (value === one.value) kinds.push("attn-gold");
    if (value === one.answer) kinds.push(one.right ? "attn-best" : "attn-best attn-wrong");
    const fill = create("span.attn-fill");
    fill.style.width = `${(100 * Math.max(product, 0)) / most}%`;
    const track = create("span.attn-track", fill);
    const number = create("span.attn-number", product.toFixed(2));
    const name = create("span", valueNames[value]);
    return [create("li", { class: kinds.join(" ") }, name, track, number)];
  });
  const lead = create(
    "p.attn-hint",
    `What is read for ${keyNames[asked]}, times each value; outlined: the value written last`,
  );
  const bars = create(
    "ul.attn-products",
    { "aria-label": `What is read for ${keyNames[asked]}, times each value` },
    ...rows,
  );
  return [lead, bars];
}

function inWords({ answers, pairs, keyNames, valueNames, asked }) {
  if (!answers.length) return "Nothing is written yet.";
  const right = answers.filter((each) => each.right).length;
  const pairsWritten = `${pairs.length} ${pairs.length === 1 ? "pair" : "pairs"} written`;
  const count = `${pairsWritten}. Of ${answers.length} ${answers.length === 1 ? "key" : "keys"}, ${right} ${right === 1 ? "reads" : "read"} back right.`;
  const one = answers.find(({ key }) => key === asked);
  if (!one) return `${count} ${capital(named(keyNames[asked]))} is not written yet.`;
  const [key, said] = [named(keyNames[one.key]), named(valueNames[one.answer])];
  const rest = one.right ? "which is right." : `but ${named(valueNames[one.value])} was written.`;
  return `${count} Asked for ${key}, it says ${said}, ${rest}`;
}

// ---- the controls

function choice(name, options) {
  const all = options.map((text, place) => create("option", { value: place }, text));
  const select = create("select.attn-select", { "aria-label": name }, ...all);
  return { select, node: create("label.attn-field", name, select) };
}

/** Insert a pair after those in the memory; the pairs not yet written stay for later. */
function write(view, pair) {
  const [pairs, written] = [view.get("pairs"), view.get("written")];
  const next = [...pairs.slice(0, written), pair, ...pairs.slice(written)].slice(0, MOST);
  view.share({ pairs: next, written: Math.min(written + 1, MOST), asked: pair[0] });
}

/** The controls for a pair of the reader's own. */
function ownPair(view) {
  const [key, value] = [
    choice("Key", view.get("key_names")),
    choice("Value", view.get("value_names")),
  ];
  const button = view.button("Write this pair", () => {
    if (view.get("written") < MOST)
      write(view, [key.select.selectedIndex, value.select.selectedIndex]);
  });
  return [key.node, value.node, button];
}

const KEPT = ["pairs", "written", "size", "rule", "asked"];

function render({ model, el }) {
  const view = beginView({ model, el }, "memory", "Memory explorer");
  const fill = slideRow(view, "Pairs written", (written) => {
    const last = view.get("pairs")[written - 1];
    view.share({ written, ...(last ? { asked: last[0] } : {}) });
  });
  const size = slideRow(view, "Size", (place) => view.share({ size: view.get("sizes")[place] }));
  const rule = menuFor(view, "rule", "Writing rule", Object.entries(RULES));
  rule.querySelector("select").setAttribute("aria-label", "Writing rule");
  const kept = create("div.attn-state");
  const keptWords = create("p.attn-hint");
  const answers = create("div.attn-answers");
  const products = create("div.attn-asked");
  const words = createLive("p.attn-readout");
  const heading = (text) => create("p.attn-title", text);
  const left = create("div", heading("What is kept"), kept, keptWords);
  const right = create("div", heading("What is read back for each key"), answers, products);
  view.frame.append(
    fill.node,
    size.node,
    create("div.attn-bar", rule, resetFor(view, KEPT)),
    create("div.attn-memory-body", left, right),
    words,
    create("div.attn-bar.attn-own-pair", ...ownPair(view)),
  );
  const newPart = view.renewed();

  function update() {
    const now = chosen(view);
    const most = view.get("pairs").length;
    fill.show(most, now.pairs.length, `${now.pairs.length} of ${most}`);
    const sizes = view.get("sizes");
    size.show(sizes.length - 1, sizes.indexOf(now.size), `${now.size} × ${now.size}`);
    kept.replaceChildren(drawMatrix(now));
    keptWords.textContent = numbersKept(now);
    drawInto(answers, () => drawAnswers(newPart(), now));
    products.replaceChildren(...drawProducts(now));
    words.textContent = inWords(now);
  }

  view.follow([...KEPT, "sizes"], update);
  update();
  return () => view.end();
}

/** Replace the buttons, and keep the focus on the one that had it. */
function drawInto(node, drawn) {
  const place = [...node.children].indexOf(node.ownerDocument?.activeElement);
  node.replaceChildren(...drawn());
  node.children[place]?.focus();
}

/** What the widget shows, as the rows of a table: for readers without JavaScript. */
export function table({ model }) {
  const { answers, keyNames, valueNames } = chosen(model);
  return [
    ["Key", "Written last", "Read back"],
    ...answers.map(({ key, value, answer }) => [
      keyNames[key],
      valueNames[value],
      valueNames[answer],
    ]),
  ];
}

export default { render };
