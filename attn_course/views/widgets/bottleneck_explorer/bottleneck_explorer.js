// Length, state size and training against measured accuracy, with one vector and with attention.

import { forward, unpack } from "../shared/bahdanau.js";
import {
  beginView,
  capital,
  create,
  createLive,
  draw,
  grouped,
  named,
  percent,
  series,
  verbatim,
} from "../shared/common.js";
import { resetFor, slideRow } from "../shared/controls.js";
import { createLine } from "../shared/typing.js";

const NAMES = { fixed: "One vector", attending: "With attention" };

/** The mean, the lowest and the highest value over seeds. */
function overSeeds(shares) {
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  return { mean, low: Math.min(...shares), high: Math.max(...shares) };
}

/** One model's cell at one size after one training; undefined if it was not measured. */
function cellOf(task, model, size, steps) {
  const chosen = (cell) => cell.model === model && cell.size === size && cell.steps === steps;
  return task.cells.find(chosen);
}

/** What was measured in a cell, one entry per length. */
export function curveOf({ exact }) {
  return exact[0].map((_, place) => overSeeds(exact.map((shares) => shares[place])));
}

/** What was measured for each model at one length, if it was. */
function measuredAt({ task, size, steps, length }) {
  const place = task.lengths.indexOf(length);
  const entries = Object.keys(NAMES)
    .map((model) => [model, cellOf(task, model, size, steps)])
    .filter(([, cell]) => cell)
    .map(([model, cell]) => [model, { ...curveOf(cell)[place], seeds: cell.exact.length }]);
  return Object.fromEntries(entries);
}

function symbolsOf(text, separator) {
  if (!text) return [];
  return separator ? text.split(separator) : [...text];
}

/** The fewest changes that turn what was written into what is right: replace, strike out, insert. */
export function compared(written, target, separator) {
  const [given, right] = [written, target].map((text) => symbolsOf(text, separator));
  const changes = changesFrom(given, right);
  const found = [];
  let [i, j] = [0, 0];
  while (i < given.length || j < right.length) {
    const replaced = given[i] === right[j] ? 0 : 1;
    if (changes[i][j] === changes[i + 1]?.[j + 1] + replaced) {
      found.push({ symbol: given[i], right: !replaced });
      [i, j] = [i + 1, j + 1];
    } else if (changes[i][j] === changes[i + 1]?.[j] + 1) {
      found.push({ symbol: given[i++], right: false });
    } else {
      found.push({ symbol: null, right: false });
      j += 1;
    }
  }
  return found;
}

/** For each pair of places, how many changes turn the rest of one text into that of the other. */
function changesFrom(given, right) {
  const [rows, columns] = [given.length, right.length];
  const changes = Array.from({ length: rows + 1 }, () => new Array(columns + 1).fill(0));
  for (let i = rows; i >= 0; i -= 1) {
    for (let j = columns; j >= 0; j -= 1) {
      const ways = [];
      if (i < rows && j < columns)
        ways.push(changes[i + 1][j + 1] + (given[i] === right[j] ? 0 : 1));
      if (i < rows) ways.push(changes[i + 1][j] + 1);
      if (j < columns) ways.push(changes[i][j + 1] + 1);
      changes[i][j] = ways.length ? Math.min(...ways) : 0;
    }
  }
  return changes;
}

/** The nearest of these numbers. */
function nearest(numbers, wanted) {
  const far = (number) => Math.abs(number - wanted);
  return numbers.reduce((best, number) => (far(number) < far(best) ? number : best));
}

// ---- the drawing: accuracy over length, in its own units

const PLOT = { width: 520, height: 270, left: 64, right: 10, top: 12, bottom: 48 };

function scales({ lengths }) {
  const [low, high] = [lengths[0], lengths.at(-1)];
  const across = PLOT.width - PLOT.left - PLOT.right;
  const down = PLOT.height - PLOT.top - PLOT.bottom;
  return {
    x: (length) => PLOT.left + (across * (length - low)) / (high - low || 1),
    y: (share) => PLOT.top + down * (1 - share),
    lengthAt: (x) => low + ((x - PLOT.left) / across) * (high - low),
  };
}

function pathOf(points) {
  return points.map(([x, y], n) => `${n ? "L" : "M"}${x.toFixed(1)},${y.toFixed(1)}`).join("");
}

function label(x, y, text, anchor = "middle") {
  const node = draw("text.attn-axis", { x, y, "text-anchor": anchor }, text);
  return node;
}

/** The curves of a size, and the two values at one length. */
function drawPlot({ task, size, steps, length }, found) {
  const { x, y } = scales(task);
  const at = x(length);
  const dots = Object.entries(found).map(([model, { mean }]) =>
    draw("circle", { class: `attn-dot attn-${model}`, cx: at, cy: y(mean), r: 5 }),
  );
  return [
    draw("path.attn-cursor", { d: `M${at},${PLOT.top}V${y(0)}` }),
    ...drawAxes(task),
    ...drawUntrained(task),
    label(PLOT.left, PLOT.height - 5, `length in ${task.unit} \u2192`, "start"),
    ...["attending", "fixed"].flatMap((model) => drawCurves(task, model, size, steps)),
    ...dots,
  ];
}

function drawAxes({ lengths, trained }) {
  const { x, y } = scales({ lengths });
  const [left, right] = [PLOT.left, PLOT.width - PLOT.right];
  const rules = [0, 0.5, 1].flatMap((share) => [
    draw("path.attn-rule", { d: `M${left},${y(share)}H${right}` }),
    label(left - 6, y(share) + 4, `${100 * share}\u00a0%`, "end"),
  ]);
  const named = lengths.filter((n, place) => !(place % 2) || n === trained[1]);
  return [...rules, ...named.map((n) => label(x(n), PLOT.height - PLOT.bottom + 19, n))];
}

/** The lengths beyond those that were trained on, if there are any. */
function drawUntrained({ lengths, trained }) {
  const { x, y } = scales({ lengths });
  const [from, to] = [x(trained[1]), PLOT.width - PLOT.right];
  if (trained[1] >= lengths.at(-1)) return [];
  return [
    draw("rect.attn-unseen", { x: from, y: PLOT.top, width: to - from, height: y(0) - PLOT.top }),
    label((from + to) / 2, PLOT.height - 5, "not trained on"),
  ];
}

/** A model's curve with its seeds as a band, among the thin curves of the other sizes. */
function drawCurves(task, model, size, steps) {
  const { x, y } = scales(task);
  const line = (points, value) => points.map((point, n) => [x(task.lengths[n]), y(point[value])]);
  const others = task.cells
    .filter((cell) => cell.model === model && cell.steps === steps && cell.size !== size)
    .map((cell) => pathOf(line(curveOf(cell), "mean")))
    .map((d) => draw("path", { class: `attn-curve attn-${model} attn-far`, d }));
  const chosen = cellOf(task, model, size, steps);
  if (!chosen) return others;
  const points = curveOf(chosen);
  const band = [...line(points, "high"), ...line(points, "low").reverse()];
  return [
    ...others,
    draw("path", { class: `attn-band attn-${model}`, d: `${pathOf(band)}Z` }),
    draw("path", { class: `attn-curve attn-${model}`, d: pathOf(line(points, "mean")) }),
  ];
}

// ---- the answers

function drawSamples({ task, size, steps, length }) {
  const place = task.lengths.indexOf(length);
  return task.asked[place].map(([source, target], n) => {
    const answers = Object.keys(NAMES)
      .map((model) => [model, cellOf(task, model, size, steps)?.written[place][n]])
      .filter(([, written]) => written !== undefined);
    return drawSample(source, target, Object.fromEntries(answers), task.separator);
  });
}

/** A source, and what each model made of it. */
function drawSample(source, target, written, separator, heading = "Source") {
  const line = (name, nodes) => [create("dt", name), verbatim(create("dd.attn-text", ...nodes))];
  const answers = Object.entries(written).flatMap(([model, text]) =>
    line(NAMES[model], marked(text, target, separator)),
  );
  const right = source === target ? [] : line("Right answer", [target]);
  const rows = [...line(heading, [source]), ...right, ...answers];
  return create("dl.attn-sample", ...rows);
}

/** The text with its mistakes marked, and in words for readers who cannot see the marks. */
function marked(written, target, separator) {
  const places = compared(written, target, separator);
  const nodes = places.flatMap(({ symbol, right }, n) => {
    const text = symbol ?? "\u2007"; // where something is missing, a space as wide as a digit
    const node = right ? create("span", text) : create("span.attn-mistake", text);
    return n && separator ? [separator, node] : [node];
  });
  const wrong = places.filter(({ right }) => !right).length;
  const said = wrong ? `, ${wrong} ${wrong === 1 ? "mistake" : "mistakes"}` : ", all right";
  return [
    create("span", { "aria-hidden": "true" }, ...nodes),
    create("span.attn-aloud", written + said),
  ];
}

// ---- letters of the reader's own

/** The letters in the form that the models take. */
function lettersOf(text) {
  return text.trim().toLowerCase();
}

/** Why the models do not get this text, or "". */
function refuse(letters, { symbols, lengths, unit }) {
  const typed = [...letters];
  const strange = [...new Set(typed.filter((letter) => !symbols.includes(letter)))];
  if (strange.length) {
    const verb = strange.length > 1 ? "are" : "is";
    const known = `${symbols[0]} to ${symbols.at(-1)}`;
    return `The models know only ${known}; ${series(strange.map(named))} ${verb} not among them.`;
  }
  const longest = lengths.at(-1);
  if (typed.length <= longest) return "";
  return `That is ${typed.length} ${unit}. Please type at most ${longest}.`;
}

/** The chosen cells whose trained models came with the page. */
function runnable({ task, size, steps }) {
  return Object.keys(NAMES)
    .map((model) => cellOf(task, model, size, steps))
    .filter((cell) => cell?.layout);
}

const unpacked = new WeakMap(); // the arrays of each cell that has been used

/** On a page of the book this is a promise of the weights, in Jupyter the weights themselves. */
async function arraysOf(cell) {
  if (!unpacked.has(cell)) unpacked.set(cell, unpack(await cell.weights, cell.layout));
  return unpacked.get(cell);
}

/** What the trained model of a cell makes of the letters. */
export async function writtenBy(cell, letters, symbols, special) {
  const first = special.first_symbol;
  const ids = [...letters].map((letter) => symbols.indexOf(letter) + first);
  const steps = forward(await arraysOf(cell), special, ids, { fixed: cell.model === "fixed" });
  return steps
    .filter(({ symbol }) => ![special.padding, special.start, special.end].includes(symbol))
    .map(({ symbol }) => symbols[symbol - first] ?? "\ufffd")
    .join("");
}

/** Independent random letters, as in training. */
function randomLetters(symbols, length) {
  const one = () => symbols[Math.floor(Math.random() * symbols.length)];
  return Array.from({ length }, one).join("");
}

/** The box to type in, and what the models write. */
function ownLetters(view) {
  const input = createLine("input.attn-input.attn-text");
  const deal = view.button("Random letters", () => {
    const { task, length } = chosenCell(view);
    type(view, randomLetters(task.symbols, length));
  });
  const label = create("label", "Your own letters", input);
  const said = createLive("p.attn-hint");
  const node = create("div.attn-own", label, deal, said);
  const answer = createLive("div.attn-samples.attn-own-answer");
  let turn = 0;

  function show(words, written = {}, drawn = []) {
    said.textContent = words;
    answer.replaceChildren(...drawn);
    view.publish("written", written);
  }

  /** An answer that arrives after the reader has typed more is dropped. */
  async function update() {
    const mine = ++turn;
    const overtaken = () => mine !== turn || view.signal.aborted;
    const cell = chosenCell(view);
    const text = view.get("text");
    node.hidden = !cell.task.symbols;
    if (input.value !== text) input.value = text;
    if (node.hidden) {
      show("");
      return;
    }
    const letters = lettersOf(text);
    const refusal = letters ? refuse(letters, cell.task) : whatToType(cell.task);
    if (refusal) {
      show(refusal);
      return;
    }
    try {
      const written = await copied(cell, letters, view);
      if (!overtaken()) {
        const sample = drawSample(letters, letters, written, "", "Your letters");
        show(notes(cell, letters, written), written, [sample]);
      }
    } catch (error) {
      console.error(error);
      if (!overtaken()) show("The trained models could not be loaded. Please try again.");
    }
  }

  view.listen(input, "input", () => type(view, input.value));
  view.follow(["tasks", "task", "size", "steps", "text"], update);
  update();
  return { node, answer };
}

/** Take over what was typed, and go to its length. */
function type(view, text) {
  const { task } = chosenCell(view);
  const letters = lettersOf(text);
  if (!letters || refuse(letters, task)) view.share({ text });
  else view.share({ text, length: nearest(task.lengths, letters.length) });
}

function whatToType({ unit, lengths, symbols }) {
  const known = `from ${symbols[0]} to ${symbols.at(-1)}`;
  return `Type up to ${lengths.at(-1)} ${unit}, ${known}. The trained models copy them as you type.`;
}

async function copied(cell, letters, model) {
  const { symbols } = cell.task;
  const found = await Promise.all(
    runnable(cell).map(async (each) => [
      each.model,
      await writtenBy(each, letters, symbols, model.get("special")),
    ]),
  );
  return Object.fromEntries(found);
}

/** What the answers themselves do not say. */
function notes({ task, size, steps }, letters, written) {
  const missing = Object.keys(NAMES).filter(
    (name) => !(name in written) && cellOf(task, name, size, steps),
  );
  const count = letters.length;
  const near = nearest(task.lengths, count);
  const unmeasured = `${count} ${task.unit} were not measured; the nearest length is ${near}.`;
  return [
    ...(count === near ? [] : [unmeasured]),
    ...missing.map((name) => `${NAMES[name]}: this model is not on the page.`),
  ].join(" ");
}

// ---- the widget

/** The task, and its cell nearest to the choice, since traits may change one by one. */
function chosenCell(model) {
  const task = model.get("tasks")[model.get("task")];
  return {
    task,
    size: nearest(task.sizes, model.get("size")),
    steps: nearest(task.steps, model.get("steps")),
    length: nearest(task.lengths, model.get("length")),
  };
}

function render({ model, el }) {
  const view = beginView({ model, el }, "bottleneck", "Bottleneck explorer");
  const length = slider(view, "Length", "length", "lengths");
  const size = slider(view, "State size", "size", "sizes");
  const steps = slider(view, "Training", "steps", "steps");
  const reset = resetFor(view, ["task", "size", "steps", "length", "text"]);
  const plot = draw("svg.attn-plot", {
    viewBox: `0 0 ${PLOT.width} ${PLOT.height}`,
    role: "img",
    "aria-label": "Exact match by length; the sentence below gives the values at the chosen length",
  });
  const key = keyOfCurves();
  const words = createLive("p.attn-readout");
  const samples = create("div.attn-samples");
  const own = ownLetters(view);
  const sliders = [length, steps, size].map(({ node }) => node);
  const drawn = create("div", plot, words, own.node);
  const answers = create("div", own.answer, samples);
  const views = create("div.attn-views", drawn, answers);
  const bar = create("div.attn-bar", key.node, reset);
  view.frame.append(...taskChoice(view), ...sliders, bar, views);

  function update() {
    const cell = chosenCell(view);
    length.show(cell.task.lengths, cell.length, cell.task.unit);
    steps.show(cell.task.steps, cell.steps, "steps");
    size.show(cell.task.sizes, cell.size);
    key.others.hidden = cell.task.sizes.length < 2;
    const found = measuredAt(cell);
    plot.replaceChildren(...drawPlot(cell, found));
    words.textContent = inWords(cell, found);
    samples.replaceChildren(...drawSamples(cell));
  }

  pickLength(view, plot);
  view.follow(["tasks", "task", "size", "steps", "length"], update);
  update();
  return () => view.end();
}

function taskChoice(view) {
  const tasks = view.get("tasks");
  if (tasks.length < 2) return [];
  const select = create("select.attn-select");
  tasks.forEach(({ name }, value) => select.append(create("option", { value }, name)));
  const update = () => (select.selectedIndex = view.get("task"));
  update();
  view.follow(["task"], update);
  view.listen(select, "change", () => {
    const task = tasks[select.selectedIndex];
    view.share({
      task: select.selectedIndex,
      size: nearest(task.sizes, view.get("size")),
      steps: nearest(task.steps, view.get("steps")),
      length: nearest(task.lengths, view.get("length")),
    });
  });
  return [create("label.attn-field", "Task", select)];
}

/** A slider over the measured values, evenly spaced. */
function slider(view, name, trait, among) {
  const { node, show } = slideRow(view, name, (place) => {
    view.share({ [trait]: chosenCell(view).task[among][place] });
  });
  return {
    node,
    show(values, value, unit = "") {
      const words = `${grouped(value)} ${unit}`.trim();
      show(values.length - 1, values.indexOf(value), words);
    },
  };
}

/** Which curve is which. */
function keyOfCurves() {
  const swatch = (kind) =>
    draw(
      "svg.attn-swatch",
      { viewBox: "0 0 32 8", "aria-hidden": "true" },
      draw("path", { class: `attn-curve attn-${kind}`, d: "M0,4H32" }),
    );
  const kinds = Object.entries(NAMES).map(([kind, name]) =>
    create("span", swatch(kind), name.toLowerCase()),
  );
  const others = create("span", "thin: the other state sizes");
  return { node: create("p.attn-hint.attn-key", ...kinds, others), others };
}

/** Choose a length by pointing at the drawing or dragging across it. */
function pickLength(view, plot) {
  const pick = (event) => {
    const { left, width } = plot.getBoundingClientRect();
    const { task } = chosenCell(view);
    const wanted = scales(task).lengthAt(((event.clientX - left) / width) * PLOT.width);
    view.share({ length: nearest(task.lengths, wanted) });
  };
  view.listen(plot, "pointerdown", (event) => {
    plot.setPointerCapture?.(event.pointerId);
    pick(event);
  });
  view.listen(plot, "pointermove", (event) => {
    if (event.buttons) pick(event);
  });
}

function inWords({ task, size, steps, length }, found) {
  const spread = ({ low, high, seeds }) =>
    seeds > 1 ? `${percent(low)} to ${percent(high)} over ${seeds} seeds` : "one seed";
  const said = (model) => {
    const each = found[model];
    return each ? `${percent(each.mean)} (${spread(each)})` : "not measured";
  };
  const unseen = length < task.trained[0] || length > task.trained[1];
  return (
    `${length} ${task.unit}, state size ${size}, after ${grouped(steps)} steps. Without a ` +
    `mistake: one vector ${said("fixed")}, attention ${said("attending")}.` +
    (unseen ? ` Neither was trained on this length.` : "")
  );
}

/** What it shows, as the rows of a table: for readers without JavaScript. */
export function table({ model }) {
  const task = model.get("tasks")[model.get("task")];
  const name = ({ model, size, steps }) => `${NAMES[model]}, size ${size}, ${grouped(steps)} steps`;
  const curves = task.cells.map((cell) => curveOf(cell));
  return [
    [capital(task.unit), ...task.cells.map(name)],
    ...task.lengths.map((length, place) => [
      String(length),
      ...curves.map((curve) => percent(curve[place].mean)),
    ]),
  ];
}

export default { render };
