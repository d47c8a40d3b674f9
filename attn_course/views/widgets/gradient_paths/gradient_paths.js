// Which ways lead back from a loss to a source position, and what each carries.

import {
  beginView,
  create,
  createButton,
  createLive,
  draw,
  floats,
  grouped,
  percent,
  series,
} from "../shared/common.js";
import { resetFor, switchFor, tickFor } from "../shared/controls.js";

// ---- the graph, and the number of its paths, as attn_course.gradients has them

/** The nodes that each node goes into. Nodes are named "h1", "s1", "c1", "e1,2" and "L1". */
function translatorGraph(source, target, attention) {
  const graph = new Map();
  const join = (from, to) => {
    if (!graph.has(from)) graph.set(from, new Set());
    if (!graph.has(to)) graph.set(to, new Set());
    graph.get(from).add(to);
  };
  const before = (i) => (i === 1 ? `h${source}` : `s${i - 1}`);
  for (let j = 1; j < source; j++) join(`h${j}`, `h${j + 1}`);
  for (let i = 1; i <= target; i++) {
    join(before(i), `s${i}`);
    join(`s${i}`, `L${i}`);
    for (let j = 1; attention && j <= source; j++) {
      join(`h${j}`, `c${i}`);
      join(`h${j}`, `e${i},${j}`);
      join(before(i), `e${i},${j}`);
      join(`e${i},${j}`, `c${i}`);
    }
    if (attention) join(`c${i}`, `s${i}`);
    if (attention) join(`c${i}`, `L${i}`);
  }
  return graph;
}

/** How many paths of each length lead from one node to another: N(node) = sum of N(next). */
function countPaths(graph, start, end) {
  const known = new Map();
  const lengths = (node) => {
    if (known.has(node)) return known.get(node);
    const found = new Map(node === end ? [[0, 1]] : []);
    for (const next of graph.get(node)) {
      for (const [length, number] of lengths(next)) {
        found.set(length + 1, (found.get(length + 1) ?? 0) + number);
      }
    }
    known.set(node, found);
    return found;
  };
  return lengths(start);
}

/** The number of paths of each route, and their shortest and longest. */
function routesOf({ source, target }, attention, i, j) {
  const chain = source - j + i + 1;
  const all = countPaths(translatorGraph(source, target, attention), `h${j}`, `L${i}`);
  const lengths = [...all.keys()];
  const number = [...all.values()].reduce((sum, n) => sum + n, 0);
  const whole = { number, shortest: Math.min(...lengths), longest: Math.max(...lengths) };
  const parts = { chain: { number: 1, shortest: chain, longest: chain } };
  if (!attention) return { whole, parts };
  parts.value = { number: 2, shortest: 2, longest: 3 };
  parts.score = { number: 2, shortest: 3, longest: 4 };
  const left = new Map(all);
  for (const length of [2, 3, 3, 4, chain]) left.set(length, left.get(length) - 1);
  const others = [...left.keys()].filter((length) => left.get(length) > 0);
  parts.other = {
    number: number - 5,
    shortest: Math.min(...others),
    longest: Math.max(...others),
  };
  return { whole, parts };
}

// ---- numbers in words

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** "0.012" if that is short, otherwise "3.1 × 10⁻⁷". */
function scientific(number) {
  if (number >= 0.001 && number < 1000) return Number(number.toPrecision(2)).toString();
  const [digits, power] = number.toExponential(1).split("e");
  return `${digits}\u00a0×\u00a010${raised(power)}`;
}

function raised(power) {
  const signs = [...power.replace("+", "")].map((c) => (c === "-" ? "⁻" : RAISED[Number(c)]));
  return signs.join("");
}

/** To stand beside a node: "0.094", "2·10⁻⁴". */
function inShort(number) {
  if (number >= 0.001 && number < 1000) return scientific(number);
  const [digits, power] = number.toExponential(0).split("e");
  return `${digits === "1" ? "" : `${digits}·`}10${raised(power)}`;
}

function span({ shortest, longest }) {
  return shortest === longest ? `${shortest}` : `${shortest}\u2013${longest}`;
}

/** With its sign, if it is large enough to have one. */
function signed(share) {
  if (Math.abs(share) < 0.005) return percent(Math.abs(share));
  return share < 0 ? `\u2212${percent(-share)}` : percent(share);
}

const ROUTES = ["value", "score", "chain", "other"]; // in the order of the shares
const NAMES = { value: "Value read", score: "Its score", chain: "Chain", other: "All others" };
const COMES_BY = {
  value: "by the value read at this step",
  score: "through its score",
  chain: "along the chain of states",
  other: "by all other ways",
};

// ---- the drawing: a U, the encoder down on the left, the decoder up on the right

const [LEFT, MIDDLE, RIGHT, END] = [80, 186, 254, 322]; // h, c, s and the losses
const [WIDTH, TOP, PITCH] = [344, 26, 52]; // the space to the left of h is for its norm

function placeNodes({ source, target }) {
  const rows = Math.max(source, target);
  const place = new Map();
  const row = (number) => TOP + PITCH * number;
  for (let j = 1; j <= source; j++) place.set(`h${j}`, [LEFT, row(rows - source + j - 1)]);
  for (let i = 1; i <= target; i++) {
    const y = row(rows - i);
    place.set(`c${i}`, [MIDDLE, y]);
    place.set(`s${i}`, [RIGHT, y]);
    place.set(`L${i}`, [END, y]);
  }
  return { place, height: row(rows) };
}

/** Every edge with its curve. A read is drawn twice: as a value, and through its score. */
function drawEdges({ source, target }, place, attention) {
  const edges = [];
  const add = (from, to, kind, d) => edges.push({ from, to, kind, node: draw("path", { d }) });
  const at = (name) => place.get(name);
  const line = (a, b) => `M${a[0]},${a[1]} L${b[0]},${b[1]}`;
  const bend = (a, b, lift) => {
    const half = (a[0] + b[0]) / 2;
    return `M${a[0]},${a[1]} C${half},${a[1] + lift} ${half},${b[1] + lift} ${b[0]},${b[1]}`;
  };
  for (let j = 1; j < source; j++) {
    const d = line(at(`h${j}`), at(`h${j + 1}`));
    if (attention) add(`h${j}`, `h${j + 1}`, "later", d); // below the chain: reads of later states
    add(`h${j}`, `h${j + 1}`, "chain", d);
  }
  const [from, to] = [at(`h${source}`), at("s1")];
  const floor = from[1] + PITCH * 0.75; // the bottom of the U
  const [down, up] = [`${from[0] + 30},${floor}`, `${to[0] - 30},${floor}`];
  add(`h${source}`, "s1", "chain", `M${from[0]},${from[1]} C${down} ${up} ${to[0]},${to[1]}`);
  for (let i = 1; i <= target; i++) {
    const [c, s, end] = [at(`c${i}`), at(`s${i}`), at(`L${i}`)];
    if (i > 1) add(`s${i - 1}`, `s${i}`, "chain", line(at(`s${i - 1}`), s));
    add(`s${i}`, `L${i}`, "chain", line(s, end));
    if (!attention) continue;
    for (let j = 1; j <= source; j++) {
      add(`h${j}`, `c${i}`, "value", bend(at(`h${j}`), c, -4));
      add(`h${j}`, `c${i}`, "score", bend(at(`h${j}`), c, 8));
    }
    if (i > 1) add(`s${i - 1}`, `c${i}`, "query", line(at(`s${i - 1}`), c));
    add(`c${i}`, `s${i}`, "context", line(c, s));
    add(`c${i}`, `L${i}`, "context", `M${c[0]},${c[1]} Q${s[0]},${s[1] - 42} ${end[0]},${end[1]}`);
  }
  return edges;
}

/** Which route an edge belongs to for this loss and position, or none. */
function routeOf({ from, to, kind }, i, j, attention) {
  const index = (name) => Number(name.slice(1));
  const passed = (name) => (name[0] === "h" ? index(name) >= j : index(name) <= i);
  if (!passed(from) || !passed(to)) return null;
  if (to[0] === "L" && index(to) !== i) return null;
  if (kind === "chain") return "chain";
  if (!attention) return null;
  if (index(to) === i && (kind === "value" || kind === "score") && index(from) === j) return kind;
  if (kind === "context" && index(from) === i) return "value";
  return "other";
}

function drawNodes(place, attention) {
  const nodes = [];
  for (const [name, [x, y]] of place) {
    const kind = { s: "state", c: "context" }[name[0]];
    if (!kind || (kind === "context" && !attention)) continue;
    const sign = draw("text.attn-sign", { x, y: y + 4 }, name[0], draw("tspan", { dy: 3.5 }));
    sign.lastChild.textContent = name.slice(1);
    nodes.push(draw("circle", { class: `attn-disc attn-${kind}`, cx: x, cy: y, r: 13 }), sign);
  }
  return nodes;
}

/** A node that can be chosen: a source position or a loss. */
function nodeChoice(view, name, k, { place, height }) {
  const [side, what, look] =
    name === "source"
      ? ["h", `Source position ${k}`, "attn-is-source"]
      : ["L", `Loss at target step ${k}`, "attn-is-loss"];
  const input = create("input", { type: "radio", name, value: String(k), "aria-label": what });
  view.listen(input, "change", () => view.share({ [name]: k }));
  const sign = create("span", side, create("sub", String(k)));
  const label = create("label", { class: `attn-node ${look}` }, input, sign);
  const [x, y] = place.get(`${side}${k}`);
  const norm = name === "source" && create("span.attn-norm");
  for (const node of [label, norm].filter(Boolean)) {
    node.style.left = `${(100 * x) / WIDTH}%`;
    node.style.top = `${(100 * y) / height}%`;
  }
  return { name, k, input, label, norm };
}

function drawBar(view, bar, reset) {
  const stages = view.get("stages").map((text, stage) => [stage, text]);
  const send = createButton("Send a pulse", "attn-moving");
  const attention = tickFor(view, "attention", "Attention");
  bar.replaceChildren(attention, switchFor(view, "stage", "When", stages), send, reset);
  return { send };
}

// ---- how wide a line is: by the logarithm of the norm that it carries

const FEWEST_DECADES = 3; // so that norms that hardly differ are not drawn as if they did

/** From the norms of all stages, with and without attention: 0 for the least, 1 for the largest. */
function scaleOf(norms) {
  const high = Math.log10(Math.max(...norms));
  const low = Math.min(Math.log10(Math.min(...norms)), high - FEWEST_DECADES);
  const strength = (norm) => Math.min(Math.max((Math.log10(norm) - low) / (high - low), 0), 1);
  const decades = [];
  for (let power = Math.floor(high); power >= low; power--) decades.push(10 ** power);
  const every = Math.ceil(decades.length / 4);
  return { strength, marks: decades.filter((_, k) => k % every === 0) };
}

/** A line of this strength; one that carries next to nothing is thin and pale. */
function draught(line, strength, widest = 7) {
  line.style.setProperty("--attn-width", 0.75 + (widest - 0.75) * strength);
  line.style.setProperty("--attn-opacity", 0.3 + 0.7 * strength);
}

/** What an edge carries, as a norm: that of the chosen loss at the state where the edge arrives.
 *  Nothing was measured within the decoder, so an edge there is drawn by what it passes on. */
function carried({ from, to, kind }, route, model, data) {
  const [j, i] = ["source", "target"].map((name) => model.get(name));
  const k = from[0] === "h" ? Number(from.slice(1)) : j;
  if (!model.get("attention")) {
    return measuredOf(model, data, from[0] === "h" ? k : model.get("sizes").source).without;
  }
  const { attending, shares } = measuredOf(model, data, k);
  const reads = { value: shares.value, score: shares.score };
  if (kind === "context" && route === "value") return (reads.value + reads.score) * attending;
  if (kind in reads && Number(to.slice(1)) === i) return reads[kind] * attending;
  if (kind === "chain" && from[0] !== "h") {
    const { source } = model.get("sizes");
    const last = measuredOf(model, data, source);
    return last.shares.chain * last.attending;
  }
  return shares[route] * attending;
}

/** Colour each edge by its route; the more it carries, the wider and darker it is. */
function markEdges(edges, model, data, { strength }) {
  const [i, j, attention] = ["target", "source", "attention"].map((name) => model.get(name));
  for (const edge of edges) {
    const route = routeOf(edge, i, j, attention);
    edge.node.setAttribute("class", `attn-edge ${route ? `attn-on-${route}` : ""}`);
    if (!route) continue;
    const norm = Math.abs(carried(edge, route, model, data));
    draught(edge.node, strength(norm), route === "other" && edge.kind !== "later" ? 1.75 : 7);
  }
}

/** Beside each source position from the chosen one on: the norm that arrives there. */
function markNorms(nodes, model, data) {
  const [j, attention] = ["source", "attention"].map((name) => model.get(name));
  for (const { k, norm } of nodes.filter((node) => node.norm)) {
    const { without, attending } = measuredOf(model, data, k);
    norm.textContent = inShort(attention ? attending : without);
    norm.classList.toggle("attn-before", k < j);
  }
}

/** What the widths mean. */
function keyOf({ strength, marks }) {
  const sample = (norm) => {
    const line = draw("path.attn-edge.attn-on-mark", { d: "M3,5 H25" });
    draught(line, strength(norm));
    const svg = draw("svg.attn-key", { viewBox: "0 0 28 10", "aria-hidden": "true" }, line);
    return create("span", svg, inShort(norm));
  };
  return [create("span", "Norm that a line carries:"), ...marks.map(sample)];
}

// ---- a pulse for each way, back from the loss

const STEP = 280; // milliseconds per arrow: a chain takes longer in proportion to its length

/** The ways that have a pulse, as nodes from the loss to the position. */
function waysBack({ source }, attention, i, j) {
  const down = (name, from, to) =>
    Array.from({ length: Math.max(from - to + 1, 0) }, (_, k) => `${name}${from - k}`);
  const chain = [`L${i}`, ...down("s", i, 1), ...down("h", source, j)];
  if (!attention) return { chain: [chain] };
  const others = [];
  if (i > 1) others.push([`L${i}`, `s${i}`, `s${i - 1}`, `c${i - 1}`, `h${j}`]);
  if (j < source) others.push([`L${i}`, `c${i}`, `h${j + 1}`, `h${j}`]);
  const value = [
    [`L${i}`, `c${i}`, `h${j}`],
    [`L${i}`, `s${i}`, `c${i}`, `h${j}`],
  ];
  return { chain: [chain], value, other: others };
}

/** Where a pulse is on its way, and how strong: full at the loss, and then as the edges are.
 *  An edge is drawn in the direction of the computation, and a gradient runs against it. */
function framesOf(way, edges) {
  const frames = [];
  for (let k = 1; k < way.length; k++) {
    const { node } = edges.findLast(({ from, to }) => from === way[k] && to === way[k - 1]);
    const [length, opacity] = [
      node.getTotalLength(),
      node.style.getPropertyValue("--attn-opacity"),
    ];
    const before = frames.at(-1)?.opacity ?? 1;
    for (let part = k > 1 ? 1 : 0; part <= 8; part++) {
      const { x, y } = node.getPointAtLength(length * (1 - part / 8));
      const now = before + ((Number(opacity) - before) * part) / 8;
      frames.push({ transform: `translate(${x}px, ${y}px) scale(${now})`, opacity: now });
    }
  }
  return [...frames, { ...frames.at(-1), opacity: 0 }];
}

/** Send a pulse along each way. Returns a function that stops them; they also end by themselves. */
function sendBack(svg, edges, model) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return () => {};
  const [i, j, attention] = ["target", "source", "attention"].map((name) => model.get(name));
  const ways = Object.entries(waysBack(model.get("sizes"), attention, i, j));
  const dots = ways.flatMap(([route, all]) =>
    all.map((way) => {
      const dot = draw("circle", { class: `attn-pulse attn-pulse-${route}`, r: 8 });
      svg.append(dot);
      const run = dot.animate(framesOf(way, edges), { duration: STEP * (way.length - 1) });
      run.onfinish = () => dot.remove();
      return dot;
    }),
  );
  return () => dots.forEach((dot) => dot.remove());
}

/** One row for each route: its line in the drawing, how many paths, how long, what share. */
function rowsOf(parts, shares) {
  const head = create("tr");
  for (const text of ["Line", "Way", "Paths", "Arrows", "Share"]) {
    const className = ["Paths", "Arrows"].includes(text) ? "attn-number" : "";
    head.append(create("th", { class: className, scope: "col" }, text));
  }
  const rows = ROUTES.filter((route) => route in shares).map((route) => {
    const line = draw("path", { d: "M2,4 H26", class: `attn-edge attn-on-${route}` });
    line.style.setProperty("--attn-width", 3);
    line.style.setProperty("--attn-opacity", 1);
    const key = { class: "attn-key", viewBox: "0 0 28 8", "aria-hidden": "true" };
    const filled = create("div", { class: `attn-bar-of-share attn-bar-of-${route}` });
    filled.classList.toggle("attn-against", shares[route] < 0);
    filled.style.width = `${100 * Math.min(Math.abs(shares[route]), 1)}%`;
    const { number } = parts[route];
    return create(
      "tr",
      { class: `attn-route-${route}` },
      create("td", draw("svg", key, line)),
      create("th", { scope: "row" }, NAMES[route]),
      create("td.attn-number", grouped(number)),
      create("td.attn-number", number ? span(parts[route]) : "none"),
      create("td.attn-share", signed(shares[route]), filled),
    );
  });
  return [create("thead", head), create("tbody", ...rows)];
}

function render({ model, el }) {
  const view = beginView({ model, el }, "paths", "Gradient paths");
  const bar = create("div.attn-bar");
  const drawing = create("div.attn-drawing");
  const form = create("form", drawing); // keeps the radio buttons of two views apart
  const key = create("p.attn-hint.attn-widths");
  const words = createLive("p.attn-words");
  const table = create("table.attn-routes.attn-rows");
  view.frame.append(bar, form, key, words, table);

  const names = ["source", "target", "attention", "stage"];
  const reset = resetFor(view, names);
  const newParts = view.renewed();
  let [controls, figure, data, stop] = [{}, null, null, () => {}];

  function drawAll() {
    const part = newParts();
    data = { norms: floats(view.get("norms")), shares: floats(view.get("shares")) };
    data.scale = scaleOf(data.norms);
    key.replaceChildren(...keyOf(data.scale));
    controls = {
      nodes: drawNodeChoices(part, drawing),
      ...drawBar(part, bar, reset),
    };
    part.listen(controls.send, "click", send);
    drawFigure();
  }

  function drawFigure() {
    figure = figureOf(view);
    drawing.querySelector("svg")?.remove();
    drawing.prepend(figure.svg);
    update();
  }

  function update() {
    stop();
    markFigure(figure.edges, controls, view, data);
    tell(view, data, words, table);
  }

  function send() {
    stop();
    stop = sendBack(figure.svg, figure.edges, view);
  }

  view.follow(["norms", "shares", "sizes", "stages"], drawAll);
  view.follow(["attention"], drawFigure);
  view.follow(["source", "target", "stage"], update);
  view.follow(names, send);
  drawAll();
  return () => view.end();
}

function markFigure(edges, controls, model, data) {
  markEdges(edges, model, data, data.scale);
  markControls(controls, model);
  markNorms(controls.nodes, model, data);
}

/** The sentence and the table below the drawing. */
function tell(model, data, words, table) {
  const { shares, ...norms } = measuredOf(model, data);
  const [i, j, attention] = ["target", "source", "attention"].map((name) => model.get(name));
  const routes = routesOf(model.get("sizes"), attention, i, j);
  words.textContent = describe(model, routes, norms, shares);
  table.replaceChildren(...rowsOf(routes.parts, attention ? shares : { chain: 1 }));
}

/** The norms without and with attention, and the share of each route, from the chosen loss to
 *  source position j. */
function measuredOf(model, { norms, shares }, j = model.get("source")) {
  const { source, target } = model.get("sizes");
  const [stage, i] = ["stage", "target"].map((name) => model.get(name));
  const cell = (i - 1) * source + (j - 1);
  const norm = (attention) => norms[(2 * stage + attention) * target * source + cell];
  const first = ROUTES.length * (stage * target * source + cell);
  return {
    without: norm(0),
    attending: norm(1),
    shares: Object.fromEntries(ROUTES.map((route, k) => [route, shares[first + k]])),
  };
}

/** The graph with its edges, which are marked as the choice changes. */
function figureOf(model) {
  const [sizes, attention] = [model.get("sizes"), model.get("attention")];
  const { place, height } = placeNodes(sizes);
  const edges = drawEdges(sizes, place, attention);
  const svg = draw(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${height}`, "aria-hidden": "true" },
    ...edges.map(({ node }) => node),
    ...drawNodes(place, attention),
  );
  return { svg, edges };
}

/** The source positions and the losses as radio buttons, at their places in the drawing. */
function drawNodeChoices(view, drawing) {
  const sizes = view.get("sizes");
  const places = placeNodes(sizes);
  const upTo = (count) => Array.from({ length: count }, (_, k) => k + 1);
  const column = (name, numbers) => numbers.map((k) => nodeChoice(view, name, k, places));
  const group = (nodes, text) =>
    create(
      "fieldset.attn-choices",
      create("legend.attn-aloud", text),
      ...nodes.flatMap(({ label, norm }) => (norm ? [label, norm] : [label])),
    );
  const sources = column("source", upTo(sizes.source));
  const losses = column("target", upTo(sizes.target).reverse()); // the last is at the top
  drawing.replaceChildren(group(sources, "Source position"), group(losses, "Loss"));
  return [...sources, ...losses];
}

function markControls({ nodes }, model) {
  for (const { name, k, input } of nodes) input.checked = k === model.get(name);
}

/** The whole figure in words. */
function describe(model, { whole, parts }, { without, attending }, shares) {
  const [i, j, attention] = ["target", "source", "attention"].map((name) => model.get(name));
  const stage = model.get("stages")[model.get("stage")].toLowerCase();
  const from = `From loss ${i} to source position ${j}`;
  const chain = `the chain of ${parts.chain.longest} arrows`;
  if (!attention) {
    return (
      `${from}, without attention, ${stage}: one path, ${chain}. ` +
      `The gradient has the norm ${scientific(without)}.`
    );
  }
  const ways = ROUTES.map((route) => `${signed(shares[route])} ${COMES_BY[route]}`);
  const ratio = attending / without;
  const held =
    ratio >= 1
      ? `${scientific(ratio)} times that of the model without attention`
      : `less than that of the model without attention, ${scientific(without)}`;
  return (
    `${from}, with attention, ${stage}: ${grouped(whole.number)} paths of ` +
    `${span(whole)} arrows. The gradient has the norm ${scientific(attending)}, ${held}. ` +
    `It arrives ${series(ways)}.`
  );
}

/** What it shows, as the rows of a table: for readers without JavaScript. */
export function table({ model }) {
  const [{ source, target }, i] = [model.get("sizes"), model.get("target")];
  const norms = floats(model.get("norms"));
  const columns = model.get("stages").flatMap((name, stage) =>
    ["without attention", "with attention"].map((how, attention) => ({
      name: `${name}, ${how}`,
      at: (j) => norms[((stage * 2 + attention) * target + i - 1) * source + j],
    })),
  );
  return [
    [`Loss ${i}, back to`, ...columns.map(({ name }) => name)],
    ...Array.from({ length: source }, (_, j) => [
      `source ${j + 1}`,
      ...columns.map(({ at }) => scientific(at(j))),
    ]),
  ];
}

export default { render };
