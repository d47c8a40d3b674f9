// Weigh some annotations, and see where their context lies among them.

import {
  beginView,
  create,
  createButton,
  createLive,
  draw,
  floats,
  named,
  percent,
  series,
  verbatim,
  visible,
  wholePercent,
} from "../shared/common.js";
import { draggable, handle, steppable } from "../shared/dragging.js";
import { distance, hull, mix, nearest, project, setWeight, weightsFor } from "../shared/mixing.js";

const WIDE = 320; // the drawing, in its own units
const TALL = 300;
const MARGIN = 26; // room for the tokens on its edge

/** All that follows from the weights, computed with whole annotations; the plane only shows it. */
export function mixture(annotations, axes, weights) {
  const even = annotations.map(() => 1 / annotations.length);
  const centre = mix(even, annotations);
  const points = annotations.map((vector) => project(vector, axes, centre));
  const context = mix(weights, annotations);
  const zero = context.map(() => 0);
  return {
    points,
    context,
    point: project(context, axes, centre),
    corners: hull(points),
    near: nearest(context, annotations),
    norm: distance(context, zero),
    longest: Math.max(...annotations.map((vector) => distance(vector, zero))),
    apart: Math.min(...annotations.flatMap((_, j) => distancesFrom(annotations, j))),
  };
}

function distancesFrom(vectors, j) {
  return vectors.filter((_, k) => k !== j).map((other) => distance(vectors[j], other));
}

function rowsOf(view, count) {
  const numbers = Array.from(floats(view));
  const size = numbers.length / count;
  return Array.from({ length: count }, (_, j) => numbers.slice(j * size, (j + 1) * size));
}

/** From the plane to the drawing and back, with one scale for both directions. */
function layout(points) {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const middle = [xs, ys].map((values) => (Math.min(...values) + Math.max(...values)) / 2);
  const [width, height] = [xs, ys].map((values) => Math.max(...values) - Math.min(...values));
  const room = [(WIDE - 2 * MARGIN) / width, (TALL - 2 * MARGIN) / height];
  const scale = Math.min(...room.filter(Number.isFinite));
  const place = ([x, y]) => [
    WIDE / 2 + scale * (x - middle[0]),
    TALL / 2 - scale * (y - middle[1]), // y upwards
  ];
  const back = ([x, y]) => [middle[0] + (x - WIDE / 2) / scale, middle[1] - (y - TALL / 2) / scale];
  return { place, back };
}

/** A token by its name; one that comes more than once also by its place. */
function nameOf(source, j) {
  const twice = source.indexOf(source[j]) !== source.lastIndexOf(source[j]);
  return `${named(source[j])}${twice ? ` at position ${j + 1}` : ""}`;
}

function sameWeights(one, two) {
  return one.every((weight, j) => Math.abs(weight - two[j]) < 5e-4);
}

function render({ model, el }) {
  const view = beginView({ model, el }, "mixer", "Context mixer");
  const plane = create("div.attn-plane");
  const sliders = create("div.attn-sliders");
  const given = create("div.attn-bar.attn-given");
  const words = createLive("p.attn-readout");
  const note = create("p.attn-hint");
  const body = create("div.attn-mixer-body", plane, sliders);
  view.frame.append(body, given, words, note);
  const start = [...view.get("weights")];
  const newParts = view.renewed();
  let update = () => {};

  function build() {
    const parts = partsOf(newParts(), start);
    plane.replaceChildren(parts.drawing.node);
    sliders.replaceChildren(...parts.rows.map(({ node }) => node));
    given.replaceChildren(...parts.choices.map(({ node }) => node));
    const seen = percent(view.get("plane_share"));
    note.textContent = `Drag the diamond, or a slider. The plane shows ${seen} of how the annotations differ; distances and lengths are those of whole annotations.`;
    update = () => {
      words.textContent = markParts(parts, view.get("source"), view.get("weights"));
    };
    update();
  }

  view.follow(["source", "annotations", "axes", "steps"], build);
  view.follow(["weights"], () => update());
  build();
  return () => view.end();
}

/** Everything that shows these annotations: the plane, a slider for each weight, and the buttons. */
function partsOf(view, start) {
  const source = view.get("source");
  const annotations = rowsOf(view.get("annotations"), source.length);
  const axes = rowsOf(view.get("axes"), 2);
  const write = (weights) => view.share({ weights });
  const read = () => view.get("weights");
  const drawing = planeView(view, source, mixture(annotations, axes, read()), {
    choose: (j) => write(allOn(source, j)),
    pull: (goal, points) => write(weightsFor(goal, points, read())),
  });
  const rows = source.map((_, j) => weightRow(view, source, j, read, write));
  const choices = givenWeights(view, source, start);
  for (const { node, weights } of choices) {
    if (weights) view.listen(node, "click", () => write(weights));
  }
  return { drawing, rows, choices, mixed: (weights) => mixture(annotations, axes, weights) };
}

/** Show these weights everywhere; returns what they yield, in words. */
function markParts({ drawing, rows, choices, mixed }, source, now) {
  const found = mixed(now);
  const stopped = drawing.mark(found, now);
  for (const row of rows) row.mark();
  for (const { node, weights, toggles } of choices) {
    if (toggles) node.setAttribute("aria-pressed", sameWeights(weights, now));
  }
  return `${stopped ? WALL : ""}${inWords(source, found, now)}`;
}

const WALL = "The diamond stops at the wall of the hull: no shares of attention take it farther. ";

function allOn(source, index) {
  return source.map((_, j) => (j === index ? 1 : 0));
}

/** The buttons below: even weights, what the model did at each step, and the reset. */
function givenWeights(model, source, start) {
  const button = (text, weights, { label, look, toggles = true } = {}) => {
    const node = createButton(text, look);
    if (label) node.setAttribute("aria-label", label);
    return { node, weights, toggles };
  };
  const even = button(
    "Even",
    source.map(() => 1 / source.length),
  );
  const steps = model.get("steps").map(({ name, weights }, i) =>
    button(visible(name), weights, {
      label: `What the model did at step ${i + 1}, when it wrote ${named(name)}`,
      look: "attn-step",
    }),
  );
  const lead = create("span.attn-hint", "What the model did when it wrote");
  const reset = button("Reset", start, { look: "attn-quiet", toggles: false });
  return [even, ...(steps.length ? [{ node: lead }] : []), ...steps, reset];
}

/** One token's weight: a button that gives it everything, and a slider. */
function weightRow(view, source, j, read, write) {
  const all = verbatim(createButton(visible(source[j]), "attn-token"));
  all.setAttribute("aria-label", `All on ${named(source[j])}, position ${j + 1}`);
  const input = create("input.attn-slider", {
    type: "range",
    min: 0,
    max: 1,
    step: 0.01,
    "aria-label": `Weight of ${named(source[j])}, position ${j + 1}`,
  });
  input.value = read()[j]; // without a value, a slider is in the middle
  const value = create("span.attn-value");
  view.listen(all, "click", () => write(allOn(source, j)));
  view.listen(input, "input", () => write(setWeight(read(), j, Number(input.value))));
  const node = create("div.attn-weight-row", all, input, value);
  const mark = () => {
    const weight = read()[j];
    // a slider that the reader is holding stays where it is
    if (Math.abs(Number(input.value) - weight) > 0.005) input.value = weight;
    value.textContent = weight.toFixed(2);
    input.setAttribute("aria-valuetext", weight.toFixed(2));
  };
  return { node, mark };
}

/** The plane: the hull, the annotations, and the context where the weights put it. `choose` gets
 *  the annotation that is clicked, `pull` the place to which the context is dragged. */
function planeView(view, source, { points, corners }, { choose, pull }) {
  const { place, back } = layout(points);
  const at = points.map(place);
  const outline = corners.map((j) => at[j].join(",")).join(" ");
  const arms = at.map(([x, y]) => draw("line.attn-arm", { x1: x, y1: y }));
  const dots = at.map((where, j) => dotOf(view, source[j], where, () => choose(j)));
  const diamond = draw("path", { d: "M 0 -9 L 9 0 L 0 9 L -9 0 Z" });
  const mark = handle("attn-context-mark", "context", diamond);
  const node = draw(
    "svg",
    { viewBox: `0 0 ${WIDE} ${TALL}`, role: "group", "aria-label": "The plane" },
    draw("polygon.attn-hull", { points: outline }),
    ...arms,
    ...dots,
    mark,
  );
  let here = null; // the context, in the plane
  let wanted = null; // where the reader pulls it
  const pullTo = (goal) => {
    wanted = goal;
    pull(goal, points);
    wanted = null;
  };
  const step = distance(back([WIDE / 40, 0]), back([0, 0]));
  draggable(view, node, mark, (spot) => pullTo(back(spot)));
  steppable(view, mark, (way) => pullTo(here.map((entry, k) => entry + step * way[k])));
  return {
    node,
    /** Returns whether the context was pulled farther than it went. */
    mark({ point, near }, weights) {
      here = point;
      const [x, y] = place(point);
      mark.setAttribute("transform", `translate(${x} ${y})`);
      mark.setAttribute("aria-label", `Context, nearest to ${nameOf(source, near.index)}`);
      arms.forEach((arm, j) => {
        arm.setAttribute("x2", x);
        arm.setAttribute("y2", y);
        arm.setAttribute("stroke-width", weights[j] < 0.005 ? 0 : 0.5 + 6 * weights[j]);
      });
      dots.forEach((dot, j) => dot.classList.toggle("attn-nearest", j === near.index));
      return wanted !== null && distance(wanted, point) > step / 10;
    },
  };
}

function dotOf(view, name, [x, y], choose) {
  const token = draw("text", { y: 4.4, "text-anchor": "middle" }, visible(name));
  const attributes = { transform: `translate(${x} ${y})`, "aria-hidden": true };
  const dot = draw("g.attn-dot", attributes, draw("circle", { r: 11 }), token);
  view.listen(dot, "click", choose);
  return dot;
}

function inWords(source, { near, norm, longest, apart }, weights) {
  const nearestName = nameOf(source, near.index);
  const first =
    near.distance < 0.005
      ? `The context is the annotation of ${nearestName} itself.`
      : `The nearest annotation is that of ${nearestName}, at a distance of ${near.distance.toFixed(2)}; the two annotations closest to each other are ${apart.toFixed(2)} apart.`;
  const second = `The context is ${norm.toFixed(2)} long, the longest annotation ${longest.toFixed(2)}.`;
  return [first, second, largest(source, weights)].join(" ");
}

/** The largest weight and its token; among weights that look equal, none is the largest. */
function largest(source, weights) {
  const most = Math.max(...weights);
  const shown = most.toFixed(2);
  const winners = weights.flatMap((weight, j) => (weight.toFixed(2) === shown ? [j] : []));
  if (winners.length === weights.length) return `All weights are alike, ${shown} each.`;
  const on = `on ${series(winners.map((j) => nameOf(source, j)))}.`;
  return winners.length === 1
    ? `The largest weight is ${shown}, ${on}`
    : `The largest weights are ${shown} each, ${on}`;
}

/** What it shows, as the rows of a table: for readers without JavaScript. */
export function table({ model }) {
  const [source, steps] = [model.get("source"), model.get("steps")];
  const rows = steps.length ? steps : [{ name: "Weights", weights: model.get("weights") }];
  return [
    ["Percent", ...source.map(visible)],
    ...rows.map(({ name, weights }) => [name, ...weights.map(wholePercent)]),
  ];
}

export default { render };
