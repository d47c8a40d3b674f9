// Draw a digit among clutter: the trained model looks at it, here in the page.

import { unpackModel } from "../shared/bahdanau.js";
import {
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
  createLive,
  draw,
  percent,
  softmax,
} from "../shared/common.js";
import { resetFor, sliderFor } from "../shared/controls.js";
import { readCanvas } from "../shared/mask_reader.js";
import { extentOf, PAD, pathOf, pixelsOf, SIDE } from "../shared/strokes.js";
import { blended, movedTo, scattered, sizeOf, thingAt } from "./scene.js";

const DIGITS = [..."0123456789"];
const MOST = 3000; // points that are kept
const NEAR = 0.4; // a point nearer than this to the one before says nothing new
const SHOWN = ["strokes", "thickness", "noise", "place", "clutter", "chosen", "seed"];
const PEN = { min: 2, max: 10, step: 0.5 };
const NOISE = { min: 0, max: 0.5, step: 0.05 };
const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const HELP =
  "Draw with the mouse or a finger, and drag what stands on the canvas. By keyboard, on the pad: arrow keys move the pen, Space lowers or lifts it, Backspace takes a stroke back. On the canvas: arrow keys move what has the dashed frame, Enter chooses the next thing.";

/** The trained model and the pieces of clutter, out of the traits. */
function readerOf(model) {
  const bytes = model.get("pieces");
  let offset = 0;
  const pieces = model.get("piece_sizes").map(([rows, columns]) => {
    const values = Float64Array.from(
      { length: rows * columns },
      (_, at) => bytes.getUint8(offset + at) / 255,
    );
    offset += values.length;
    return { rows, columns, values };
  });
  const arrays = unpackModel(model);
  return { arrays, pieces, rows: model.get("height"), columns: model.get("width") };
}

/** What the model makes of a canvas, and what Python is told of it. */
function readScene(reader, { strokes, thickness, place, clutter, noise, seed }) {
  const digit = { rows: SIDE, columns: SIDE, values: pixelsOf(strokes, thickness) };
  const pixels = blended(reader, [[digit, place], ...piecesOf(reader, clutter)], noise, seed);
  const found = readCanvas(reader.arrays, pixels, reader.rows, reader.columns);
  const probabilities = softmax(found.logits);
  const box = [place[0], place[1], place[0] + SIDE, place[1] + SIDE];
  const read = heaviest(probabilities);
  const result = {
    kind: kindOf(strokes, thickness, digit.values),
    digit: read,
    probability: probabilities[read],
    probabilities,
    cell: heaviest(found.weights),
    weight: Math.max(...found.weights),
    inside: shareInside(found.weights, found.cells, reader, box),
  };
  return { pixels, box, result, ...found };
}

const piecesOf = (reader, clutter) =>
  clutter.map(([piece, top, left]) => [reader.pieces[piece], [top, left]]);

/** Whether this can be a digit at all. */
function kindOf(strokes, thickness, pixels) {
  if (!strokes.length) return "empty";
  if (pixels.every((value) => value > 0.9)) return "full";
  const { x, y } = extentOf(strokes);
  return Math.max(x[1] - x[0], y[1] - y[0]) < thickness / 2 ? "dot" : "digit";
}

const stateOf = (model) => Object.fromEntries(SHOWN.map((name) => [name, model.get(name)]));

function render({ model, el }) {
  const view = beginView({ model, el }, "drawn-digit", "Draw a digit");
  const { frame } = view;
  const reader = readerOf(view);
  const parts = layOut(frame);
  const pen = { at: [3, 3], down: false };
  const drawPad = () => showPad(parts.pad, view, pen);

  function look() {
    const state = stateOf(view);
    const found = readScene(reader, state);
    view.publish("result", found.result);
    showCanvas(parts, reader, state, found);
    parts.chances.show(found.result.probabilities);
    parts.words.textContent = inSentences(found, state);
    drawPad();
  }

  padByPointer(view, parts);
  padByKeys(view, parts, pen, drawPad);
  canvasByPointer(view, parts, reader);
  canvasByKeys(view, parts, reader);
  controls(view, parts, reader);
  view.follow(SHOWN, look);
  look();
  return () => view.end();
}

function layOut(frame) {
  const samples = create("div.attn-bar.attn-samples");
  const pad = panel("Your digit", "attn-pad");
  const canvas = panel("The canvas", "attn-scene");
  const weights = panel("Weights");
  for (const { svg } of [pad, canvas]) {
    svg.setAttribute("tabindex", "0");
    svg.setAttribute("role", "application"); // its arrow keys are its own
  }
  const panels = create("div.attn-panels", pad.node, canvas.node, weights.node);
  const chances = chancesView(DIGITS, "What it reads");
  chances.node.className = "attn-reads";
  const words = createLive("p.attn-readout");
  const bar = create("div.attn-bar");
  const sliders = create("div.attn-bar");
  const help = create("p.attn-hint", HELP);
  const aloud = createLive("p.attn-aloud");
  frame.append(samples, panels, bar, sliders, chances.node, words, help, aloud);
  return { samples, pad, canvas, weights, chances, words, bar, sliders, aloud };
}

// ---- what is seen

function showPad(pad, model, { at, down }) {
  const thickness = model.get("thickness");
  const strokes = model
    .get("strokes")
    .map((stroke) => draw("path.attn-stroke", { d: pathOf(stroke), "stroke-width": thickness }));
  const [x, y] = spotOf(at);
  const look = down ? "attn-pen attn-down" : "attn-pen";
  const label = `Pad to draw a digit on, with ${strokes.length} strokes. Arrow keys move the pen, Space lowers or lifts it, Backspace takes a stroke back.`;
  const tip = draw("circle", { class: look, cx: x, cy: y, r: 1.6 });
  pad.show({ rows: PAD, columns: PAD }, label, ...strokes, tip);
}

/** The middle of one of the 8 by 8 places that the keyboard reaches. */
const spotOf = ([row, column]) =>
  [row, column].map((place) => (PAD / SIDE) * (place + 0.5)).reverse();

function showCanvas({ canvas, weights }, reader, state, found) {
  const { clutter, place, chosen } = state;
  const things = [place, ...clutter.map(([, top, left]) => [top, left])];
  const which = Math.min(chosen, clutter.length);
  const [rows, columns] = sizeOf(reader, clutter, which);
  const [top, left] = things[which];
  const box = { x: left - 0.5, y: top - 0.5, width: columns + 1, height: rows + 1 };
  const name = which ? `piece ${which} of ${clutter.length}` : "your digit";
  canvas.show(
    reader,
    `Canvas of ${reader.rows} by ${reader.columns} pixels. Arrow keys move ${name}, Enter chooses the next thing.`,
    ...inkOf(found.pixels, reader.columns),
    ...outlinesOf(state.strokes.length ? [found.box] : []),
    draw("rect.attn-chosen-thing", box),
    ...framesOf(found.weights, found.cells, reader),
  );
  weights.show(
    reader,
    `Weights: ${placeInWords(found.weights, found.cells)}`,
    ...shadesOf(found.weights, found.cells, reader),
    ...outlinesOf(state.strokes.length ? [found.box] : []),
  );
}

function inSentences({ result, weights, cells }, { clutter, noise }) {
  const { kind, digit, probability, inside, probabilities } = result;
  const sure = `${digit} (${percent(probability)})`;
  const place = `${capital(placeInWords(weights, cells))}`;
  if (kind === "empty") {
    const off = clutter.length
      ? "off the clutter"
      : noise
        ? "off the noise"
        : "off an empty canvas";
    return `Nothing is drawn. The model cannot say so and names a digit all the same: it reads ${sure} ${off}. ${place}.`;
  }
  const lead = {
    full: "The pad is full, and no shape is left to read. The model names a digit all the same: ",
    dot: "A dot is no digit. The model names one all the same: ",
    digit: "",
  }[kind];
  const second = heaviest(probabilities.map((share, at) => (at === digit ? -1 : share)));
  const doubt =
    probability < 0.6 ? `, and is unsure: ${second} has ${percent(probabilities[second])}` : "";
  const within = percent(Math.min(inside, 1));
  const box =
    inside >= 0.5
      ? `and ${within} in the box of your drawing`
      : `but only ${within} in the box of your drawing`;
  return `${lead}${lead ? "it" : "It"} reads ${sure}${doubt}. ${place}, ${box}.`;
}

// ---- drawing

/** Add a point to the last stroke, unless it is too near or the pad has enough. */
function extended(strokes, point) {
  const last = strokes.at(-1).at(-1);
  const far = Math.hypot(point[0] - last[0], point[1] - last[1]) >= NEAR;
  if (!far || strokes.flat().length >= MOST) return strokes;
  return [...strokes.slice(0, -1), [...strokes.at(-1), point]];
}

/** Where a pointer is, in the units of a drawing. */
function pointIn(svg, { clientX, clientY }, { rows, columns }) {
  const { left, top, width, height } = svg.getBoundingClientRect();
  return [((clientX - left) / width) * columns, ((clientY - top) / height) * rows];
}

function padByPointer(view, { pad: { svg } }) {
  let before = null; // the strokes before this one, while it is drawn
  const pointOf = (event) =>
    pointIn(svg, event, { rows: PAD, columns: PAD }).map(
      (entry) => Math.round(10 * Math.min(Math.max(entry, 0), PAD)) / 10,
    );
  view.listen(svg, "pointerdown", (event) => {
    if (event.button !== 0) return;
    before = view.get("strokes");
    if (before.flat().length >= MOST) return;
    svg.setPointerCapture(event.pointerId);
    event.preventDefault();
    svg.focus({ preventScroll: true });
    view.share({ strokes: [...before, [pointOf(event)]] });
  });
  view.listen(svg, "pointermove", (event) => {
    if (!before || !svg.hasPointerCapture(event.pointerId)) return;
    const strokes = view.get("strokes");
    if (strokes.length > before.length) view.share({ strokes: extended(strokes, pointOf(event)) });
  });
  view.listen(svg, "pointerup", () => (before = null));
  view.listen(svg, "pointercancel", () => {
    if (before) view.share({ strokes: before });
    before = null;
  });
}

function padByKeys(view, { pad: { svg }, aloud }, pen, drawPad) {
  const add = () => {
    const [strokes, point] = [view.get("strokes"), spotOf(pen.at)];
    const goesOn = pen.down && strokes.length && strokes.flat().length < MOST;
    if (goesOn) view.share({ strokes: extended(strokes, point) });
  };
  const press = {
    " ": () => {
      pen.down = !pen.down;
      if (pen.down) view.share({ strokes: [...view.get("strokes"), [spotOf(pen.at)]] });
    },
    Backspace: () => {
      pen.down = false;
      view.share({ strokes: view.get("strokes").slice(0, -1) });
    },
  };
  press.Delete = press.Backspace;
  view.listen(svg, "keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const way = ARROWS[event.key];
    if (!way && !press[event.key]) return;
    event.preventDefault();
    if (way) {
      pen.at = pen.at.map((place, axis) => Math.min(Math.max(place + way[axis], 0), SIDE - 1));
      add();
    } else press[event.key]();
    const [row, column] = pen.at;
    aloud.textContent = `Row ${row + 1}, column ${column + 1}, pen ${pen.down ? "down" : "up"}`;
    drawPad();
  });
  view.listen(svg, "blur", () => {
    pen.down = false;
    drawPad();
  });
}

// ---- moving what stands on the canvas

function canvasByPointer(view, { canvas: { svg } }, reader) {
  let held = null;
  view.listen(svg, "pointerdown", (event) => {
    if (event.button !== 0) return;
    const at = pointIn(svg, event, reader);
    const chosen = thingAt(reader, view.get("place"), view.get("clutter"), at);
    if (chosen < 0) return;
    svg.setPointerCapture(event.pointerId);
    event.preventDefault();
    svg.focus({ preventScroll: true });
    const [, top, left] = [0, ...view.get("place")];
    const corner = chosen ? view.get("clutter")[chosen - 1].slice(1) : [top, left];
    held = { offset: [at[1] - corner[0], at[0] - corner[1]] };
    view.share({ chosen });
  });
  view.listen(svg, "pointermove", (event) => {
    if (!held) return;
    const [x, y] = pointIn(svg, event, reader);
    const corner = [y - held.offset[0], x - held.offset[1]].map(Math.round);
    view.share(movedTo(reader, stateOf(view), corner));
  });
  for (const end of ["pointerup", "pointercancel"]) view.listen(svg, end, () => (held = null));
}

function canvasByKeys(view, { canvas: { svg }, aloud }, reader) {
  view.listen(svg, "keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const way = ARROWS[event.key];
    if (!way && event.key !== "Enter") return;
    event.preventDefault();
    const { place, clutter, chosen } = stateOf(view);
    if (way) {
      const which = Math.min(chosen, clutter.length);
      const [top, left] = which ? clutter[which - 1].slice(1) : place;
      view.share(movedTo(reader, stateOf(view), [top + way[0], left + way[1]]));
      return;
    }
    const next = chosen >= clutter.length ? 0 : chosen + 1;
    view.share({ chosen: next });
    aloud.textContent = next ? `Piece ${next} of ${clutter.length}` : "Your digit";
  });
}

// ---- buttons and sliders

function controls(view, { samples, bar, sliders }, reader) {
  const button = (text, press) => view.button(text, () => view.share(press()));
  const tries = view.get("samples").map(({ name, strokes }) => button(name, () => ({ strokes })));
  samples.append(create("span.attn-hint", "Try"), ...tries);
  samples.hidden = !tries.length;
  const shuffle = () => {
    const seed = view.get("seed") + 1;
    const clutter = scattered(reader, view.get("count"), view.get("place"), seed);
    return { seed, clutter, chosen: 0 };
  };
  bar.append(
    button("Clear the pad", () => ({ strokes: [] })),
    ...(reader.pieces.length
      ? [
          button("Shuffle the clutter", shuffle),
          button("Clear the clutter", () => ({ clutter: [], chosen: 0 })),
        ]
      : []),
    resetFor(view, SHOWN),
  );
  sliders.append(
    sliderFor(view, "thickness", "Pen", PEN, (value) => value.toFixed(1)),
    sliderFor(view, "noise", "Noise", NOISE, (value) => value.toFixed(2)),
  );
}

/** What it shows, as the rows of a table: for readers without JavaScript. */
export function table({ model }) {
  const reader = readerOf(model);
  const rows = model.get("samples").map(({ name, strokes }) => {
    const { result } = readScene(reader, { ...stateOf(model), strokes });
    return [name, String(result.digit), percent(result.probability), percent(result.inside)];
  });
  return [["Drawn", "Read", "How sure", "Weight in its box"], ...rows];
}

export default { render };
