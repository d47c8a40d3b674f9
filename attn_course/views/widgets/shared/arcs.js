// An alignment as arcs from what is read to what was written, and the choice between these views.

import {
  asPlace,
  isSelected,
  markTokens,
  nameToken,
  reachPlaces,
  staysLinked,
} from "./alignment.js";
import { capital, create, draw, seenOrder, visible } from "./common.js";
import { switchFor } from "./controls.js";

export const ARCS = 1000; // the size of the drawing between the lines of tokens, in its own units

/** The order in which the tokens of a line are seen, how much room each takes, and where the middle
 *  of each token is, from 0 to 1. */
function slots(tokens, words, least = 0) {
  const order = seenOrder(tokens);
  const room = order.map((place) => (words ? [...tokens[place]].length + 1.5 : 1));
  const taken = room.reduce((sum, width) => sum + width, 0);
  const total = Math.max(least, taken);
  const middles = [];
  let end = 0;
  order.forEach((place, seen) => {
    end += room[seen];
    middles[place] = (end - room[seen] / 2) / total;
  });
  const columns = [...room, ...(total > taken ? [total - taken] : [])];
  return { order, total, middles, columns: columns.map((one) => `minmax(0, ${one}fr)`).join(" ") };
}

/** Two lines of tokens, each with room for `least` of them, and the arcs between: as a figure, and as
 *  the `lane` of a player. */
export function arcsLane(alignment, { heads, sides }, label, least) {
  const { source, target, weights } = alignment;
  const words = [...source, ...target].some((token) => [...token].length > 2);
  const [upper, lower] = [source, target].map((tokens) => slots(tokens, words, least));
  const links = arcsOf(alignment, upper.middles, lower.middles);
  const box = { viewBox: `0 0 ${ARCS} ${ARCS}`, preserveAspectRatio: "none" };
  const stage = draw("g");
  const rows = [upper.order.map((j) => heads[j]), lower.order.map((i) => sides[i])];
  const node = create(
    "div",
    { class: words ? "attn-arcs attn-words" : "attn-arcs", role: "group", "aria-label": label },
    tokenLine(rows[0], upper, "Source"),
    draw(
      "svg.attn-links",
      { "aria-hidden": "true", ...box },
      ...links.map(({ path }) => path),
      stage,
    ),
    tokenLine(rows[1], lower, "Target"),
  );
  node.style.setProperty("--attn-room", Math.max(upper.total, lower.total));
  const places = { from: upper.middles, to: lower.middles };
  return { node, rows, links, lane: { ...places, stage, links, heads, sides, weights } };
}

/** The weights as arcs: source above, target below, more ink for more weight. It takes and
 *  returns what `matrixView` does; `sides` may be the caller's own nodes for the targets. */
export function arcsView(
  view,
  alignment,
  choice,
  label,
  {
    states = [],
    press,
    sides = alignment.target.map((token, i) => tokenButton(token, "target", i)),
  } = {},
) {
  const { source, weights } = alignment;
  const heads = source.map((token, j) => tokenButton(token, "source", j, states[j]));
  const { node, rows, links, lane } = arcsLane(alignment, { heads, sides }, label);
  reachPlaces(view, node, rows, choice, press);

  function mark(selection) {
    for (const { path, i, j } of links) {
      const stays = staysLinked(selection, i, j);
      path.classList.toggle("attn-far", !stays);
      path.classList.toggle("attn-near", stays && isSelected(selection));
      path.classList.toggle("attn-pair", i === selection.index && j === selection.other);
    }
    markTokens({ heads, sides, weights }, selection);
  }
  const placeOf = ({ side, index }) => (side === "target" ? sides[index] : heads[index]);
  return { node, mark, placeOf, lane };
}

/** The links as curves. An exact one has a rim of gold, as wide as the link and a
 *  little more; if it is not read, the rim is a thin line by itself. */
function arcsOf({ source, target, weights, gold }, from, to) {
  const link = (i, j, className, width, share = 1) => {
    const [start, end] = [from[j] * ARCS, to[i] * ARCS];
    const d = `M${start},0 C${start},${ARCS / 2} ${end},${ARCS / 2} ${end},${ARCS}`;
    const path = draw("path", { class: className, d, "stroke-width": width });
    path.style.setProperty("--attn-share", share);
    path.style.setProperty("--attn-turn", i);
    return { path, i, j };
  };
  const pairs = target.flatMap((_, i) => source.map((_, j) => [i, j]));
  const read = pairs.filter(([i, j]) => weights[i][j] >= 0.01);
  const width = (i, j) => (weights[i][j] < 0.01 ? 0 : 0.5 + 3 * weights[i][j]);
  const isExact = ([i, j]) => gold?.[i][j];
  return [
    ...pairs.filter(isExact).map(([i, j]) => link(i, j, "attn-gold-link", width(i, j) + RIM)),
    ...read.filter(isExact).map(([i, j]) => link(i, j, "attn-paper-link", width(i, j))),
    ...read.map(([i, j]) => link(i, j, "attn-link", width(i, j), weights[i][j])),
  ];
}

const RIM = 1.75; // of gold, both of its sides together

function tokenLine(nodes, { columns }, name) {
  const line = create("div.attn-line", { role: "group", "aria-label": name }, ...nodes);
  line.style.gridTemplateColumns = columns;
  return line;
}

function tokenButton(token, side, index, state = []) {
  const button = create(
    "button",
    { type: "button", class: `attn-token attn-${side}` },
    create("bdi", visible(token)),
  );
  nameToken(button, token, state, `${side} ${index + 1}`); // a line may have the same one twice
  return asPlace(button, { side, index });
}

/** Buttons that choose between the two views of an alignment. */
export function viewSwitch(view) {
  return switchFor(
    view,
    "view",
    "View",
    ["matrix", "arcs"].map((name) => [name, capital(name)]),
  );
}
