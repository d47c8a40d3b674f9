// Length and state size against measured accuracy, with one vector and with attention.

import {
  beginView,
  capital,
  create,
  createButton,
  createLive,
  draw,
  follow,
  listen,
  percent,
  share,
} from "../shared/common.js";

const NAMES = { fixed: "One vector", attending: "With attention" };

/** The mean, the lowest and the highest of what the seeds gave. */
function overSeeds(shares) {
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  return { mean, low: Math.min(...shares), high: Math.max(...shares) };
}

/** What was measured of one model at one size: an entry for each length. */
export function curveOf(task, model, size) {
  const seeds = task.exact[model][task.sizes.indexOf(size)];
  return task.lengths.map((_, place) => overSeeds(seeds.map((shares) => shares[place])));
}

function symbolsOf(text, separator) {
  if (!text) return [];
  return separator ? text.split(separator) : [...text];
}

/** What was written against what is right in the fewest changes: replaced, struck out, put in. */
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

/** For each pair of places, how many changes make the rest of one text the rest of the other. */
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

const PLOT = { width: 520, height: 224, left: 58, right: 10, top: 12, bottom: 48 };

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
  const node = draw("text", { x, y, "text-anchor": anchor, class: "attn-axis" });
  node.textContent = text;
  return node;
}

/** Everything that the choice of a length does not change. */
function drawCurves(task, size) {
  const { x, y } = scales(task);
  const parts = [];
  for (const share of [0, 0.5, 1]) {
    const [left, right] = [PLOT.left, PLOT.width - PLOT.right];
    parts.push(draw("path", { class: "attn-rule", d: `M${left},${y(share)}H${right}` }));
    parts.push(label(left - 6, y(share) + 4, `${100 * share}\u00a0%`, "end"));
  }
  for (const length of task.lengths.filter((n, place) => !(place % 2) || n === task.trained[1])) {
    parts.push(label(x(length), PLOT.height - PLOT.bottom + 19, length));
  }
  const end = task.trained[1];
  if (end < task.lengths.at(-1)) {
    const [from, to] = [x(end), PLOT.width - PLOT.right];
    parts.push(
      draw("rect", {
        class: "attn-unseen",
        x: from,
        y: PLOT.top,
        width: to - from,
        height: y(0) - PLOT.top,
      }),
      label((from + to) / 2, PLOT.height - 5, "never trained on"),
    );
  }
  parts.push(label(PLOT.left, PLOT.height - 5, `length in ${task.unit} \u2192`, "start"));
  for (const model of ["attending", "fixed"]) {
    const of = (each) => curveOf(task, model, each);
    const line = (points) => points.map(({ mean }, n) => [x(task.lengths[n]), y(mean)]);
    for (const other of task.sizes.filter((each) => each !== size)) {
      parts.push(
        draw("path", { class: `attn-curve attn-${model} attn-far`, d: pathOf(line(of(other))) }),
      );
    }
    const points = of(size);
    const above = points.map(({ high }, n) => [x(task.lengths[n]), y(high)]);
    const below = points.map(({ low }, n) => [x(task.lengths[n]), y(low)]).reverse();
    parts.push(
      draw("path", { class: `attn-band attn-${model}`, d: `${pathOf([...above, ...below])}Z` }),
      draw("path", { class: `attn-curve attn-${model}`, d: pathOf(line(points)) }),
    );
  }
  return parts;
}

// ---- the answers

function drawSamples(task, size, length) {
  const [row, place] = [task.sizes.indexOf(size), task.lengths.indexOf(length)];
  return task.asked[place].map(([source, target], n) => {
    const line = (name, node) => [
      create("dt", { text: name }),
      create("dd", { className: "attn-text" }, ...node),
    ];
    const answers = Object.entries(NAMES).flatMap(([model, name]) =>
      line(name, marked(task.written[model][row][place][n], target, task.separator)),
    );
    const right = source === target ? [] : line("Right answer", [target]);
    const rows = [...line("Source", [source]), ...right, ...answers];
    return create("dl", { className: "attn-sample" }, ...rows);
  });
}

/** The text with its wrong symbols marked, and in words for those who cannot see the marks. */
function marked(written, target, separator) {
  const places = compared(written, target, separator);
  const nodes = places.flatMap(({ symbol, right }, n) => {
    const text = symbol ?? "\u2007"; // a blank as wide as a digit where something is missing
    const node = right
      ? create("span", { text })
      : create("span", { className: "attn-mistake", text });
    return n && separator ? [separator, node] : [node];
  });
  const wrong = places.filter(({ right }) => !right).length;
  const said = wrong ? `, ${wrong} ${wrong === 1 ? "mistake" : "mistakes"}` : ", all right";
  return [
    create("span", { attributes: { "aria-hidden": "true" } }, ...nodes),
    create("span", { className: "attn-aloud", text: written + said }),
  ];
}

// ---- the widget

function render({ model, el }) {
  const { frame, life } = beginView(el, "bottleneck", "Bottleneck explorer");
  const chosen = () => model.get("tasks")[model.get("task")];
  const start = Object.fromEntries(
    ["task", "size", "length"].map((name) => [name, model.get(name)]),
  );

  const size = slider(life, "State size", () => chosen().sizes, "size");
  const length = slider(life, "Length", () => chosen().lengths, "length");
  const reset = createButton("Reset", "attn-quiet");
  const bar = create("div", { className: "attn-bar" }, ...taskChoice(), reset);
  const plot = draw("svg", {
    class: "attn-plot",
    viewBox: `0 0 ${PLOT.width} ${PLOT.height}`,
    role: "img",
    "aria-label": "Two curves that fall; the sentence below says their values at the cell chosen",
  });
  const others = create("span", { text: "thin: the other state sizes" });
  const key = create(
    "p",
    { className: "attn-hint attn-key" },
    ...["fixed", "attending"].map((each) =>
      create(
        "span",
        {},
        draw(
          "svg",
          { viewBox: "0 0 32 8", class: "attn-swatch", "aria-hidden": "true" },
          draw("path", { class: `attn-curve attn-${each}`, d: "M0,4H32" }),
        ),
        NAMES[each].toLowerCase(),
      ),
    ),
    others,
  );
  const words = createLive("p", "attn-readout");
  const samples = create("div", { className: "attn-samples" });
  frame.append(bar, size.node, length.node, key, plot, words, samples);

  function taskChoice() {
    const tasks = model.get("tasks");
    if (tasks.length < 2) return [];
    const select = create("select", { className: "attn-select" });
    tasks.forEach(({ name }, value) => select.append(create("option", { value, text: name })));
    const update = () => (select.selectedIndex = model.get("task"));
    update();
    follow(life, model, ["task"], update);
    listen(life, select, "change", () => {
      const task = tasks[select.selectedIndex];
      share(model, {
        task: select.selectedIndex,
        size: nearest(task.sizes, model.get("size")),
        length: nearest(task.lengths, model.get("length")),
      });
    });
    return [create("label", { className: "attn-field" }, "Task", select)];
  }

  /** A slider over the values that were measured, whatever lies between them. */
  function slider(life, name, values, trait) {
    const input = create("input", { type: "range", className: "attn-slider" });
    input.setAttribute("aria-label", name);
    const output = create("output", { className: "attn-value" });
    listen(life, input, "input", () => share(model, { [trait]: values()[Number(input.value)] }));
    const node = create(
      "div",
      { className: "attn-slide" },
      create("span", { text: name }),
      input,
      output,
    );
    const update = () => {
      const place = values().indexOf(model.get(trait));
      input.min = 0;
      input.max = values().length - 1;
      input.value = place;
      input.disabled = values().length < 2;
      const unit = trait === "length" ? ` ${chosen().unit}` : "";
      output.textContent = `${model.get(trait)}${unit}`;
      input.setAttribute("aria-valuetext", output.textContent);
    };
    return { node, update };
  }

  function update() {
    const task = chosen();
    const [n, long] = [model.get("size"), model.get("length")];
    if (!task.sizes.includes(n) || !task.lengths.includes(long)) return; // between two tasks
    size.update();
    length.update();
    others.hidden = task.sizes.length < 2;
    const { x, y } = scales(task);
    const place = task.lengths.indexOf(long);
    const found = Object.keys(NAMES).map((each) => [each, curveOf(task, each, n)[place]]);
    const at = x(long);
    plot.replaceChildren(
      draw("path", { class: "attn-cursor", d: `M${at},${PLOT.top}V${y(0)}` }),
      ...drawCurves(task, n),
      ...found.map(([each, { mean }]) =>
        draw("circle", { class: `attn-dot attn-${each}`, cx: at, cy: y(mean), r: 5 }),
      ),
    );
    words.textContent = inWords(task, n, long, Object.fromEntries(found));
    samples.replaceChildren(...drawSamples(task, n, long));
  }

  // point at the drawing, or drag across it
  const pick = (event) => {
    const { left, width } = plot.getBoundingClientRect();
    const wanted = scales(chosen()).lengthAt(((event.clientX - left) / width) * PLOT.width);
    share(model, { length: nearest(chosen().lengths, wanted) });
  };
  listen(life, plot, "pointerdown", (event) => {
    plot.setPointerCapture?.(event.pointerId);
    pick(event);
  });
  listen(life, plot, "pointermove", (event) => {
    if (event.buttons) pick(event);
  });
  listen(life, reset, "click", () => share(model, start));
  follow(life, model, ["tasks", "task", "size", "length"], update);
  update();
  return () => life.abort();
}

function inWords(task, size, length, { fixed, attending }) {
  const said = ({ mean, low, high }) =>
    `${percent(mean)} (${percent(low)} to ${percent(high)} over the seeds)`;
  const unseen = length < task.trained[0] || length > task.trained[1];
  return (
    `${length} ${task.unit}, state size ${size}: one vector writes ${said(fixed)} without a ` +
    `mistake, with attention it is ${said(attending)}.` +
    (unseen ? ` Neither was trained on this length.` : "")
  );
}

/** What it shows, as the rows of a table: for readers without JavaScript. */
export function table({ model }) {
  const task = model.get("tasks")[model.get("task")];
  const curves = task.sizes.flatMap((size) =>
    Object.keys(NAMES).map((kind) => ({ kind, size, curve: curveOf(task, kind, size) })),
  );
  return [
    [capital(task.unit), ...curves.map(({ kind, size }) => `${NAMES[kind]}, size ${size}`)],
    ...task.lengths.map((length, place) => [
      String(length),
      ...curves.map(({ curve }) => percent(curve[place].mean)),
    ]),
  ];
}

export default { render };
