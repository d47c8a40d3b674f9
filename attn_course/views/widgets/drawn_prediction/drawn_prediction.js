// Draw a curve first, then see the measurements of this run laid over it.

import {
  beginView,
  create,
  createButton,
  createLive,
  draw,
  grouped,
  series,
} from "../shared/common.js";
import { crossed, distance, nearest, reached, shareOf, valueAt } from "./curve.js";

const STEPS = { ArrowUp: 1, ArrowDown: -1, PageUp: 5, PageDown: -5 };
const WAYS =
  "Draw with the mouse or a finger. By keyboard, left and right choose a place, up and down a value.";
const DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

function render({ model, el }) {
  const view = beginView({ model, el }, "drawn-prediction", "Prediction");
  const form = create("form");
  const choices = create("fieldset.attn-choices");
  const key = create("ul.attn-key");
  const outcome = createLive("div.attn-outcome");
  const see = createButton("See what was measured", "attn-primary");
  see.type = "submit"; // so that Enter in the table presses it
  const again = createButton("Reset", "attn-quiet");
  form.append(choices, outcome, create("div.attn-bar", see, again));
  view.frame.append(form);
  const newPart = view.renewed();
  let update = () => {};

  function drawAll() {
    const part = newPart();
    const plot = makePlot(part);
    const table = makeTable(part);
    const legend = create("legend.attn-question", view.get("question"));
    const hint = create("p.attn-hint", WAYS);
    choices.replaceChildren(legend, plot.node, key, hint, table.node);
    update = () => {
      const committed = view.get("committed");
      choices.disabled = see.hidden = committed;
      hint.hidden = committed;
      plot.update();
      table.update();
      key.replaceChildren(...(committed ? keyOf(view) : []));
      outcome.replaceChildren(...(committed ? outcomeOf(view) : []));
    };
    update();
  }

  listenToForm(view, { form, choices, again, outcome });
  view.follow(["question", "x", "y", "positions"], drawAll);
  view.follow(["drawn", "guess", "committed", "curves", "explanation"], () => update());
  drawAll();
  return () => view.end();
}

/** Commit to the curve, if it is complete, and take it back. */
function listenToForm(view, { form, choices, again, outcome }) {
  const focus = (place) => choices.querySelectorAll("[role=slider]")[place].focus();
  view.listen(form, "submit", (event) => {
    event.preventDefault();
    const missing = missingOf(view);
    if (missing.length) {
      outcome.replaceChildren(create("p", asking(missing, view)));
      focus(missing[0]);
      return;
    }
    view.share({ guess: [...view.get("drawn")], committed: true });
    again.focus(); // the button that was pressed is gone
  });
  view.listen(again, "click", () => {
    view.share({ committed: false, guess: null, drawn: view.get("positions").map(() => null) });
    outcome.replaceChildren();
    focus(0);
  });
}

const missingOf = (model) =>
  model.get("drawn").flatMap((value, place) => (value === null ? [place] : []));

function asking(missing, model) {
  const positions = model.get("positions");
  if (missing.length === positions.length) return "Draw the curve first: a guess is enough.";
  const where = series(missing.map((place) => written(positions[place], model.get("x"))));
  return `The curve has no value yet at ${where}: a guess is enough.`;
}

/** The reader's curve: what was committed to, or what is drawn so far. */
const curveOf = (model) => model.get("guess") ?? model.get("drawn");

function setValues(view, values) {
  const drawn = [...view.get("drawn")];
  for (const [place, value] of values) drawn[place] = value;
  view.share({ drawn });
}

// ---- the plot

function makePlot(view) {
  const [x, y] = [view.get("x"), view.get("y")];
  const lines = draw("svg", {
    viewBox: "0 0 100 100",
    preserveAspectRatio: "none",
    "aria-hidden": "true",
  });
  const handles = view.get("positions").map((_, place) => makeHandle(view, place));
  const canvas = create("div.attn-canvas", lines, ...handles);
  const plot = create("div.attn-plot", ...yTicks(y), canvas);
  followPointer(view, { plot, canvas, handles });
  const node = create(
    "div.attn-drawing",
    create("p.attn-axis", y.label),
    plot,
    create("div.attn-across", ...xTicks(x)),
    create("p.attn-axis.attn-axis-x", x.label),
  );
  const update = () => {
    lines.replaceChildren(...curvesOf(view));
    handles.forEach((handle, place) => updateHandle(handle, view, place));
  };
  return { node, update };
}

function yTicks(y) {
  return y.ticks.map(({ at, text }) => {
    const words = create("span", text || written(at, y));
    const tick = create("div.attn-tick-y", words);
    tick.style.setProperty("--attn-up", shareOf(y, at));
    return tick;
  });
}

function xTicks(x) {
  return x.ticks.map(({ at, text }) => {
    const tick = create("span.attn-tick-x", text || written(at, x));
    tick.style.setProperty("--attn-along", shareOf(x, at));
    return tick;
  });
}

/** What was measured, each curve with its range, and on top of it what the reader drew. */
function curvesOf(model) {
  const [x, y] = [model.get("x"), model.get("y")];
  const along = model.get("positions").map((at) => 100 * shareOf(x, at));
  const up = (value) => 100 - 100 * Math.min(Math.max(shareOf(y, value), 0), 1);
  const points = (values) => values.map((value, place) => `${along[place]} ${up(value)}`);
  const line = (values, look) =>
    draw("polyline", { points: points(values).join(" "), class: look, fill: "none" });
  const measured = !model.get("committed")
    ? []
    : model.get("curves").flatMap((curve, number) => {
        const around = [...points(curve.low), ...points(curve.high).reverse()].join(" ");
        const look = lookOf(curve, number);
        const band = draw("polygon", { points: around, class: `attn-band ${look}` });
        return [...(curve.runs > 1 ? [band] : []), line(curve.mean, look)];
      });
  return [
    ...measured.reverse(),
    ...strokesOf(curveOf(model)).map(({ from, values }) => {
      const spaced = values.map((value, place) => `${along[from + place]} ${up(value)}`);
      return draw("polyline.attn-guessed", { points: spaced.join(" "), fill: "none" });
    }),
  ];
}

/** By its number, or by its name if that is a model's. */
const lookOf = ({ name }, number) =>
  `attn-curve attn-curve-${number} attn-of-${name.replaceAll(" ", "-")}`;

/** The pieces of a curve between positions that have no value. */
function strokesOf(values) {
  const strokes = [];
  values.forEach((value, place) => {
    if (value === null) return;
    if (place && values[place - 1] !== null) strokes.at(-1).values.push(value);
    else strokes.push({ from: place, values: [value] });
  });
  return strokes;
}

// ---- drawing by keyboard

/** One position: a slider that is moved up and down. */
function makeHandle(view, place) {
  const [x, y] = [view.get("x"), view.get("y")];
  const at = view.get("positions")[place];
  const handle = create("div.attn-handle", {
    tabindex: place ? -1 : 0,
    role: "slider",
    "aria-orientation": "vertical",
    "aria-label": `${y.label} at ${x.label} ${written(at, x)}`,
    "aria-valuemin": 0, // in levels, which are even on every axis; the text has the value
    "aria-valuemax": view.get("levels"),
  });
  handle.style.setProperty("--attn-along", shareOf(x, at));
  view.listen(handle, "keydown", (event) => {
    const before = curveOf(view)[place];
    const next = moved(event.key, view, place);
    if (next === undefined) return;
    event.preventDefault();
    if (typeof next === "number") focusOn(handle, next);
    else if (!view.get("committed") && next.value !== before)
      setValues(view, [[place, next.value]]);
  });
  view.listen(handle, "focus", () => {
    for (const each of handle.parentElement.querySelectorAll("[role=slider]")) {
      each.tabIndex = each === handle ? 0 : -1;
    }
  });
  return handle;
}

function focusOn(handle, step) {
  const all = [...handle.parentElement.querySelectorAll("[role=slider]")];
  all[all.indexOf(handle) + step]?.focus();
}

/** What a key does: a step to another position, or a value for this one. */
function moved(key, model, place) {
  const [y, levels] = [model.get("y"), model.get("levels")];
  if (key === "ArrowLeft" || key === "ArrowRight") return key === "ArrowLeft" ? -1 : 1;
  if (key === "Home") return { value: y.low };
  if (key === "End") return { value: y.high };
  const isSet = curveOf(model)[place] !== null;
  if (key === " ") return { value: startOf(model, place) };
  if (!STEPS[key]) return undefined;
  const level = Math.round(levels * shareOf(y, startOf(model, place)));
  // the first press only sets a value where the curve is so far
  return {
    value: isSet ? valueAt(y, (level + STEPS[key]) / levels, levels) : startOf(model, place),
  };
}

/** Where a position begins: at its value, at the last value before it, or in the middle. */
function startOf(model, place) {
  const before = curveOf(model)
    .slice(0, place + 1)
    .filter((value) => value !== null);
  return before.at(-1) ?? valueAt(model.get("y"), 0.5, model.get("levels"));
}

function updateHandle(handle, model, place) {
  const y = model.get("y");
  const value = curveOf(model)[place];
  handle.classList.toggle("attn-unset", value === null);
  handle.classList.toggle("attn-guessed", model.get("committed"));
  const up = shareOf(y, value ?? startOf(model, place));
  handle.style.setProperty("--attn-up", up);
  handle.setAttribute("aria-valuenow", Math.round(model.get("levels") * up));
  handle.setAttribute("aria-valuetext", value === null ? "no value yet" : written(value, y));
  handle.setAttribute("aria-disabled", model.get("committed"));
}

// ---- drawing with a pointer

/** A stroke sets every position that it crosses; a tap sets the nearest. */
function followPointer(view, { plot, canvas, handles }) {
  let stroke = null;
  const shares = view.get("positions").map((at) => shareOf(view.get("x"), at));
  const pointOf = ({ clientX, clientY }) => {
    const { left, bottom, width, height } = canvas.getBoundingClientRect();
    return { x: (clientX - left) / width, y: (bottom - clientY) / height };
  };
  const put = (points) => {
    const value = (up) => valueAt(view.get("y"), up, view.get("levels"));
    setValues(
      view,
      [...points].map(([place, up]) => [place, value(up)]),
    );
  };
  view.listen(plot, "pointerdown", (event) => {
    if (view.get("committed") || event.button !== 0) return;
    const point = pointOf(event);
    stroke = { first: point, last: point, set: new Set(), before: view.get("drawn") };
    plot.setPointerCapture(event.pointerId);
    event.preventDefault(); // no text is selected
    const place = nearest(shares, point.x);
    handles[place].focus({ preventScroll: true });
    put([[place, point.y]]);
  });
  view.listen(plot, "pointermove", (event) => {
    if (!stroke) return;
    const point = pointOf(event);
    const found = crossed(shares, stroke.last, point);
    for (const place of found.keys()) stroke.set.add(place);
    put(found);
    stroke.last = point;
  });
  view.listen(plot, "pointerup", () => {
    if (stroke?.set.size) {
      const ends = [...reached(shares, stroke.first), ...reached(shares, stroke.last)];
      put(ends.filter(([place]) => !stroke.set.has(place)));
    }
    stroke = null;
  });
  view.listen(plot, "pointercancel", () => {
    if (stroke) view.share({ drawn: stroke.before }); // the finger was scrolling
    stroke = null;
  });
}

// ---- the table: for readers who prefer to type, or who listen to the page

function makeTable(view) {
  const [x, y] = [view.get("x"), view.get("y")];
  const inputs = view.get("positions").map((at, place) => {
    const input = create("input.attn-guessed", {
      type: "number",
      min: y.low,
      max: y.high,
      step: "any",
      "aria-label": `${y.label} at ${x.label} ${written(at, x)}`,
    });
    view.listen(input, "change", () => {
      const value = input.valueAsNumber;
      const inside = Math.min(Math.max(value, y.low), y.high);
      setValues(view, [[place, Number.isNaN(value) ? null : inside]]);
    });
    return input;
  });
  const table = create("table");
  const node = create("details.attn-typed", create("summary", "The curve as a table"), table);
  const update = () => {
    curveOf(view).forEach((value, place) => {
      inputs[place].value = value ?? "";
    });
    table.replaceChildren(...rowsOf(view, inputs));
  };
  return { node, update };
}

function rowsOf(model, inputs) {
  const [x, y] = [model.get("x"), model.get("y")];
  const curves = model.get("committed") ? model.get("curves") : [];
  const cell = (tag, text, scope) => create(tag, scope ? { scope } : {}, text);
  const names = [x.label, `Your curve: ${y.label}`, ...curves.map(({ name }) => name)];
  const head = create("tr", ...names.map((name) => cell("th", name, "col")));
  const rows = model
    .get("positions")
    .map((at, place) =>
      create(
        "tr",
        cell("th", written(at, x), "row"),
        create("td", inputs[place]),
        ...curves.map((curve) => cell("td", inWords(curve, place, y))),
      ),
    );
  return [create("thead", head), create("tbody", ...rows)];
}

function inWords({ mean, low, high, runs }, place, y) {
  const range = `${written(low[place], { unit: "" })} to ${written(high[place], y)}`;
  return runs > 1 ? `${written(mean[place], y)} (${range})` : written(mean[place], y);
}

// ---- what came out

function keyOf(model) {
  const entry = (look, text) =>
    create(
      "li",
      draw(
        "svg",
        { viewBox: "0 0 32 12", "aria-hidden": "true" },
        draw("line", { x1: 0, y1: 6, x2: 32, y2: 6, class: look }),
      ),
      create("span", text),
    );
  const curves = model.get("curves").map(({ name, runs }, number) => {
    const spread = runs > 1 ? `: mean of ${runs} runs, and their range` : "";
    return entry(lookOf({ name }, number), `${name}${spread}`);
  });
  return [entry("attn-key-guessed", "your curve"), ...curves];
}

function outcomeOf(model) {
  const [asked] = model.get("curves");
  if (!asked) return [create("p", "Run the cells below to see the result.")];
  const y = model.get("y");
  const { average, largest, at } = distance(y, model.get("guess"), asked.mean);
  const where = written(model.get("positions")[at], model.get("x"));
  const whose = model.get("curves").length > 1 ? ` from that of “${asked.name}”` : "";
  const said = told(y, amount(average, y), amount(largest, y), where, whose);
  // Whatever was drawn, the sentence takes the same room, that of its longest form.
  const widest = model.get("positions").map((each) => written(each, model.get("x")));
  const longest = widest.sort((one, other) => other.length - one.length)[0];
  const room = told(y, widestOf(y), widestOf(y), longest, whose);
  const explanation = model.get("explanation");
  return [
    create(
      "p.attn-said",
      create("span.attn-guessed", said),
      create("span.attn-room", { "aria-hidden": "true" }, room),
    ),
    ...(explanation ? [create("p", explanation)] : []),
  ];
}

function told({ log, unit }, average, largest, where, whose) {
  const points = unit === "%" ? " percentage points" : unit && ` ${unit}`;
  return log
    ? `Your curve is a factor of ${average} away${whose} on average, ${largest} at most (at ${where}).`
    : `Your curve is ${average}${points} away${whose} on average, ${largest} at most (at ${where}).`;
}

function amount(number, { log, low, high }) {
  if (log) return number >= 1e5 ? power(number) : rounded(number, number < 10 ? 1 : 0);
  return rounded(number, decimalsOf({ low, high }));
}

function widestOf(y) {
  if (y.log) return "10,000";
  return amount(y.high - y.low, y).replace(/\d/g, "0"); // all digits are equally wide
}

/** To about a hundredth of the axis. */
const decimalsOf = ({ low, high }) => Math.max(0, 2 - Math.floor(Math.log10(high - low)));

const rounded = (number, decimals) => grouped(number, { least: decimals, most: decimals });

/** A number with its unit; very large and very small ones as powers of ten. */
function written(number, { unit }) {
  const size = Math.abs(number);
  const isPlain = size === 0 || (size >= 1e-3 && size < 1e6);
  const digits = grouped(Number(number.toPrecision(size >= 1e3 ? 6 : 3)), { most: 6 });
  const text = isPlain ? digits : power(number);
  return unit ? `${text}\u00a0${unit}` : text;
}

/** 0.00002 as 2 × 10⁻⁵ */
function power(number) {
  const [factor, exponent] = number.toExponential(1).split("e");
  const raised = String(Number(exponent))
    .replace(/\d/g, (digit) => DIGITS[digit])
    .replace("-", "⁻");
  return Number(factor) === 1 ? `10${raised}` : `${Number(factor)} × 10${raised}`;
}

// ---- without JavaScript

export function table({ model }) {
  const [x, y] = [model.get("x"), model.get("y")];
  const bounds = `${written(y.low, y)} to ${written(y.high, y)}`;
  const rows = model.get("positions").map((at) => [written(at, x), bounds]);
  return [[x.label, `Your guess: ${y.label}`], ...rows];
}

export function answer({ model }) {
  const [x, y] = [model.get("x"), model.get("y")];
  const curves = model.get("curves").map((curve) => {
    const values = model
      .get("positions")
      .map((at, place) => `${inWords(curve, place, y)} at ${written(at, x)}`);
    return `${curve.name}: ${series(values)}.`;
  });
  return curves.length ? [...curves, model.get("explanation")].join(" ").trim() : "";
}

/** How it begins for readers who have drawn before. The drawn curve itself is not known yet. */
export function remembered({ model }) {
  const { low } = model.get("y");
  const guess = model.get("positions").map(() => low);
  const of = `${guess.length} numbers`;
  return [{ from: of, to: of, traits: { guess, drawn: guess, committed: true } }];
}

export default { render };
