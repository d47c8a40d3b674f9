// A plane with a query and keys in it, and the average that the keys' weights make.

import { draw } from "./common.js";
import { draggable, handle, steppable } from "./dragging.js";

export const REACH = 3; // how far the plane extends to each side
export const UNIT = 50; // units of the drawing for 1 in the plane
const STEP = 0.1; // for an arrow key; ten times that with the shift key

export const place = ([x, y]) => [UNIT * x, -UNIT * y]; // up is up
export const inReach = (entry, parts = 100) =>
  Math.max(-REACH, Math.min(REACH, Math.round(entry * parts) / parts));

/** The plane; the first of its points is the query. A point is { kind, name, letter, fixed }.
 *  `where(n)` says where one is (null: not shown); `move(n, point)` moves it, by keys or a pointer,
 *  to whole parts of 1, and `done(n)` follows. `show(looks, values, label)` draws the context of
 *  each look, pulls from the values if there is one look, and gives each point its label. */
export function planeView(view, title, points, { where, move, done, parts = 100 }) {
  const size = 2 * UNIT * REACH + 30;
  const svg = draw("svg.attn-plane.attn-points", {
    viewBox: `${-size / 2} ${-size / 2} ${size} ${size}`,
    role: "group",
    "aria-label": title,
  });
  const [pulls, found] = [draw("g"), draw("g.attn-found")];
  const arrow = draw("line.attn-query-line", { x1: 0, y1: 0 });
  const nodes = points.map(pointOf);
  const [query, ...others] = nodes;
  const stack = points[0].fixed ? nodes : [...others, query]; // what moves lies on top
  svg.append(axesOf(), pulls, arrow, ...stack, found);
  const moveTo = (n, point) => {
    const held = point.map((entry) => inReach(entry, parts));
    move(n, held);
  };
  nodes.forEach((node, n) => {
    if (points[n].fixed) return;
    const pull = ([x, y]) => moveTo(n, [x / UNIT, -y / UNIT]);
    draggable(view, svg, node, pull, () => done(n));
    steppable(view, node, (way) => {
      const moved = where(n).map((entry, k) => entry + STEP * way[k]);
      moveTo(n, moved);
      done(n);
    });
  });

  function show(looks, values, label) {
    svg.classList.toggle("attn-unasked", !where(0));
    const [x2, y2] = place(where(0) ?? [0, 0]);
    setAttributes(arrow, { x2, y2 });
    found.replaceChildren(...looks.flatMap(diamond));
    pulls.replaceChildren(...(looks.length === 1 ? pullsOf(looks[0], values) : []));
    nodes.forEach((node, n) => {
      if (!where(n)) return;
      const at = `translate(${place(where(n)).join(" ")})`;
      setAttributes(node, { transform: at, "aria-label": label(n) });
    });
  }
  return { node: svg, show };
}

function pointOf({ kind, name, letter, fixed }) {
  const r = fixed && kind === "query" ? 18 : 13; // a ring around the key that asks
  const drawn = [draw("circle.attn-disc", { r }), draw("text", { y: 5 }, letter)];
  const className = `attn-point attn-${kind}`;
  return fixed
    ? draw("g", { class: className, role: "img" }, ...drawn)
    : handle(className, name, ...drawn);
}

function diamond({ name, context }) {
  const [x, y] = place(context);
  const at = { class: "attn-context", transform: `translate(${x} ${y})` };
  return [
    draw("path", { ...at, d: "M0,-9 L9,0 L0,9 L-9,0 Z" }),
    draw("text.attn-context-name", { x, y: y - 12 }, name),
  ];
}

function pullsOf({ weights, context }, values) {
  const [x1, y1] = place(context);
  return values.map((value, j) => {
    const [x2, y2] = place(value);
    return draw("line.attn-pull", { x1, y1, x2, y2, "stroke-width": 0.5 + 9 * weights[j] });
  });
}

function setAttributes(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
}

export function axesOf() {
  const end = UNIT * REACH;
  return draw(
    "g.attn-axes",
    { "aria-hidden": "true" },
    draw("rect", { x: -end, y: -end, width: 2 * end, height: 2 * end }),
    draw("line", { x1: -end, y1: 0, x2: end, y2: 0 }),
    draw("line", { x1: 0, y1: -end, x2: 0, y2: end }),
  );
}
