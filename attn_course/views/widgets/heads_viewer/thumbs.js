// A small picture of each head, to choose one from: its links, in four shades of ink.

import { create, draw, seenOrder } from "../shared/common.js";
import { groupsOf, headName, insideHead, sameHead } from "./reading.js";

const INKS = [0.06, 0.2, 0.4, 0.7]; // the least weight of each shade
const [WIDTH, HEIGHT] = [80, 40];
const NOTHING = { source: [], target: [], weights: [] };

/** All heads as a group of radio buttons: one tab stop, and arrow keys from head to head. */
export function thumbView(view) {
  const place = create("div.attn-groups", {
    role: "radiogroup",
    "aria-label": "Head to look into",
  });
  const all = groupsOf(view).flatMap(({ name, heads }) => {
    const thumbs = heads.map(thumbOf);
    const title = create("p.attn-hint", name);
    const line = create("div.attn-thumbs", ...thumbs.map(({ button }) => button));
    place.append(create("div.attn-group", title, line));
    return thumbs;
  });
  chooseAmong(view, place, all);

  return {
    node: place,
    /** Draw what all heads look at in a reading, if there is one. */
    read: (state) => drawLines(all, state),
    /** Show which head is chosen, and which are silenced. */
    mark() {
      for (const { head, button } of all) {
        const chosen = sameHead(head, view.get("chosen"));
        const silent = view.get("silenced").some((one) => sameHead(one, head));
        const name = headName(head, view.get("layers"));
        button.tabIndex = chosen ? 0 : -1;
        button.setAttribute("aria-checked", chosen);
        button.setAttribute("aria-label", silent ? `${name}, silenced` : name);
        button.classList.toggle("attn-silenced", silent);
      }
    },
  };
}

function thumbOf(head) {
  const inks = INKS.map((_, n) => draw("path", { class: `attn-ink-${n}` }));
  const box = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none" };
  const button = create(
    "button.attn-thumb",
    { type: "button", role: "radio" },
    draw("svg", { "aria-hidden": "true", ...box }, ...inks),
    create("span.attn-thumb-number", String(head[2] + 1)),
  );
  return { head, button, inks };
}

/** By pointer and by arrow keys: to the next head, or to the group above or below. */
function chooseAmong(view, place, all) {
  const choose = ({ head }) => {
    const otherLines = head[0] !== view.get("chosen")[0]; // then a selection would mean others
    view.share({ ...(otherLines ? { selected: {} } : {}), chosen: head });
  };
  view.listen(place, "click", (event) => {
    const thumb = all.find(({ button }) => button.contains(event.target));
    if (thumb) choose(thumb);
  });
  const steps = { ArrowLeft: -1, ArrowRight: 1 };
  steps.ArrowDown = view.get("heads");
  steps.ArrowUp = -steps.ArrowDown;
  view.listen(place, "keydown", (event) => {
    if (!(event.key in steps) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const at = all.findIndex(({ button }) => button === event.target);
    const next = all[at + steps[event.key]];
    if (!next) return;
    next.button.focus();
    choose(next);
  });
}

function drawLines(all, state) {
  const written = state.reading?.iso.length;
  const places = new Map(); // of the characters, which heads of a kind share
  for (const { head, inks } of all) {
    const { source, target, weights } = written ? insideHead(state, head) : NOTHING;
    if (!places.has(head[0])) places.set(head[0], [source, target].map(middlesOf));
    const lines = linesOf(weights, ...places.get(head[0]));
    inks.forEach((ink, n) => {
      ink.setAttribute("d", lines[n]);
    });
  }
}

/** Where the characters of a line stand, as they are seen. */
function middlesOf(tokens) {
  const middles = [];
  seenOrder(tokens).forEach((index, seen) => {
    middles[index] = Math.round((WIDTH * (seen + 0.5)) / tokens.length);
  });
  return middles;
}

/** The links as four outlines, from the palest to the darkest. */
function linesOf(weights, from, to) {
  const lines = INKS.map(() => "");
  const half = HEIGHT / 2;
  weights.forEach((row, i) =>
    row.forEach((weight, j) => {
      const ink = INKS.findLastIndex((least) => weight >= least);
      if (ink >= 0) {
        lines[ink] += `M${from[j]},0C${from[j]},${half} ${to[i]},${half} ${to[i]},${HEIGHT}`;
      }
    }),
  );
  return lines;
}
