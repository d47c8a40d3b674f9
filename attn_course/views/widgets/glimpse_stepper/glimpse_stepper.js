// Step through the looks of a reader: where it looks, what it has read, what it reads.

import {
  cellInWords,
  chancesView,
  framesOf,
  heaviest,
  inkOf,
  outlinesOf,
  panel,
  placeInWords,
  shadesOf,
  shareInside,
} from "../shared/canvas.js";
import {
  beginView,
  capital,
  create,
  createButton,
  createLive,
  floats,
  named,
  percent,
  series,
} from "../shared/common.js";
import { menuFor, resetFor, switchFor, tickFor } from "../shared/controls.js";

const SHOWN = ["index", "reader", "look", "show_boxes"];

/** The examples with their arrays, which lie one after the other. */
function unpackCanvases(model) {
  const ink = model.get("pixels");
  const [weights, chances] = ["weights", "chances"].map((name) => floats(model.get(name)));
  const symbols = model.get("symbols");
  const at = { ink: 0, weights: 0, chances: 0 };
  const cut = (array, name, size) => {
    at[name] += size;
    return array.subarray(at[name] - size, at[name]);
  };
  return model.get("examples").map((example) => {
    const size = example.rows * example.columns;
    const pixels = Float32Array.from({ length: size }, (_, n) => ink.getUint8(at.ink + n) / 255);
    at.ink += size;
    const readers = example.readers.map(({ name, looks, rows, columns }) => ({
      name,
      cells: { rows, columns },
      looks: Array.from({ length: looks }, () => ({
        weights: [...cut(weights, "weights", rows * columns)],
        chances: [...cut(chances, "chances", symbols.length)],
      })),
    }));
    return { ...example, pixels, readers };
  });
}

/** What is shown: a canvas, one of its readers, and the number of a look that this reader took. */
function currentOf(model, canvases) {
  const example = canvases[model.get("index")];
  const reader = example.readers[model.get("reader")];
  const look = Math.min(model.get("look"), reader.looks.length - 1);
  return { example, reader, look, boxed: model.get("show_boxes") };
}

function render({ model, el }) {
  const view = beginView({ model, el }, "glimpses", "Look after look");
  const { frame } = view;
  const canvases = unpackCanvases(view);
  const symbols = view.get("symbols");
  const parts = layOut(frame, symbols);
  const current = () => currentOf(view, canvases);

  function update() {
    const { example, reader, look, boxed } = current();
    const { weights, chances } = reader.looks[look];
    const outlines = () => (boxed ? outlinesOf(example.boxes) : []);
    const label = `${example.name}: ${example.rows} by ${example.columns} pixels, with frames around the cells that have weight`;
    parts.canvas.show(
      example,
      label,
      ...inkOf(example.pixels, example.columns),
      ...outlines(),
      ...framesOf(weights, reader.cells, example),
    );
    const where = `Weights of look ${look + 1}: ${placeInWords(weights, reader.cells)}`;
    parts.weights.show(example, where, ...shadesOf(weights, reader.cells, example), ...outlines());
    parts.chances.show(chances);
    parts.before.replaceChildren(...soFar(current(), symbols));
    parts.words.textContent = inSentences(current(), symbols);
    parts.other.textContent = comparison(current(), symbols);
    markTime(parts, look, reader.looks.length);
  }

  stepControls(view, parts, current);
  parts.bar.append(...choices(view, canvases));
  view.follow(SHOWN, update);
  update();
  return () => view.end();
}

function layOut(frame, symbols) {
  const bar = create("div.attn-bar");
  const back = createButton("Previous look");
  const next = createButton("Next look", "attn-next");
  const slider = create("input", { type: "range", min: 0, max: 1, step: 1, "aria-label": "Look" });
  const count = create("span.attn-count", { "aria-hidden": "true" });
  const time = create("label.attn-field", slider, count);
  const steps = create("div.attn-bar", back, time, next);
  const before = create("p.attn-so-far");
  const [canvas, weights] = [panel("The canvas"), panel("Weights")];
  const panels = create("div.attn-panels", canvas.node, weights.node);
  const chances = chancesView(symbols, "What this look reads");
  chances.node.className = "attn-reads";
  const words = createLive("p.attn-readout");
  const other = create("p.attn-other.attn-hint");
  frame.append(bar, steps, before, panels, chances.node, words, other);
  return { bar, back, next, slider, count, before, canvas, weights, chances, words, other };
}

function markTime({ slider, count, back, next }, look, looks) {
  slider.max = looks - 1;
  slider.value = look;
  slider.disabled = looks === 1;
  count.textContent = `look ${look + 1} of ${looks}`;
  slider.setAttribute("aria-valuetext", count.textContent);
  back.setAttribute("aria-disabled", String(look === 0)); // it keeps the focus
  next.textContent = look === looks - 1 ? "First look" : "Next look";
}

function stepControls(view, { back, next, slider }, current) {
  const go = (look) => view.share({ look });
  view.listen(back, "click", () => go(Math.max(current().look - 1, 0)));
  view.listen(next, "click", () => {
    const { look, reader } = current();
    go((look + 1) % reader.looks.length);
  });
  view.listen(slider, "input", () => go(Number(slider.value)));
}

function choices(view, canvases) {
  const [{ readers }] = canvases;
  const numbered = (things) => things.map(({ name }, number) => [number, name]);
  const menu = menuFor(view, "index", "Canvas", numbered(canvases), { look: 0 });
  const boxes = tickFor(view, "show_boxes", "Exact boxes");
  boxes.classList.add("attn-gold-key");
  return [
    ...(canvases.length > 1 ? [menu] : []),
    ...(readers.length > 1
      ? [switchFor(view, "reader", "What decides where it looks", numbered(readers))]
      : []),
    boxes,
    resetFor(view, SHOWN),
  ];
}

// ---- what was read before, and what is read now

/** What the looks up to this one have read, as numbers of symbols. */
function readBy({ looks }, look) {
  return looks.slice(0, look).map(({ chances }) => heaviest(chances));
}

const isRight = ({ digits }, at, symbol, end) => symbol === (digits[at] ?? end);

/** The state before the look: what has been read, one chip a digit. */
function soFar({ example, reader, look }, symbols) {
  const end = symbols.length - 1;
  const lead = create("span.attn-hint", "Read before this look:");
  const chips = readBy(reader, look).map((symbol, at) => {
    const chip = create("span.attn-chip", symbols[symbol]);
    chip.classList.toggle("attn-wrong-chip", !isRight(example, at, symbol, end));
    return chip;
  });
  return [lead, ...(chips.length ? chips : [create("span", "nothing yet")])];
}

/** "the box of the 7, the second" */
function boxInWords({ digits }, at, symbols) {
  const order = ["first", "second", "third", "fourth", "fifth", "sixth"];
  return `the box of the ${symbols[digits[at]]}, the ${order[at] ?? `${at + 1}th`} digit`;
}

function insideInWords({ example, reader, look }, symbols) {
  const { weights } = reader.looks[look];
  const shares = example.boxes.map((box) => shareInside(weights, reader.cells, example, box));
  const most = heaviest(shares);
  const outside = 1 - shares.reduce((sum, one) => sum + one, 0);
  if (outside > shares[most])
    return `${percent(Math.min(outside, 1))} of the weight lies in no box.`;
  return `${percent(Math.min(shares[most], 1))} of the weight lies in ${boxInWords(example, most, symbols)}.`;
}

function inSentences(now, symbols) {
  const { example, reader, look, boxed } = now;
  const { weights, chances } = reader.looks[look];
  const end = symbols.length - 1;
  const earlier = readBy(reader, look).map((symbol) => symbols[symbol]);
  const begin = earlier.length
    ? `Before look ${look + 1} it has read ${series(earlier)}.`
    : "Before the first look it has read nothing.";
  const place = `${capital(placeInWords(weights, reader.cells))}.`;
  const read = heaviest(chances);
  const sure = percent(chances[read]);
  const says =
    read === end
      ? `It says that nothing is left to read (${sure})`
      : `It reads ${symbols[read]} (${sure})`;
  const truth = example.digits[look];
  const verdict = isRight(example, look, read, end)
    ? ", which is right."
    : truth === undefined
      ? ", but all digits have been read."
      : `, but the digit to read now is ${symbols[truth]}.`;
  return [begin, place, ...(boxed ? [insideInWords(now, symbols)] : []), `${says}${verdict}`].join(
    " ",
  );
}

/** Where the other reader looks at the same look, and what it reads there. */
function comparison({ example, reader, look }, symbols) {
  const other = example.readers.find((each) => each !== reader);
  if (!other) return "";
  const lead = `${named(other.name)} at look ${look + 1}:`;
  const its = other.looks[look];
  if (!its) return `${lead} it has already ended.`;
  const cell = heaviest(its.weights);
  const same = cell === heaviest(reader.looks[look].weights);
  const where = same ? "the same cell" : cellInWords(cell, other.cells);
  const read = heaviest(its.chances);
  return `${lead} its largest weight, ${percent(its.weights[cell])}, lies on ${where}, and it reads ${named(symbols[read])} (${percent(its.chances[read])}).`;
}

/** What it shows, as the rows of a table: for readers without JavaScript. */
export function table({ model }) {
  const symbols = model.get("symbols");
  const example = unpackCanvases(model)[model.get("index")];
  const rows = example.readers.flatMap((reader) =>
    reader.looks.map(({ weights, chances }, look) => [
      reader.name,
      String(look + 1),
      `${cellInWords(heaviest(weights), reader.cells)} (${percent(Math.max(...weights))})`,
      `${symbols[heaviest(chances)]} (${percent(Math.max(...chances))})`,
    ]),
  );
  return [["Reader", "Look", "Largest weight", "Reads"], ...rows];
}

export default { render };
